"""The rounds of deletions by which near names are found; see `near`."""

# numba's decorator hides the types of what it compiles.
# mypy: disallow-untyped-decorators=False, warn-return-any=False

from __future__ import annotations

from typing import Any

import numpy as np

from hebb_lab.kernels.cpu.compile import kernel, step


@step
def _key(x: int, i: int, j: int, start: Any, s0: Any, s1: Any, s2: Any, kind: Any) -> Any:
    """The hash of name x without the letters i and j, i ≤ j; i = j: without one of them."""
    o, stop = start[x], start[x + 1]
    key = kind[x] + s0[o + i] - s0[o] + s1[o + j] - s1[min(o + i + 1, o + j)]
    if i == j:
        return key + s1[stop] - s1[o + i + 1]
    return key + s2[stop] - s2[o + j + 1]


@step
def _whole(x: int, start: Any, s0: Any, kind: Any) -> Any:
    return kind[x] + s0[start[x + 1]] - s0[start[x]]


@step
def _first(key: Any, x: int, keys: Any, values: Any, marks: Any, shift: Any, mark: int) -> Any:
    """Whoever came first with a key in this round: x itself if none did."""
    place = np.int64(key >> shift)
    while marks[place] == mark:
        if keys[place] == key:
            return values[place]
        place = (place + 1) & (len(keys) - 1)
    marks[place], keys[place], values[place] = mark, key, x
    return x


@step
def _held(key: Any, keys: Any, values: Any, marks: Any, shift: Any, mark: int) -> Any:
    """Whoever came first with a key in this round, −1 for none."""
    place = np.int64(key >> shift)
    while marks[place] == mark:
        if keys[place] == key:
            return values[place]
        place = (place + 1) & (len(keys) - 1)
    return np.int64(-1)


@step
def _join(x: int, y: int, best: Any, parent: Any) -> None:
    """y, which stands before x, is near to x."""
    best[x] = min(best[x], y)
    a, b = x, y
    while parent[a] != a:
        parent[a] = parent[parent[a]]
        a = parent[a]
    while parent[b] != b:
        parent[b] = parent[parent[b]]
        b = parent[b]
    if a != b:
        parent[max(a, b)] = min(a, b)


@kernel
def same_place(
    first: int, stop: int, length: int, start: Any, s0: Any, s1: Any, s2: Any, kind: Any,
    keys: Any, values: Any, marks: Any, shift: Any, mark: int, best: Any, parent: Any,
) -> Any:  # fmt: skip
    """One letter substituted."""
    for i in range(length):
        mark += 1
        for x in range(first, stop):
            key = _key(x, i, i, start, s0, s1, s2, kind)
            y = _first(key, x, keys, values, marks, shift, mark)
            if y != x:
                _join(x, y, best, parent)
    return mark


@kernel
def any_place(
    first: int, stop: int, length: int, rounds: int, start: Any, s0: Any, s1: Any, s2: Any,
    kind: Any, keys: Any, values: Any, marks: Any, shift: Any, mark: int, best: Any, parent: Any,
) -> Any:  # fmt: skip
    """One letter less on both sides, wherever: substituted, or moved with another change."""
    for part in range(rounds):
        mark += 1
        for x in range(first, stop):
            for i in range(length):
                key = _key(x, i, i, start, s0, s1, s2, kind)
                if np.int64(key & np.uint64(0xFFFF)) % rounds == part:
                    y = _first(key, x, keys, values, marks, shift, mark)
                    if y != x:
                        _join(x, y, best, parent)
    return mark


@kernel
def same_places(
    first: int, stop: int, length: int, start: Any, s0: Any, s1: Any, s2: Any, kind: Any,
    keys: Any, values: Any, marks: Any, shift: Any, mark: int, best: Any, parent: Any,
) -> Any:  # fmt: skip
    """Two letters substituted."""
    for i in range(length):
        for j in range(i + 1, length):
            mark += 1
            for x in range(first, stop):
                key = _key(x, i, j, start, s0, s1, s2, kind)
                y = _first(key, x, keys, values, marks, shift, mark)
                if y != x:
                    _join(x, y, best, parent)
    return mark


@kernel
def shorter(
    other: int, other_stop: int, first: int, stop: int, length: int, less: int,
    start: Any, s0: Any, s1: Any, s2: Any, kind: Any,
    keys: Any, values: Any, marks: Any, shift: Any, mark: int, best: Any, parent: Any,
) -> Any:  # fmt: skip
    """One or two letters deleted from the longer name."""
    mark += 1
    for y in range(other, other_stop):
        _first(_whole(y, start, s0, kind), y, keys, values, marks, shift, mark)
    for x in range(first, stop):
        for i in range(length):
            for j in range(i + less - 1, length if less == 2 else i + 1):
                key = _key(x, i, j, start, s0, s1, s2, kind)
                y = _held(key, keys, values, marks, shift, mark)
                if y >= 0:
                    _join(x, y, best, parent)
    return mark


@kernel
def shorter_and_changed(
    other: int, other_stop: int, first: int, stop: int, length: int,
    start: Any, s0: Any, s1: Any, s2: Any, kind: Any,
    keys: Any, values: Any, marks: Any, shift: Any, mark: int, best: Any, parent: Any,
) -> Any:  # fmt: skip
    """One letter deleted from the longer name, and the letter at p of what is left substituted."""
    for p in range(length - 1):
        mark += 1
        for y in range(other, other_stop):
            key = _key(y, p, p, start, s0, s1, s2, kind)
            _first(key, y, keys, values, marks, shift, mark)
        for x in range(first, stop):
            for deleted in range(length):
                changed = p if deleted > p else p + 1  # where that letter stands in the longer
                low, high = min(deleted, changed), max(deleted, changed)
                y = _held(
                    _key(x, low, high, start, s0, s1, s2, kind), keys, values, marks, shift, mark
                )
                if y >= 0:
                    _join(x, y, best, parent)
    return mark
