"""Random numbers that the future cannot move: a hash of where they are needed.

A generator that is drawn from in order gives other numbers to all that comes after one more event.
Here a number belongs to a recall, a place in it and a use, so that what is sampled before a moment
stays as it is whatever happens after it (the leakage canary of fitting.md §3.7, T10).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def uniform(seed: int, *keys: ArrayLike) -> NDArray[np.float64]:
    """Numbers in [0, 1), one for each row of the (broadcast) keys.

    Every key is mixed in by a round of SplitMix64 (Steele, Lea & Flood 2014).

    >>> bool((uniform(1, [3, 4]) == uniform(1, [3, 4, 5])[:2]).all())
    True
    """
    state = np.uint64(seed % 2**64)
    with np.errstate(over="ignore"):
        found = _mixed(np.asarray(state + _GOLDEN))
        for key in keys:
            found = _mixed((found ^ np.asarray(key, np.int64).astype(np.uint64)) + _GOLDEN)
    return np.asarray((found >> np.uint64(11)).astype(np.float64) * 2.0**-53)


def of_edges(seed: int, birth: NDArray[np.int64], use: int) -> NDArray[np.float64]:
    """[E] a number for each edge, by the recall it was first seen in and its place among those.

    Edges are numbered by the names of all nodes, those to come too; this is not.
    """
    order = np.argsort(birth, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order)) - np.searchsorted(birth[order], birth[order])
    return uniform(seed, birth, place, use)


def _mixed(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    state = (state ^ (state >> np.uint64(30))) * _FIRST
    state = (state ^ (state >> np.uint64(27))) * _SECOND
    return np.asarray(state ^ (state >> np.uint64(31)))
