"""The entity directory: entities, and the memories that mention them. EDIR, a best effort."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.graph.files.encoding.header import EDIR, PERSISTENT, SIZE, Header, read_header
from hebb_lab.graph.files.encoding.source import (
    Fault,
    Place,
    Source,
    first_fault,
    lengths_differ,
    refuse_to_write,
    save,
)
from hebb_lab.graph.files.names import FILE_NAME, NamesFile, read_names, write_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

NODES = SIZE + 16
NODE = np.dtype({
    "names": ["kind", "name_hash", "first", "links", "room", "merged_into"],
    "formats": ["<i4", "<i8", "<i4", "<i4", "<i4", "<i4"],
    "offsets": [0, 8, 16, 20, 24, 28],
    "itemsize": 64,
})  # fmt: skip
LINK = np.dtype([("memory", "<i4"), ("weight", "<f4")])
NO_NAMES = NamesFile((), np.zeros(0, np.int32))


@dataclass(frozen=True)
class EntityDirectoryFile:
    """N entities; the links of entity i are ``offsets[i]`` to ``offsets[i + 1]``.

    Args:
        kind: [N] int32, a type by its id in the registry.
        name_hash: [N] int64, ``java_string_hash`` of the name in lower case.
        merged_into: [N] int32, the entity that it became part of; −1 for none.
        offsets: [N+1] int64.
        memory: [L] int32.
        weight: [L] float32, finite.
        names: of the entities; empty where the file of names is not there.
    """

    kind: NDArray[np.int32]
    name_hash: NDArray[np.int64]
    merged_into: NDArray[np.int32]
    offsets: NDArray[np.int64]
    memory: NDArray[np.int32]
    weight: NDArray[np.float32]
    names: NamesFile = NO_NAMES

    def __len__(self) -> int:
        return len(self.kind)

    def fault(self) -> Fault | None:
        """The first thing that is wrong with it."""
        lengths_differ(kind=self.kind, hash=self.name_hash, merged=self.merged_into)
        lengths_differ(memory=self.memory, weight=self.weight)
        if len(self.offsets) != len(self) + 1 or self.offsets[0] != 0:
            return Fault("offsets that do not begin at 0 or do not fit", "offsets", 0)
        if self.offsets[-1] != len(self.memory):
            return Fault(f"the last offset is not {len(self.memory)}", "offsets", len(self))
        merged = self.merged_into
        return first_fault([
            ("offsets", np.diff(self.offsets) < 0, "an offset goes back"),
            ("kind", self.kind < 0, "a negative type"),
            (
                "merged_into", (merged < -1) | (merged >= len(self)),
                f"merged into an entity outside −1 to {len(self) - 1}",
            ),
            ("memory", self.memory < 0, "a negative memory"),
            ("weight", ~np.isfinite(self.weight), "a weight that is no number"),
            ("names", self.names.ids >= len(self), f"a name of an entity above {len(self) - 1}"),
        ])  # fmt: skip


def read_entity_directory(path: str | Path, names: str | Path | None = None) -> EntityDirectoryFile:
    """Read an entity directory, and the names that lie beside it where they do.

    Args:
        path: of the directory.
        names: of its names; the file of the usual name in the same folder where none is given.

    Raises:
        InputError: another file, or a broken one; with the byte.
    """
    path = Path(path)
    beside = Path(names) if names is not None else path.with_name(FILE_NAME)
    known = read_names(beside) if names is not None or beside.is_file() else NO_NAMES
    with Source(path) as source:
        header = read_header(source, EDIR, 1, "GRAPH", NODE.itemsize)
        room, used = source.numbers(SIZE, "<ii", "the numbers of links")
        source.count(header.capacity, 16, "entities")
        source.count(header.used, 24, "entities in use", header.capacity)
        source.count(used, SIZE + 4, "links in use", source.count(room, SIZE, "links"))
        links_at = NODES + NODE.itemsize * header.capacity
        nodes = source.array(NODES, NODE, header.used, f"{header.used} entities")
        links = source.array(links_at, LINK, used, f"{used} links")
        value, at = _linked(source, nodes, links, known)
        fault = value.fault()
        if fault is not None:
            source.refuse(fault.problem, _byte_of(fault, links_at, at))
        source.only_padding_from(min(source.size, links_at + LINK.itemsize * room))
        return value


def _byte_of(fault: Fault, links_at: int, taken: NDArray[np.int64]) -> int:
    """Where in the file a fault stands; links may lie in another order there."""
    if fault.part in (LINK.names or ()):
        return links_at + LINK.itemsize * int(taken[fault.row])
    if fault.part == "names":
        return 24  # the number of entities, which the names go beyond
    return NODES + NODE.itemsize * fault.row


def _linked(
    source: Source, nodes: NDArray[np.void], links: NDArray[np.void], names: NamesFile
) -> tuple[EntityDirectoryFile, NDArray[np.int64]]:
    """The entities with their links in their own order, and where in the file each link stood."""
    count, first = nodes["links"].astype(np.int64), nodes["first"].astype(np.int64)
    some = count > 0
    outside = some & ((first < 0) | (first + count > len(links)))
    source.check(
        first_fault(
            [
                ("links", count < 0, "a negative number of links"),
                ("first", outside, f"links outside 0 to {len(links) - 1}"),
            ]
        ),
        {"links": Place(NODES + 20, NODE.itemsize), "first": Place(NODES + 16, NODE.itemsize)},
    )
    total = int(count.sum())
    if total > len(links):  # entities that share links could ask for any amount of memory
        source.refuse(f"entities have {total} links and the file {len(links)}", NODES + 20)
    offsets = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
    at = np.repeat(first - offsets[:-1], count) + np.arange(total)
    value = EntityDirectoryFile(
        nodes["kind"].astype(np.int32), nodes["name_hash"].astype(np.int64),
        nodes["merged_into"].astype(np.int32), offsets, links["memory"][at].astype(np.int32),
        links["weight"][at].astype(np.float32), names,
    )  # fmt: skip
    return value, at


def write_entity_directory(
    path: str | Path, value: EntityDirectoryFile, created_ms: int = 0
) -> None:
    """Write an entity directory, and its names in the same folder where it has any.

    Raises:
        ValueError: a value that could not be read again.
        InputError: the disk refuses.
    """
    path = Path(path)
    refuse_to_write(path, value.fault())
    nodes, links = np.zeros(len(value), NODE), np.zeros(len(value.memory), LINK)
    count = np.diff(value.offsets)
    nodes["kind"], nodes["name_hash"] = value.kind, value.name_hash
    nodes["merged_into"], nodes["links"], nodes["room"] = value.merged_into, count, count
    nodes["first"] = np.where(count > 0, value.offsets[:-1], -1)
    links["memory"], links["weight"] = value.memory, value.weight
    head = Header(
        1, "GRAPH", PERSISTENT, len(value), len(value), NODE.itemsize, EDIR, created_ms, created_ms
    )
    counts = struct.pack("<iiq", len(links), len(links), 0)
    if len(value.names):
        write_names(path.with_name(FILE_NAME), value.names)
    save(path, [head.pack(), counts, nodes.tobytes(), links.tobytes()])
