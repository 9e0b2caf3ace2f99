"""What a store holds, in numbers."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from hebb_lab.memory.durable.files.connecting import moment, readable
from hebb_lab.memory.durable.files.faults import named

ENTITIES = 20


class Counts(NamedTuple):
    """Numbers of a store.

    Args:
        version: of its tables.
        kinds: kind → memories.
        entities: the largest scopes and how many memories each has; None: without one.
        entity_count: scopes in all.
        edges: in all.
        tombstones: in all.
        free_bytes: of the database, given back by the next compaction.
    """

    version: int
    kinds: dict[int, int]
    entities: list[tuple[str | None, int]]
    entity_count: int
    edges: int
    tombstones: int
    free_bytes: int


def counted(folder: Path) -> Counts:
    """Count what stands in a store's tables, without reading what memories say.

    Args:
        folder: of the store.

    Raises:
        DamagedStoreError: the database is malformed.
    """
    with named(folder), closing(readable(folder)) as db, moment(db):

        def one(query: str) -> int:
            row: tuple[Any, ...] = db.execute(query).fetchone()
            return int(row[0])

        entities = db.execute(
            "SELECT entity, count(*) FROM texts WHERE content IS NOT NULL GROUP BY entity"
            " ORDER BY count(*) DESC, entity LIMIT ?",
            (ENTITIES,),
        )
        return Counts(
            one("PRAGMA user_version"),
            _kinds(db),
            [(None if name is None else str(name, "utf-8"), count) for name, count in entities],
            one("SELECT count(DISTINCT entity) FROM texts"),
            one("SELECT count(*) FROM edges"),
            one("SELECT count(*) FROM tombstones"),
            one("PRAGMA freelist_count") * one("PRAGMA page_size"),
        )


def _kinds(db: sqlite3.Connection) -> dict[int, int]:
    """Kind → memories; the kind is the first byte of a memory's numbers."""
    found = db.execute(
        "SELECT substr(numbers, 1, 1) AS kind, count(*) FROM memories GROUP BY kind ORDER BY kind"
    )
    return {kind[0]: count for kind, count in found}
