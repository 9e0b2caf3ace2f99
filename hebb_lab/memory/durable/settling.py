"""How what was forgotten leaves the files: the WAL is emptied, the database rewritten."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from pathlib import Path

from hebb_lab.memory.durable import schema
from hebb_lab.memory.durable.files.connecting import WAIT_S, Transaction
from hebb_lab.memory.durable.files.faults import DAMAGE, code
from hebb_lab.memory.durable.rows.writing import set_facts

READERS_WAIT_S = 0.25
DUE = "_compaction_due"
"""The fact that rows were taken out and the rewrite after it is still to come."""


def settle(db: sqlite3.Connection) -> str | None:
    """Bring the WAL into the database and cut it to nothing.

    Until then the WAL, and the pages that it will overwrite, hold what was forgotten.

    Returns:
        Why it could not be done now, None where it was.
    """
    try:
        db.execute(f"PRAGMA busy_timeout = {int(READERS_WAIT_S * 1000)}")
        busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error as error:  # malformed too: what was acknowledged stays acknowledged
        return f"the WAL could not be brought into the database ({error})"
    finally:
        db.execute(f"PRAGMA busy_timeout = {int(WAIT_S * 1000)}")
    if busy:
        return "a reader holds the WAL, which still has what was forgotten"
    return None


def compact(db: sqlite3.Connection, folder: Path) -> str | None:
    """Take out empty rows and rewrite the database without a free byte.

    The rewrite needs twice the size of the database beside it and once in the folder for
    temporary files. The WAL, which then holds the new database, is to be settled after it.

    Args:
        db: of the writer.
        folder: of the store.

    Returns:
        Why it was not done, None where it was. Texts that were forgotten are overwritten already;
        what is missing is the room that they took.

    Raises:
        sqlite3.DatabaseError: the database is malformed.
    """
    if (problem := _without_room(folder)) is not None:
        return problem
    try:
        with Transaction(db):
            db.execute("DELETE FROM texts WHERE content IS NULL")
            set_facts(db, {DUE: True})
        # The copy that VACUUM makes is as large as the database: not in memory.
        db.execute("PRAGMA temp_store = FILE")
        db.execute("VACUUM")
        db.execute("DELETE FROM facts WHERE name = ?", (DUE,))
    except sqlite3.Error as error:
        if code(error) in DAMAGE:
            raise
        return f"the database could not be rewritten ({error})"
    finally:
        db.execute("PRAGMA temp_store = MEMORY")
    return None


def is_due(db: sqlite3.Connection) -> bool:
    """Whether a rewrite that was begun was not ended."""
    found = db.execute("SELECT 1 FROM facts WHERE name = ?", (DUE,)).fetchone()
    return found is not None


def _without_room(folder: Path) -> str | None:
    size = (folder / schema.DATABASE).stat().st_size
    for place, needed in ((folder, 2 * size), (Path(tempfile.gettempdir()), size)):
        free = shutil.disk_usage(place).free
        if free < needed:
            return f"no room to rewrite the database: {needed} bytes are needed, {free} are free"
    return None
