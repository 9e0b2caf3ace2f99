"""The floors that know nothing of association: popularity and recency, at each query's time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.kernels.arrays import QueryArrays
from hebb_lab.kernels.cpu.compile import ZERO, kernel
from hebb_lab.kernels.cpu.select import best_nodes, set_all

if TYPE_CHECKING:
    from numpy.typing import NDArray


def popularity_and_recency(
    node: NDArray[np.int32], time: NDArray[np.int64], nodes: int, queries: QueryArrays, k: int
) -> tuple[tuple[NDArray[np.int32], NDArray[np.float32]], ...]:
    """Best k by number of touches, and by order of the last touch, strictly before each query.

    Args:
        node: [T] touched nodes, in time order.
        time: [T] their times, µs.
        nodes: N.
        queries: in time order.
        k: how many.

    Returns:
        (ids, scores) [Q, k] of popularity and of recency; recency scores are touch positions
        from 1, exact in float32 up to 2²⁴ touches.
    """
    shape = (2, len(queries.time), k)
    ids, scores = np.full(shape, -1, np.int32), np.full(shape, -np.inf, np.float32)
    values, barred = np.zeros((2, nodes)), np.zeros(nodes, np.bool_)
    _floors(node, time, queries, np.arange(nodes), values, barred, ids, scores)
    return (ids[0], scores[0]), (ids[1], scores[1])


@kernel
def _floors(
    node: Any, time: Any, queries: QueryArrays, everyone: Any, values: Any, barred: Any,
    ids: Any, scores: Any,
) -> None:  # fmt: skip
    """``values`` [2, N]: number of touches, and the position of the last one from 1."""
    position = ZERO
    for q in range(len(queries.time)):
        while position < len(time) and time[position] < queries.time[q]:
            values[0, node[position]] += 1.0
            values[1, node[position]] = position + 1.0
            position += 1
        excluded = queries.exclude_ids[queries.exclude_ptr[q] : queries.exclude_ptr[q + 1]]
        set_all(barred, excluded, True)
        for floor in range(2):
            best_nodes(
                everyone, values[floor], len(everyone), barred, ids[floor, q], scores[floor, q]
            )
        set_all(barred, excluded, False)
