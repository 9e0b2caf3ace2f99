"""Which rows a query's best can be among, from products that are only nearly right."""

from __future__ import annotations

from typing import Any

import numpy as np

from hebb_lab.kernels.cpu.compile import kernel, once, part, step

LOWEST = np.float32(-np.inf)
OVERFLOWN = np.int64(-1)
_STRIDE = 16  # products that are looked at with one instruction


@once
def _into_heap(heap: Any, value: Any) -> None:
    """Replace the least of a heap [k], which stands first, by a greater value."""
    at, size = 0, len(heap)
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= value:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = value


@step
def _bar(best: Any, window: Any, relative: Any) -> Any:
    """What a product must reach at least, where ``best`` is the k-th best so far."""
    # Before there are k, all pass; 0 · inf would be no number.
    return best if best == LOWEST else best - window - relative * (abs(best) + window)


@part
def _prune(values: Any, rows: Any, held: int, bar: Any) -> Any:
    """Keep only what is not below the bar."""
    kept = 0
    for i in range(held):
        if values[i] >= bar:
            values[kept], rows[kept] = values[i], rows[i]
            kept += 1
    return np.int64(kept)


@kernel
def sift(
    products: Any, first: int, usable: Any, window: Any, relative: Any, heaps: Any, values: Any,
    rows: Any, held: Any, begin: int, stop: int,
) -> None:  # fmt: skip
    """Take the products of one tile into account, for the queries [begin, stop).

    Args:
        products: [Q, m] float32, each off by at most half of both windows.
        first: place of the tile's first row.
        usable: [m] bool, which rows count at all.
        window: [Q] float32, how far below the k-th best a product may lie and still belong to it.
        relative: float32, the same as a share of the product and the window, to be added.
        heaps: [Q, k] float32, the best products so far, the least first; −inf at the start.
        values: [Q, B] float32, what may belong to the best.
        rows: [Q, B] int64, its places.
        held: [Q] how many of these there are; OVERFLOWN once B were too few.
        begin: the first query.
        stop: the end of the queries.
    """
    count, most = products.shape[1], values.shape[1]
    for q in range(begin, stop):
        fill = held[q]
        if fill == OVERFLOWN:
            continue
        bar = _bar(heaps[q, 0], window[q], relative)
        for lot in range(0, count, _STRIDE):
            end = min(lot + _STRIDE, count)
            any_above = 0
            for i in range(lot, end):
                any_above |= 1 if products[q, i] >= bar else 0
            if any_above == 0:
                continue
            for i in range(lot, end):
                value = products[q, i]
                if value < bar or not usable[i]:
                    continue
                if value > heaps[q, 0]:
                    _into_heap(heaps[q], value)
                    bar = _bar(heaps[q, 0], window[q], relative)
                if fill == most:
                    fill = _prune(values[q], rows[q], fill, bar)
                    if 4 * fill > 3 * most:
                        fill = OVERFLOWN
                        break
                values[q, fill], rows[q, fill] = value, first + i
                fill += 1
            if fill == OVERFLOWN:
                break
        held[q] = fill


@kernel
def last_prune(
    window: Any, relative: Any, heaps: Any, values: Any, rows: Any, held: Any
) -> None:  # fmt: skip
    """What is left of each query's candidates when all tiles were seen."""
    for q in range(len(held)):
        if held[q] != OVERFLOWN:
            held[q] = _prune(values[q], rows[q], held[q], _bar(heaps[q, 0], window[q], relative))
