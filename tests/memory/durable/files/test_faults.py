"""What SQLite and the system report comes out by name, with the folder and a cure."""

import errno
import sqlite3

import pytest

from hebb_lab.memory.durable.files.faults import named
from hebb_lab.memory.errors import (
    DamagedStoreError,
    StoreBusyError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
)


def of_sqlite(code):
    error = sqlite3.OperationalError("as SQLite says it")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (of_sqlite(sqlite3.SQLITE_FULL), StoreFullError),
        (of_sqlite(sqlite3.SQLITE_READONLY), StoreReadOnlyError),
        (of_sqlite(sqlite3.SQLITE_READONLY_DBMOVED), StoreReadOnlyError),
        (of_sqlite(sqlite3.SQLITE_BUSY), StoreBusyError),
        (of_sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT), StoreBusyError),
        (of_sqlite(sqlite3.SQLITE_LOCKED), StoreBusyError),
        (of_sqlite(sqlite3.SQLITE_CORRUPT), DamagedStoreError),
        (of_sqlite(sqlite3.SQLITE_CORRUPT_INDEX), DamagedStoreError),
        (of_sqlite(sqlite3.SQLITE_NOTADB), DamagedStoreError),
        (of_sqlite(sqlite3.SQLITE_IOERR_FSYNC), StoreError),
        (of_sqlite(sqlite3.SQLITE_CANTOPEN), StoreError),
        (sqlite3.ProgrammingError("Cannot operate on a closed database."), StoreError),
        (OSError(errno.ENOSPC, "No space left on device"), StoreFullError),
        (OSError(errno.EROFS, "Read-only file system"), StoreReadOnlyError),
        (OSError(errno.EIO, "Input/output error"), StoreError),
        ("\ud800".encode, StoreError),
    ],
)
def test_each_fault_has_its_name(tmp_path, raised, expected):
    def fail():
        raise raised

    with pytest.raises(expected, match=str(tmp_path)) as caught, named(tmp_path):
        (raised if callable(raised) else fail)()
    assert type(caught.value) is expected
    assert caught.value.cure


def test_what_is_no_fault_of_a_disk_goes_through(tmp_path):
    with pytest.raises(ZeroDivisionError), named(tmp_path):
        _ = 1 / 0
    with named(tmp_path):
        pass
