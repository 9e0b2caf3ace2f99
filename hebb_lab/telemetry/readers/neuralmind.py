"""The event log of NeuralMind: ``.neuralmind/events.jsonl``."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, ClassVar

from hebb_lab.errors import InputError
from hebb_lab.telemetry.clock import parse_time
from hebb_lab.telemetry.heads import head_of
from hebb_lab.telemetry.lines import Record, iter_records
from hebb_lab.telemetry.naming import Node
from hebb_lab.telemetry.naming.paths import take_apart
from hebb_lab.telemetry.reader import READERS, Head, ReadOptions
from hebb_lab.telemetry.report import ReadReport
from hebb_lab.telemetry.sink import EventSink

SESSION_GAP_US = 30 * 60 * 1_000_000
_SQLITE_MAGIC = b"SQLite format 3\x00"
_EVENTS = {"synapse": "nodes", "transition": "pairs", "file": "paths"}  # type → its key
_OPS = {"synapse": "read", "transition": "read", "file": "edit"}
_QUERY_TYPES = ("query", "wakeup")
_NO_HISTORY = "a NeuralMind store holds the state of a memory, not the history that led to it"
_KEYS = frozenset({"type", "event_type"})
_PATH = re.compile(r"[^:\s]*[/\\](?!/)|[A-Za-z]:[/\\]")


@READERS.register("neuralmind")
class NeuralMindReader:
    """Reads what NeuralMind reinforced, when.

    Each event is a window, so a turn of its own. A session is what one process wrote without a
    pause of more than 30 minutes. ``synapse`` touches nodes of the memory, ``file`` files,
    ``transition`` nodes one after the other; strength and namespace are the event's.
    """

    name: ClassVar[str] = "neuralmind"
    describe: ClassVar[str] = "NeuralMind events (.neuralmind/events.jsonl)"

    def sniff(self, head: Head) -> bool:
        """Events or query events of NeuralMind; its SQLite store is none."""
        return any(_is_event(obj) or _is_query(obj) for obj in head.objects)

    def claims_folder(self, folder: Path) -> bool:
        """Never: the folder holds files of other kinds."""
        return False

    def read(self, paths: Sequence[Path], sink: EventSink, options: ReadOptions) -> None:
        """Read the event logs; query events are counted.

        Raises:
            InputError: a store is given, by name, as a log.
        """
        for path in paths:
            if head_of(path).data.startswith(_SQLITE_MAGIC):
                cure = "Give its events.jsonl, which is written while NeuralMind runs"
                raise InputError(_NO_HISTORY, cure, path)
            events = _Events(path, sink)
            sink.each(path, events.add, keys=_KEYS)


def _is_event(obj: dict[str, Any]) -> bool:
    kind = obj.get("type")
    key = _EVENTS.get(kind) if isinstance(kind, str) else None
    return key is not None and isinstance(obj.get(key), list) and "ts" in obj


def _is_query(obj: dict[str, Any]) -> bool:
    return obj.get("event_type") in _QUERY_TYPES and "timestamp" in obj


class _Events:
    """One events.jsonl on its way into the sink."""

    def __init__(self, path: Path, sink: EventSink) -> None:
        self.path = path
        self.sink = sink
        self.cwd = _project_of(path)
        self._sessions: dict[str, tuple[str, int | None, int]] = {}  # pid → (session, last, turn)

    def add(self, record: Record) -> None:
        """Read one event."""
        obj = record.obj
        if _is_query(obj):
            self.sink.report.skip("query event, which names no node", str(self.path), record.line)
        elif not _is_event(obj):
            self.sink.report.unknown[f"event type {obj.get('type') or obj.get('event_type')}"] += 1
        else:
            self._event(record, str(obj["type"]))

    def _event(self, record: Record, kind: str) -> None:
        obj = record.obj
        event_id = _id_of(obj)
        if not self.sink.call(event_id):
            return
        self.sink.result(event_id, None)  # it was done when it was written
        time_us, quality = parse_time(obj.get("ts"))
        session, turn = self._window(str(obj.get("_pid", "")), time_us)
        namespace = obj.get("namespace")
        for name in _names(obj, kind):
            node = self._node(name, is_file=kind == "file")
            self.sink.touch(
                session=session,
                node=node.name,
                op=_OPS[kind],
                tool=kind,
                source="state",
                file=str(self.path),
                line=record.line,
                byte=record.byte,
                time_us=time_us,
                time_quality=quality,
                turn=turn,
                call_id=event_id,
                node_kind=node.kind,
                strength=_strength_of(obj),
                namespace=namespace if isinstance(namespace, str) and namespace else "personal",
                cwd=self.cwd,
            )

    def _window(self, pid: str, time_us: int | None) -> tuple[str, int]:
        """(session, turn) of an event of a process."""
        session, last, turn = self._sessions.get(pid, ("", None, 0))
        gap_us = 0 if time_us is None or last is None else abs(time_us - last)
        if not session or gap_us > SESSION_GAP_US:
            session, turn = f"{pid or 'process'}@{(time_us or 0) // 1_000_000}", 0
        self._sessions[pid] = session, last if time_us is None else time_us, turn + 1
        return session, turn + 1

    def _node(self, name: str, is_file: bool) -> Node:
        if is_file or ("://" not in name and "::" not in name and _PATH.match(name)):
            return self.sink.projects.node(name, self.cwd, self.cwd)
        return Node(name, "memory")


def _names(obj: dict[str, Any], kind: str) -> list[str]:
    """Names in the order of the event; of pairs a→b, b→c each step once: a, b, c."""
    given = obj[_EVENTS[kind]]
    if kind != "transition":
        return [name for name in given if isinstance(name, str) and name]
    names: list[str] = []
    for pair in given:
        ends = pair if isinstance(pair, list) else []
        new = ends[1:] if names and ends[:1] == names[-1:] else ends
        names += [name for name in new if isinstance(name, str) and name]
    return names


def _id_of(obj: dict[str, Any]) -> str:
    """The same event has the same id in every copy of the log."""
    text = json.dumps(obj, sort_keys=True)
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()[:16]


def _strength_of(obj: dict[str, Any]) -> float:
    value = obj.get("strength")
    known = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e30
    return float(value) if known else 1.0  # type: ignore[arg-type]


def _project_of(path: Path) -> str | None:
    """The folder that paths are relative to: where all files lie, else where the log lies."""
    folders: list[tuple[str, ...]] = []
    for record in iter_records(path, ReadReport(), wanted=lambda line: b'"file"' in line):
        if _is_event(record.obj) and record.obj["type"] == "file":
            places = [take_apart(name) for name in record.obj["paths"] if isinstance(name, str)]
            folders += [place.parts[:-1] for place in places if place.absolute]
            folders = [_common(folders)] if folders else []
    own = path.resolve().parent
    home = own.parent if own.name == ".neuralmind" else None
    if not folders or (home is not None and _common([*folders, home.parts[1:]]) == home.parts[1:]):
        return None if home is None else str(home)
    drive = folders[0][:1] and folders[0][0].endswith(":")
    return ("" if drive else "/") + "/".join(folders[0])


def _common(folders: list[tuple[str, ...]]) -> tuple[str, ...]:
    """The parts that all folders begin with."""
    first, last = min(folders), max(folders)
    same = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    return tuple(part for part, _ in same)
