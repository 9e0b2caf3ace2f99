"""Disks that are full or cannot be written: a small file system where one may be mounted."""

import contextlib
import os
import resource
import subprocess
import sys
from pathlib import Path


def may_mount():
    """Whether this process may mount file systems."""
    return sys.platform == "linux" and os.geteuid() == 0


@contextlib.contextmanager
def small_disk(place, size_kib):
    """A file system of its own in a folder; None where none may be mounted.

    Args:
        place: an empty folder.
        size_kib: of it.
    """
    if not may_mount() or not _mount("-t", "tmpfs", "-o", f"size={size_kib}k", "tmpfs", place):
        yield None
        return
    try:
        yield Path(place)
    finally:
        subprocess.run(["umount", "-l", str(place)], check=False)


def make_read_only(place):
    """Whether a mounted file system could be made one that nobody can write."""
    return _mount("-o", "remount,ro", place)


def _mount(*arguments):
    answer = subprocess.run(["mount", *map(str, arguments)], capture_output=True, check=False)
    return answer.returncode == 0


def limit_file_size(size):
    """Let no file of this process grow beyond so many bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
