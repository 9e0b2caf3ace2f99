"""From a path in a log to a node: the longest suffix that the repository ever tracked.

One rule removes home folders, worktrees, containers and Windows drives: whatever stands before
the suffix does not matter.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import subprocess
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote

from hebb_lab.errors import InputError

_DRIVE = re.compile(
    r"^(?:/mnt|/cygdrive)?/?([A-Za-z])(?::[\\/]|:$)|^(?:/mnt|/cygdrive)?/([A-Za-z])/"
)


class Node(NamedTuple):
    """A node of the memory and what kind of thing it is (``records.NODE_KINDS``).

    A file is its repository-relative path, a folder ``dir:<path>``, anything outside the project
    ``ext:<8 hex of its path's SHA-1><suffix>``: it can be recognised, not read.
    """

    name: str
    kind: str


class Place(NamedTuple):
    """A path taken apart.

    Args:
        parts: its names, without ``.``, ``..`` and the root.
        absolute: whether it names its place from the root.
        windows: whether it is a Windows path, where upper and lower case are the same.
    """

    parts: tuple[str, ...]
    absolute: bool
    windows: bool


@lru_cache(maxsize=4096)
def take_apart(raw: str, windows: bool = False) -> Place:
    r"""Split a path as any agent on any system writes it.

    Args:
        raw: the path or ``file:`` URL.
        windows: whether the log was written on Windows, so that ``\`` separates names.

    >>> take_apart("file:///c%3A/Users/me/a.py").parts
    ('c:', 'Users', 'me', 'a.py')
    >>> take_apart("/c/Users/me/a.py").parts == take_apart("C:\\Users\\me\\a.py").parts
    True
    >>> take_apart("src/../b.py")
    Place(parts=('b.py',), absolute=False, windows=False)
    """
    path = raw.strip()
    if path.startswith("file:"):
        path = unquote(path.removeprefix("file:"))
        path = "/" + path.lstrip("/")
        path = path[1:] if re.match(r"^/[A-Za-z]:", path) else path
    drive = _DRIVE.match(path)
    windows = windows or drive is not None or path.startswith("\\\\")
    if windows:
        path = path.replace("\\", "/")
    head: tuple[str, ...] = ()
    absolute = path.startswith(("/", "~"))
    if drive is not None:
        head = (f"{(drive[1] or drive[2]).lower()}:",)
        path = path[drive.end() :]
        absolute = True
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", ".") and not (part == ".." and absolute):
            parts.append(part)
    return Place(head + tuple(parts), absolute, windows)


def below(place: Place, root: Place) -> tuple[str, ...] | None:
    """The names below a folder; None when the place is not in it."""
    size = len(root.parts)
    same = place.parts[:size] == root.parts
    if not same and place.windows:
        same = [p.casefold() for p in place.parts[:size]] == [p.casefold() for p in root.parts]
    return place.parts[size:] if same else None


class PathIndex:
    """Every path that a repository ever tracked, by its suffixes.

    Args:
        name: the repository, for the report.
        files: tracked paths, with ``/`` between names.
    """

    def __init__(self, name: str, files: Iterable[str]) -> None:
        self.name = name
        self.files = frozenset(files)
        self.folders = frozenset(
            str(parent) for file in self.files for parent in PurePosixPath(file).parents
        ) - {"."}
        self.last_names = frozenset(file.rpartition("/")[2].casefold() for file in self.files)
        self._folded = {path.casefold(): path for path in sorted(self.files | self.folders)}

    def longest_suffix(self, place: Place) -> str | None:
        """The longest suffix that is a tracked file or a folder of one; None for none."""
        for start in range(len(place.parts)):
            suffix = "/".join(place.parts[start:])
            if suffix in self.files or suffix in self.folders:
                return suffix
            if place.windows and suffix.casefold() in self._folded:
                return self._folded[suffix.casefold()]
        return None


def index_of_list(path: Path) -> PathIndex:
    """The index of a list of tracked paths, one a line, plain or gzip.

    Raises:
        InputError: when the list cannot be read or is empty.
    """
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode(errors="replace")
    except (OSError, EOFError, ValueError) as error:
        raise InputError(
            f"the list of tracked paths cannot be read: {error}",
            "Check dataset.tracked_paths",
            path,
        ) from error
    files = [line.strip() for line in text.splitlines() if line.strip()]
    if not files:
        raise InputError("the list of tracked paths is empty", "Write it with git ls-files", path)
    return PathIndex(path.name.split(".")[0], files)


def index_of_repository(folder: Path) -> PathIndex:
    """The index of every path on any branch of a repository.

    Raises:
        InputError: when the folder is no git repository.
    """
    listed = run_git(folder, "log", "--all", "--no-renames", "--format=", "--name-only", "-z")
    staged = run_git(folder, "ls-files", "-z", "--full-name", ":/") or ""  # none when it is bare
    if listed is None:
        raise InputError("not a git repository", "Check dataset.repo", folder)
    names = (name.strip("\n") for name in (listed + staged).split("\x00"))
    return PathIndex(str(folder), {name for name in names if name})


def run_git(folder: Path, *arguments: str) -> str | None:
    """What git says about a folder; None when it fails or is not installed."""
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.decode(errors="replace")


def external(place: Place) -> Node:
    """The node of a path outside the project: a hash with the file's suffix."""
    path = "/" * place.absolute + "/".join(place.parts)
    digest = hashlib.sha1(path.encode(errors="replace"), usedforsecurity=False).hexdigest()[:8]
    suffix = PurePosixPath(path).suffix
    return Node(f"ext:{digest}{suffix if re.fullmatch(r'[.][A-Za-z0-9]{1,8}', suffix) else ''}",
                "external")  # fmt: skip
