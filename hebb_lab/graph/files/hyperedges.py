"""Hyperedges over entities: HYEG."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.graph.files.encoding.header import HYEG, SIZE, Header, read_header, read_magic
from hebb_lab.graph.files.encoding.source import (
    Fault,
    Place,
    Source,
    first_fault,
    lengths_differ,
    refuse_to_write,
    save,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

SCHEMA = 2
RECORDS = SIZE + 16
EDGE = np.dtype([
    ("id", "<i4"), ("kind", "<i4"), ("weight", "<f4"), ("vertex_count", "<i4"),
    ("vertex_offset", "<i4"), ("memory", "<i4"), ("timestamp_ms", "<i8"),
])  # fmt: skip
VERTEX = np.dtype([("entity", "<i4"), ("role", "<i4")])


@dataclass(frozen=True)
class HyperedgeFile:
    """H hyperedges with V vertices; those of one are ``vertex_offset`` and the following.

    Args:
        id, kind: [H] int32.
        weight: [H] float32, finite.
        vertex_count: [H] int32; 0 marks a hyperedge that was deleted.
        vertex_offset: [H] int32.
        memory: [H] int32, −1 where none says it.
        timestamp_ms: [H] int64.
        entity: [V] int32, below ``entity_capacity``.
        role: [V] int32, from 0. The file holds any such number: ``graph.stored`` writes a place in
            ``graph.cognitive.directory.ROLES`` (or the id of a type of the registry beside it, up
            to 255), and + 256 where the entity no longer leads to the hyperedge.
        entity_capacity, capacity: entities and hyperedges that the store has room for.
    """

    id: NDArray[np.int32]
    kind: NDArray[np.int32]
    weight: NDArray[np.float32]
    vertex_count: NDArray[np.int32]
    vertex_offset: NDArray[np.int32]
    memory: NDArray[np.int32]
    timestamp_ms: NDArray[np.int64]
    entity: NDArray[np.int32]
    role: NDArray[np.int32]
    entity_capacity: int
    capacity: int

    def __len__(self) -> int:
        return len(self.id)

    @property
    def live(self) -> int:
        """Hyperedges that are not deleted."""
        return int((self.vertex_count > 0).sum())

    def fault(self) -> Fault | None:
        """The first thing that is wrong with it."""
        lengths_differ(**{name: getattr(self, name) for name in EDGE.names or ()})
        lengths_differ(entity=self.entity, role=self.role)
        if not len(self) <= self.capacity:
            return Fault(f"room for {self.capacity} of {len(self)} hyperedges", "capacity", 0)
        if not 0 <= self.entity_capacity < 1 << 31:
            return Fault(f"room for {self.entity_capacity} entities", "entity_capacity", 0)
        live = self.vertex_count > 0
        end = self.vertex_offset.astype(np.int64) + self.vertex_count
        outside = live & ((self.vertex_offset < 0) | (end > len(self.entity)))
        alien = (self.entity < 0) | (self.entity >= self.entity_capacity)
        return first_fault(
            [
                ("id", live & (self.id < 0), "a negative id"),
                ("weight", live & ~np.isfinite(self.weight), "a weight that is no number"),
                ("vertex_count", self.vertex_count < 0, "a negative number of vertices"),
                ("vertex_offset", outside, f"vertices outside 0 to {len(self.entity) - 1}"),
                ("memory", live & (self.memory < -1), "a memory below −1"),
                ("entity", alien, f"an entity outside 0 to {self.entity_capacity - 1}"),
                ("role", self.role < 0, "a negative role"),
            ]
        )


def read_hyperedges(path: str | Path) -> HyperedgeFile:
    """Read hyperedges from a container.

    Raises:
        InputError: another file, or a broken one; with the byte.
    """
    with Source(Path(path)) as source:
        if read_magic(source) == HYEG:
            source.refuse(
                "HYEG without a container: its layout is not described", 0,
                "Open the store once with Spector Memory, which rewrites it as a container",
            )  # fmt: skip
        header = read_header(source, HYEG, SCHEMA, "GRAPH", EDGE.itemsize)
        entities, edges, vertices, _ = source.numbers(SIZE, "<4i", "the counts")
        source.count(edges, SIZE + 4, "hyperedges")
        source.count(vertices, SIZE + 8, "vertices")
        vertices_at = RECORDS + EDGE.itemsize * edges
        records = source.array(RECORDS, EDGE, edges, f"{edges} hyperedges")
        ends = source.array(vertices_at, VERTEX, vertices, f"{vertices} vertices")
        columns: dict[str, Any] = {
            name: stored[name].astype(stored[name].dtype.newbyteorder("="))
            for stored in (records, ends)
            for name in stored.dtype.names or ()
        }
        value = HyperedgeFile(**columns, entity_capacity=entities, capacity=header.capacity)
        source.check(value.fault(), _places(vertices_at))
        source.only_padding_from(vertices_at + VERTEX.itemsize * vertices)
        return value


def _places(vertices_at: int) -> dict[str, Place]:
    places = {"capacity": Place(16, 0), "entity_capacity": Place(SIZE, 0)}
    for dtype, at in ((EDGE, RECORDS), (VERTEX, vertices_at)):
        for name, (_, inside, *_rest) in (dtype.fields or {}).items():
            places[name] = Place(at + inside, dtype.itemsize)
    return places


def write_hyperedges(path: str | Path, value: HyperedgeFile, created_ms: int = 0) -> None:
    """Write hyperedges as a container. The incidence is not stored: it is counted from them.

    Raises:
        ValueError: a value that could not be read again.
        InputError: the disk refuses.
    """
    path = Path(path)
    refuse_to_write(path, value.fault())
    records, vertices = np.zeros(len(value), EDGE), np.zeros(len(value.entity), VERTEX)
    for name in EDGE.names or ():
        records[name] = getattr(value, name)
    vertices["entity"], vertices["role"] = value.entity, value.role
    head = Header(
        SCHEMA, "GRAPH", 0, value.capacity, value.live, EDGE.itemsize, HYEG, created_ms, created_ms
    )
    counts = struct.pack("<4i", value.entity_capacity, len(value), len(vertices), value.live)
    save(path, [head.pack(), counts, records.tobytes(), vertices.tobytes()])
