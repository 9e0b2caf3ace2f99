"""Rows of a table in order, also past pages that SQLite cannot read."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from hebb_lab.memory.durable.files.faults import DAMAGE, code
from hebb_lab.memory.durable.rows.reading import ALL_MEMORIES, EDGES, Bad, Row

BLOCK = 2048  # rows at once: what was just read is still in the cache of the core
_ONE_MEMORY = "SELECT * FROM memories WHERE id > ? ORDER BY id LIMIT 1"
_ONE_EDGE = f"{EDGES} LIMIT 1"
_TOMBSTONES = "SELECT * FROM tombstones WHERE id > ? ORDER BY id"
_ONE_TOMBSTONE = f"{_TOMBSTONES} LIMIT 1"
_TEXT_AT = "SELECT content, context, entity, vector, crc FROM texts WHERE place = ?"
_NO_TEXT = (None,) * 5


class Table(NamedTuple):
    """How a table is walked.

    Args:
        name: of it.
        after: all rows above a key, in order; the key comes first in a row.
        next_one: the first row above a key.
        bits: of a key: 128 of an id, 63 of a place.
    """

    name: str
    after: str
    next_one: Callable[[sqlite3.Connection, Any], Row | None]
    bits: int


def _next_memory(db: sqlite3.Connection, key: Any) -> Row | None:
    row: Row | None = db.execute(_ONE_MEMORY, (key,)).fetchone()
    if row is None:
        return None
    try:
        text = db.execute(_TEXT_AT, (row[1],)).fetchone()
    except sqlite3.DatabaseError:
        text = None  # its page cannot be read
    return (*row, *(text or _NO_TEXT))


def _next_of(query: str) -> Callable[[sqlite3.Connection, Any], Row | None]:
    def next_one(db: sqlite3.Connection, key: Any) -> Row | None:
        row: Row | None = db.execute(query, (key,)).fetchone()
        return row

    return next_one


MEMORIES = Table("memories", ALL_MEMORIES, _next_memory, 128)
ALL_EDGES = Table("edges", EDGES, _next_of(_ONE_EDGE), 63)
ALL_TOMBSTONES = Table("tombstones", _TOMBSTONES, _next_of(_ONE_TOMBSTONE), 128)


def blocks(db: sqlite3.Connection, table: Table, bad: Bad, *, keep: bool) -> Iterator[list[Row]]:
    """All rows of a table in order, so many at once.

    Args:
        db: in a transaction that reads.
        table: which.
        bad: is told where a table is malformed.
        keep: go on behind pages that cannot be read.

    Raises:
        sqlite3.DatabaseError: a malformed page, where ``keep`` is not set.
    """
    last = _key(0, table.bits)
    try:
        found = db.execute(table.after, (last,))
        while rows := found.fetchmany(BLOCK):
            yield rows
            last = rows[-1][0]
    except sqlite3.DatabaseError as error:
        if not keep or code(error) not in DAMAGE:
            raise
        bad(f"a page of the table {table.name} is malformed ({error})")
        single = _one_by_one(db, table, last)
        while rows := list(islice(single, BLOCK)):
            yield rows


def _one_by_one(db: sqlite3.Connection, table: Table, last: Any) -> Iterator[Row]:
    """Rows above a key, each sought by itself; what stands on a malformed page is jumped over."""
    while last is not None:
        try:
            row = table.next_one(db, last)
        except sqlite3.DatabaseError:
            last = _beyond(db, table, last)
            continue
        if row is None:
            return
        yield row
        last = row[0]


def _beyond(db: sqlite3.Connection, table: Table, last: Any) -> Any:
    """The lowest key above one from which on rows can be read again, by bisection."""
    low, high = _number(last), (1 << table.bits) - 1
    if not _can_be_read(db, table, high) or low >= high:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if _can_be_read(db, table, middle):
            high = middle
        else:
            low = middle
    return _key(high, table.bits)


def _can_be_read(db: sqlite3.Connection, table: Table, number: int) -> bool:
    try:
        table.next_one(db, _key(number, table.bits))
    except sqlite3.DatabaseError:
        return False
    return True


def _key(number: int, bits: int) -> Any:
    return number if bits == 63 else number.to_bytes(16, "big")


def _number(key: Any) -> int:
    return key if isinstance(key, int) else int.from_bytes(key, "big")
