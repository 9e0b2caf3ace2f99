"""A store as version 1 wrote it: one row a memory, no checksums, no ``stale`` and ``reflected``."""

import json
import sqlite3
from contextlib import closing

from hebb_lab.memory.changes import SCALARS
from hebb_lab.memory.durable import schema
from tests.memory.crash.contents import contents_of

_NUMBERS = [name for name in SCALARS if name not in ("stale", "reflected")]
_TABLES = (
    "CREATE TABLE memories (id BLOB NOT NULL PRIMARY KEY, content TEXT NOT NULL, context TEXT NOT"
    f" NULL, entity TEXT, vector BLOB, {', '.join(f'{one} NUMERIC NOT NULL' for one in _NUMBERS)})"
    " WITHOUT ROWID",
    "CREATE TABLE edges (source BLOB NOT NULL, target BLOB NOT NULL, kind INTEGER NOT NULL,"
    " confidence REAL NOT NULL, time_us INTEGER NOT NULL, UNIQUE (source, target, kind))",
    "CREATE TABLE tombstones (id BLOB NOT NULL PRIMARY KEY, time_us INTEGER NOT NULL, salt BLOB,"
    " digest BLOB, reason TEXT) WITHOUT ROWID",
    "CREATE TABLE facts (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)",
)


def write_version_one(folder, journal):
    """Write what a journal holds as a store of version 1.

    Args:
        folder: a new one.
        journal: none of whose memories is stale or reflected on.
    """
    held = contents_of(journal)
    folder.mkdir(parents=True)
    with closing(sqlite3.connect(folder / schema.DATABASE, isolation_level=None)) as db:
        db.execute(f"PRAGMA page_size = {schema.PAGE_BYTES}")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("BEGIN")
        for table in _TABLES:
            db.execute(table)
        db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        db.execute("PRAGMA user_version = 1")
        for name, (content, context, entity, vector, numbers) in held["memories"].items():
            by_name = dict(zip(SCALARS, numbers, strict=True))
            row = (name, content, context, entity, vector, *(by_name[one] for one in _NUMBERS))
            db.execute(f"INSERT INTO memories VALUES ({', '.join('?' * len(row))})", row)
        db.executemany("INSERT INTO edges VALUES (?, ?, ?, ?, ?)", held["edges"])
        stones = ((name, *stone) for name, stone in held["tombstones"].items())
        db.executemany("INSERT INTO tombstones VALUES (?, ?, ?, ?, ?)", stones)
        facts = ((name, json.dumps(value)) for name, value in journal.facts.items())
        db.executemany("INSERT INTO facts VALUES (?, ?)", facts)
        db.execute("COMMIT")
