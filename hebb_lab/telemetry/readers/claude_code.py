"""Claude Code transcripts: a session, a project folder, all projects, or an Entire checkpoint.

A session is one JSONL file, but its calls may lie in several places: subagents write into the
session's own file (``isSidechain``, ``agent_progress``), beside it (``agent-<id>.jsonl``) or below
it (``<session>/subagents/**``); checkpoints repeat the session from its start. So the files of all
sessions are read as one stream, and a call counts where its id is seen first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from hebb_lab.telemetry.clock import parse_time
from hebb_lab.telemetry.heads import first_bytes
from hebb_lab.telemetry.lines import Record
from hebb_lab.telemetry.reader import READERS, Head, ReadOptions
from hebb_lab.telemetry.readers.claude_code_session import Session, prompt_of
from hebb_lab.telemetry.readers.claude_code_tools import Place, give_mentions, give_touches
from hebb_lab.telemetry.sink import EventSink

_KEYS = frozenset({"sessionId", "uuid", "timestamp", "leafUuid", "messageId"})
# Known types of lines that touch nothing.
_QUIET = frozenset((
    "system", "summary", "file-history-snapshot", "queue-operation", "pr-link", "attachment",
    "custom-title", "ai-title", "agent-name", "permission-mode", "mode", "last-prompt", "tag",
))  # fmt: skip
_TIME = re.compile(rb'"timestamp":\s*"([0-9TZ:.+-]{10,40})"')
_NEVER = 1 << 62
# Lines that can carry calls or results only, or nothing.
_NO_PROMPT = re.compile(
    rb'"type":\s?"(?:assistant|message",\s?"role":\s?"assistant|progress|file-history-snapshot)"'
)
_SIDECHAIN = re.compile(rb'"isSidechain":\s?true')


@READERS.register("claude_code")
class ClaudeCode:
    """Reads the transcripts of Claude Code, 1.0 to 2.1 (source: real files of 2.0.64 to 2.1.63)."""

    name: ClassVar[str] = "claude_code"
    describe: ClassVar[str] = (
        "Claude Code transcripts (*.jsonl of ~/.claude/projects, subagents, Entire checkpoints)"
    )

    def sniff(self, head: Head) -> bool:
        """Lines with a sessionId of their own, and a uuid or a type that only Claude Code has."""
        if head.path.name.startswith("journal."):
            return False  # beside the transcripts of workflow agents: a log of steps
        if not head.objects:
            return b'"sessionId":"' in head.data and b'"parentUuid":' in head.data
        return any(map(_is_transcript_line, head.objects))

    def claims_folder(self, folder: Path) -> bool:
        """Never: its folders hold files of other kinds."""
        return False

    def read(self, paths: Sequence[Path], sink: EventSink, options: ReadOptions) -> None:
        """Read sessions by their first time, then the subagents' own files.

        A resumed or forked session begins with a copy of the one it came from, and a checkpoint
        with a copy of the one before: of files that begin at the same time the smaller is the
        older, and keeps the calls.
        """
        sessions: dict[str, Session] = {}
        prompts: set[str] = set()
        for path in sorted(paths, key=_reading_order):
            _File(path, sink, sessions, prompts).read()


def _is_transcript_line(obj: dict[str, Any]) -> bool:
    kind = obj.get("type")
    if kind == "summary":
        return "leafUuid" in obj
    if kind == "file-history-snapshot":
        return "snapshot" in obj
    return isinstance(obj.get("sessionId"), str) and isinstance(kind, str) and "payload" not in obj


def _session_of(path: Path) -> str | None:
    """The session whose folder holds a subagent's file: <session>/subagents/**."""
    folders = path.parts[:-1]
    return folders[folders.index("subagents") - 1] if "subagents" in folders else None


def _reading_order(path: Path) -> tuple[bool, int, int, str]:
    """Subagents last; then by the first time in the file, its size, its name."""
    found = _TIME.search(first_bytes(path)[0])
    first = parse_time(found[1].decode())[0] if found else None
    first = _NEVER if first is None else first
    return path.name.startswith("agent-"), first, path.stat().st_size, str(path)


