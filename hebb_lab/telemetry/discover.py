"""From a path to an EventLog: find the log files, know their format by content, read them."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from hebb_lab.errors import InputError
from hebb_lab.places import place
from hebb_lab.records import EventLog
from hebb_lab.telemetry.heads import head_of, unsupported_format
from hebb_lab.telemetry.naming import Projects
from hebb_lab.telemetry.parquet import DAMAGED_PARQUET, DAMAGED_PARQUET_CURE
from hebb_lab.telemetry.reader import Head, Reader, ReadOptions, advance_of
from hebb_lab.telemetry.readers import READERS
from hebb_lab.telemetry.report import READ_ALREADY, ReadReport
from hebb_lab.telemetry.sink import UNEXPECTED, EventSink

__all__ = ["known_formats", "read_log"]

MAX_SKIPPED_FILES = 1000  # named one by one in the report; further ones are counted
_FOLDER, _FILE, _MISSING = "folder", "file", "no such file or folder"
_DANGLING = "a link to what does not exist"
_NO_FILE = "no file but a pipe, a socket or a device"
_SKIPPED_FOLDERS = frozenset({".git", ".hg", "node_modules", "__pycache__", ".venv"})


def read_log(
    path: str | Path, reader: str = "auto", options: ReadOptions | None = None
) -> EventLog:
    """Read every log at a path.

    Args:
        path: a file, or a folder that is searched whole.
        reader: a format's name; ``auto`` knows each file by its content.
        options: what the user says about the log.

    Returns:
        The touches in order, and a report of what was read, saved, skipped and why.

    Raises:
        InputError: when the path is missing, holds no log, or the log holds no touch.
        ConfigError: when the reader has no name.
    """
    options = options or ReadOptions()
    root = place(path)
    _check(root)
    report = ReadReport()
    groups = _groups(root, reader, report)
    report.reader = "+".join(groups)
    sizes = {file: _size(file) for files in groups.values() for file in files}
    sink = EventSink(
        report,
        Projects(options.repo, options.tracked_paths),
        options.keep_prompts,
        advance_of(options.progress, sum(sizes.values())),
    )
    for name, files in groups.items():
        READERS[name]().read(files, sink, options)
    now_us = options.now_us if options.now_us is not None else _newest_us(list(sizes))
    return sink.finish(root, now_us)


def known_formats() -> str:
    """The formats that can be read, one sentence each, for an error or a help text."""
    return "; ".join(f"{name}: {READERS[name].describe}" for name in READERS)


def _groups(root: Path, wanted: str, report: ReadReport) -> dict[str, list[Path]]:
    """The files (or claimed folders) of each reader, in the order of the registry."""
    if wanted != "auto":
        READERS[wanted]  # an unknown name is an error before anything is read
    readers = {name: READERS[name]() for name in READERS}
    asked = readers if wanted == "auto" else {wanted: readers[wanted]}
    groups: dict[str, list[Path]] = {}
    if root.is_dir():
        for name, reader in asked.items():
            if reader.claims_folder(root):
                return {name: [root]}
    files = list(_walk(root, report)) if root.is_dir() else [root]
    if not files and not report.files_skipped:
        raise InputError("the folder holds no file", "Check dataset.path", root)
    for file in files:
        found, why = _format_of(file, readers, wanted, only=not root.is_dir())
        if found is None:
            _skip_file(report, file, why)
        else:
            groups.setdefault(found, []).append(file)
    if not groups and root.is_dir() and wanted != "auto" and _inside(root, readers[wanted]):
        report.files_skipped.clear()
        return {wanted: [root]}
    if not groups:
        _raise_nothing_readable(root, wanted, files, report)
    return {name: groups[name] for name in readers if name in groups}


def _inside(folder: Path, reader: Reader) -> bool:
    """Whether a folder lies in one that the reader claims, as in a git repository."""
    return any(reader.claims_folder(parent) for parent in folder.resolve().parents)


def _format_of(
    file: Path, readers: dict[str, Reader], wanted: str, only: bool
) -> tuple[str | None, str]:
    """The reader of a file, or None and why it is skipped."""
    try:
        head = head_of(file)
    except OSError as error:
        return None, _cannot_be_opened(error)
    if not head.data:
        return None, head.problem or "empty file"
    found = next((name for name, reader in readers.items() if _knows(reader, head)), None)
    if found == wanted or (wanted == "auto" and found is not None):
        return found, ""
    if found is not None:
        return None, f"is a {found} log; read it with dataset=auto or dataset={found}"
    if wanted != "auto" and only:
        return wanted, ""  # one file and a named format: the user knows better
    return None, unsupported_format(head)


def _knows(reader: Reader, head: Head) -> bool:
    try:
        return reader.sniff(head)
    except UNEXPECTED:
        return False


def _check(root: Path) -> None:
    """Raise an InputError unless the path is there and can be opened."""
    kind = _kind_of(root)
    try:
        if kind == _FOLDER:
            (root / "..").stat()  # it can be entered
            os.scandir(root).close()  # and listed
    except OSError as error:
        kind = f"the folder {_cannot_be_opened(error)}"
    if kind == _MISSING:
        raise InputError(_MISSING, "Check dataset.path", root)
    if kind not in (_FOLDER, _FILE):
        raise InputError(kind, _cure_of(kind), root)


def _kind_of(path: Path) -> str:
    """``_FOLDER``, ``_FILE``, or why it is neither."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return _DANGLING if path.is_symlink() else _MISSING
    except OSError as error:
        return _cannot_be_opened(error)
    if stat.S_ISDIR(mode):
        return _FOLDER
    return _FILE if stat.S_ISREG(mode) else _NO_FILE


