"""Rows of the database as changes, each held against its checksum."""

from __future__ import annotations

import json
import sqlite3
import struct
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hebb_lab.memory.changes import Added, Edges, Texts, Tombstones
from hebb_lab.memory.durable.files.faults import damaged
from hebb_lab.memory.durable.rows import checksums
from hebb_lab.memory.durable.rows.packing import SIZE, unpacked
from hebb_lab.memory.errors import MemoryNotFoundError
from hebb_lab.memory.ids import Ids

ALL_MEMORIES = (
    "SELECT memories.*, texts.content, texts.context, texts.entity, texts.vector, texts.crc"
    " FROM memories LEFT JOIN texts ON texts.place = memories.place"
    " WHERE memories.id > ? ORDER BY memories.id"
)
ONE_TEXT = (
    "SELECT texts.content, texts.context, texts.entity, texts.vector, texts.crc"
    " FROM memories LEFT JOIN texts ON texts.place = memories.place WHERE memories.id = ?"
)
EDGES = (
    "SELECT place, source, target, kind, confidence, time_us, crc FROM edges WHERE place > ?"
    " ORDER BY place"
)
TOMBSTONES = "SELECT * FROM tombstones ORDER BY id"
Row = tuple[Any, ...]
Bad = Callable[[str], None]
"""What is called with what is wrong with a row that is then left out; it may raise."""


def text_of(
    memory: bytes, row: Row, dimensions: int
) -> tuple[str, str, str | None, bytes | None] | None:
    """What one memory says, or None where its row is not what was written.

    Args:
        memory: id.
        row: content, context, entity, vector, crc; texts as bytes.
        dimensions: d of the store.
    """
    content, context, entity, vector, crc = row
    try:
        if vector is not None and len(vector) != 4 * dimensions:
            return None
        if checksums.of_text(memory, content, context, entity, vector) != crc:
            return None
        name = None if entity is None else str(entity, "utf-8")
        return str(content, "utf-8"), str(context, "utf-8"), name, vector
    except TypeError:  # a number or nothing where a text was
        return None


def texts(
    db: sqlite3.Connection, ids: Ids, dimensions: int, folder: Path
) -> Iterator[tuple[str, str]]:
    """Content and context of memories, one after the other.

    Args:
        db: that hands out texts as bytes.
        ids: of the memories.
        dimensions: d of the store.
        folder: of the store.

    Raises:
        MemoryNotFoundError: an id that is not there.
        DamagedStoreError: a row that does not fit its checksum.
    """
    for place, part in enumerate(ids.to_bytes()):
        row = db.execute(ONE_TEXT, (part,)).fetchone()
        if row is None:
            raise MemoryNotFoundError(
                f"no memory has the id {ids[place]}", "It was forgotten or never written"
            )
        text = text_of(part, row, dimensions)
        if text is None:
            raise damaged(f"memory {ids[place]} does not fit its checksum", folder)
        yield text[:2]


def added_of(rows: Sequence[Row], dimensions: int, bad: Bad) -> Added | None:
    """Whole memories of a block of rows, None where none is whole.

    Args:
        rows: as ALL_MEMORIES gives them, texts as bytes.
        dimensions: d of the store.
        bad: is told of each row that is left out.
    """
    said = [text_of(row[0], row[4:], dimensions) for row in rows]
    right = list(map(_fits, rows))
    if None in said or not all(right):
        whole = []
        for row, text, fits in zip(rows, said, right, strict=True):
            if fits and text is not None:
                whole.append(row)
            else:
                bad(f"memory {name_of(row[0])} is damaged: it does not fit its checksum")
        return added_of(whole, dimensions, bad) if whole else None
    ids, _, numbers, *_ = zip(*rows, strict=True)
    contents, contexts, entities, vectors = zip(*said, strict=True)
    nothing = bytes(4 * dimensions)
    flat = np.frombuffer(b"".join([vector or nothing for vector in vectors]), "<f4")
    vectors = np.asarray(flat.reshape(-1, dimensions), np.float32)
    texts = Texts(contents, contexts, entities, vectors)
    return Added(Ids.from_bytes(ids), texts, unpacked(numbers))


def _fits(row: Row) -> bool:
    memory, place, numbers, crc = row[:4]
    try:
        if len(memory) != 16 or len(numbers) != SIZE:
            return False
        return bool(checksums.of_memory(memory, place, numbers) == crc)
    except (TypeError, struct.error):
        return False


def name_of(memory: Any) -> str:
    """An id as text, also where it is none any more."""
    if isinstance(memory, bytes) and len(memory) == 16:
        return Ids.from_bytes([memory])[0]
    return repr(memory)


def edges_of(rows: Sequence[Row], bad: Bad) -> Edges:
    """Edges of rows, without the damaged ones.

    Args:
        rows: as EDGES gives them.
        bad: is told of each row that is left out.
    """
    whole = []
    for row in rows:
        if _whole_edge(row):
            whole.append(row)
        else:
            bad(f"the edge {row[0]} is damaged: it does not fit its checksum")
    if not whole:
        return Edges.none()
    _, source, target, kind, confidence, time_us, _ = zip(*whole, strict=True)
    return Edges(
        Ids.from_bytes(source), Ids.from_bytes(target), np.array(kind, np.int8),
        np.array(confidence, np.float32), np.array(time_us, np.int64),
    )  # fmt: skip


def _whole_edge(row: Row) -> bool:
    _, source, target, kind, confidence, time_us, crc = row
    try:
        if len(source) != 16 or len(target) != 16:
            return False
        found = checksums.of_edges(
            [source], [target], np.array([kind], np.int8), np.array([confidence], np.float32),
            np.array([time_us], np.int64),
        )  # fmt: skip
    except (TypeError, ValueError, OverflowError):
        return False
    return bool(found[0] == crc)


def tombstones_of(rows: Sequence[Row], bad: Bad) -> Tombstones:
    """Tombstones of rows, without the damaged ones.

    Args:
        rows: as TOMBSTONES gives them, texts as bytes.
        bad: is told of each row that is left out.
    """
    whole = []
    for memory, time_us, salt, digest, reason, crc in rows:
        try:
            one = (memory, time_us, salt, digest, str(reason, "utf-8"))
            right = checksums.of_tombstone(*one) == crc
        except (TypeError, ValueError, struct.error):
            right = False
        if right:
            whole.append(one)
        else:
            bad(f"the tombstone of {name_of(memory)} is damaged: it does not fit its checksum")
    ids, time, salts, digests, reasons = zip(*whole, strict=True) if whole else ((),) * 5
    return Tombstones(
        Ids.from_bytes(ids), np.array(time, np.int64), list(salts), list(digests), list(reasons)
    )


def facts_of(db: sqlite3.Connection, bad: Bad) -> dict[str, Any]:
    """The facts of a store, without the damaged ones.

    Args:
        db: that hands out texts as bytes.
        bad: is told of each row that is left out.
    """
    found: dict[str, Any] = {}
    for name, value, crc in db.execute("SELECT name, value, crc FROM facts"):
        try:
            fact = (str(name, "utf-8"), str(value, "utf-8"))
            right = checksums.of_fact(*fact) == crc
        except (TypeError, ValueError):
            right = False
        if right:
            found[fact[0]] = json.loads(fact[1])
        else:
            bad(f"the fact {name!r} is damaged: it does not fit its checksum")
    return found
