"""The first 100 bytes of a store's database, which all else hangs on, and how they must be.

They are so few that one wrong bit there can hide a database that is whole. Nearly all of them
are the same in every store (sqlite.org/fileformat2.html#the_database_header), so that they can be
told and set right; those that are not, SQLite reads without.
"""

from __future__ import annotations

import shutil
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from hebb_lab.memory.durable import schema
from hebb_lab.memory.durable.files.mark import NAME as MARK

_LAYOUT = struct.Struct(">16sHBBBBBB12I20sII")
_VALID_FOR = 92  # where the change stands that the count of pages is of
_MAGIC = b"SQLite format 3\0"
_WAL_VERSION, _RESERVED = 2, 0
_FRACTIONS = (64, 32, 32)  # of a page that a cell may take: most, least, least in a leaf
_FORMAT, _UTF8 = 4, 1
_NO_CACHE = _NO_ROOT = _NO_VACUUM = 0  # no size of cache is kept, nothing vacuums by itself


class _Numbers(NamedTuple):
    """The numbers that stand in the middle of a head, by their places there."""

    change: int
    pages: int
    free_page: int
    free_count: int
    cookie: int
    format: int
    cache: int
    largest_root: int
    encoding: int
    version: int
    vacuum: int
    application: int


def right_head(found: bytes, size: int) -> bytes:
    """The head that a store's database of a size must have: 100 bytes.

    Args:
        found: the head as it stands, shorter where the file ends before.
        size: of the file in bytes.
    """
    if len(found) < _LAYOUT.size:
        found = bytes(_LAYOUT.size)
    parts = _LAYOUT.unpack(found[: _LAYOUT.size])
    own, library = _Numbers(*parts[8:20]), parts[-1]
    pages = max(_whole_pages(size), own.pages)  # more than there are: the file was cut off
    free = own.free_page <= pages and own.free_count < pages
    numbers = _Numbers(
        own.change, pages, own.free_page if free else 0, own.free_count if free else 0,
        own.cookie, _FORMAT, _NO_CACHE, _NO_ROOT, _UTF8, own.version or schema.VERSION,
        _NO_VACUUM, schema.APPLICATION_ID,
    )  # fmt: skip
    return _LAYOUT.pack(
        _MAGIC, schema.PAGE_BYTES, _WAL_VERSION, _WAL_VERSION, _RESERVED, *_FRACTIONS,
        *numbers, bytes(20), own.change, library,
    )  # fmt: skip


@contextmanager
def set_right(folder: Path, beside: Path) -> Iterator[Path]:
    """A folder whose database has the head that it must have: the store's own, or a copy.

    Where the database ends within its first page, or is gone, the copy begins with an empty one:
    the WAL may hold that page.

    Args:
        folder: of the store; nothing in it is changed.
        beside: a folder with room for the copy, which is taken away in the end.
    """
    file, wal = folder / schema.DATABASE, folder / f"{schema.DATABASE}-wal"
    size = file.stat().st_size if file.exists() else 0
    logged = wal.stat().st_size if wal.exists() else 0
    head = _beginning(file) if size else b""
    right = right_head(head, size)
    if head == right or not size + logged:
        yield folder
        return
    if logged:
        # The WAL says how many pages there are: a count that is of no valid change is not asked.
        right = right[:_VALID_FOR] + bytes(byte ^ 1 for byte in right[24:28]) + right[-4:]
    beside.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".salvage-", dir=beside) as place:
        copy = Path(place)
        for one in (file, wal, folder / MARK):
            if one.exists():
                shutil.copyfile(one, copy / one.name)
        with (copy / schema.DATABASE).open("r+b" if file.exists() else "w+b") as data:
            data.write(right)
            data.truncate(_whole_pages(size) * schema.PAGE_BYTES)
        yield copy


def _beginning(file: Path) -> bytes:
    with file.open("rb") as data:
        return data.read(_LAYOUT.size)


def _whole_pages(size: int) -> int:
    """Pages of a file, a last one that is cut off too; one at least."""
    return max(-(-size // schema.PAGE_BYTES), 1)
