"""The reference back end, kernels over segments and lists: plain loops."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.int32]
    Offsets = NDArray[np.int64]


def segment_top_k(values: NDArray[np.float64], ids: Ids, pointer: Offsets, k: int) -> Offsets:
    """Positions of the best k of each segment, [C, S, k]; see Backend.segment_top_k."""
    found = np.full((len(values), len(pointer) - 1, k), -1, np.int64)
    for c, s in np.ndindex(*found.shape[:2]):
        positions = range(int(pointer[s]), int(pointer[s + 1]))
        best = sorted(positions, key=lambda i: (values[c, i], ids[i]), reverse=True)[:k]
        found[c, s, : len(best)] = best
    return found


def pair_counts(ids: Ids, pointer: Offsets) -> tuple[Ids, Ids, Offsets]:
    """How many lists hold each pair: (a, b, count); see Backend.pair_counts."""
    counts: Counter[tuple[int, int]] = Counter()
    for first, stop in zip(pointer[:-1].tolist(), pointer[1:].tolist(), strict=True):
        counts.update(combinations(sorted(ids[first:stop].tolist()), 2))
    pairs = sorted(counts)
    return (
        np.array([a for a, _ in pairs], np.int32),
        np.array([b for _, b in pairs], np.int32),
        np.array([counts[pair] for pair in pairs], np.int64),
    )


def intersect(ids: Ids, pointer: Offsets, left: Offsets, right: Offsets) -> tuple[Ids, Offsets]:
    """What pairs of lists have in common: (ids, pointer [P+1]); see Backend.intersect."""
    lists = [
        set(ids[first:stop].tolist())
        for first, stop in zip(pointer[:-1].tolist(), pointer[1:].tolist(), strict=True)
    ]
    common = [
        sorted(lists[a] & lists[b]) for a, b in zip(left.tolist(), right.tolist(), strict=True)
    ]
    return (
        np.array([node for nodes in common for node in nodes], np.int32),
        np.cumsum([0, *map(len, common)], dtype=np.int64),
    )


def follow(after: Ids, start: Ids, steps: int) -> Ids:
    """Where each chain leads, [S, steps]; see Backend.follow."""
    found = np.full((len(start), steps), -1, np.int32)
    for s, first in enumerate(start.tolist()):
        node = first
        for step in range(steps):
            node = int(after[node])
            if node < 0:
                break
            found[s, step] = node
    return found
