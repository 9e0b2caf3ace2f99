"""The nearest vectors, exactly: a sieve of rounded products, and float64 for what passes it.

A product summed in float32 is off by at most e, so no row more than 2e below the k-th best rounded
product can be among the best k. The few others are settled as everywhere in this package: summed
in float64 and rounded to float32 once, ties by id.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hebb_lab.kernels.nearest import exact_products, rounding_of, write_best
from hebb_lab.memory.state.vectors import BLOCK, Floats

if TYPE_CHECKING:
    from hebb_lab.memory.state.memories import State

_PRODUCTS = 1 << 20  # of one tile, four megabytes
_SETTLED = 4096  # rows whose products are summed in float64 at once
_SPARE = 1024  # candidates that there is room for beside 4 k


class Tile(NamedTuple):
    """Some rows to look at: their vectors, which of them count, the place of the first."""

    first: int
    vectors: Floats  # [m, d]
    usable: NDArray[np.bool_]  # [m]


def nearest_exact(
    state: State, queries: Floats, k: int, rows: NDArray[np.int64] | None
) -> tuple[NDArray[np.int64], Floats]:
    """Rows and cosines [Q, k], best first; see ``search.nearest``."""
    found = np.full((len(queries), k), -1, np.int64), np.full((len(queries), k), -np.inf, "f4")
    for first in range(0, len(queries), 256):
        part = np.ascontiguousarray(queries[first : first + 256], np.float32)
        candidates = _candidates(state, part, k, rows)
        for q, chosen in enumerate(candidates):
            out = found[0][first + q], found[1][first + q]
            if chosen is None:
                _settle_all(state, part[q], rows, out)
            else:
                settle(state, part[q], chosen if rows is None else rows[chosen], out)
    return found


def tiles(state: State, rows: NDArray[np.int64] | None, queries: int) -> Iterator[Tile]:
    """All rows, or some, in pieces for so many queries; places are rows, or places in ``rows``."""
    size = max(_PRODUCTS // max(queries, 1), 64)
    usable = state.alive & state.has_vector
    if rows is None:
        for start, block in state.vectors.blocks():
            for first in range(0, len(block), size):
                part = block[first : first + size]
                at = start + first
                yield Tile(at, part, usable[at : at + len(part)])
        return
    size = min(size, BLOCK)
    for first in range(0, len(rows), size):
        chosen = rows[first : first + size]
        yield Tile(first, state.vectors.take(chosen), usable[chosen])


def _candidates(
    state: State, queries: Floats, k: int, rows: NDArray[np.int64] | None
) -> list[NDArray[np.int64] | None]:
    """Places that the best k of each query are among; None where there are too many."""
    from hebb_lab.kernels.cpu.lookup.sieve import OVERFLOWN, last_prune

    count, most = len(queries), 4 * k + _SPARE
    lengths = np.sqrt(np.einsum("qd,qd->q", queries, queries, dtype=np.float64))
    off = [rounding_of(state.dimensions, state.vectors.longest * length) for length in lengths]
    window = np.array([2.0 * each for each in off], np.float32) * np.float32(1 + 2.0**-20)
    heaps = np.full((count, k), -np.inf, np.float32)
    values, places = np.empty((count, most), np.float32), np.empty((count, most), np.int64)
    held = np.zeros(count, np.int64)
    for tile in tiles(state, rows, count):
        products = queries @ tile.vectors.T
        _sift(tile, products, window, heaps, values, places, held)
    last_prune(window, heaps, values, places, held)
    return [
        None if fill == OVERFLOWN else np.sort(places[q, :fill])
        for q, fill in enumerate(held.tolist())
    ]


def _sift(tile: Tile, products: Floats, *sieve: NDArray[Any]) -> None:
    from hebb_lab.kernels.cpu.compile import in_threads, pieces_of
    from hebb_lab.kernels.cpu.lookup.sieve import sift

    count = len(products)
    in_threads(
        lambda begin, stop: sift(products, tile.first, tile.usable, *sieve, begin, stop),
        pieces_of(count, 32 if products.size >= 1 << 16 else count),
    )


def settle(
    state: State, query: Floats, rows: NDArray[np.int64], out: tuple[NDArray[np.int64], Floats]
) -> None:
    """Write the best of some rows: cosine as float32 descending, then id descending.

    Args:
        state: of the rows.
        query: [d].
        rows: [n] distinct.
        out: rows and cosines [k].
    """
    scores = exact_products(state.vectors.take(rows), query).astype(np.float32)
    _write(state, rows, scores, out)


def _write(
    state: State, rows: NDArray[np.int64], scores: Floats,
    out: tuple[NDArray[np.int64], Floats],
) -> None:  # fmt: skip
    order = None
    if not state.ascending:
        array = state.ids_of(rows).array
        order = np.lexsort((array[:, 1], array[:, 0]))
        rows, scores = rows[order], scores[order]
    best = np.empty(len(out[0]), np.int32)
    count = write_best(np.arange(len(rows), dtype=np.int64), scores, best, out[1])
    out[0][:count] = rows[best[:count]]


def _settle_all(
    state: State, query: Floats, rows: NDArray[np.int64] | None,
    out: tuple[NDArray[np.int64], Floats],
) -> None:  # fmt: skip
    """The best of all rows, without a sieve: where more are equal than there is room for."""
    chosen = np.flatnonzero(state.alive & state.has_vector) if rows is None else rows
    best: NDArray[np.int64] = np.zeros(0, np.int64)
    scores: Floats = np.zeros(0, np.float32)
    for first in range(0, len(chosen), _SETTLED):
        part = chosen[first : first + _SETTLED]
        part = part[state.alive[part] & state.has_vector[part]]
        more = exact_products(state.vectors.take(part), query).astype(np.float32)
        best, scores = np.concatenate([best, part]), np.concatenate([scores, more])
        held = np.full(len(out[0]), -1, np.int64), np.full(len(out[0]), -np.inf, np.float32)
        _write(state, best, scores, held)
        best, scores = held[0][held[0] >= 0], held[1][held[0] >= 0]
    out[0][: len(best)], out[1][: len(best)] = best, scores
