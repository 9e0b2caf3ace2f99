"""Hebbian edges in compressed sparse rows: HCSR, and what came before it."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from hebb_lab.graph.files.encoding.header import (
    HCSR,
    HGPH,
    PERSISTENT,
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

PAGE_VERSION = 3
EDGE = np.dtype([
    ("neighbor", "<i4"), ("weight", "<f4"), ("last_cycle", "<u2"), ("bridge", "u1"), ("flags", "u1")
])  # fmt: skip
EDGE_V1 = np.dtype([("neighbor", "<i4"), ("weight", "<f4")])
_WIDEST = 1 << 16  # a row of the older format that is wider is no row


@dataclass(frozen=True)
class HebbianFile:
    """Directed edges of N nodes; those of node i are ``offsets[i]`` to ``offsets[i + 1]``.

    Args:
        offsets: [N+1] int32, from 0, ascending.
        neighbor: [E] int32.
        weight: [E] float32, finite.
        last_cycle: [E] uint16, the consolidation cycle of the last reinforcement.
        bridge: [E] uint8, 0 to 255.
        flags: [E] uint8.
        cycle: the current consolidation cycle.
        edge_capacity: directed edges that the store has room for, at least E.
    """

    offsets: NDArray[np.int32]
    neighbor: NDArray[np.int32]
    weight: NDArray[np.float32]
    last_cycle: NDArray[np.uint16]
    bridge: NDArray[np.uint8]
    flags: NDArray[np.uint8]
    cycle: int
    edge_capacity: int

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def fault(self) -> Fault | None:
        """The first thing that is wrong with it."""
        lengths_differ(
            neighbor=self.neighbor, weight=self.weight, last_cycle=self.last_cycle,
            bridge=self.bridge, flags=self.flags,
        )  # fmt: skip
        edges = len(self.neighbor)
        if not len(self.offsets) or self.offsets[0] != 0:
            return Fault("the first offset is not 0", "offsets", 0)
        if self.offsets[-1] != edges:
            return Fault(f"the last offset is not {edges}", "offsets", len(self))
        if not edges <= self.edge_capacity < 1 << 31:
            return Fault(f"room for {self.edge_capacity} of {edges} edges", "edge_capacity", 0)
        if not 0 <= self.cycle < 1 << 31:
            return Fault(f"cycle {self.cycle}", "cycle", 0)
        return first_fault([
            ("offsets", np.diff(self.offsets, prepend=np.int32(0)) < 0, "an offset goes back"),
            (
                "neighbor", (self.neighbor < 0) | (self.neighbor >= len(self)),
                f"a neighbour outside 0 to {len(self) - 1}",
            ),
            ("weight", ~np.isfinite(self.weight), "a weight that is no number"),
        ])  # fmt: skip


def read_hebbian(path: str | Path) -> HebbianFile:
    """Read a file of Hebbian edges: container, the page's V3, or the older HGPH.

    Raises:
        InputError: another file, or a broken one; with the byte.
    """
    with Source(Path(path)) as source:
        magic = read_magic(source)
        if magic == HCSR:
            return _read_page(source)
        if magic == HGPH:
            return _read_rows(source)
        if not is_container(magic):
            refuse_magic(source, magic, HCSR, HGPH)
        header = read_header(source, HCSR, 1, "GRAPH", EDGE.itemsize)
        capacity, cycle = source.numbers(64, "<ii", "edge capacity and cycle")
        places = {"edge_capacity": Place(64, 4), "cycle": Place(68, 4)}
        nodes = source.count(header.capacity, 16, "nodes")
        edges = source.count(header.used, 24, "edges")
        return _read_csr(source, 80, (nodes, edges, capacity, cycle), places)


def _read_page(source: Source) -> HebbianFile:
    _, version, nodes, capacity, edges, cycle = source.numbers(0, ">6i", "the header")
    if version != PAGE_VERSION:
        source.refuse(
            f"HCSR version {version}; {PAGE_VERSION} is known", 4, "Store it with another release"
        )
    places = {"edge_capacity": Place(12, 4), "cycle": Place(20, 4)}
    nodes, edges = source.count(nodes, 8, "nodes"), source.count(edges, 16, "edges")
    return _read_csr(source, 24, (nodes, edges, capacity, cycle), places)


def _read_csr(
    source: Source, at: int, numbers: tuple[int, int, int, int], places: dict[str, Place]
) -> HebbianFile:
    """Offsets and edges, which both formats lay out alike."""
    nodes, edges, capacity, cycle = numbers
    edges_at = at + 4 * (nodes + 1)
    offsets = source.array(at, "<i4", nodes + 1, f"offsets of {nodes} nodes")
    stored = source.array(edges_at, EDGE, edges, f"{edges} edges")
    value = _columns(offsets.astype(np.int32), stored, cycle, capacity)
    for name in ("neighbor", "weight"):
        assert EDGE.fields is not None  # noqa: S101 - for the type checker
        places[name] = Place(edges_at + EDGE.fields[name][1], EDGE.itemsize)
    source.check(value.fault(), {**places, "offsets": Place(at, 4)})
    # a bundle keeps the room for further edges in the file, with whatever stood there
    source.only_padding_from(min(source.size, edges_at + EDGE.itemsize * capacity))
    return value


def _columns(
    offsets: NDArray[np.int32], stored: NDArray[np.void], cycle: int, capacity: int
) -> HebbianFile:
    names = stored.dtype.names or ()
    empty = np.zeros(len(stored), np.uint8)
    return HebbianFile(
        offsets, stored["neighbor"].astype(np.int32), stored["weight"].astype(np.float32),
        (stored["last_cycle"] if "last_cycle" in names else empty).astype(np.uint16),
        (stored["bridge"] if "bridge" in names else empty).astype(np.uint8),
        (stored["flags"] if "flags" in names else empty).astype(np.uint8), cycle, capacity,
    )  # fmt: skip


def _read_rows(source: Source) -> HebbianFile:
    """HGPH: every node has room for the same number of edges."""
    _, version, nodes, width = source.numbers(0, ">4i", "the header")
    if version not in (1, 2):
        source.refuse(f"HGPH version {version}; 1 and 2 are known", 4, "Store it as HCSR")
    edge = EDGE if version == 2 else EDGE_V1
    source.count(width, 12, "edges a node", _WIDEST)
    source.count(nodes, 8, "nodes")
    row = np.dtype([("degree", "<i4"), ("edges", edge, (width,))])
    rows = source.array(16, row, nodes, f"rows of {nodes} nodes")
    degree = rows["degree"].astype(np.int32)
    wrong = (degree < 0) | (degree > width)
    source.check(
        first_fault([("degree", wrong, f"a degree outside 0 to {width}")]),
        {"degree": Place(16, row.itemsize)},
    )
    source.only_padding_from(16 + row.itemsize * nodes)
    inside = np.arange(width) < degree[:, None]  # [N, width]
    offsets = np.concatenate([[0], np.cumsum(degree, dtype=np.int64)]).astype(np.int32)
    value = _columns(offsets, rows["edges"][inside], 0, max(nodes * width, 0))
    fault = value.fault()
    if fault is not None:
        at = 16
        if fault.part != "offsets":
            node, column = (int(where[fault.row]) for where in np.nonzero(inside))
            at += row.itemsize * node + 4 + edge.itemsize * column
        source.refuse(fault.problem, at)
    return value


def write_hebbian(
    path: str | Path, value: HebbianFile, format: Literal["container", "page"] = "container",
    created_ms: int = 0,
) -> None:  # fmt: skip
    """Write Hebbian edges as a container, or in the format that the page describes.

    Raises:
        ValueError: a value that could not be read again, or an unknown format.
        InputError: the disk refuses.
    """
    path = Path(path)
    refuse_to_write(path, value.fault())
    edges = np.zeros(len(value.neighbor), EDGE)
    for name in EDGE.names or ():
        edges[name] = getattr(value, name)
    if format == "container":
        head = Header(
            1, "GRAPH", PERSISTENT, len(value), len(edges), EDGE.itemsize, HCSR, created_ms,
            created_ms,
        ).pack() + struct.pack("<iiq", value.edge_capacity, value.cycle, 0)  # fmt: skip
    elif format == "page":
        head = struct.pack(
            ">I5i", HCSR, PAGE_VERSION, len(value), value.edge_capacity, len(edges), value.cycle
        )
    else:
        raise ValueError(f"format {format!r} is neither 'container' nor 'page'")
    save(path, [head, value.offsets.astype("<i4").tobytes(), edges.tobytes()])
