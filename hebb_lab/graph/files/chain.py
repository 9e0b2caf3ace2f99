"""The temporal chain: who came before and after each memory. TPCH."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from hebb_lab.graph.files.encoding.header import (
    PERSISTENT,
    SIZE,
    TPCH,
    Header,
    is_container,
    read_header,
    read_magic,
    refuse_magic,
)
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
NODE = np.dtype([
    ("previous", "<i4"), ("next", "<i4"), ("session", "<i4"), ("epoch_seconds", "<i4")
])  # fmt: skip


@dataclass(frozen=True)
class ChainFile:
    """Pointers of N nodes, −1 for none.

    Args:
        previous, next: [N] int32, nodes.
        session: [N] int32.
        epoch_seconds: [N] int32, seconds since 1970.
        count: nodes in use, at most N.
    """

    previous: NDArray[np.int32]
    next: NDArray[np.int32]
    session: NDArray[np.int32]
    epoch_seconds: NDArray[np.int32]
    count: int

    def __len__(self) -> int:
        return len(self.previous)

    def fault(self) -> Fault | None:
        """The first thing that is wrong with it. Loops are the reader's to bear: hops are few."""
        lengths_differ(
            previous=self.previous, next=self.next, session=self.session,
            epoch_seconds=self.epoch_seconds,
        )  # fmt: skip
        if not 0 <= self.count <= len(self):
            return Fault(f"{self.count} of {len(self)} nodes in use", "count", 0)
        said = f"a node outside −1 to {len(self) - 1}"
        return first_fault(
            [
                (name, (nodes < -1) | (nodes >= len(self)), f"{name}: {said}")
                for name, nodes in (("previous", self.previous), ("next", self.next))
            ]
        )


def read_chain(path: str | Path) -> ChainFile:
    """Read a temporal chain: a container, or the older header of 16 bytes.

    Raises:
        InputError: another file, or a broken one; with the byte.
    """
    with Source(Path(path)) as source:
        magic = read_magic(source)
        if magic == TPCH:
            _, version, nodes, count = source.numbers(0, ">4i", "the header")
            if version not in (1, SCHEMA):
                source.refuse(f"TPCH version {version}; 1 and 2 are known", 4)
            return _read_nodes(source, 16, source.count(nodes, 8, "nodes"), count, 12)
        if not is_container(magic):
            refuse_magic(source, magic, TPCH)
        header = read_header(source, TPCH, SCHEMA, "CHAIN", NODE.itemsize)
        nodes, count = header.capacity, header.used
        if nodes == 0 and count == source.size - SIZE and count % NODE.itemsize == 0:
            # one of Spector's migrations writes no capacity, and bytes instead of nodes
            nodes = count = count // NODE.itemsize
        return _read_nodes(source, SIZE, source.count(nodes, 16, "nodes"), count, 24)


def _read_nodes(source: Source, at: int, nodes: int, count: int, count_at: int) -> ChainFile:
    stored = source.array(at, NODE, nodes, f"{nodes} nodes")
    columns: dict[str, Any] = {name: stored[name].astype(np.int32) for name in NODE.names or ()}
    value = ChainFile(**columns, count=count)
    places = {"previous": Place(at, NODE.itemsize), "next": Place(at + 4, NODE.itemsize)}
    source.check(value.fault(), {**places, "count": Place(count_at, 0)})
    source.only_padding_from(at + NODE.itemsize * nodes)
    return value


def write_chain(
    path: str | Path, value: ChainFile, format: Literal["container", "page"] = "container",
    created_ms: int = 0,
) -> None:  # fmt: skip
    """Write a temporal chain as a container, or as the page's "raw linked-list segment, V2".

    Raises:
        ValueError: a value that could not be read again, or an unknown format.
        InputError: the disk refuses.
    """
    path = Path(path)
    refuse_to_write(path, value.fault())
    nodes = np.zeros(len(value), NODE)
    for name in NODE.names or ():
        nodes[name] = getattr(value, name)
    if format == "container":
        head = Header(
            SCHEMA, "CHAIN", PERSISTENT, len(value), value.count, NODE.itemsize, TPCH, created_ms,
            created_ms,
        ).pack()  # fmt: skip
    elif format == "page":
        head = struct.pack(">I3i", TPCH, SCHEMA, len(value), value.count)
    else:
        raise ValueError(f"format {format!r} is neither 'container' nor 'page'")
    save(path, [head, nodes.tobytes()])
