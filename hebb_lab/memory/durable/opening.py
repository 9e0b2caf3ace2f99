"""How a store is opened or made: locked, looked through, moved to this version, marked."""

from __future__ import annotations

import logging
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hebb_lab.errors import ConfigError
from hebb_lab.memory.consistent import OWN_FACTS, check_dimensions
from hebb_lab.memory.durable import schema, settling
from hebb_lab.memory.durable.files.connecting import Transaction, connected, readable
from hebb_lab.memory.durable.files.faults import check_folder, damaged, named
from hebb_lab.memory.durable.files.lock import WriterLock
from hebb_lab.memory.durable.files.mark import NAME as MARK
from hebb_lab.memory.durable.files.mark import Mark
from hebb_lab.memory.durable.inspecting import Found, inspect
from hebb_lab.memory.durable.migration import migrate
from hebb_lab.memory.durable.rows.packing import SIZE, unpacked
from hebb_lab.memory.durable.rows.reading import facts_of
from hebb_lab.memory.durable.rows.writing import set_facts
from hebb_lab.memory.errors import DamagedStoreError, StoreError

LOG = logging.getLogger(__name__)


@dataclass
class Opened:
    """An open store.

    Args:
        folder: of it.
        db: the connection.
        facts: as they stand there, ``highest_id`` too.
        mark: of the acknowledged commits.
        lock: of the writer, None where it only reads.
        losses: what is damaged.
        keep: whether damaged rows are left out rather than raised.
    """

    folder: Path
    db: sqlite3.Connection
    facts: dict[str, Any]
    mark: Mark
    lock: WriterLock | None
    losses: tuple[str, ...]
    keep: bool


def to_write(folder: Path, dimensions: int | None, *, keep: bool, synced: bool) -> Opened:
    """Open or make a store as its one writer.

    Args:
        folder: of the store.
        dimensions: length of vectors, None: as the store has it.
        keep: damage is counted, not raised.
        synced: each commit is on the disk before it returns.

    Raises:
        StoreError: see `DurableJournal.open`.
    """
    dimensions = None if dimensions is None else check_dimensions(dimensions)
    check_folder(folder)
    if dimensions is None and not is_store(folder):
        raise nothing_there(folder)
    with named(folder):
        folder.mkdir(parents=True, exist_ok=True)
    lock = WriterLock(folder)
    try:
        found = _inspected(folder, keep=keep)
        if not found.version and dimensions is None:
            raise nothing_there(folder)
        with named(folder):
            db = connected(folder, "rw" if found.version else "rwc", synced=synced)
            try:
                _prepare(db, found, dimensions)
                return _begun(folder, db, lock, found, dimensions, keep=keep, synced=synced)
            except BaseException:
                db.close()
                raise
    except BaseException:
        lock.release()
        raise


def _inspected(folder: Path, *, keep: bool) -> Found:
    try:
        return inspect(folder, keep=keep)
    except DamagedStoreError as error:
        if not keep:
            raise
        problem = f'{error.problem}; damaged="keep" cannot open it'
        raise DamagedStoreError(problem, error.cure, folder) from error


def _prepare(db: sqlite3.Connection, found: Found, dimensions: int | None) -> None:
    if not found.version:
        db.execute(f"PRAGMA page_size = {schema.PAGE_BYTES}")
    db.execute("PRAGMA journal_mode = WAL")
    if not found.version:
        with Transaction(db):
            schema.create(db)
            set_facts(db, {"clock_us": -1, "dimensions": dimensions, "memories": 0, "sequence": 0})
    elif found.version < schema.VERSION:
        migrate(db)


def _begun(
    folder: Path, db: sqlite3.Connection, lock: WriterLock, found: Found,
    dimensions: int | None, *, keep: bool, synced: bool,
) -> Opened:  # fmt: skip
    facts, losses = checked_facts(db, folder, dimensions, keep=keep)
    mark = Mark(folder, synced=synced)
    losses = found.losses + losses
    sequence = facts["sequence"]
    marked = None if found.losses else mark.read_both()
    if marked is None and sequence and not found.losses:
        LOG.warning("%s: the mark of acknowledged commits was missing; made anew", folder)
    # What stands in the WAL may be with the operating system only, until a checkpoint syncs it.
    if settling.settle(db) is None:
        mark.on_disk = sequence
    elif marked is not None:
        mark.on_disk = min(marked[1], sequence)
    if not synced or marked != (sequence, sequence):
        mark.write(sequence)
    return Opened(folder, db, facts, mark, lock, losses, keep)


