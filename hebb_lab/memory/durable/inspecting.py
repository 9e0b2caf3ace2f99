"""What is looked at before anything of a store is believed; nothing is changed by it."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from hebb_lab.memory.durable import schema
from hebb_lab.memory.durable.files.connecting import readable
from hebb_lab.memory.durable.files.faults import damaged, lost, named
from hebb_lab.memory.durable.files.mark import Mark
from hebb_lab.memory.errors import StoreError


@dataclass(frozen=True)
class Found:
    """What stands in a folder.

    Args:
        version: of the schema; 0 where there is no store yet.
        losses: what is damaged, where that may be.
    """

    version: int
    losses: tuple[str, ...] = ()


def inspect(folder: Path, *, keep: bool) -> Found:
    """Look at a store without changing a byte of it.

    Args:
        folder: of the store.
        keep: damage is told, not raised.

    Raises:
        StoreError: no store, one of another program, one of a newer version.
        DamagedStoreError: the database is malformed, or holds fewer commits than were
            acknowledged.
    """
    if sqlite3.sqlite_version_info < schema.LEAST_SQLITE:
        least = ".".join(map(str, schema.LEAST_SQLITE))
        raise StoreError(
            f"SQLite {sqlite3.sqlite_version} is too old",
            f"Use a Python with SQLite {least} or newer",
        )
    mark, losses = _marked(folder, keep=keep)
    file = folder / schema.DATABASE
    if not file.exists() or file.stat().st_size == 0:
        return _nothing(folder, mark)
    with named(folder):
        db = readable(folder)
        try:
            version, doubts = _version(db, folder, mark, keep=keep)
            losses += doubts
            if version:
                losses += _looked_through(db, folder, mark, keep=keep)
        finally:
            db.close()
    return Found(version, losses)


def _marked(folder: Path, *, keep: bool) -> tuple[tuple[int, int] | None, tuple[str, ...]]:
    try:
        return Mark(folder).read_both(), ()
    except StoreError as error:
        if not keep:
            raise
        return None, (error.problem,)


def _nothing(folder: Path, mark: tuple[int, int] | None) -> Found:
    if mark is not None and mark[0]:
        problem = f"the database is gone, with {mark[0]} commits that were acknowledged"
        wal = folder / f"{schema.DATABASE}-wal"
        raise (damaged if wal.exists() and wal.stat().st_size else lost)(problem, folder)
    return Found(0)


def _version(
    db: sqlite3.Connection, folder: Path, mark: tuple[int, int] | None, *, keep: bool
) -> tuple[int, tuple[str, ...]]:
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    tables = {row[0] for row in db.execute("SELECT sql FROM sqlite_schema")}
    if not tables and not version:
        return _nothing(folder, mark).version, ()
    ours = application == schema.APPLICATION_ID
    if {table.encode() for table in schema.TABLES} <= tables:
        if ours and version == schema.VERSION:
            return schema.VERSION, ()
        doubt = "the numbers in the head of the database are damaged"
        if not keep:
            raise damaged(doubt, folder)
        return schema.VERSION, (doubt,)
    if not ours:
        raise damaged("the database is none of memories, or its head is damaged", folder)
    if version > schema.VERSION:
        raise StoreError(
            f"the store is of version {version}, this program knows up to {schema.VERSION}",
            "Update hebb_lab", folder,
        )  # fmt: skip
    if version < 1:
        raise damaged("the tables are not those of a store", folder)
    doubt = f"the tables are not those of version {version}"
    if not _fitting(db, version):
        raise StoreError(
            f"{doubt}: another program has altered them", "Take a backup of the folder", folder
        )
    if version < schema.VERSION:
        return int(version), ()
    if not keep:
        raise damaged(doubt, folder)
    return schema.VERSION, (doubt,)


def _fitting(db: sqlite3.Connection, version: int) -> bool:
    """Whether the tables have the columns that they are read by."""
    found = schema.columns(db)
    if version < schema.VERSION:
        return set(schema.NAMES) <= found.keys()
    return found == schema.expected_columns()


def _looked_through(
    db: sqlite3.Connection, folder: Path, mark: tuple[int, int] | None, *, keep: bool
) -> tuple[str, ...]:
    problems, losses = [], []
    acknowledged, on_disk = mark or (0, 0)
    try:
        (first,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if first != b"ok":
            problems.append(f"the database is malformed ({str(first, 'utf-8')})")
    except sqlite3.DatabaseError as error:
        problems.append(f"the database is malformed ({error})")
    try:
        row = db.execute("SELECT value FROM facts WHERE name = 'sequence'").fetchone()
        there = int(row[0] if row else 0)
        if there < on_disk:
            problems.append(f"{acknowledged - there} commits are missing that were acknowledged")
        elif there < acknowledged:
            losses.append(
                f"{acknowledged - there} commits are missing that the operating system had not yet"
                " written (durability=normal)"
            )
    except (sqlite3.DatabaseError, ValueError) as error:
        problems.append(f"the facts cannot be read ({error})")
    if problems and not keep:
        raise damaged(problems[0], folder)
    return (*problems, *losses)
