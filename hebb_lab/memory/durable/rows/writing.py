"""One change as rows of the database, inside a transaction that somebody else opens and ends."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hebb_lab.memory.changes import SCALARS, Added, Change, Edges, Texts, Tombstones, Updated
from hebb_lab.memory.consistent import BLOCK, highest_of
from hebb_lab.memory.durable.files.faults import damaged
from hebb_lab.memory.durable.rows import checksums
from hebb_lab.memory.durable.rows.packing import packed, unpacked
from hebb_lab.memory.errors import MemoryNotFoundError, StoreError
from hebb_lab.memory.ids import Ids

ADD_MEMORY = "INSERT INTO memories (id, place, numbers, crc) VALUES (?, ?, ?, ?)"
ADD_TEXT = (
    "INSERT INTO texts (place, content, context, entity, vector, crc) VALUES (?, ?, ?, ?, ?, ?)"
)
ADD_EDGE = (
    "INSERT INTO edges (source, target, kind, confidence, time_us, crc) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (source, target, kind) DO UPDATE SET confidence = excluded.confidence,"
    " time_us = excluded.time_us, crc = excluded.crc"
)
ADD_TOMBSTONE = (
    "INSERT OR REPLACE INTO tombstones (id, time_us, salt, digest, reason, crc)"
    " VALUES (?, ?, ?, ?, ?, ?)"
)
SET_FACT = "INSERT OR REPLACE INTO facts (name, value, crc) VALUES (?, ?, ?)"
EMPTY_TEXT_OF = (
    "UPDATE texts SET content = NULL, context = NULL, entity = NULL, vector = NULL, crc = NULL"
    " WHERE place = (SELECT place FROM memories WHERE id = ?)"
)
SET_NUMBERS = "UPDATE memories SET place = ?, numbers = ?, crc = ? WHERE id = ?"
GET_NUMBERS = "SELECT place, numbers, crc FROM memories WHERE id = ?"


def write(db: sqlite3.Connection, change: Change, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Write every part of a change in order.

    Args:
        db: in a transaction.
        change: already checked by itself.
        facts: of the store before it.

    Returns:
        The facts of the store after it.

    Raises:
        StoreError: an id that is there already.
        MemoryNotFoundError: new numbers or texts of a memory that is not there.
        DamagedStoreError: numbers that do not fit their checksum.
        sqlite3.Error: what the disk did; the transaction must be rolled back.
    """
    count = int(facts["memories"])
    if change.added is not None:
        add(db, change.added)
        count += len(change.added.ids)
    if change.rewritten is not None:
        _rewrite(db, change.rewritten.ids, change.rewritten.texts)
    for updated in change.updated:
        _update(db, updated)
    if change.edges is not None:
        link(db, change.edges)
    if change.forgotten is not None:
        count -= _forget(db, change.forgotten)
    if change.tombstones is not None:
        bury(db, change.tombstones)
    if change.collected is not None:
        db.executemany(
            "DELETE FROM tombstones WHERE id = ?", ((part,) for part in change.collected.to_bytes())
        )
    return _note(db, change, facts, count)


def add(db: sqlite3.Connection, added: Added) -> None:
    """Append new memories."""
    first = next_place(db)
    ids = added.ids.to_bytes()
    places = range(first, first + len(ids))
    db.executemany(ADD_TEXT, text_rows(ids, places, added.texts))
    try:
        for start in range(0, len(ids), BLOCK):
            block = slice(start, start + BLOCK)
            scalars = {name: added.scalars[name][block] for name in SCALARS}
            db.executemany(ADD_MEMORY, memory_rows(ids[block], places[block], scalars))
    except sqlite3.IntegrityError:
        known = "SELECT 1 FROM memories WHERE id = ? AND place < ?"
        twice = (db.execute(known, (part, first)).fetchone() for part in ids)
        name = next(
            (added.ids[place] for place, found in enumerate(twice) if found), "of a new one"
        )
        raise StoreError(f"id {name} is there already", "Nothing was kept; give new ids") from None


def next_place(db: sqlite3.Connection) -> int:
    """The place after the last row of texts."""
    return int(db.execute("SELECT coalesce(max(place), 0) + 1 FROM texts").fetchone()[0])


def text_rows(
    ids: Sequence[bytes], places: Sequence[int], texts: Texts
) -> Iterator[tuple[Any, ...]]:
    """Rows of texts; a vector of zeros is none.

    Args:
        ids: [n] of the memories.
        places: [n] where they go.
        texts: [n].
    """
    size = 4 * texts.vectors.shape[1]
    for start in range(0, len(ids), BLOCK):
        block = slice(start, start + BLOCK)
        vectors = np.ascontiguousarray(texts.vectors[block], "<f4")
        there, flat = np.any(vectors, axis=1), vectors.tobytes()
        for row in range(len(vectors)):
            at = start + row
            entity = texts.entities[at]
            vector = flat[row * size : (row + 1) * size] if there[row] else None
            crc = checksums.of_text(
                ids[at], texts.contents[at].encode(), texts.contexts[at].encode(),
                None if entity is None else entity.encode(), vector,
            )  # fmt: skip
            yield places[at], texts.contents[at], texts.contexts[at], entity, vector, crc


