"""The nearest vectors, exactly: a sieve of rounded products, and float64 for what passes it.

A rounded product is off by at most e, so no row more than 2e below the k-th best rounded product
can be among the best k. The few others are settled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hebb_lab.memory.state.search.products import products_for
from hebb_lab.memory.state.search.settling import Best, nothing_found, settle
from hebb_lab.memory.state.vectors import BLOCK, Floats

if TYPE_CHECKING:
    from hebb_lab.memory.state.memories import State

_QUERIES = 256  # looked up at once
# Products of one tile, 32 MB. Threads wait for each other at its end: beside other programs a tile
# of 4 MB takes four times as long in all as one of 32, and alone it is no quicker.
_PRODUCTS = 1 << 23
_SPARE = 1024  # candidates that there is room for, beside 4 k
_DENSE = 4  # rows that are this part of all are no longer gathered, but the others passed over


class Tile(NamedTuple):
    """Some rows to look at: the place of the first, their vectors, which of them count."""

    first: int
    vectors: Floats  # [m, d]
    usable: NDArray[np.bool_]  # [m]


def nearest_exact(
    state: State, queries: Floats, k: int, rows: NDArray[np.int64] | None = None
) -> Best:
    """Rows and cosines [Q, k], best first; see ``search.nearest``."""
    found = nothing_found(len(queries), k)
    queries = np.ascontiguousarray(queries, np.float32)
    settle(state, queries, candidates(state, queries, k, rows), found)
    return found


def candidates(
    state: State, queries: Floats, k: int, rows: NDArray[np.int64] | None
) -> list[NDArray[np.int64]]:
    """Rows that the best k of each query are among, of all rows or of some."""
    usable = state.alive & state.has_vector
    if rows is not None:
        if _DENSE * len(rows) > state.count:
            within = np.zeros(state.count, np.bool_)
            within[rows] = True
            usable, rows = usable & within, None
        else:
            rows = rows[usable[rows]]
    parts = [queries[first : first + _QUERIES] for first in range(0, len(queries), _QUERIES)]
    return [chosen for part in parts for chosen in _candidates(state, part, k, rows, usable)]


def tiles(
    state: State, rows: NDArray[np.int64] | None, usable: NDArray[np.bool_], queries: int
) -> Iterator[Tile]:
    """All rows, or copies of some, in pieces for so many queries.

    Args:
        state: of the vectors.
        rows: [n], then places are in it; None: all rows.
        usable: [count] which rows count.
        queries: how many are multiplied with each piece.
    """
    size = max(_PRODUCTS // max(queries, 1), 64)
    if rows is None:
        for start, block in state.vectors.blocks():
            for first in range(start, start + len(block), size):
                part = block[first - start : first - start + size]
                yield Tile(first, part, usable[first : first + len(part)])
        return
    size = min(size, BLOCK)
    for first in range(0, len(rows), size):
        chosen = rows[first : first + size]
        yield Tile(first, state.vectors.take(chosen), usable[chosen])


def _candidates(
    state: State, queries: Floats, k: int, rows: NDArray[np.int64] | None,
    usable: NDArray[np.bool_],
) -> list[NDArray[np.int64]]:  # fmt: skip
    """Rows that the best k are among; all rows where too many are nearly equal."""
    from hebb_lab.kernels.cpu.lookup.sieve import OVERFLOWN, last_prune

    count, most = len(queries), 4 * k + _SPARE
    products = products_for(queries, state.vectors, state.count if rows is None else len(rows))
    heaps = np.full((count, k), -np.inf, np.float32)
    values, places = np.empty((count, most), np.float32), np.empty((count, most), np.int64)
    held = np.zeros(count, np.int64)
    bars = products.window, np.float32(products.relative), heaps
    for tile in tiles(state, rows, usable, count):
        _sift(tile, products.of(tile.vectors), *bars, values, places, held)
    last_prune(*bars, values, places, held)
    every = np.zeros(0, np.int64)
    if (held == OVERFLOWN).any():  # more are equal, or nearly, than there is room for
        every = np.flatnonzero(usable) if rows is None else np.arange(len(rows))
    chosen = [
        every if fill == OVERFLOWN else places[q, :fill] for q, fill in enumerate(held.tolist())
    ]
    return chosen if rows is None else [rows[place] for place in chosen]


def _sift(tile: Tile, products: Floats, *sieve: Any) -> None:
    from hebb_lab.kernels.cpu.compile import in_threads, pieces_of
    from hebb_lab.kernels.cpu.lookup.sieve import sift

    count = len(products)
    in_threads(
        lambda begin, stop: sift(products, tile.first, tile.usable, *sieve, begin, stop),
        pieces_of(count, 32 if products.size >= 1 << 16 else count),
    )
