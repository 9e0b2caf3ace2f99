"""The best memories of each query, by the one tie rule of names.

Ranks are settled by (score as float32 descending, name descending); ``rank`` is a memory's place
among all names, so that the kernels compare whole numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.kernels.cpu.compile import ZERO, in_workers, kernel, part, pieces_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

PIECE = 64  # queries that a thread takes at once


class Lists(NamedTuple):
    """The best memories of each query: [Q, depth] int32, −1 past the end, and float32, −inf."""

    memory: NDArray[np.int32]
    score: NDArray[np.float32]


def best_lists(scores: NDArray[np.float32], rank: NDArray[np.int32], depth: int) -> Lists:
    """The best ``depth`` of each row; what is −inf is not listed.

    Args:
        scores: [Q, n] float32.
        rank: [N ≥ n] int32, place of each name.
        depth: how many.
    """
    lists = empty_lists(len(scores), depth)

    def work(_: None, first: int, stop: int) -> None:
        _best(scores[first:stop], rank, lists.memory[first:stop], lists.score[first:stop])

    in_workers(lambda: None, work, pieces_of(len(scores), PIECE))
    return lists


def empty_lists(queries: int, depth: int) -> Lists:
    """Lists with nothing in them yet."""
    return Lists(
        np.full((queries, depth), -1, np.int32), np.full((queries, depth), -np.inf, np.float32)
    )


@part
def insert(node: Any, value: Any, held: Any, rank: Any, ids: Any, scores: Any) -> Any:
    """Put a memory where it belongs among the first ``held`` of a row; gives how many there are."""
    depth = len(ids)
    if depth == 0:
        return held
    if held == depth:
        last = ids[depth - 1]
        if value < scores[depth - 1] or (value == scores[depth - 1] and rank[node] < rank[last]):
            return held
        place = depth - 1
    else:
        place = held
        held += 1
    while place > 0 and (
        value > scores[place - 1]
        or (value == scores[place - 1] and rank[node] > rank[ids[place - 1]])
    ):
        scores[place], ids[place] = scores[place - 1], ids[place - 1]
        place -= 1
    scores[place], ids[place] = value, node
    return held


@kernel
def _best(scores: Any, rank: Any, ids: Any, out: Any) -> None:
    for q in range(scores.shape[0]):
        held = ZERO
        for m in range(scores.shape[1]):
            value = scores[q, m]
            if value > np.float32(-np.inf):
                held = insert(np.int32(m), value, held, rank, ids[q], out[q])
