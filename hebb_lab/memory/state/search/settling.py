"""The last word on which memories are nearest: float64 products, one rounding, ties by id."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hebb_lab.kernels.nearest import exact_products, write_best
from hebb_lab.memory.state.vectors import Floats

if TYPE_CHECKING:
    from hebb_lab.memory.state.memories import State

Best = tuple[NDArray[np.int64], Floats]
"""Rows and cosines [k] of one query, to be filled from the front: −1 and −inf past the end."""

_AT_ONCE = 4096  # rows whose products are summed in float64 at once


def nothing_found(queries: int, k: int) -> Best:
    """Rows [Q, k] of −1, cosines [Q, k] of −inf."""
    return np.full((queries, k), -1, np.int64), np.full((queries, k), -np.inf, np.float32)


def settle(state: State, query: Floats, rows: NDArray[np.int64], out: Best) -> int:
    """Write the best of some rows: cosine as float32 descending, then id descending.

    Args:
        state: of the rows.
        query: [d].
        rows: [n] distinct, of memories that have a vector.
        out: rows and cosines [k].

    Returns:
        How many were written, min(n, k).
    """
    best: NDArray[np.int64] = rows[:0]
    scores: Floats = np.zeros(0, np.float32)
    written = 0
    for first in range(0, len(rows), _AT_ONCE):
        part = rows[first : first + _AT_ONCE]
        more = exact_products(state.vectors.take(part), query).astype(np.float32)
        best, scores = np.concatenate([best, part]), np.concatenate([scores, more])
        written = _write(state, best, scores, out)
        best, scores = out[0][:written].copy(), out[1][:written].copy()
    return written


def _write(state: State, rows: NDArray[np.int64], scores: Floats, out: Best) -> int:
    if state.ascending:
        order = np.argsort(rows)
    else:
        array = state.ids_of(rows).array
        order = np.lexsort((array[:, 1], array[:, 0]))
    rows, scores = rows[order], scores[order]
    best = np.empty(len(out[0]), np.int32)
    written = write_best(np.arange(len(rows)), scores, best, out[1])
    out[0][:written] = rows[best[:written]]
    return written
