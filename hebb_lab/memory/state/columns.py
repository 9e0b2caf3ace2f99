"""Arrays that grow at their end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

FIRST = 64  # rows of the first room


def with_room(array: NDArray[Any], held: int, needed: int) -> NDArray[Any]:
    """The array itself, or a copy of its first ``held`` rows with room for half as many again.

    >>> len(with_room(np.zeros(64), 64, 65))
    97
    """
    if needed <= len(array):
        return array
    room = np.zeros((max(needed + needed // 2, FIRST), *array.shape[1:]), array.dtype)
    room[:held] = array[:held]
    return room


class Columns:
    """Columns of one length, by name.

    Args:
        kinds: name → type of its numbers.
    """

    def __init__(self, kinds: Mapping[str, type[np.generic]]) -> None:
        self.held = 0
        self._arrays: dict[str, NDArray[Any]] = {
            name: np.zeros(0, kind) for name, kind in kinds.items()
        }

    def extend(self, count: int, values: Mapping[str, Any]) -> NDArray[np.int64]:
        """Add rows; a column that is not named is 0 there.

        Returns:
            [count] the new rows.
        """
        first, stop = self.held, self.held + count
        for name, array in self._arrays.items():
            self._arrays[name] = with_room(array, first, stop)
            self._arrays[name][first:stop] = values.get(name, 0)
        self.held = stop
        return np.arange(first, stop, dtype=np.int64)

    def keep(self, chosen: NDArray[Any]) -> None:
        """Only the chosen rows stay, in the order that ``chosen`` [n] gives or its flags leave."""
        for name, array in self._arrays.items():
            self._arrays[name] = array[: self.held][chosen]
        self.held = len(self._arrays[next(iter(self._arrays))])

    def clear(self, rows: NDArray[np.int64]) -> None:
        """Rows become 0 in every column."""
        for array in self._arrays.values():
            array[rows] = 0

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A view of a column, [held]; it is good until rows are added."""
        return self._arrays[name][: self.held]

    def byte_count(self) -> int:
        """Bytes of all columns, room included."""
        return sum(array.nbytes for array in self._arrays.values())
