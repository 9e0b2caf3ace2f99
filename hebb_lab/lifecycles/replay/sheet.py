"""Answers of one arm, at each horizon, as rankings of nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.records import Ranking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass
class Sheet:
    """Answers to Q questions at H horizons.

    Args:
        ids: [H, Q, depth] int32 node ids, −1 past the end.
        scores: [H, Q, depth] float32, −inf past the end.
    """

    ids: NDArray[np.int32]
    scores: NDArray[np.float32]

    @classmethod
    def blank(cls, horizons: int, questions: int, depth: int) -> Sheet:
        """No answers yet."""
        shape = (horizons, questions, depth)
        return cls(np.full(shape, -1, np.int32), np.full(shape, -np.inf, np.float32))

    def ranking(self, horizon: int, rows: NDArray[np.int64]) -> Ranking:
        """The answers to some questions after one horizon."""
        return Ranking(self.ids[horizon, rows], self.scores[horizon, rows])

    def fill(
        self, horizon: int, rows: NDArray[np.int64], nodes: NDArray[np.int32],
        scores: NDArray[np.float32], excluded: Sequence[NDArray[np.int32]],
    ) -> None:  # fmt: skip
        """Keep what a store gave: each node once, by (score descending, node descending).

        Args:
            horizon: its place.
            rows: [q] the questions.
            nodes: [q, k] nodes of the memories found, −1 for none.
            scores: [q, k].
            excluded: [Q] nodes that are no answers.
        """
        for place, row in enumerate(rows.tolist()):
            if len(excluded[row]):
                hidden = np.isin(nodes[place], excluded[row])
                nodes[place] = np.where(hidden, -1, nodes[place])
        ids, ordered = ranked(nodes, scores)
        depth = min(self.ids.shape[2], ids.shape[1])
        self.ids[horizon, rows, :depth] = ids[:, :depth]
        self.scores[horizon, rows, :depth] = ordered[:, :depth]


def ranked(
    nodes: NDArray[np.int32], scores: NDArray[np.float32]
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Rows by (score descending, node descending); a node that stands twice keeps its best.

    >>> ids, _ = ranked(np.array([[1, 2, -1, 1]]), np.array([[0.5, 0.5, 0.9, 0.1]], np.float32))
    >>> ids.tolist()
    [[2, 1, -1, -1]]
    """
    nodes, scores = nodes.astype(np.int32), scores.astype(np.float32)
    by_node = np.lexsort((-scores, nodes), axis=-1)  # equal nodes side by side, the best first
    sorted_nodes = np.take_along_axis(nodes, by_node, axis=1)
    again = np.zeros(nodes.shape, np.bool_)
    again[:, 1:] = (sorted_nodes[:, 1:] == sorted_nodes[:, :-1]) & (sorted_nodes[:, 1:] >= 0)
    dropped = np.zeros(nodes.shape, np.bool_)
    np.put_along_axis(dropped, by_node, again, axis=1)
    kept = np.where(dropped, np.int32(-1), nodes)
    values = np.where(kept >= 0, scores, np.float32(-np.inf))
    order = np.lexsort((-kept, -values), axis=-1)
    return np.take_along_axis(kept, order, axis=1), np.take_along_axis(values, order, axis=1)
