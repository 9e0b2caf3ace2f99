"""Which row has which id."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hebb_lab.kernels.cpu.lookup.hashing import KeyTable
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.state.columns import with_room


class Identities:
    """The id of each row, and the last row of each id: 16 + 8 bytes a memory."""

    def __init__(self) -> None:
        self.highest: NDArray[np.uint64] | None = None
        """[2] the highest id that there ever was, as far as is known."""
        self.ascending = True
        """Whether rows are in the order of ids, as they are where this store made the ids."""
        self._held = 0
        self._keys: NDArray[np.uint64] = np.zeros((0, 2), np.uint64)
        self._table = KeyTable()

    def extend(self, ids: Ids) -> None:
        """The next rows have these ids."""
        keys, first = ids.array, self._held
        if not len(keys):
            return
        if len(keys) == 1:  # a replay adds them one by one
            up, top = not first or tuple(self._keys[first - 1]) < tuple(keys[0]), keys[0].copy()
        else:
            up, top = self._followed(keys)
        self.ascending = self.ascending and up
        self.raise_highest(top)
        self._held += len(keys)
        self._keys = with_room(self._keys, first, self._held)
        self._keys[first : self._held] = keys
        self._table.put(self._keys, first, first, self._held)

    def _followed(self, keys: NDArray[np.uint64]) -> tuple[bool, NDArray[np.uint64]]:
        """Whether ids go on ascending, and the highest of them."""
        chain = np.concatenate([self.array[-1:], keys])
        high, low = chain[:, 0], chain[:, 1]
        up = (high[1:] > high[:-1]) | ((high[1:] == high[:-1]) & (low[1:] > low[:-1]))
        top = keys[keys[:, 0] == keys[:, 0].max()]
        return bool(up.all()), top[np.argmax(top[:, 1])].copy()

    def raise_highest(self, found: NDArray[np.uint64]) -> None:
        """An id [2] that there is, or was."""
        if self.highest is None or tuple(found) > tuple(self.highest):
            self.highest = found

    @property
    def array(self) -> NDArray[np.uint64]:
        """A view [count, 2] of all ids."""
        return self._keys[: self._held]

    def rows_of(self, ids: Ids) -> NDArray[np.int64]:
        """The last row [n] of each id, −1 where there is none."""
        return self._table.find(self._keys, ids.array)

    def byte_count(self) -> int:
        """Bytes of ids and of what finds them, room included."""
        return self._keys.nbytes + self._table.byte_count()
