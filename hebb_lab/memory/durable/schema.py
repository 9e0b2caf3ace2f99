"""The tables of a store's database, version 2.

What a memory says stands in ``texts``, apart from its numbers, so that a sweep over all scores
rewrites 100 bytes a memory and not its vector. Rows of ``texts`` are only ever appended; what is
forgotten is overwritten with NULLs in its place and its row stays, empty, until the next
compaction. So no row ever moves to another page, where SQLite could leave bytes of it behind:
secure_delete zeroes what it frees, but not what it moves. There is no index on a text.

A memory's numbers are one value, as `rows.packing` lays them out.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing

DATABASE = "memories.sqlite"
APPLICATION_ID = 0x48454242  # "HEBB"
VERSION = 2
PAGE_BYTES = 16_384  # nine memories of 384 dimensions each; 4,096 holds two and wastes a tenth
LEAST_SQLITE = (3, 24, 0)  # ON CONFLICT DO UPDATE

TABLES = (
    "CREATE TABLE memories (id BLOB NOT NULL PRIMARY KEY, place INTEGER NOT NULL,"
    " numbers BLOB NOT NULL, crc INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE texts (place INTEGER PRIMARY KEY, content TEXT, context TEXT, entity TEXT,"
    " vector BLOB, crc INTEGER)",
    "CREATE TABLE edges (place INTEGER PRIMARY KEY, source BLOB NOT NULL, target BLOB NOT NULL,"
    " kind INTEGER NOT NULL, confidence REAL NOT NULL, time_us INTEGER NOT NULL,"
    " crc INTEGER NOT NULL)",
    "CREATE UNIQUE INDEX edges_by_key ON edges (source, target, kind)",
    "CREATE INDEX edges_by_target ON edges (target)",
    "CREATE TABLE tombstones (id BLOB NOT NULL PRIMARY KEY, time_us INTEGER NOT NULL,"
    " salt BLOB NOT NULL, digest BLOB NOT NULL, reason TEXT NOT NULL, crc INTEGER NOT NULL)"
    " WITHOUT ROWID",
    "CREATE TABLE facts (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL,"
    " crc INTEGER NOT NULL) WITHOUT ROWID",
)
NAMES = ("memories", "edges", "tombstones", "facts")
"""Tables that a store of every version has."""


def columns(db: sqlite3.Connection) -> dict[str, list[str]]:
    """Names of the columns of each table of a store that is there."""
    names = (*NAMES, "texts")
    found = {
        name: [str(row[0], "utf-8") if isinstance(row[0], bytes) else row[0]
               for row in db.execute("SELECT name FROM pragma_table_info(?)", (name,))]
        for name in names
    }  # fmt: skip
    return {name: columns for name, columns in found.items() if columns}


def expected_columns() -> dict[str, list[str]]:
    """The same of this version."""
    with closing(sqlite3.connect(":memory:")) as db:
        create(db)
        return columns(db)


def create(db: sqlite3.Connection) -> None:
    """Make the tables in an open transaction and say which version they are."""
    for statement in TABLES:
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {VERSION}")
