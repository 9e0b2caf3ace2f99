"""How far the order of equal scores can move the relevant nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.records import Ranking


def tie_ranks(
    ranking: Ranking,
    query: NDArray[np.int64],
    ranks: NDArray[np.int64],
    grades: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Best and worst rank of every relevant node among the nodes of its score.

    A group of s equal scores stands at the ranks p … p + s − 1; g of its nodes are relevant. In
    the optimistic order these take p … p + g − 1, the highest grade first; in the pessimistic one
    p + s − g … p + s − 1, the highest grade last. Every measure falls or stays when a relevant
    node moves down, so its values in the two orders are the most and the least that any order of
    equal scores can give.

    Only what is in the ranking is seen: of a tie that reaches beyond its depth the part inside
    counts, so the true band is as wide or wider there.

    Args:
        ranking: [Q, k], ordered by the tie rule.
        query: [G] the query of each relevant node.
        ranks: [G] its rank; 0 where it is not retrieved.
        grades: [G] its grade.

    Returns:
        (optimistic, pessimistic), [G] int32 each; 0 where the node is not retrieved.

    >>> from hebb_lab.records import Ranking
    >>> tied = Ranking(np.array([[9, 7, 5, 3]]), np.array([[0.9, 0.5, 0.5, 0.5]], np.float32))
    >>> best, worst = tie_ranks(tied, np.array([0, 0]), np.array([1, 3]), np.array([1, 1]))
    >>> best.tolist(), worst.tolist()
    ([1, 2], [1, 4])
    """
    first, last = _groups(ranking)
    found = np.flatnonzero(ranks > 0)
    row, place = query[found], ranks[found] - 1
    start, end = first[row, place], last[row, place]
    order = np.lexsort((-grades[found], start, row))  # best grade first within a group
    fresh = np.ones(len(order), dtype=np.bool_)
    fresh[1:] = (np.diff(row[order]) != 0) | (np.diff(start[order]) != 0)
    position = np.arange(len(order))
    above = position - np.maximum.accumulate(np.where(fresh, position, 0))
    optimistic, pessimistic = (np.zeros(len(ranks), dtype=np.int32) for _ in range(2))
    optimistic[found[order]] = start[order] + above + 1
    pessimistic[found[order]] = end[order] - above + 1
    return optimistic, pessimistic


def _groups(ranking: Ranking) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First and last column of the group of equal scores that each place is in, [Q, k] each."""
    ids, scores = ranking.ids, ranking.scores
    depth = ids.shape[1]
    column = np.broadcast_to(np.arange(depth), ids.shape)
    apart = (scores[:, 1:] != scores[:, :-1]) | (ids[:, 1:] < 0)  # between a place and the next
    edge = np.ones((len(ids), 1), dtype=np.bool_)
    starts, ends = np.hstack([edge, apart]), np.hstack([apart, edge])
    if depth == 0:
        return column, column
    first = np.maximum.accumulate(np.where(starts, column, 0), axis=1)
    last = np.minimum.accumulate(np.where(ends, column, depth - 1)[:, ::-1], axis=1)[:, ::-1]
    return first, last
