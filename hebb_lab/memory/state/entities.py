"""Entities by number, and the rows of each."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class Entities:
    """Entity → number and rows. A name goes when the last memory of it goes.

    Rows are only ever appended to an entity's list; what is no longer the entity's is left out
    when the list is read, and dropped from it when it is half of it.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        """Number → name; "" once its last memory is gone. A number is never given again."""
        self._numbers: dict[str, int] = {}
        self._rows: list[array[int]] = []
        self._without: array[int] = array("i")
        self._mixed: set[int] = set()  # numbers whose rows may be out of order
        self._alive: list[int] = []

    def number(self, name: str | None) -> int:
        """The number of an entity, −1 for one that no memory has and for None."""
        return -1 if name is None else self._numbers.get(name, -1)

    def numbers(self, names: Sequence[str | None]) -> NDArray[np.int32]:
        """Numbers [n]; names that are new get theirs. None is −1."""
        known = self._numbers
        found = np.fromiter(
            (-1 if name is None else known.get(name, -2) for name in names), np.int32, len(names)
        )
        for place in np.flatnonzero(found == -2).tolist():
            name = names[place]
            if name is not None:
                if name not in known:
                    known[name] = len(self.names)
                    self.names.append(name)
                    self._rows.append(array("i"))
                    self._alive.append(0)
                found[place] = known[name]
        return found

    def join(self, numbers: NDArray[np.int32], rows: NDArray[np.int64]) -> None:
        """Distinct rows [n] become those of entities [n]."""
        if len(rows) == 1:  # a replay adds them one by one
            self._join(int(numbers[0]), rows.astype(np.int32))
            return
        order = np.lexsort((rows, numbers))
        distinct, starts = np.unique(numbers[order], return_index=True)
        sorted_rows = rows[order].astype(np.int32)
        stops = np.append(starts, len(order))[1:]
        for number, first, stop in zip(
            distinct.tolist(), starts.tolist(), stops.tolist(), strict=True
        ):
            self._join(number, sorted_rows[first:stop])

    def _join(self, number: int, rows: NDArray[np.int32]) -> None:
        held = self._without if number < 0 else self._rows[number]
        if held and held[-1] >= rows[0]:
            self._mixed.add(number)
        held.frombytes(rows.tobytes())
        if number >= 0:
            self._alive[number] += len(rows)

    def leave(self, numbers: NDArray[np.int32]) -> None:
        """Memories of entities [n], one each, are gone from them."""
        distinct, counts = np.unique(numbers[numbers >= 0], return_counts=True)
        for number, count in zip(distinct.tolist(), counts.tolist(), strict=True):
            self._alive[number] -= count
            if not self._alive[number]:
                del self._numbers[self.names[number]]
                self.names[number] = ""
                self._rows[number] = array("i")

    def rows_of(
        self, number: int, alive: NDArray[np.bool_], entity: NDArray[np.int32]
    ) -> NDArray[np.int64]:
        """Rows of an entity, or with −1 of none, ascending.

        Args:
            number: of the entity.
            alive: [count] of all rows.
            entity: [count] the number that each row has now.
        """
        held = self._without if number < 0 else self._rows[number]
        rows = np.array(held, np.int64)
        rows = rows[alive[rows] & (entity[rows] == number)]
        if number in self._mixed:
            rows = np.unique(rows)
        if 2 * len(rows) < len(held) or number in self._mixed:
            self._mixed.discard(number)
            kept = array("i", rows.astype(np.int32).tobytes())
            if number < 0:
                self._without = kept
            else:
                self._rows[number] = kept
        return rows

    def byte_count(self) -> int:
        """Bytes of the lists of rows."""
        return sum(held.itemsize * len(held) for held in (self._without, *self._rows))
