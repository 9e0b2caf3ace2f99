"""A hash table from 128-bit keys to places, for ids and for edges.

The keys stand in an array [n, 2] uint64 of the owner; the table holds a place in it per slot, four
bytes, at most half of them taken. So a million ids take 8 MB beside themselves.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hebb_lab.kernels.cpu.compile import kernel, step

FREE = np.int32(-1)
_MIX_HIGH = np.uint64(0x9E3779B97F4A7C15)
_MIX_LOW = np.uint64(0xC2B2AE3D27D4EB4F)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_HALF = np.uint64(32)
_NEXT = np.uint64(1)


@step
def _slot(high: Any, low: Any, keys: Any, slots: Any) -> Any:
    """The slot that holds the key, or the free one where it belongs."""
    mixed = high * _MIX_HIGH ^ low * _MIX_LOW
    mixed = (mixed ^ (mixed >> _HALF)) * _MIX
    last = np.uint64(len(slots) - 1)
    at = (mixed ^ (mixed >> _HALF)) & last
    while slots[at] >= 0 and (keys[slots[at], 0] != high or keys[slots[at], 1] != low):
        at = (at + _NEXT) & last
    return at


@kernel
def _put(first: int, stop: int, keys: Any, slots: Any) -> None:
    for place in range(first, stop):
        slots[_slot(keys[place, 0], keys[place, 1], keys, slots)] = place


@kernel
def _find(wanted: Any, keys: Any, slots: Any, out: Any) -> None:
    for i in range(len(wanted)):
        out[i] = slots[_slot(wanted[i, 0], wanted[i, 1], keys, slots)]


@kernel
def _find_or_put(wanted: Any, held: int, keys: Any, slots: Any, out: Any) -> int:
    for i in range(len(wanted)):
        at = _slot(wanted[i, 0], wanted[i, 1], keys, slots)
        if slots[at] < 0:
            keys[held, 0], keys[held, 1] = wanted[i, 0], wanted[i, 1]
            slots[at] = held
            held += 1
        out[i] = slots[at]
    return held


class KeyTable:
    """Key → place. Of equal keys that were put, the last one counts."""

    def __init__(self) -> None:
        self._slots: NDArray[np.int32] = np.full(128, FREE, np.int32)
        self._taken = 0  # slots at most; a place whose key has changed has two

    def put(self, keys: NDArray[np.uint64], held: int, first: int, stop: int) -> None:
        """The keys [first, stop) of the array get their places.

        Args:
            keys: [n, 2].
            held: how many of them, from the front, have a place already.
            first: the first that is new or has changed.
            stop: the end of these.
        """
        self._make_room(keys, held, stop - first)
        _put(first, stop, keys, self._slots)

    def rebuild(self, keys: NDArray[np.uint64]) -> None:
        """Forget all places; the keys [n, 2] get theirs."""
        self._taken = 0
        self._slots = np.full(len(self._slots), FREE, np.int32)
        self.put(keys, 0, 0, len(keys))

    def find(self, keys: NDArray[np.uint64], wanted: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Places [m] of keys [m, 2], −1 where there is none."""
        out = np.empty(len(wanted), np.int64)
        _find(np.ascontiguousarray(wanted, np.uint64), keys, self._slots, out)
        return out

    def find_or_put(
        self, keys: NDArray[np.uint64], held: int, wanted: NDArray[np.uint64]
    ) -> tuple[NDArray[np.int64], int]:
        """Places of keys [m, 2], which are appended where they are new, in the order given.

        Args:
            keys: [n, 2] with room for all of them behind the first ``held``.
            held: how many are there.
            wanted: [m, 2].

        Returns:
            [m] places, and how many keys are there now.
        """
        self._make_room(keys, held, len(wanted))
        out = np.empty(len(wanted), np.int64)
        wanted = np.ascontiguousarray(wanted, np.uint64)
        return out, int(_find_or_put(wanted, held, keys, self._slots, out))

    def _make_room(self, keys: NDArray[np.uint64], held: int, more: int) -> None:
        """No more than half of the slots will be taken, or a search would not end."""
        self._taken += more
        if 2 * self._taken > len(self._slots):
            self._taken = held + more
            self._slots = np.full(1 << (2 * self._taken - 1).bit_length(), FREE, np.int32)
            _put(0, held, keys, self._slots)

    def byte_count(self) -> int:
        """Bytes of the slots."""
        return self._slots.nbytes
