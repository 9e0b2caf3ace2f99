"""Edges between memories: columns in the order of writing, and sparse matrices made from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hebb_lab.kernels.cpu.lookup.hashing import KeyTable
from hebb_lab.memory.changes import Edges
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.state.columns import Columns, with_room

if TYPE_CHECKING:
    import torch

DROPPED = -1  # an end whose edges are gone
_KIND_BITS = 3
_COLUMNS: dict[str, type[np.generic]] = {
    "source": np.int64, "target": np.int64, "kind": np.int8, "confidence": np.float32,
    "time_us": np.int64,
}  # fmt: skip


class Csr(NamedTuple):
    """Edges by their first end: those of row r are [ptr[r], ptr[r + 1]), in the order of writing.

    ptr: [count + 1] int64. col: int64 the other end. edge: int64 places in the table.
    """

    ptr: NDArray[np.int64]
    col: NDArray[np.int64]
    edge: NDArray[np.int64]


class EdgeTable:
    """Directed edges by (source, target, kind); a repeated key overwrites and keeps its place.

    An end that is no memory yet, or no more, waits under a number of its own, −2 and below, until
    a memory of that id arrives; as seen from outside it is −1. Edges of forgotten memories are
    dropped when the table is next read.

    Args:
        rows_of: ids → rows, −1 where there is no memory.
        alive: gives [count] which rows are memories.
    """

    def __init__(
        self, rows_of: Callable[[Ids], NDArray[np.int64]], alive: Callable[[], NDArray[np.bool_]]
    ) -> None:
        self.version = 0
        """Grows with every change of edges."""
        self._rows_of = rows_of
        self._alive = alive
        self._columns = Columns(_COLUMNS)
        self._keys: NDArray[np.uint64] = np.zeros((0, 2), np.uint64)
        self._table = KeyTable()
        self._waiting: dict[bytes, int] = {}  # id → number of an end without a memory
        self._places: dict[int, list[int]] = {}  # that number → edges with such an end
        self._next_waiting = -2
        self._stale = False  # whether edges of forgotten memories are still in the columns
        self._kept: dict[tuple[tuple[int, ...] | None, bool], Csr] = {}
        self._rows = 0  # that what is kept was made for
        self.derived: dict[Any, Any] = {}  # what others made of the edges, until they change

    def write(self, edges: Edges) -> None:
        """Add edges, or overwrite confidence and time of those that are there."""
        if not len(edges.source):
            return
        source, target = self._ends(edges.source), self._ends(edges.target)
        wanted = _keys(source, target, edges.kind)
        before = self._columns.held
        self._keys = with_room(self._keys, before, before + len(wanted))
        places, held = self._table.find_or_put(self._keys, before, wanted)
        # Of a key that comes twice, the first one's place is as good as the other's: its ends and
        # kind are the same, and NumPy keeps the last value of a place.
        new = self._columns.extend(held - before, {})
        columns = {"source": source, "target": target, "kind": edges.kind,
                   "confidence": edges.confidence, "time_us": edges.time_us}  # fmt: skip
        for name, values in columns.items():
            self._columns[name][places] = values
        for end in (self._columns["source"][new], self._columns["target"][new]):
            self._note_waiting(new, end)
        self._changed()

    def _ends(self, ids: Ids) -> NDArray[np.int64]:
        ends = self._rows_of(ids)
        missing = np.flatnonzero(ends < 0)
        if len(missing):
            for place, part in zip(
                missing.tolist(), Ids(ids.array[missing]).to_bytes(), strict=True
            ):
                if part not in self._waiting:
                    self._waiting[part] = self._next_waiting
                    self._next_waiting -= 1
                ends[place] = self._waiting[part]
        return ends

    def _note_waiting(self, places: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
        for at in np.flatnonzero(ends < DROPPED).tolist():
            self._places.setdefault(int(ends[at]), []).append(int(places[at]))

    def arrive(self, ids: Ids, rows: NDArray[np.int64]) -> None:
        """Memories are there now: edges that waited for them have both ends."""
        if not self._waiting:
            return
        for part, row in zip(ids.to_bytes(), rows.tolist(), strict=True):
            if part in self._waiting:
                self._put_in_place_of(self._waiting.pop(part), row)

    def _put_in_place_of(self, number: int, row: int) -> None:
        """Ends that waited under a number become a row, or DROPPED."""
        for place in self._places.pop(number, []):
            for name in ("source", "target"):
                if self._columns[name][place] == number:
                    self._columns[name][place] = row
            self._keys[place] = _keys(
                *(self._columns[name][place : place + 1] for name in ("source", "target", "kind"))
            )[0]
            if row != DROPPED:
                self._table.put(self._keys, self._columns.held, place, place + 1)
        self._changed()

    def drop(self, ids: Ids) -> None:
        """Memories were forgotten: their edges go, both ways, also those that waited for them."""
        self._stale = True
        if self._waiting:
            for part in ids.to_bytes():
                if part in self._waiting:
                    self._put_in_place_of(self._waiting.pop(part), DROPPED)
        self._changed()

    def _changed(self) -> None:
        self.version += 1
        self._kept.clear()
        self.derived.clear()

    def _read(self, name: str) -> NDArray[Any]:
        if self._stale:
            self._sweep()
        return self._columns[name]

    def _sweep(self) -> None:
        """Take edges of forgotten memories out of the columns."""
        self._stale = False
        alive, lives = self._alive(), np.ones(self._columns.held, np.bool_)
        for name in ("source", "target"):
            end = self._columns[name]
            lives &= end != DROPPED
            there = end >= 0
            lives[there] &= alive[end[there]]
        if lives.all():
            return
        self._columns.keep(lives)
        self._keys = _keys(*(self._columns[name] for name in ("source", "target", "kind")))
        self._table.rebuild(self._keys)
        self._places.clear()
        places = np.arange(self._columns.held)
        for name in ("source", "target"):
            self._note_waiting(places, self._columns[name])
        self._waiting = {
            part: number for part, number in self._waiting.items() if number in self._places
        }

    def __len__(self) -> int:
        return len(self._read("kind"))

    @property
    def source(self) -> NDArray[np.int64]:
        """[E] rows; −1 where there is no such memory."""
        return _seen(self._read("source"))

    @property
    def target(self) -> NDArray[np.int64]:
        """[E] rows; −1 where there is no such memory."""
        return _seen(self._read("target"))

    @property
    def kind(self) -> NDArray[np.int8]:
        """[E] EdgeKind."""
        return self._read("kind")

    @property
    def confidence(self) -> NDArray[np.float32]:
        """[E] in [0, 1]."""
        return self._read("confidence")

    @property
    def time_us(self) -> NDArray[np.int64]:
        """[E] when each was last written."""
        return self._read("time_us")

    def byte_count(self) -> int:
        """Bytes of the columns and of what finds edges by key; without matrices that are kept."""
        return self._columns.byte_count() + self._keys.nbytes + self._table.byte_count()

    def csr(self, kinds: tuple[int, ...] | None = None, backward: bool = False) -> Csr:
        """Edges of some kinds whose ends are both there, by their source.

        Args:
            kinds: all where it is None.
            backward: by their target.
        """
        count = len(self._alive())
        if count != self._rows:
            self._kept.clear()
            self._rows = count
        chosen = None if kinds is None else tuple(sorted({int(kind) for kind in kinds}))
        if (chosen, backward) not in self._kept:
            self._kept[chosen, backward] = self._made_csr(chosen, backward, count)
        return self._kept[chosen, backward]

    def _made_csr(self, kinds: tuple[int, ...] | None, backward: bool, count: int) -> Csr:
        source, target = self._read("source"), self._read("target")
        wanted = (source >= 0) & (target >= 0)
        if kinds is not None:
            wanted &= np.isin(self.kind, kinds)
        edge = np.flatnonzero(wanted)
        first, other = (target[edge], source[edge]) if backward else (source[edge], target[edge])
        order = np.argsort(first, kind="stable")
        ptr = np.zeros(count + 1, np.int64)
        np.cumsum(np.bincount(first, minlength=count), out=ptr[1:])
        return Csr(ptr, other[order], edge[order])

    def to_torch(self, kind: int) -> torch.Tensor:
        """Confidences of one kind of edges, [count, count] torch.sparse_csr; rows are sources."""
        import torch

        ptr, col, edge = self.csr((kind,))
        order = np.lexsort((col, np.repeat(np.arange(len(ptr) - 1), np.diff(ptr))))
        return torch.sparse_csr_tensor(
            torch.from_numpy(ptr), torch.from_numpy(col[order]),
            torch.from_numpy(self.confidence[edge[order]]), size=(len(ptr) - 1,) * 2,
        )  # fmt: skip


def _seen(ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Ends that wait for a memory are −1."""
    seen: NDArray[np.int64] = np.maximum(ends, -1)
    return seen


def _keys(
    source: NDArray[np.int64], target: NDArray[np.int64], kind: NDArray[np.int8]
) -> NDArray[np.uint64]:
    """Each edge as 128 bits."""
    second = (target << _KIND_BITS) | kind
    return np.stack([source, second], axis=1).view(np.uint64)
