"""The floors that know nothing of association: popularity and recency, at each query's time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from hebb_lab.kernels.arrays import QueryArrays
from hebb_lab.kernels.cpu_select import best_nodes

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
    shape = (len(queries.time), k)
    ids = [np.full(shape, -1, np.int32) for _ in range(2)]
    scores = [np.full(shape, -np.inf, np.float32) for _ in range(2)]
    _floors(node, time, nodes, queries, ids[0], scores[0], ids[1], scores[1])
    return (ids[0], scores[0]), (ids[1], scores[1])


@njit(cache=True)
def _floors(
    node: Any, time: Any, nodes: int, queries: QueryArrays,
    popular_ids: Any, popular: Any, recent_ids: Any, recent: Any,
) -> None:  # fmt: skip
    touched, newest = np.zeros(nodes), np.zeros(nodes)
    everyone, barred = np.arange(nodes), np.zeros(nodes, np.bool_)
    position = 0
    for q in range(len(queries.time)):
        while position < len(time) and time[position] < queries.time[q]:
            touched[node[position]] += 1.0
            newest[node[position]] = position + 1.0
            position += 1
        excluded = queries.exclude_ids[queries.exclude_ptr[q] : queries.exclude_ptr[q + 1]]
        barred[excluded] = True
        best_nodes(everyone, touched, nodes, barred, popular_ids[q], popular[q])
        best_nodes(everyone, newest, nodes, barred, recent_ids[q], recent[q])
        barred[excluded] = False
