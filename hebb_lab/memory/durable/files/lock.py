"""One writer: a lock that the system lets go of when the process ends, however it ends."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from hebb_lab.memory.durable.files.faults import (
    BUSY,
    CANTOPEN,
    LOCKED,
    NOTADB,
    code,
    named,
    read_only,
)
from hebb_lab.memory.errors import DamagedStoreError, StoreBusyError

NAME = "writer.lock"


class WriterLock:
    """An exclusive transaction on an empty database beside the store, which is never written.

    SQLite locks files on every system, and between handles of one process too.

    Args:
        folder: of the store.

    Raises:
        StoreBusyError: another writer holds it.
        StoreReadOnlyError: the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        if not os.access(folder, os.W_OK):
            raise read_only(folder)  # SQLite would lock a file that it can only read
        with named(folder):
            self._db = sqlite3.connect(
                folder / NAME, isolation_level=None, timeout=0, check_same_thread=False
            )
            try:
                self._db.execute("PRAGMA journal_mode = OFF")
                self._db.execute("BEGIN EXCLUSIVE")
            except sqlite3.Error as error:
                self._db.close()
                kind = code(error)
                if kind in {BUSY, LOCKED}:
                    raise StoreBusyError(
                        "another writer has this store open",
                        'Close it there, or open with mode="read"',
                        folder,
                    ) from None
                if kind == NOTADB:
                    raise DamagedStoreError(
                        "the lock file is not what it was", "Delete it; it holds nothing",
                        folder / NAME,
                    ) from None  # fmt: skip
                if kind == CANTOPEN:
                    raise read_only(folder) from None
                raise

    def release(self) -> None:
        """Let the next writer in."""
        self._db.close()
