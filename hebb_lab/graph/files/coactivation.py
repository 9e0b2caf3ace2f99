"""Counts of tag pairs and directed STDP edges: COAX."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.graph.files.encoding.header import (
    COAX,
    PERSISTENT,
    SIZE,
    Header,
    read_header,
    read_magic,
)
from hebb_lab.graph.files.encoding.slots import EDGE, EDGES, PAIR, PAIRS, slots, used
from hebb_lab.graph.files.encoding.source import (
    Fault,
    Source,
    first_fault,
    lengths_differ,
    refuse_to_write,
    save,
)
from hebb_lab.graph.files.encoding.text import Texts, framed

if TYPE_CHECKING:
    from numpy.typing import NDArray

SCHEMA = 2
TABLES = SIZE + 8
BANDIT = np.dtype({
    "names": ["context", "profile", "mean", "total", "positive", "last_ms"],
    "formats": [">i8", "u1", ">f4", ">i4", ">i4", ">i8"],
    "offsets": [0, 8, 12, 16, 20, 24],
    "itemsize": 32,
})  # fmt: skip


@dataclass(frozen=True)
class CoActivationFile:
    """P undirected pairs and E directed edges of tags, which are named by their ``tag_hash``.

    Args:
        pair_a, pair_b: [P] int64, the smaller first; ascending.
        pair_count: [P] int32.
        source, target: [E] int64; ascending.
        weight: [E] float32, 0 to 1.
        last_ms: [E] int64.
        activations: [E] int32.
        tag_hash: [T] int64.
        tag_names: [T].
        bandits: [B] records context, profile, mean, total, positive, last_ms: which profile was
            good in which context. Carried along, used by nothing here.
        pair_slots, edge_slots: sizes of the hash tables in the file, at least P and E.
    """

    pair_a: NDArray[np.int64]
    pair_b: NDArray[np.int64]
    pair_count: NDArray[np.int32]
    source: NDArray[np.int64]
    target: NDArray[np.int64]
    weight: NDArray[np.float32]
    last_ms: NDArray[np.int64]
    activations: NDArray[np.int32]
    tag_hash: NDArray[np.int64]
    tag_names: tuple[str, ...]
    bandits: NDArray[Any]
    pair_slots: int
    edge_slots: int

    def fault(self) -> Fault | None:
        """The first thing that is wrong with it."""
        lengths_differ(a=self.pair_a, b=self.pair_b, count=self.pair_count)
        lengths_differ(
            source=self.source, target=self.target, weight=self.weight, last_ms=self.last_ms,
            activations=self.activations,
        )  # fmt: skip
        for part, slot_count, entries in (
            ("pair_slots", self.pair_slots, len(self.pair_a)),
            ("edge_slots", self.edge_slots, len(self.source)),
        ):
            if not entries <= slot_count < 1 << 31:
                return Fault(f"{slot_count} slots for {entries} entries", part, 0)
        if len(self.tag_hash) != len(self.tag_names):
            return Fault("as many hashes as names are needed", "tags", 0)
        if not np.isfinite(self.bandits["mean"]).all():
            return Fault("a mean of a bandit that is no number", "tags", 0)
        return first_fault(
            [
                ("pair_a", self.pair_a > self.pair_b, "a pair in the wrong order"),
                ("pair_a", _again(self.pair_a, self.pair_b), "a pair stands there twice"),
                ("pair_count", self.pair_count < 0, "a negative count"),
                ("weight", ~((self.weight >= 0) & (self.weight <= 1)), "a weight outside 0 to 1"),
                ("source", _again(self.source, self.target), "an edge stands there twice"),
                ("activations", self.activations < 0, "a negative count"),
            ]
        )


def _again(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Where a pair stands that stood somewhere before it."""
    order = np.lexsort((second, first))
    same = (np.diff(first[order]) == 0) & (np.diff(second[order]) == 0)
    found = np.zeros(len(first), np.bool_)
    found[order[1:][same]] = True
    return found


