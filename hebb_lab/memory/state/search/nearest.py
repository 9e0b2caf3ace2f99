"""The nearest memories to queries, exactly or through an HNSW graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hebb_lab.memory.state.search.exact import nearest_exact

if TYPE_CHECKING:
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state.memories import State


def nearest(
    state: State, queries: NDArray[np.float32], k: int, rows: NDArray[np.int64] | None,
    rules: MemoryRules,
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:  # fmt: skip
    """The k memories of the greatest cosine, among those that have a vector.

    Sorted by (cosine as float32 descending, id descending). The cosine is the inner product of unit
    vectors, summed in float64 and rounded to float32 once.

    Args:
        state: the memories.
        queries: [Q, d] float32 unit vectors.
        k: how many.
        rows: only these, ascending; None: all.
        rules: index, and the settings of the HNSW graph.

    Returns:
        Rows [Q, k] int64, −1 past the end; cosines [Q, k] float32, −inf past the end.
    """
    queries = np.asarray(queries, np.float32).reshape(len(queries), state.dimensions)
    if k < 1 or not len(queries) or not state.count:
        shape = len(queries), max(k, 0)
        return np.full(shape, -1, np.int64), np.full(shape, -np.inf, np.float32)
    if rules.index == "hnsw":
        from hebb_lab.memory.state.search.hnsw import nearest_in_graph

        return nearest_in_graph(state, queries, k, rows, rules)
    if state.device_search is not None:
        return state.device_search.search(state, queries, k, rows)
    return nearest_exact(state, queries, k, rows)
