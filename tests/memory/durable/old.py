"""Stores as version 1 wrote them."""

import json
import sqlite3

import numpy as np

from hebb_lab.memory.durable import schema

TABLES = """
CREATE TABLE memories (id BLOB NOT NULL PRIMARY KEY, kind INTEGER, importance REAL,
  decay_score REAL, created_us INTEGER, updated_us INTEGER, accessed_us INTEGER,
  access_count INTEGER, clock INTEGER, superseded INTEGER, flagged INTEGER, content TEXT,
  context TEXT, entity TEXT, vector BLOB);
CREATE TABLE edges (source BLOB, target BLOB, kind INTEGER, confidence REAL, time_us INTEGER,
  PRIMARY KEY (source, target, kind));
CREATE TABLE tombstones (id BLOB PRIMARY KEY, time_us INTEGER, salt BLOB, digest BLOB, reason TEXT);
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT);
PRAGMA application_id = 1212498498;
PRAGMA user_version = 1;
"""
NUMBERS = (
    "kind", "importance", "decay_score", "created_us", "updated_us", "accessed_us",
    "access_count", "clock", "superseded", "flagged",
)  # fmt: skip


def write_version_1(folder, added, edges, stones, facts):
    """A store of version 1.

    Args:
        folder: where.
        added: its memories.
        edges: rows (source, target, kind, confidence, time_us).
        stones: rows (id, time_us, salt, digest, reason).
        facts: name → value; dimensions, sequence and clock_us are needed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(folder / schema.DATABASE, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.executescript(TABLES)
    texts = added.texts
    numbers = zip(*(np.asarray(added.scalars[name]).tolist() for name in NUMBERS), strict=True)
    db.execute("BEGIN")
    for row, (part, some) in enumerate(zip(added.ids.to_bytes(), numbers, strict=True)):
        vector = texts.vectors[row]
        said = (
            texts.contents[row], texts.contexts[row], texts.entities[row],
            vector.tobytes() if vector.any() else None,
        )  # fmt: skip
        db.execute(f"INSERT INTO memories VALUES (?{', ?' * 14})", (part, *some, *said))
    db.executemany("INSERT INTO edges VALUES (?, ?, ?, ?, ?)", edges)
    db.executemany("INSERT INTO tombstones VALUES (?, ?, ?, ?, ?)", stones)
    db.executemany(
        "INSERT INTO facts VALUES (?, ?)", [(name, json.dumps(one)) for name, one in facts.items()]
    )
    db.execute("COMMIT")
    db.close()
