"""The mark: how many commits were acknowledged, in a file beside the database.

SQLite takes a WAL that is cut off or altered for one that ends earlier, without a word. The mark
says that there was more. One that is not synced (durability=normal) also says how many of them
are certainly on the disk: a power cut may take the others, and nothing is damaged then.
"""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

from hebb_lab.memory.durable.files.faults import damaged

NAME = "acknowledged"
MAGIC = b"HEBBMARK"
MAGIC_NORMAL = b"HEBBNORM"
_FULL = struct.Struct("<8sQI")  # magic, commits, crc32 of what stands before
_NORMAL = struct.Struct("<8sQQI")  # with the commits that are on the disk


class Mark:
    """The mark of one store.

    Args:
        folder: of the store.
        synced: whether a mark is on the disk before its commit is acknowledged.
    """

    def __init__(self, folder: Path, *, synced: bool = True) -> None:
        self.folder = folder
        self.path = folder / NAME
        self.synced = synced
        self.on_disk = 0
        """Commits that are certainly on the disk; kept in a mark that is not synced."""
        self._file: int | None = None

    def read(self) -> int | None:
        """The commits that were acknowledged, None where there is no mark.

        Raises:
            DamagedStoreError: bytes that are no mark.
        """
        both = self.read_both()
        return None if both is None else both[0]

    def read_both(self) -> tuple[int, int] | None:
        """The same, and how many of them must be there whatever the machine did."""
        try:
            found = self.path.read_bytes()
        except FileNotFoundError:
            return None
        for magic, layout in ((MAGIC, _FULL), (MAGIC_NORMAL, _NORMAL)):
            if len(found) == layout.size and found.startswith(magic):
                _, *commits, checksum = layout.unpack(found)
                if checksum == zlib.crc32(found[:-4]):
                    return int(commits[0]), int(commits[-1])
        raise damaged(f"the mark {NAME} is damaged, so commits may be missing", self.folder)

    def write(self, sequence: int) -> None:
        """Set the mark; it lies within one sector, so that it is the old one or the new one."""
        if self.synced:
            said = struct.pack("<8sQ", MAGIC, sequence)
        else:
            said = struct.pack("<8sQQ", MAGIC_NORMAL, sequence, self.on_disk)
        data = said + struct.pack("<I", zlib.crc32(said))
        if self._file is None:
            if not self.path.exists() or self.path.stat().st_size != len(data):
                self._create(data)
            self._file = os.open(self.path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, data)
        if self.synced:
            getattr(os, "fdatasync", os.fsync)(self._file)

    def _create(self, data: bytes) -> None:
        beside = self.path.with_name(f"{NAME}.new")
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self.path)
        sync_folder(self.folder)

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def sync_folder(folder: Path) -> None:
    """Bring a folder's entries to the disk, where the system can."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
