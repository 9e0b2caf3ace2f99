"""Kernels over segments and lists on the CPU; see Backend for what each does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.kernels.cpu.compile import ZERO, in_threads, kernel, pieces_of, step

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.int32]
    Offsets = NDArray[np.int64]

PIECE = 4096  # segments or lists that one thread works on at a time


def segment_top_k(values: NDArray[np.float64], ids: Ids, pointer: Offsets, k: int) -> Offsets:
    """Positions of the best k of each segment, [C, S, k], by a heap of k a segment."""
    segments = len(pointer) - 1
    found = np.full((len(values), segments, k), -1, np.int64)
    if k:
        values = np.ascontiguousarray(values, np.float64)
        in_threads(
            lambda first, stop: _top_k(first, stop, values, ids, pointer, found),
            pieces_of(segments, PIECE),
        )
    return found


@kernel
def _top_k(first: int, stop: int, values: Any, ids: Any, pointer: Any, found: Any) -> None:
    for c in range(len(values)):
        value = values[c]
        for s in range(first, stop):
            heap, held = found[c, s], ZERO
            for i in range(pointer[s], pointer[s + 1]):
                if held < len(heap):
                    heap[held] = i
                    held += 1
                    if held == len(heap):
                        for root in range(held // 2, -1, -1):
                            _sift(value, ids, heap, root, held)
                elif _is_better(value, ids, i, heap[0]):
                    heap[0] = i
                    _sift(value, ids, heap, ZERO, held)
            if held < len(heap):
                for root in range(held // 2, -1, -1):
                    _sift(value, ids, heap, root, held)
            for last in range(held - 1, 0, -1):  # the worst of the heap goes to its end
                heap[0], heap[last] = heap[last], heap[0]
                _sift(value, ids, heap, ZERO, last)


@step
def _sift(value: Any, ids: Any, heap: Any, root: int, held: int) -> None:
    """Mend a heap whose root alone may be out of place; the worst is on top."""
    while True:
        child = 2 * root + 1
        if child >= held:
            break
        if child + 1 < held and _is_better(value, ids, heap[child], heap[child + 1]):
            child += 1
        if not _is_better(value, ids, heap[root], heap[child]):
            break
        heap[root], heap[child] = heap[child], heap[root]
        root = child


@step
def _is_better(value: Any, ids: Any, i: int, j: int) -> bool:
    return value[i] > value[j] or (value[i] == value[j] and ids[i] > ids[j])


def pair_counts(ids: Ids, pointer: Offsets) -> tuple[Ids, Ids, Offsets]:
    """How many lists hold each pair: every pair is written down once a list, sorted, counted."""
    sizes = np.diff(pointer)
    offset = np.cumsum(np.concatenate([[0], sizes * (sizes - 1) // 2]), dtype=np.int64)
    keys = np.empty(offset[-1], np.int64)
    in_threads(
        lambda first, stop: _write_pairs(first, stop, ids, pointer, offset, keys),
        pieces_of(len(sizes), PIECE),
    )
    keys.sort()
    starts = np.flatnonzero(np.diff(keys, prepend=-1))  # no key is below 0
    pairs, counts = keys[starts], np.diff(starts, append=len(keys))
    return (pairs >> 32).astype(np.int32), pairs.astype(np.int32), counts.astype(np.int64)


@kernel
def _write_pairs(first: int, stop: int, ids: Any, pointer: Any, offset: Any, keys: Any) -> None:
    """A pair is the lower id in the upper half of 64 bits, and the higher one in the lower half."""
    for s in range(first, stop):
        place = offset[s]
        for i in range(pointer[s], pointer[s + 1]):
            for j in range(i + 1, pointer[s + 1]):
                a, b = np.int64(ids[i]), np.int64(ids[j])
                keys[place] = min(a, b) << 32 | max(a, b)
                place += 1


def intersect(ids: Ids, pointer: Offsets, left: Offsets, right: Offsets) -> tuple[Ids, Offsets]:
    """What pairs of lists have in common, by one walk along both."""
    sizes = np.diff(pointer)
    room = np.minimum(sizes[left], sizes[right])  # what two lists share is no longer than either
    start = np.cumsum(np.concatenate([[0], room]), dtype=np.int64)
    common, count = np.empty(start[-1], np.int32), np.zeros(len(left), np.int64)
    in_threads(
        lambda first, stop: _intersect(
            first, stop, ids, pointer, left, right, start, common, count
        ),
        pieces_of(len(left), PIECE),
    )
    found = np.cumsum(np.concatenate([[0], count]), dtype=np.int64)
    moved = np.repeat(start[:-1] - found[:-1], count)
    return common[np.arange(found[-1]) + moved], found


@kernel
def _intersect(
    first: int, stop: int, ids: Any, pointer: Any, left: Any, right: Any, start: Any, common: Any,
    count: Any,
) -> None:  # fmt: skip
    for p in range(first, stop):
        i, j = pointer[left[p]], pointer[right[p]]
        i_stop, j_stop, place = pointer[left[p] + 1], pointer[right[p] + 1], start[p]
        while i < i_stop and j < j_stop:
            a, b = ids[i], ids[j]
            if a == b:
                common[place] = a
                place += 1
            i += 1 if a <= b else 0
            j += 1 if b <= a else 0
        count[p] = place - start[p]


def follow(after: Ids, start: Ids, steps: int) -> Ids:
    """Where each chain leads, [S, steps]: all chains make a step at once."""
    found = np.full((len(start), steps), -1, np.int32)
    node = start
    for step_number in range(steps if len(after) else 0):
        node = np.where(node >= 0, after[node], np.int32(-1))
        found[:, step_number] = node
    return found