def _real_of(entry: Path) -> tuple[str, str]:
    """(where a path really leads, its kind); a link may be such that it cannot even be read."""
    try:
        return os.path.realpath(entry), _kind_of(entry)
    except OSError as error:
        return "", _cannot_be_opened(error)


def _cannot_be_opened(error: OSError) -> str:
    return f"cannot be opened: {error.strerror or error}"


def _walk(root: Path, report: ReadReport) -> list[Path]:
    """Every file below a folder, by name, each real file and folder once."""
    found: list[Path] = []
    seen: set[str] = {os.path.realpath(root)}
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            entries = sorted(folder.iterdir(), reverse=True)
        except OSError as error:
            _skip_file(report, folder, _cannot_be_opened(error))
            continue
        for entry in entries:
            real, kind = _real_of(entry)
            if kind not in (_FOLDER, _FILE):
                _skip_file(report, entry, kind)
            elif real in seen:
                _skip_file(report, entry, f"leads to {real}, {READ_ALREADY}")
            elif kind == _FILE or entry.name not in _SKIPPED_FOLDERS:
                seen.add(real)
                (found if kind == _FILE else waiting).append(entry)
    return sorted(found)


def _raise_nothing_readable(root: Path, wanted: str, files: list[Path], report: ReadReport) -> None:
    skipped = report.files_skipped
    file = next((str(file) for file in files if str(file) in skipped), next(iter(skipped)))
    why, count = skipped[file], max(len(files), len(skipped))
    kind = "log" if wanted == "auto" else f"{wanted} log"
    if count == 1:
        raise InputError(why, _cure_of(why), file)
    where = f"{count} files, none of them a {kind}; the first: {file}"
    raise InputError(f"{where}: {why}", _cure_of(why), root)


def _cure_of(why: str) -> str:
    if "cannot be opened" in why:
        return "Give read permission"
    if DAMAGED_PARQUET in why:
        return DAMAGED_PARQUET_CURE
    if why in (_DANGLING, _NO_FILE):
        return "Check dataset.path"
    return f"The known formats are: {known_formats()}"


def _skip_file(report: ReadReport, file: Path, why: str) -> None:
    if len(report.files_skipped) < MAX_SKIPPED_FILES:
        report.files_skipped[str(file)] = why
    else:
        report.skipped["further file that is no log"] += 1


def _size(file: Path) -> int:
    return file.stat().st_size if file.is_file() else 0


def _newest_us(files: list[Path]) -> int | None:
    times = [file.stat().st_mtime_ns // 1000 for file in files if file.is_file()]
    return max(times, default=None)
