"""Rollouts of Codex CLI: ``rollout-*.jsonl`` of ``$CODEX_HOME/sessions``, old and new format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from hebb_lab.telemetry.lines import Record
from hebb_lab.telemetry.reader import READERS, Head, ReadOptions
from hebb_lab.telemetry.readers.caller import Caller
from hebb_lab.telemetry.readers.codex.calls import (
    Call,
    call_of,
    give_changes,
    give_touches,
    result_of,
)
from hebb_lab.telemetry.sink import EventSink

_TYPES = frozenset({"session_meta", "turn_context", "response_item", "event_msg", "compacted"})
_KEYS = frozenset({"type", "record_type", "payload", "instructions"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "tool_search_output"})
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_CWD = re.compile(r"<cwd>([^<]+)</cwd>|Current working directory: ([^\n]+)")
# What the client itself says in the user's name.
_NOT_THE_USER = ("<environment_context>", "<user_instructions>", "<INSTRUCTIONS>", "<turn_aborted>",
                 "<user_shell_command>", "<subagent_notification>", "<skill>",
                 "# AGENTS.md instructions")  # fmt: skip
_KNOWN_ITEMS = frozenset((
    "message", "reasoning", "web_search_call", "image_generation_call", "ghost_snapshot",
    "compaction", "compaction_summary", "other",
))  # fmt: skip
_KNOWN_EVENTS = re.compile(
    r"(?:agent|token|task|turn|context|thread|item|web_search|mcp_tool_call|patch_apply|error|"
    r"exec_command|exec_approval|plan|warning|stream|undo|entered|exited|collab|image|view_image|"
    r"dynamic_tool|guardian|hook|background|session)"
)
# Kinds of payload that are never read, where they stand first in it.
_UNREAD = tuple(
    b'"payload":{"type":"' + kind for kind in (b"token_count", b"agent_", b"reasoning", b"task_")
)


@READERS.register("codex")
class CodexReader:
    """Reads Codex CLI rollouts (source: real files of 0.140.0 to 0.142.5; older ones by report).

    Session = the file's own id, turn = from one prompt of the user to the next. A resumed or
    forked session repeats the calls of the one that it came from; they stay with the file that is
    read first, and files are read by name, that is by the time of their start.
    """

    name: ClassVar[str] = "codex"
    describe: ClassVar[str] = "Codex CLI rollouts (rollout-*.jsonl of ~/.codex/sessions)"

    def sniff(self, head: Head) -> bool:
        """Lines with a type of Codex and a payload, or the bare first line of before mid-2025."""
        if not head.objects:
            return b'"type":"session_meta","payload":{' in head.data[:200]
        return any(
            (_kind_of(obj) in _TYPES and isinstance(obj.get("payload"), dict))
            or "record_type" in obj
            or ({"id", "timestamp", "instructions"} <= obj.keys() and "type" not in obj)
            for obj in head.objects
        )

    def claims_folder(self, folder: Path) -> bool:
        """Never: its folders hold files of other kinds."""
        return False

    def read(self, paths: Sequence[Path], sink: EventSink, options: ReadOptions) -> None:
        """Read the rollouts by name."""
        for path in sorted(paths, key=lambda path: (path.name, str(path))):
            rollout = _Rollout(path, sink)
            sink.each(path, rollout.add, wanted=_wanted, keys=_KEYS)
            rollout.close()


def _kind_of(obj: dict[str, Any]) -> str | None:
    """The type of a line or an item, whatever stands there."""
    kind = obj.get("type")
    return kind if isinstance(kind, str | None) else "that is no text"


def _wanted(line: bytes) -> bool:
    start = line[:160]
    return not any(kind in start for kind in _UNREAD)


class _Rollout:
    """One rollout on its way into the sink."""

    def __init__(self, path: Path, sink: EventSink) -> None:
        found = _UUID.findall(path.name)
        self.sink = sink
        self.caller = Caller(sink, str(path), found[-1] if found else path.name.split(".")[0])
        self._has_meta = False
        self._start: str | None = None  # the old format has one time only, that of its start
        self._hears_user = False  # whether user_message events come
        self._pending: str | None = None  # a message of the user, before its event
        self._made: dict[str, tuple[Call, frozenset[str]]] = {}  # call → what it touched
        self._running: dict[str, str] = {}  # process → the call that started it
        self._asks: dict[str, str] = {}  # call of write_stdin → process

    def add(self, record: Record) -> None:
        """Read one line."""
        obj = record.obj
        kind, payload = _kind_of(obj), obj.get("payload")
        if not isinstance(payload, dict):
            self._bare(record)
            return
        self.caller.at(record, obj.get("timestamp"))
        if kind == "session_meta":
            self._meta(payload)
        elif kind == "turn_context":
            self.caller.moved_to(payload.get("cwd"))
        elif kind == "response_item":
            self._item(payload)
        elif kind == "event_msg":
            self._event(payload)
        elif kind != "compacted":  # it repeats earlier items
            self.sink.report.unknown[f"line type {kind}"] += 1

    def close(self) -> None:
        """Processes that still run at the end have a result that says nothing."""
        for call_id in self._running.values():
            self.sink.result(call_id, None)

    def _meta(self, meta: dict[str, Any]) -> None:
        """The first is the file's own; later ones are of the history that a fork copied."""
        if self._has_meta:
            return
        self._has_meta = True
        name, source = meta.get("id"), meta.get("source")
        if isinstance(name, str) and name:
            self.caller.session = name
        if isinstance(source, dict) and "subagent" in source:
            self.caller.agent = self.caller.session
        self.caller.moved_to(meta.get("cwd"))

    def _bare(self, record: Record) -> None:
        """A line of before mid-2025: an item without an envelope and without a time."""
        obj = record.obj
        if "type" not in obj and isinstance(obj.get("id"), str):
            self._start = obj.get("timestamp") if isinstance(obj.get("timestamp"), str) else None
            self._meta(obj)
        elif obj.get("record_type") is None:
            self.caller.at(record, self._start)
            if self.caller.time_us is not None:
                self.caller.time_quality = "inferred"
            self._item(obj)

    def _item(self, item: dict[str, Any]) -> None:
        kind = _kind_of(item)
        call = call_of(item)
        if call is not None:
            self._call(call)
        elif kind in _OUTPUTS:
            self._output(item)
        elif kind == "message" and item.get("role") == "user":
            self._message(item)
        elif kind not in _KNOWN_ITEMS:
            self.sink.report.unknown[f"item type {kind}"] += 1

    def _message(self, item: dict[str, Any]) -> None:
        """A prompt, where no ``user_message`` event tells it, and the working directory."""
        content = item.get("content")
        parts = (
            [part for part in content if isinstance(part, dict)] if type(content) is list else []
        )
        texts = [part["text"] for part in parts if isinstance(part.get("text"), str)]
        for text in texts:
            if self.caller.cwd is None and (found := _CWD.search(text)) is not None:
                self.caller.moved_to((found[1] or found[2]).strip())
        said = [text for text in texts if not text.lstrip().startswith(_NOT_THE_USER)]
        if said and not self._hears_user:
            self._turn_begins()
            self._pending = "\n".join(said)

    def _call(self, call: Call) -> None:
        self._turn_begins()
        if not self.caller.call(call.call_id):
            return
        give_touches(call, self.caller)
        if call.call_id is None:
            return
        if call.tool == "write_stdin":
            self._asks[call.call_id] = str(call.given.get("session_id"))
        else:
            self._made[call.call_id] = call._replace(given={}), frozenset(self.caller.touched)

    def _output(self, item: dict[str, Any]) -> None:
        """How a call ended; a process that goes on ends in the output of a later write_stdin."""
        call_id = item.get("call_id")
        if not isinstance(call_id, str):
            return
        ok, process = result_of(item.get("output"))
        if call_id in self._asks and self._asks[call_id] in self._running:
            if process is None:
                self.sink.result(self._running.pop(self._asks[call_id]), ok)
            self.sink.result(call_id, True)
        elif process is not None:
            before = self._running.pop(process, None)  # a number that is used again
            if before is not None:
                self.sink.result(before, None)
            self._running[process] = call_id
        else:
            self.sink.result(call_id, ok)

    def _event(self, event: dict[str, Any]) -> None:
        kind, call_id = str(event.get("type")), event.get("call_id")
        if kind == "user_message":
            self._hears_user, self._pending = True, None
            self.caller.prompted(str(event.get("message") or ""))
        elif kind == "patch_apply_end" and isinstance(call_id, str):
            self._patched(event, call_id)
        elif kind == "mcp_tool_call_end" and isinstance(call_id, str):
            result = event.get("result")
            if isinstance(result, dict):
                self.sink.result(call_id, "Ok" in result)
        elif not _KNOWN_EVENTS.match(kind):
            self.sink.report.unknown[f"event type {kind}"] += 1

    def _patched(self, event: dict[str, Any], call_id: str) -> None:
        success = event.get("success")
        self.sink.result(call_id, success if type(success) is bool else None)
        changes = event.get("changes")
        if call_id in self._made and isinstance(changes, dict):
            call, touched = self._made.pop(call_id)
            give_changes(changes, call, touched, self.caller)

    def _turn_begins(self) -> None:
        """A message of the user that no event told was a prompt after all."""
        if self._pending is not None:
            self.caller.prompted(self._pending)
            self._pending = None
