"""What may be answered: nodes known strictly before a query, by the one tie rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.kernels.nearest import write_best
from hebb_lab.records import Ranking

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.records import Queries


@dataclass(frozen=True)
class Births:
    """Nodes by age. At any time the known nodes are a prefix: those born strictly before it.

    Args:
        node: [N] int64 node ids, eldest first; nodes of one age by id.
        born_us: [N] int64, when they were first touched; ascending.
    """

    node: NDArray[np.int64]
    born_us: NDArray[np.int64]

    @classmethod
    def of(cls, born_us: NDArray[np.int64]) -> Births:
        """From the times of birth of nodes 0 to N − 1.

        >>> Births.of(np.array([30, 10, 20])).node.tolist()
        [1, 2, 0]
        """
        node = np.argsort(born_us, kind="stable")
        return cls(node, born_us[node])

    def known(self, queries: Queries) -> NDArray[np.int64]:
        """Number of nodes known at each query, [Q].

        Raises:
            ValueError: the queries are not in time order.
        """
        require_time_order(queries)
        return np.searchsorted(self.born_us, queries.time_us, side="left")


def require_time_order(queries: Queries) -> None:
    """Refuse queries that go back in time: what walks forward with them would see the future.

    Raises:
        ValueError: a query is earlier than the one before it.
    """
    back = np.flatnonzero(np.diff(queries.time_us) < 0)
    if len(back):
        raise ValueError(f"query {int(back[0]) + 1} is earlier than the one before it")


def empty_ranking(queries: int, k: int) -> Ranking:
    """A ranking [Q, k] without answers, to be filled.

    >>> empty_ranking(1, 2).ids.tolist(), empty_ranking(1, 2).scores.tolist()
    ([[-1, -1]], [[-inf, -inf]])
    """
    return Ranking(np.full((queries, k), -1, np.int32), np.full((queries, k), -np.inf, np.float32))


def seeds(queries: Queries, q: int) -> NDArray[np.int32]:
    """Nodes in view of one query, newest first."""
    return queries.seed_ids[queries.seed_ptr[q] : queries.seed_ptr[q + 1]]


def seed_energy(queries: Queries, q: int) -> NDArray[np.float32]:
    """Energies of the nodes in view of one query."""
    return queries.seed_energy[queries.seed_ptr[q] : queries.seed_ptr[q + 1]]


def excluded(queries: Queries, q: int) -> NDArray[np.int32]:
    """Nodes that may not be an answer to one query."""
    return queries.exclude_ids[queries.exclude_ptr[q] : queries.exclude_ptr[q + 1]]


def text(queries: Queries, q: int) -> str:
    """The user's words of one query, or an empty string."""
    return queries.texts[q].strip() if queries.texts else ""


def fill_best(
    ranking: Ranking, q: int, nodes: NDArray[np.integer], scores: NDArray[np.float32]
) -> int:
    """Write the best of some distinct nodes into row q: score descending, then id descending.

    Args:
        ranking: [Q, k], as ``empty_ranking`` made it.
        q: the row.
        nodes: [n] ids.
        scores: [n] float32, any sign, none NaN.

    Returns:
        How many were written, min(n, k).

    >>> ranking = empty_ranking(1, 2)
    >>> fill_best(ranking, 0, np.array([3, 7, 5]), np.array([0.5, 0.5, 0.9], np.float32))
    2
    >>> ranking.ids.tolist()
    [[5, 7]]
    """
    return write_best(nodes, scores, ranking.ids[q], ranking.scores[q])