class _File:
    """One transcript on its way into the sink.

    Args:
        path: the file.
        sink: takes the touches.
        sessions: what is known of each session, by its id, from the files before.
        prompts: uuids of the prompts of all sessions so far: a forked session repeats them.
    """

    def __init__(
        self, path: Path, sink: EventSink, sessions: dict[str, Session], prompts: set[str]
    ) -> None:
        self.path = path
        self.prompts = prompts
        self.sink = sink
        self.sessions = sessions
        self.own_name = path.name.split(".jsonl")[0]
        self.own_session = _session_of(path) or self.own_name
        self.is_subagent = path.name.startswith("agent-")

    def read(self) -> None:
        self.sink.each(self.path, self._add, wanted=_wanted, keys=_KEYS)

    def _add(self, record: Record) -> None:
        kind = record.obj.get("type")
        kind = kind if isinstance(kind, str | None) else "that is no text"
        if kind in ("assistant", "user"):
            self._message(record, record.obj, record.obj)
        elif kind == "progress":
            self._progress(record)
        elif kind not in _QUIET:
            self.sink.report.unknown[f"line type {kind}"] += 1

    def _progress(self, record: Record) -> None:
        data = record.obj.get("data")
        if isinstance(data, dict) and data.get("type") == "agent_progress":
            message = data.get("message")
            if isinstance(message, dict):
                self._message(record, record.obj, message, str(data.get("agentId") or "agent"))

    def _message(
        self, record: Record, line: dict[str, Any], spoken: dict[str, Any], agent: str | None = None
    ) -> None:
        session = self._session(line)
        speaker = session.speaker(line, self.own_name if self.is_subagent else None, agent)
        message = spoken.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        uses, results = _blocks(content)
        for block in results:
            if isinstance(block.get("tool_use_id"), str):
                self.sink.result(block["tool_use_id"], not block.get("is_error"))
        prompt = None
        if spoken.get("type") == "user" and speaker.is_main and not results:
            prompt = prompt_of(spoken, content)
        if prompt is None and not uses:
            return
        time_us, quality = parse_time(spoken.get("timestamp") or line.get("timestamp"))
        place = Place(session, speaker, time_us, quality, str(self.path), record.line, record.byte)
        if prompt is not None:
            self._prompt(spoken.get("uuid"), prompt, place)
        for block in uses:
            self._use(block, place)

    def _prompt(self, uuid: Any, prompt: str, place: Place) -> None:
        is_new = place.session.prompt(uuid, prompt, place.time_us)
        known = isinstance(uuid, str) and uuid in self.prompts
        if is_new and not known:
            give_mentions(prompt, place, self.sink)
        if isinstance(uuid, str):
            self.prompts.add(uuid)

    def _use(self, block: dict[str, Any], place: Place) -> None:
        call_id = block.get("id")
        call_id = call_id if isinstance(call_id, str) and call_id else None
        if self.sink.call(call_id, subagent=not place.speaker.is_main):
            give_touches(block, call_id, place, self.sink)

    def _session(self, line: dict[str, Any]) -> Session:
        name = line.get("sessionId")
        name = name if isinstance(name, str) and name else self.own_session
        if name not in self.sessions:
            self.sessions[name] = Session(name)
        session = self.sessions[name]
        session.at(line.get("cwd"))
        return session


def _blocks(content: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The tool calls and the results in what was said."""
    uses: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for block in content if isinstance(content, list) else ():
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "tool_use":
            uses.append(block)
        elif kind == "tool_result":
            results.append(block)
    return uses, results


def _wanted(line: bytes) -> bool:
    """False for a line that carries no call, no result and no prompt, as its start tells."""
    if b"tool_use" in line:
        return True
    start = line[:1500]
    if _NO_PROMPT.search(start) is None or b'"user"' in start or b"}{" in line:
        return True
    # Without an agent's id a subagent is known by the chain of all its lines.
    return _SIDECHAIN.search(start) is not None and b'"agentId"' not in start
