"""Walks through one state of one graph, made ready once and asked again and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hebb_lab.kernels.checks.entries import check_count
from hebb_lab.kernels.checks.walks import check_queries, check_restart
from hebb_lab.kernels.memory import in_halves

if TYPE_CHECKING:
    from hebb_lab.kernels.arrays import Found, QueryArrays
    from hebb_lab.kernels.interface import Walker


@dataclass(frozen=True)
class Walk:
    """What Backend.walk has made ready, for C configurations; any number of Q queries to each.

    Args:
        backend: its name.
        nodes: N.
        configs: C.
        walker: what computes.
    """

    backend: str
    nodes: int
    configs: int
    walker: Walker

    def spread(self, queries: QueryArrays, k: int) -> Found:
        """Energy that reaches each node; the best k by (score as float32, id), both descending.

        energy(v) = Σ over hops and senders u: energy(u) · w(u, v, t) · spread_decay · hub(u) /
        sum(u), w merged over namespaces and traces as of strictly before the query's time; hub(u)
        = √(hub_degree/degree) above hub_degree; sum(u) the sender's total weight, or 1. No visited
        set: energy walks back. (rules.md §1, spread.)

        Raises:
            InputError: ids out of range, energies that are not finite, times that do not ascend.
            ConfigError: a negative k.
        """
        self._check(queries, k)
        return in_halves(
            self.backend, queries, self.configs, k, lambda part: self.walker.spread(part, k)
        )

    def personalised_pagerank(
        self, queries: QueryArrays, k: int, restart: float = 0.15, tolerance: float = 1e-6
    ) -> Found:
        """Random walk with restart at the seeds; the best k by (probability, id) descending.

        p = restart · s + (1 − restart) · Wᵀ p, s the seeds' energies summing to 1, W the merged
        weights with rows summing to 1; a node without edges sends its walker home. Pushed until no
        residual exceeds ``tolerance``: p is below the exact one by at most the residuals' sum.
        (Andersen, Chung, Lang 2006.)

        Raises:
            InputError: as ``spread``.
            ConfigError: a restart outside (0, 1], a tolerance of 0, a negative k.
        """
        self._check(queries, k)
        check_restart(restart, tolerance)
        return in_halves(
            self.backend, queries, self.configs, k,
            lambda part: self.walker.personalised_pagerank(part, k, restart, tolerance),
        )  # fmt: skip

    def _check(self, queries: QueryArrays, k: int) -> None:
        check_queries(queries, self.nodes)
        check_count("k", k)
