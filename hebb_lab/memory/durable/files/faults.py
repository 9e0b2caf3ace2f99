"""What SQLite and the system report, as errors by name; the one place where that is decided."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hebb_lab.memory.durable import schema
from hebb_lab.memory.errors import (
    DamagedStoreError,
    StoreBusyError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
)

SALVAGE = "Save what is whole with `python -m hebb_lab.memory salvage {path} OUT`"
BACKUP = (
    "Put back a backup of the folder, or make a store of an export with"
    " `python -m hebb_lab.memory import`"
)
# The low byte of SQLite's result codes (sqlite.org/rescode.html).
BUSY, LOCKED, READONLY, CORRUPT, FULL, CANTOPEN, FORMAT, NOTADB = 5, 6, 8, 11, 13, 14, 24, 26
DAMAGE = {CORRUPT, FORMAT, NOTADB}
IOERR_WRITE = 778
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT}
_NO_FOLDER = {errno.EEXIST, errno.ENOTDIR}
_NO_WRITING = {errno.EROFS, errno.EACCES, errno.EPERM}


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Turn what goes wrong inside into an error of the store.

    Args:
        path: the folder of the store.

    Raises:
        StoreFullError: no room. StoreReadOnlyError: nothing can be written there.
        DamagedStoreError: not a database, or malformed. StoreBusyError: locked by another.
        StoreError: everything else that a disk can do.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise translated(error, path) from error
    except UnicodeEncodeError:
        raise StoreError(
            "a text has half a surrogate pair", "Nothing was kept; give valid Unicode", path
        ) from None
    except OSError as error:
        raise translated_system(error, path) from error


def code(error: sqlite3.Error) -> int:
    """SQLite's result code without its extension; 0 where Python itself refused."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def translated(error: sqlite3.Error, path: Path) -> StoreError:
    """SQLite's error as one of the store.

    Args:
        error: as sqlite3 raised it.
        path: the folder of the store.
    """
    kind = code(error)
    if isinstance(error, sqlite3.ProgrammingError) and "closed" in str(error):
        return StoreError("the store is closed", "Open it again", path)
    if kind == FULL:
        return full(path)
    if getattr(error, "sqlite_errorcode", 0) == IOERR_WRITE and _at_size_limit(path):
        return full(path, _LIMIT)
    if kind == READONLY:
        return read_only(path)
    if kind in {BUSY, LOCKED}:
        return StoreBusyError(
            "another program holds the database", "Nothing was kept; try again", path
        )
    if kind in DAMAGE:
        return damaged(f"the database is damaged ({error})", path)
    if kind == CANTOPEN:
        return StoreError(
            "the database cannot be opened", "See whether the folder and its rights are so", path
        )
    return StoreError(f"the database failed ({error})", "What was acknowledged is kept", path)


def translated_system(error: OSError, path: Path) -> StoreError:
    """The system's error as one of the store."""
    if error.errno in _NO_ROOM:
        return full(path)
    if error.errno == errno.EFBIG:
        return full(path, _LIMIT)
    if error.errno in _NO_FOLDER:
        return no_folder(path)
    if error.errno in _NO_WRITING:
        return read_only(path)
    return StoreError(f"the disk failed ({error.strerror})", "What was acknowledged is kept", path)


_LIMIT = "a file would be larger than the system lets this process write"


def _at_size_limit(folder: Path) -> bool:
    """Whether a file ends where the process may write no further; SQLite hands on no errno."""
    try:
        import resource  # not on Windows, where there is no such limit
    except ImportError:
        return False
    limit, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if limit == resource.RLIM_INFINITY:
        return False
    margin = 2 * schema.PAGE_BYTES  # the last page and its head in the WAL may be missing whole
    return any(file.stat().st_size + margin >= limit for file in folder.glob(f"{schema.DATABASE}*"))


def full(path: Path, problem: str = "the disk is full") -> StoreFullError:
    """No room."""
    return StoreFullError(problem, "Nothing was kept; make room and try again", path)


def no_folder(path: Path) -> StoreError:
    """A file where the folder should be."""
    return StoreError(
        "a file stands where the folder of a store should be", "Give the path of a folder", path
    )


def check_folder(path: Path) -> None:
    """Refuse a path that is there and is no folder."""
    with named(path):
        if path.exists() and not path.is_dir():
            raise no_folder(path)


def opened_to_read(path: Path) -> StoreReadOnlyError:
    """A write to a store that was opened for reading."""
    return StoreReadOnlyError("the store was opened to be read", 'Open it with mode="write"', path)


def read_only(path: Path) -> StoreReadOnlyError:
    """No writing."""
    return StoreReadOnlyError("nothing can be written here", 'Open it with mode="read"', path)


def damaged(problem: str, path: Path) -> DamagedStoreError:
    """A file that is not as it was written; the cure is to salvage."""
    return DamagedStoreError(problem, SALVAGE.format(path=path), path)


def lost(problem: str, path: Path) -> DamagedStoreError:
    """A store of which nothing can be salvaged; only what was kept elsewhere helps."""
    return DamagedStoreError(problem, BACKUP, path)