def memory_rows(
    ids: Sequence[bytes], places: Sequence[int], scalars: Mapping[str, NDArray[Any]]
) -> Iterator[tuple[Any, ...]]:
    """Rows of memories.

    Args:
        ids: [n].
        places: [n] of their texts.
        scalars: every column, [n].
    """
    for memory, place, numbers in zip(ids, places, packed(scalars), strict=True):
        yield memory, place, numbers, checksums.of_memory(memory, place, numbers)


def _rewrite(db: sqlite3.Connection, ids: Ids, texts: Texts) -> None:
    """New texts go to new places; the old ones are emptied, so that no row changes its size."""
    keys = ids.to_bytes()
    first = next_place(db)
    places = range(first, first + len(keys))
    _, scalars = _numbers_of(db, ids)
    db.executemany(EMPTY_TEXT_OF, ((part,) for part in keys))
    db.executemany(ADD_TEXT, text_rows(keys, places, texts))
    _set_numbers(db, keys, places, scalars)


def _update(db: sqlite3.Connection, updated: Updated) -> None:
    for start in range(0, len(updated.ids), BLOCK):
        block = slice(start, start + BLOCK)
        ids = updated.ids[block]
        places, scalars = _numbers_of(db, ids)
        for name, values in updated.scalars.items():
            scalars[name] = values[block].astype(SCALARS[name])
        _set_numbers(db, ids.to_bytes(), places, scalars)


def _numbers_of(db: sqlite3.Connection, ids: Ids) -> tuple[list[int], dict[str, NDArray[Any]]]:
    """Places and every column of n memories that are there."""
    places, numbers = [], []
    for row, part in enumerate(ids.to_bytes()):
        found = db.execute(GET_NUMBERS, (part,)).fetchone()
        if found is None:
            raise MemoryNotFoundError(
                f"no memory has the id {ids[row]}", "It was forgotten or never written"
            )
        if checksums.of_memory(part, *found[:2]) != found[2]:
            (_, _, file), *_ = db.execute("PRAGMA database_list").fetchall()
            folder = Path(str(file, "utf-8")).parent
            raise damaged(f"memory {ids[row]} does not fit its checksum", folder)
        places.append(found[0])
        numbers.append(found[1])
    return places, unpacked(numbers)


def _set_numbers(
    db: sqlite3.Connection, ids: Sequence[bytes], places: Sequence[int],
    scalars: Mapping[str, NDArray[Any]],
) -> None:  # fmt: skip
    rows = memory_rows(ids, places, scalars)
    db.executemany(SET_NUMBERS, ((*row[1:], row[0]) for row in rows))


def link(db: sqlite3.Connection, edges: Edges) -> None:
    """Add edges; one that is there already keeps its place in the order of writing."""
    source, target = edges.source.to_bytes(), edges.target.to_bytes()
    kind, time_us = edges.kind.astype(np.int8), edges.time_us.astype(np.int64)
    confidence = edges.confidence.astype(np.float32) + np.float32(0)
    crcs = checksums.of_edges(source, target, kind, confidence, time_us)
    columns = (source, target, kind.tolist(), confidence.tolist(), time_us.tolist(), crcs)
    db.executemany(ADD_EDGE, zip(*columns, strict=True))


def _forget(db: sqlite3.Connection, ids: Ids) -> int:
    keys = [(part,) for part in ids.to_bytes()]
    db.executemany(EMPTY_TEXT_OF, keys)
    gone = db.executemany("DELETE FROM memories WHERE id = ?", keys).rowcount
    db.executemany("DELETE FROM edges WHERE source = ?", keys)
    db.executemany("DELETE FROM edges WHERE target = ?", keys)
    return max(gone, 0)


def bury(db: sqlite3.Connection, stones: Tombstones) -> None:
    """Write tombstones."""
    columns = (stones.ids.to_bytes(), stones.time_us.tolist(), *stones[2:])
    rows = zip(*columns, strict=True)
    db.executemany(ADD_TOMBSTONE, ((*row, checksums.of_tombstone(*row)) for row in rows))


def _note(
    db: sqlite3.Connection, change: Change, facts: Mapping[str, Any], count: int
) -> dict[str, Any]:
    made = {
        **facts, **change.facts, "clock_us": change.at_us, "memories": count,
        "sequence": facts["sequence"] + 1, "highest_id": highest_of(facts["highest_id"], change),
    }  # fmt: skip
    kept = {name: value for name, value in made.items() if value is not None}
    gone = [(name,) for name, value in made.items() if value is None]
    db.executemany("DELETE FROM facts WHERE name = ?", gone)
    changed = {
        name: value for name, value in kept.items()
        if name in change.facts or value != facts.get(name)
    }  # fmt: skip
    set_facts(db, changed)
    # As the file would hand them back.
    after = {name: json.loads(json.dumps(value)) for name, value in kept.items()}
    return {**after, "highest_id": made["highest_id"]}


def set_facts(db: sqlite3.Connection, facts: Mapping[str, Any]) -> None:
    """Write facts as JSON."""
    rows = [(name, json.dumps(value, ensure_ascii=False)) for name, value in facts.items()]
    db.executemany(SET_FACT, ((*row, checksums.of_fact(*row)) for row in rows))
