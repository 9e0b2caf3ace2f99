"""The last word on which memories are nearest: float64 products, one rounding, ties by id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hebb_lab.memory.state.vectors import Floats

if TYPE_CHECKING:
    from hebb_lab.memory.state.memories import State

Rows = NDArray[np.int64]
Best = tuple[Rows, Floats]
"""Rows and cosines [Q, k], filled from the front: −1 and −inf past the end."""

_AT_ONCE = 1 << 16  # rows that are sorted at once


def nothing_found(queries: int, k: int) -> Best:
    """Rows [Q, k] of −1, cosines [Q, k] of −inf."""
    return np.full((queries, k), -1, np.int64), np.full((queries, k), -np.inf, np.float32)


def settle(state: State, queries: Floats, chosen: Sequence[Rows], out: Best) -> None:
    """Write the best of some rows of each query: cosine as float32 descending, id descending.

    Args:
        state: of the rows.
        queries: [Q, d].
        chosen: [Q] distinct rows of each, of memories that have a vector.
        out: rows and cosines [Q, k] of nothing found.
    """
    first = 0
    while first < len(chosen):
        stop, total = first + 1, len(chosen[first])
        while stop < len(chosen) and total + len(chosen[stop]) <= _AT_ONCE:
            total += len(chosen[stop])
            stop += 1
        part = out[0][first:stop], out[1][first:stop]
        if total > _AT_ONCE:
            _settle_long(state, queries[first:stop], chosen[first], part)
        else:
            _settle(state, queries[first:stop], chosen[first:stop], part)
        first = stop


def _settle_long(state: State, query: Floats, rows: Rows, out: Best) -> None:
    """Of one query: the best so far and the next rows, again and again."""
    for first in range(0, len(rows), _AT_ONCE):
        part = np.concatenate([out[0][0][out[0][0] >= 0], rows[first : first + _AT_ONCE]])
        _settle(state, query, [part], out)


def _settle(state: State, queries: Floats, chosen: Sequence[Rows], out: Best) -> None:
    sizes = np.array([len(rows) for rows in chosen])
    rows = np.concatenate(chosen)  # [n], all of them in a line
    asked = np.repeat(np.arange(len(chosen)), sizes)  # [n] the query of each
    scores = state.vectors.products(rows, queries, asked).astype(np.float32)
    order = np.lexsort((*_id_descending(state, rows), -scores, asked))
    place = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)  # among its query's
    kept = place < out[0].shape[1]
    best = order[kept]
    out[0][asked[kept], place[kept]] = rows[best]
    out[1][asked[kept], place[kept]] = scores[best]


def _id_descending(state: State, rows: Rows) -> tuple[NDArray[np.generic], ...]:
    """Keys of a lexsort, the least important first."""
    if state.ascending:
        return (-rows,)
    ids = ~state.ids_of(rows).array
    return ids[:, 1], ids[:, 0]
