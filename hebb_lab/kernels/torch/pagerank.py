"""Personalised PageRank of all configurations and queries at once, by pushing residuals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from hebb_lab.kernels.arrays import Found, as_numpy, nothing_found
from hebb_lab.kernels.torch.as_of import AsOf
from hebb_lab.kernels.torch.frontier import added, pieces
from hebb_lab.kernels.torch.hop import Frontier, World, rows_of, turned
from hebb_lab.kernels.torch.walk import barred_keys, fill, seeds_of, world_of

if TYPE_CHECKING:
    from torch import Tensor

    from hebb_lab.kernels.arrays import GraphArrays, QueryArrays, ReplayState
    from hebb_lab.kernels.parameters import ReadArrays, TraceArrays


class _TooMuchError(Exception):
    """The rows of these queries do not fit into memory."""


def personalised_pagerank(
    graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays,
    queries: QueryArrays, k: int, restart: float, tolerance: float, *, device: torch.device,
    dtype: torch.dtype, memory_bytes: int,
) -> Found:  # fmt: skip
    """Random walk with restart at the seeds; see Walk.personalised_pagerank.

    All residuals above the tolerance are pushed at once, until there is none. A row is read when
    its node is first pushed. Queries whose rows do not fit into memory are taken in halves.
    """
    with torch.no_grad():
        source = AsOf(graph, state, traces, reads, queries, device, dtype)
        world = world_of(source, reads, queries, device, memory_bytes)
        found = nothing_found(len(reads.hops), len(queries.time), k)
        barred, seeds = barred_keys(queries, world.nodes, device), seeds_of(queries, world)
        waiting = [(0, len(queries.time))]
        while waiting:
            first, stop = waiting.pop()
            edges = world.edges.clone()
            inside = (seeds.key >= first * world.nodes) & (seeds.key < stop * world.nodes)
            mine = Frontier(seeds.key[inside], seeds.energy[inside])
            try:
                ranks = _Ranks(world, mine, restart, stop - first > 1)
                ranks.push(tolerance)
            except _TooMuchError:
                world.edges.copy_(edges)
                half = (first + stop) // 2
                waiting += [(half, stop), (first, half)]
                continue
            fill(found, ranks.key, ranks.rank, barred, world.nodes)
    return found._replace(edges=as_numpy(world.edges))


class _Ranks:
    """Ranks and residuals [R, C] of the (query, node) pairs [R] that mass has reached."""

    def __init__(self, world: World, seeds: Frontier, restart: float, divisible: bool) -> None:
        self._world, self._restart, self._divisible = world, restart, divisible
        self.key = seeds.key  # ascending
        query = self._query(self.key)
        whole = added(query, seeds.energy, world.edges.shape[1])
        self._home_key, self._home = self.key, seeds.energy / whole[query]
        self.rank, self._residual = torch.zeros_like(self._home), self._home.clone()
        self._degree = torch.full_like(self.key, -1)[:, None].expand(seeds.energy.shape).clone()
        self._counted = torch.zeros_like(self._degree, dtype=torch.bool)
        self._from, self._to = self.key[:0], self.key[:0]  # [L] places in ``key``
        self._share = self._home[:0]  # [L, C]
        self._leaves = torch.zeros_like(self._degree, dtype=torch.bool)
        self._matrices: list[Tensor] | None = None

    def push(self, tolerance: float) -> None:
        """Until no residual is above the tolerance."""
        while True:
            pushed = self._residual > tolerance  # [R, C]
            if not bool(pushed.any()):
                return
            fresh = pushed.any(1) & (self._degree[:, 0] < 0)
            opens = bool(fresh.any())
            if opens:
                self._open(self.key[fresh])
                pushed = self._residual > tolerance
            self._count(pushed)
            mass = self._residual * pushed
            self.rank += self._restart * mass
            self._residual -= mass
            self._send((1 - self._restart) * mass, opens)

    def _open(self, key: Tensor) -> None:
        """Read the rows of nodes that are pushed for the first time."""
        parts = []
        for first, stop in pieces(self._world.degree(key), self._world.most):
            part = key[first:stop]
            rows = rows_of(self._world, part)
            total = added(rows.row, rows.weight, len(part))
            degree = added(rows.row, rows.alive.to(torch.int64), len(part))
            share = rows.weight / torch.where(total > 0, total, 1.0)[rows.row]
            target = self._query(part)[rows.row] * self._world.nodes + rows.target
            parts.append((part[rows.row], target, share, degree, total > 0))
        sender, target, share, degree, leaves = map(torch.cat, zip(*parts, strict=True))
        if self._divisible and len(sender) + len(self._from) > self._world.held:
            raise _TooMuchError
        self._share = torch.cat([self._share, share])
        self._grow(sender, target)
        place = torch.searchsorted(self.key, key)
        self._degree[place], self._leaves[place] = degree, leaves
        self._matrices = None

    def _grow(self, sender: Tensor, target: Tensor) -> None:
        """Make room for nodes that were not known, and for new entries between their keys."""
        known = self.key
        self.key = torch.unique(torch.cat([known, target]))
        place, size = torch.searchsorted(self.key, known), len(self.key)

        def moved(part: Tensor, empty: int) -> Tensor:
            return part.new_full((size, part.shape[1]), empty).index_copy(0, place, part)

        self.rank, self._residual = moved(self.rank, 0), moved(self._residual, 0)
        self._degree, self._counted = moved(self._degree, -1), moved(self._counted, 0)
        self._leaves = moved(self._leaves, 0)
        fresh = torch.searchsorted(self.key, sender), torch.searchsorted(self.key, target)
        self._from = torch.cat([place[self._from], fresh[0]])
        self._to = torch.cat([place[self._to], fresh[1]])

    def _count(self, pushed: Tensor) -> None:
        """Pairs that are read, once a node and configuration."""
        fresh = pushed & ~self._counted
        self._counted |= pushed
        read = (self._degree * fresh).T
        self._world.edges.index_add_(1, self._query(self.key), read)

    def _send(self, sent: Tensor, opens: bool) -> None:
        """Along the edges, and home from a node that has none.

        By sparse products once a step has read no new row: turning the matrix takes a sort.
        """
        if opens:
            self._residual.index_add_(0, self._to, sent[self._from] * self._share)
        else:
            if self._matrices is None:
                self._matrices = turned(self._from, self._to, self._share, len(self.key))
            for c, matrix in enumerate(self._matrices):
                self._residual[:, c] += matrix @ sent[:, c]
        query, count = self._query(self.key), self._world.edges.shape[1]
        lost = added(query, sent * ~self._leaves, count)
        home = torch.searchsorted(self.key, self._home_key)
        self._residual.index_add_(0, home, self._home * lost[self._query(self._home_key)])

    def _query(self, key: Tensor) -> Tensor:
        return torch.div(key, self._world.nodes, rounding_mode="floor")