def to_read(folder: Path, dimensions: int | None, *, keep: bool) -> Opened:
    """Open a store to read it, beside a writer too, on a disk that cannot be written too.

    Args:
        folder: of the store.
        dimensions: length of vectors, None: as the store has it.
        keep: damage is counted, not raised.

    Raises:
        StoreError: see `DurableJournal.open`.
    """
    dimensions = None if dimensions is None else check_dimensions(dimensions)
    check_folder(folder)
    found = _inspected(folder, keep=keep)
    if not found.version:
        raise nothing_there(folder)
    if found.version < schema.VERSION:
        raise StoreError(
            f"the store is of version {found.version}", "Open it once for writing, to move it on",
            folder,
        )  # fmt: skip
    with named(folder):
        db = readable(folder)
        try:
            facts, losses = checked_facts(db, folder, dimensions, keep=keep)
        except BaseException:
            db.close()
            raise
    return Opened(folder, db, facts, Mark(folder), None, found.losses + losses, keep)


def checked_facts(
    db: sqlite3.Connection, folder: Path, dimensions: int | None, *, keep: bool
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The facts of a store, every one that a journal needs among them.

    Args:
        db: of the store.
        folder: of the store.
        dimensions: that it must have.
        keep: what is damaged is left out; d must be given then.

    Raises:
        DamagedStoreError: a fact that is damaged or missing.
        ConfigError: dimensions that are not the store's.
    """
    losses: list[str] = []

    def bad(problem: str) -> None:
        if not keep:
            raise damaged(problem, folder)
        losses.append(problem)

    facts: dict[str, Any] = {"highest_id": None}
    try:
        facts |= facts_of(db, bad)
    except sqlite3.DatabaseError as error:
        bad(f"the facts cannot be read ({error})")
    for name in OWN_FACTS:
        if name not in facts:
            bad(f"the fact {name} is missing")
            facts[name] = _guessed(db, name)
    facts["dimensions"] = facts["dimensions"] or dimensions
    if not facts["dimensions"]:
        raise damaged("the length of vectors is lost, and no vector is there", folder)
    if dimensions not in {None, facts["dimensions"]}:
        raise ConfigError(
            f"the store has vectors of {facts['dimensions']}, not {dimensions}",
            f"Give dimensions={facts['dimensions']}", folder,
        )  # fmt: skip
    facts.pop(settling.DUE, None)
    return facts, tuple(losses)


_GUESSES = {
    "dimensions": "SELECT length(vector) / 4 FROM texts WHERE vector IS NOT NULL LIMIT 1",
    "memories": "SELECT count(*) FROM memories",
    "sequence": "SELECT count(*) > 0 FROM memories",
}


def _guessed(db: sqlite3.Connection, name: str) -> int:
    """A fact that is lost, from what is left."""
    try:
        if name == "clock_us":
            return _latest(db)
        row = db.execute(_GUESSES[name]).fetchone()
    except sqlite3.DatabaseError:
        return 0
    return int(row[0] or 0) if row else 0


def _latest(db: sqlite3.Connection) -> int:
    """The latest time of any memory."""
    found = [row[0] for row in db.execute("SELECT numbers FROM memories")]
    scalars = unpacked([one for one in found if isinstance(one, bytes) and len(one) == SIZE])
    times = [scalars[name] for name in ("created_us", "updated_us", "accessed_us")]
    return max((int(one.max()) for one in times if len(one)), default=0)


def is_store(folder: Path) -> bool:
    """Whether anything of a store is there."""
    return any((folder / name).exists() for name in (schema.DATABASE, MARK))


def nothing_there(folder: Path) -> StoreError:
    """No store."""
    return StoreError("there is no store", "Give the folder of one; dimensions to make one", folder)
