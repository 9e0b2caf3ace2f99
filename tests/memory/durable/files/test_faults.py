"""What SQLite and the system report comes out by name, with the folder and a cure."""

import errno
import sqlite3

import pytest

from hebb_lab.memory.changes import Change
from hebb_lab.memory.durable import DurableJournal
from hebb_lab.memory.durable.files.faults import named
from hebb_lab.memory.errors import (
    DamagedStoreError,
    StoreBusyError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
)
from tests.memory.journals import CHANGES, filled
from tests.memory.made import held, made_added


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
        (OSError(errno.EFBIG, "File too large"), StoreFullError),
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


def test_a_store_that_is_closed_or_open_to_be_read_says_so_with_the_cure(tmp_path):
    filled("durable", tmp_path).close()
    reader = DurableJournal.open(tmp_path, mode="read")
    with pytest.raises(StoreReadOnlyError, match=r'opened to be read.*mode="write"'):
        reader.commit(CHANGES[0])
    reader.close()
    with pytest.raises(StoreError, match=r"the store is closed.*Open it again"):
        reader.tombstones()


def test_a_limit_of_file_size_is_told_as_no_room_and_nothing_is_kept(tmp_path):
    resource = pytest.importorskip("resource")
    journal = filled("durable", tmp_path)
    before, (soft, hard) = held(journal), resource.getrlimit(resource.RLIMIT_FSIZE)
    change = Change(10**12, added=made_added(2000, seed=9, start_us=10**12))
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**18, hard))
    try:
        with pytest.raises(StoreFullError, match="larger than the system lets"):
            journal.commit(change)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert held(journal) == before
    journal.commit(change)
    assert journal.check() == []
