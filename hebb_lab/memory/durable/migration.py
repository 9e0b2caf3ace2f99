"""From one version of the tables to the next, each step one transaction: the old one or the new.

Version 1 held a memory in one row, without checksums and without the columns ``stale`` and
``reflected``.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator

import numpy as np

from hebb_lab.memory.changes import SCALARS, Added, Edges, Texts, Tombstones
from hebb_lab.memory.consistent import BLOCK
from hebb_lab.memory.durable import schema
from hebb_lab.memory.durable.files.connecting import Transaction
from hebb_lab.memory.durable.rows import writing
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.values import EdgeKind

_TABLES = ("memories", "edges", "tombstones", "facts")
_RENAME = "ALTER TABLE {name} RENAME TO old_{name}"
_DROP = "DROP TABLE old_{name}"
_MEMORIES = (
    "SELECT id, content, context, entity, vector, kind, importance, decay_score, created_us,"
    " updated_us, accessed_us, access_count, clock, superseded, flagged,"
    " EXISTS (SELECT 1 FROM old_edges WHERE target = old_memories.id AND kind = ?)"
    " FROM old_memories ORDER BY id"
)
_NUMBERS = (
    "kind", "importance", "decay_score", "created_us", "updated_us", "accessed_us",
    "access_count", "clock", "superseded", "flagged", "reflected",
)  # fmt: skip


def migrate(db: sqlite3.Connection) -> None:
    """Move a database of version 1 to version 2, whole or not at all.

    An episode that an insight came from counts as reflected on; no insight is stale.

    Args:
        db: of the writer, not in a transaction.
    """
    with Transaction(db):
        for name in _TABLES:
            db.execute(_RENAME.format(name=name))
        db.execute("CREATE INDEX old_by_target ON old_edges (target, kind)")
        schema.create(db)
        count, highest = 0, None
        dimensions = json.loads(_fact(db, "dimensions"))
        for added in _memories(db, dimensions):
            writing.add(db, added)
            count += len(added.ids)
            highest = added.ids.to_bytes()[-1].hex()
        for edges in _edges(db):
            writing.link(db, edges)
        writing.bury(db, _tombstones(db))
        facts = {
            str(name, "utf-8"): json.loads(value)
            for name, value in db.execute("SELECT name, value FROM old_facts")
        }
        writing.set_facts(db, {"highest_id": highest, **facts, "memories": count})
        for name in _TABLES:
            db.execute(_DROP.format(name=name))


def _fact(db: sqlite3.Connection, name: str) -> bytes:
    row = db.execute("SELECT value FROM old_facts WHERE name = ?", (name,)).fetchone()
    return bytes(row[0])


def _memories(db: sqlite3.Connection, dimensions: int) -> Iterator[Added]:
    found = db.execute(_MEMORIES, (int(EdgeKind.INSIGHT_FROM),))
    nothing = bytes(4 * dimensions)
    while rows := found.fetchmany(BLOCK):
        ids, contents, contexts, entities, vectors, *columns = zip(*rows, strict=True)
        flat = np.frombuffer(b"".join([vector or nothing for vector in vectors]), "<f4")
        scalars = {
            name: np.array(column, SCALARS[name])
            for name, column in zip(_NUMBERS, columns, strict=True)
        }
        scalars["stale"] = np.zeros(len(rows), np.bool_)
        texts = Texts(
            [str(one, "utf-8") for one in contents], [str(one, "utf-8") for one in contexts],
            [None if one is None else str(one, "utf-8") for one in entities],
            flat.reshape(-1, dimensions).astype(np.float32),
        )  # fmt: skip
        yield Added(Ids.from_bytes(ids), texts, scalars)


def _edges(db: sqlite3.Connection) -> Iterator[Edges]:
    found = db.execute(
        "SELECT source, target, kind, confidence, time_us FROM old_edges ORDER BY rowid"
    )
    while rows := found.fetchmany(BLOCK):
        source, target, kind, confidence, time_us = zip(*rows, strict=True)
        yield Edges(
            Ids.from_bytes(source), Ids.from_bytes(target), np.array(kind, np.int8),
            np.array(confidence, np.float32), np.array(time_us, np.int64),
        )  # fmt: skip


def _tombstones(db: sqlite3.Connection) -> Tombstones:
    rows = db.execute("SELECT id, time_us, salt, digest, reason FROM old_tombstones").fetchall()
    ids, time, salts, digests, reasons = zip(*rows, strict=True) if rows else ((),) * 5
    return Tombstones(
        Ids.from_bytes(ids), np.array(time, np.int64), list(salts), list(digests),
        [str(reason, "utf-8") for reason in reasons],
    )  # fmt: skip
