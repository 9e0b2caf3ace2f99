"""Connections to a store's database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

from hebb_lab.memory.durable import schema
from hebb_lab.memory.durable.files.faults import CANTOPEN, READONLY, code
from hebb_lab.memory.errors import StoreReadOnlyError

WAIT_S = 2.0  # for a lock of another program
CACHE_KIB = 65_536


def connected(
    folder: Path, access: str, *, synced: bool = True, lenient: bool = False
) -> sqlite3.Connection:
    """A connection with the settings of this house.

    Args:
        folder: of the store.
        access: rwc (made where it is missing), rw, ro, or alone: nothing is locked, the WAL is
            not looked at.
        synced: every commit is on the disk before it returns.
        lenient: a file that is cut off is read as far as it goes.
    """
    file = (folder / schema.DATABASE).resolve().as_uri()
    how = "mode=ro&immutable=1" if access == "alone" else f"mode={access}"
    db = sqlite3.connect(
        f"{file}?{how}", uri=True, isolation_level=None, timeout=WAIT_S, check_same_thread=False
    )
    # Texts are held against their checksums as they stand in the file.
    db.text_factory = bytes
    try:
        if lenient:
            # What SQLite asks before it reads a file that is shorter than its head says.
            db.execute("PRAGMA writable_schema = ON")
        db.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        if access.startswith("rw"):
            db.execute("PRAGMA secure_delete = ON")
            db.execute(f"PRAGMA synchronous = {'FULL' if synced else 'NORMAL'}")
            # Statements that can be undone would copy old pages to a file elsewhere.
            db.execute("PRAGMA temp_store = MEMORY")
    except BaseException:
        db.close()
        raise
    return db


def readable(folder: Path) -> sqlite3.Connection:
    """A connection that only reads, on a disk that cannot be written too.

    Raises:
        StoreReadOnlyError: the WAL holds commits, and nothing can be written to read them.
    """
    db = None
    try:
        db = connected(folder, "ro")
        db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        return db
    except sqlite3.Error as error:
        if db is not None:
            db.close()
        if code(error) not in {CANTOPEN, READONLY} or not (folder / schema.DATABASE).is_file():
            raise
    wal = folder / f"{schema.DATABASE}-wal"
    if wal.exists() and wal.stat().st_size:
        raise StoreReadOnlyError(
            "commits stand in the WAL, which cannot be read where nothing can be written",
            "Open the store once where it can be written, or copy its whole folder there", folder,
        )  # fmt: skip
    return connected(folder, "alone")


def identity(folder: Path) -> tuple[int, int] | None:
    """Which file a store's database is; None where there is none."""
    try:
        found = (folder / schema.DATABASE).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class Transaction:
    """All or nothing of what is written inside.

    No generator: one that an interruption left open would roll back when it is collected, in the
    midst of what is written then.

    Args:
        db: not in a transaction.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except BaseException:  # interrupted when it had begun
            self._end()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        try:
            if kind is None:
                self._db.execute("COMMIT")
        finally:
            self._end()

    def _end(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")


@contextmanager
def moment(db: sqlite3.Connection) -> Iterator[None]:
    """What is read inside is what one moment held.

    Args:
        db: not in a transaction.
    """
    db.execute("BEGIN DEFERRED")
    try:
        yield
    finally:
        with suppress(sqlite3.Error):  # a malformed page on the way hinders the end
            db.execute("ROLLBACK")