def read_co_activation(path: str | Path) -> CoActivationFile:
    """Read counts and STDP edges of tags from a container.

    Raises:
        InputError: another file, or a broken one; with the byte.
    """
    with Source(Path(path)) as source:
        if read_magic(source) == COAX:
            source.refuse(
                "COAX without a container: the layout of versions 1 and 2 is not described", 0,
                "Open the store once with Spector Memory, which rewrites it as a container",
            )  # fmt: skip
        read_header(source, COAX, SCHEMA, "RECORD", 1)
        pair_slots, edge_slots = source.numbers(SIZE, "<ii", "the sizes of the tables")
        source.count(pair_slots, SIZE, "slots of pairs")
        source.count(edge_slots, SIZE + 4, "slots of edges")
        edges_at = TABLES + PAIR.itemsize * pair_slots
        trailer_at = edges_at + EDGE.itemsize * edge_slots
        pairs = used(source.array(TABLES, PAIR, pair_slots, f"{pair_slots} slots of pairs"))
        edges = used(source.array(edges_at, EDGE, edge_slots, f"{edge_slots} slots of edges"))
        hashes, names, bandits = _trailer(source, trailer_at)
        value = CoActivationFile(
            **pairs.columns, **edges.columns, tag_hash=hashes, tag_names=names, bandits=bandits,
            pair_slots=pair_slots, edge_slots=edge_slots,
        )  # fmt: skip
        fault = value.fault()
        if fault is not None:
            table = edges if fault.part in EDGES else pairs
            at, size = (edges_at, 40) if table is edges else (TABLES, 32)
            plain = {"pair_slots": SIZE, "edge_slots": SIZE + 4, "tags": trailer_at}
            row = 0 if fault.part in plain else int(table.slot[fault.row])
            source.refuse(fault.problem, plain.get(fault.part, at + size * row))
        return value


def _trailer(
    source: Source, at: int
) -> tuple[NDArray[np.int64], tuple[str, ...], NDArray[np.void]]:
    """The big-endian end: numbers of entries (counted anew here), tags, bandits."""
    texts = Texts(source, at)
    for what in ("pairs", "edges"):
        (number,) = texts.numbers(">i", f"the number of {what}")
        source.count(number, texts.at - 4, what)
    hashes, names = [], []
    for _ in range(texts.count(">i", "tags", 12)):
        hashes.append(texts.numbers(">q", "the hash of a tag")[0])
        names.append(texts.text(">i", "a tag"))
    count = texts.count(">i", "bandits", BANDIT.itemsize)
    bandits = source.array(texts.at, BANDIT, count, f"{count} bandits")
    source.only_padding_from(texts.at + BANDIT.itemsize * count)
    return np.array(hashes, np.int64), tuple(names), bandits


def write_co_activation(path: str | Path, value: CoActivationFile, created_ms: int = 0) -> None:
    """Write counts and STDP edges of tags as a container, in the hash tables of the layout.

    Raises:
        ValueError: a value that could not be read again, or tables whose size is no power of two.
        InputError: the disk refuses.
    """
    path = Path(path)
    refuse_to_write(path, value.fault())
    pairs = slots(value, PAIRS, PAIR, value.pair_slots)
    edges = slots(value, EDGES, EDGE, value.edge_slots)
    size = pairs.nbytes + edges.nbytes
    head = Header(SCHEMA, "RECORD", PERSISTENT, size, size, 1, COAX, created_ms, created_ms)
    counts = struct.pack(">3i", len(value.pair_a), len(value.source), len(value.tag_names))
    named = zip(value.tag_hash.tolist(), value.tag_names, strict=True)
    tags = [struct.pack(">q", number) + framed(">i", name) for number, name in named]
    bandits = np.zeros(len(value.bandits), BANDIT)
    for name in BANDIT.names or ():
        bandits[name] = value.bandits[name]
    save(
        path,
        [
            head.pack(), struct.pack("<ii", value.pair_slots, value.edge_slots), pairs.tobytes(),
            edges.tobytes(), counts, *tags, struct.pack(">i", len(bandits)), bandits.tobytes(),
        ],
    )  # fmt: skip
