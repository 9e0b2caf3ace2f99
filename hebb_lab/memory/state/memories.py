"""The state of a store: what its memories are at one moment, without what they say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hebb_lab.memory.changes import SCALARS, Added, Change, Rewritten, Updated
from hebb_lab.memory.errors import MemoryNotFoundError, StoreError
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.state.columns import Columns
from hebb_lab.memory.state.edges import EdgeTable
from hebb_lab.memory.state.entities import Entities
from hebb_lab.memory.state.identities import Identities
from hebb_lab.memory.state.vectors import Vectors

if TYPE_CHECKING:
    import polars as pl
    import torch

    from hebb_lab.memory.state.search.device import DeviceSearch
    from hebb_lab.memory.state.search.hnsw import Graph, Settings


_OWN: dict[str, type[np.generic]] = {
    "alive": np.bool_, "has_vector": np.bool_, "entity": np.int32
}  # fmt: skip


class State:
    """Memories as arrays. A row is a memory's place; it stays while the store is open.

    Everything here follows from the changes that were applied; nothing else writes to it. Rows of
    forgotten memories stay and are 0: not alive, without vector, numbers, entity and edges.

    Args:
        dimensions: length of vectors.
    """

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self.clock_us = -1
        self.version = 0
        self.version_of_vectors = 0
        self.vectors = Vectors(dimensions)
        self.edges = EdgeTable(self.rows_of, lambda: self.alive)
        self.device_search: DeviceSearch | None = None
        self.graphs: dict[Settings, Graph] = {}
        """HNSW graphs by their settings; ``search`` makes them, forgetting goes through them."""
        self._columns = Columns({**SCALARS, **_OWN})
        self._identities = Identities()
        self._entities = Entities()

    def apply(self, change: Change) -> NDArray[np.int64]:
        """Take a change that a journal has kept.

        Returns:
            [n] rows of the memories that it added.

        Raises:
            StoreError: an id that is there already.
            MemoryNotFoundError: new numbers or texts of a memory that is not there.
        """
        rows = np.zeros(0, np.int64) if change.added is None else self._add(change.added)
        if change.rewritten is not None:
            self._rewrite(change.rewritten)
        for updated in change.updated:
            self._update(updated)
        if change.edges is not None:
            self.edges.write(change.edges)
        if change.forgotten is not None and len(change.forgotten):
            self._forget(change.forgotten)
        told = change.facts.get("highest_id")
        if told is not None:
            self._identities.raise_highest(
                np.array([int(told[:16], 16), int(told[16:], 16)], np.uint64)
            )
        self.clock_us = change.at_us
        self.version += 1
        return rows

    def _add(self, added: Added) -> NDArray[np.int64]:
        known = np.flatnonzero(self.rows_of(added.ids) >= 0)
        if len(known):
            raise StoreError(
                f"the id {added.ids[int(known[0])]} is there already", "Nothing was applied"
            )
        numbers = self._entities.numbers(added.texts.entities)
        own = {"alive": True, "entity": numbers, "has_vector": added.texts.vectors.any(axis=1)}
        rows = self._columns.extend(len(added.ids), {**added.scalars, **own})
        self._identities.extend(added.ids)
        self._entities.join(numbers, rows)
        self.vectors.extend(added.texts.vectors)
        self.edges.arrive(added.ids, rows)
        self.version_of_vectors += 1
        return rows

    def _rows_there(self, ids: Ids) -> NDArray[np.int64]:
        rows = self.rows_of(ids)
        missing = np.flatnonzero(rows < 0)
        if len(missing):
            raise MemoryNotFoundError(
                f"no memory has the id {ids[int(missing[0])]}", "It was forgotten or never written"
            )
        return rows

    def _rewrite(self, written: Rewritten) -> None:
        rows, texts = self._rows_there(written.ids), written.texts
        numbers, before = self._entities.numbers(texts.entities), self.entity[rows]
        moved = numbers != before  # of a memory that comes twice, the last text counts
        last = np.zeros(len(rows), np.bool_)
        last[len(rows) - 1 - np.unique(rows[::-1], return_index=True)[1]] = True
        moved &= last
        self._entities.join(numbers[moved], rows[moved])
        self.entity[rows] = numbers
        self._entities.leave(before[moved])
        self._drop_from_graphs(rows, again=True)
        self.vectors.write(rows, texts.vectors)
        self.has_vector[rows] = texts.vectors.any(axis=1)
        self.edges.derived.clear()  # it was made of vectors that are no more
        self.version_of_vectors += 1

    def _update(self, updated: Updated) -> None:
        rows = self._rows_there(updated.ids)
        for name, values in updated.scalars.items():
            self.column(name)[rows] = values

    def _forget(self, ids: Ids) -> None:
        found = self.rows_of(ids)
        rows = np.unique(found[found >= 0])
        self._entities.leave(self.entity[rows])
        self._drop_from_graphs(rows, again=False)
        self._columns.clear(rows)
        self.entity[rows] = -1
        self.vectors.clear(rows)
        if self.device_search is not None:
            self.device_search.follow(self)
        self.edges.drop(ids)
        self.version_of_vectors += 1

    def _drop_from_graphs(self, rows: NDArray[np.int64], *, again: bool) -> None:
        for graph in self.graphs.values():
            graph.drop(rows, again=again)

    def to(self, device: str | None) -> State:
        """Search exactly on a device of torch from now on; None: by this processor alone."""
        from hebb_lab.memory.state.search.device import DeviceSearch

        self.device_search = None if device is None else DeviceSearch(device)
        return self

    @property
    def count(self) -> int:
        """Rows, those of forgotten memories included."""
        return self._columns.held

    @property
    def version_of_edges(self) -> int:
        """Grows when edges change."""
        return self.edges.version

    @property
    def highest_id(self) -> NDArray[np.uint64] | None:
        """[2] the highest id that there ever was, or None."""
        return self._identities.highest

    @property
    def ascending(self) -> bool:
        """Whether rows are in the order of ids, as they are where this store made the ids."""
        return self._identities.ascending

    def column(self, name: str) -> NDArray[Any]:
        """A view [count] of a column of SCALARS; it is good until the next change.

        Raises:
            KeyError: there is no such column.
        """
        if name not in SCALARS:
            raise KeyError(f"no column {name!r}; there are {', '.join(SCALARS)}")
        return self._columns[name]

    @property
    def alive(self) -> NDArray[np.bool_]:
        """[count] which rows are memories."""
        return self._columns["alive"]

    @property
    def has_vector(self) -> NDArray[np.bool_]:
        """[count] which have a vector other than 0."""
        return self._columns["has_vector"]

    @property
    def entity(self) -> NDArray[np.int32]:
        """[count] numbers of entities, −1 for none."""
        return self._columns["entity"]

    def ids_of(self, rows: NDArray[np.int64]) -> Ids:
        """Ids of rows, those of forgotten memories too."""
        return Ids(self._identities.array[rows])

    def rows_of(self, ids: Ids) -> NDArray[np.int64]:
        """Rows [n] of ids, −1 where no memory has it, or has it any more."""
        rows = self._identities.rows_of(ids)
        found = np.flatnonzero(rows >= 0)
        rows[found[~self.alive[rows[found]]]] = -1
        return rows

    @property
    def entities(self) -> Sequence[str]:
        """Number → name; "" for one whose last memory is gone."""
        return self._entities.names

    def entity_number(self, name: str | None) -> int:
        """The number of an entity; −1 for None and for a name that no memory has."""
        return self._entities.number(name)

    def rows_of_entity(self, number: int) -> NDArray[np.int64]:
        """Memories of an entity, ascending; none for −1."""
        if number < 0:
            return np.zeros(0, np.int64)
        return self._entities.rows_of(number, self.alive, self.entity)

    def rows_without_entity(self) -> NDArray[np.int64]:
        """Memories that have no entity, ascending."""
        return self._entities.rows_of(-1, self.alive, self.entity)

    def frame(self) -> pl.DataFrame:
        """Memories as a polars table: id, entity and numbers; see ``views.frame_of``."""
        from hebb_lab.memory.state.views import frame_of

        return frame_of(self)

    def tensors(self, device: str = "cpu") -> dict[str, torch.Tensor]:
        """All columns as tensors; see ``views.tensors_of``."""
        from hebb_lab.memory.state.views import tensors_of

        return tensors_of(self, device)

    def byte_count(self) -> int:
        """Bytes of all arrays, room included; without HNSW graphs and what views keep."""
        parts = (self._columns, self._identities, self._entities, self.vectors, self.edges)
        return sum(part.byte_count() for part in parts)
