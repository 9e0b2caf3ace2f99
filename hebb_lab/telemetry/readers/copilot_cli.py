"""Sessions of GitHub Copilot CLI: ``events.jsonl`` of a folder of ``~/.copilot/session-state``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from hebb_lab.telemetry.lines import Record
from hebb_lab.telemetry.naming.web import web_node
from hebb_lab.telemetry.reader import READERS, Head, ReadOptions
from hebb_lab.telemetry.readers.caller import Caller
from hebb_lab.telemetry.sink import EventSink

_KEYS = frozenset({"type"})
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_FAMILIES = ("session.", "user.", "assistant.", "tool.", "hook.", "system.", "permission.",
             "subagent.", "skill.")  # fmt: skip
_QUIET = (*_FAMILIES, "abort")
_PATH_TOOLS = {"view": "read", "edit": "edit", "create": "write", "grep": "search", "glob": "list"}
_EDITOR = {"view": "read", "create": "write"}  # commands of str_replace_editor; others are edits
_SHELLS = frozenset({"bash", "powershell", "shell"})
_QUIET_TOOLS = frozenset((
    "read_bash", "write_bash", "stop_bash", "list_bash", "read_powershell", "write_powershell",
    "stop_powershell", "list_powershell", "ask_user", "report_intent", "task", "update_todo",
    "web_search", "skill", "store_memory", "sql", "read_agent", "list_agents", "exit_plan_mode",
    "fetch_copilot_cli_documentation", "task_complete",
))  # fmt: skip
# Lines whose type stands at their beginning and that carry nothing that is read.
_UNREAD = (b'{"type":"hook.end"', b'{"type":"system.message"', b'{"type":"assistant.turn_')


@READERS.register("copilot_cli")
class CopilotCliReader:
    """Reads Copilot CLI events (source: real files of 1.0.64).

    A touch is an executed tool call (``tool.execution_start``); a call that was asked for and
    never started (denied, aborted) is counted as a call without a result and touches nothing.
    """

    name: ClassVar[str] = "copilot_cli"
    describe: ClassVar[str] = "GitHub Copilot CLI sessions (events.jsonl of ~/.copilot)"

    def sniff(self, head: Head) -> bool:
        """Lines with type, data, id and parentId, the type of a family that Copilot has."""
        return any(
            {"type", "data", "id", "parentId"} <= obj.keys()
            and str(obj["type"]).startswith(_FAMILIES)
            for obj in head.objects
        )

    def claims_folder(self, folder: Path) -> bool:
        """Never: its folders hold files of other kinds."""
        return False

    def read(self, paths: Sequence[Path], sink: EventSink, options: ReadOptions) -> None:
        """Read the sessions; a call that another copy has is not read again."""
        for path in paths:
            session = _Session(path, sink)
            sink.each(path, session.add, wanted=_wanted, keys=_KEYS)
            session.close()


def _wanted(line: bytes) -> bool:
    return not line.startswith(_UNREAD)


class _Session:
    """One events.jsonl on its way into the sink."""

    def __init__(self, path: Path, sink: EventSink) -> None:
        found = _UUID.findall(str(path))
        self.sink = sink
        self.caller = Caller(sink, str(path), found[-1] if found else path.parent.name)
        self._asked: dict[str, None] = {}  # calls that the model asked for and that did not start

    def add(self, record: Record) -> None:
        """Read one event."""
        kind, data = str(record.obj.get("type")), record.obj.get("data")
        data = data if isinstance(data, dict) else {}
        self.caller.at(record, record.obj.get("timestamp"))
        if kind == "session.start":
            self._start(data)
        elif kind == "hook.start":
            given = data.get("input")
            self.caller.moved_to(given.get("cwd") if isinstance(given, dict) else None)
        elif kind == "user.message":
            self._user(data)
        elif kind == "assistant.message":
            for asked in _dicts(data.get("toolRequests")):
                if isinstance(asked.get("toolCallId"), str):
                    self._asked[asked["toolCallId"]] = None
        elif kind == "tool.execution_start":
            self._tool(data)
        elif kind == "tool.execution_complete":
            if isinstance(data.get("toolCallId"), str):
                success = data.get("success")
                self.sink.result(data["toolCallId"], success if type(success) is bool else None)
        elif not kind.startswith(_QUIET):
            self.sink.report.unknown[f"event type {kind}"] += 1

    def close(self) -> None:
        """Count the calls that were asked for and never started."""
        for call_id in self._asked:
            self.sink.call(call_id)

    def _start(self, data: dict[str, Any]) -> None:
        if isinstance(data.get("sessionId"), str):
            self.caller.session = data["sessionId"]
        context = data.get("context")
        self.caller.moved_to(context.get("cwd") if isinstance(context, dict) else None)

    def _user(self, data: dict[str, Any]) -> None:
        content = data.get("content")
        if isinstance(content, str):
            self.caller.prompted(content)
        for attached in _dicts(data.get("attachments")):
            self.caller.path("mention", "attachment", attached.get("path"), None, "prompt")

    def _tool(self, data: dict[str, Any]) -> None:
        tool, call_id = str(data.get("toolName")), data.get("toolCallId")
        self._asked.pop(str(call_id), None)
        parent = data.get("parentToolCallId")
        self.caller.agent = parent if isinstance(parent, str) and parent else "main"
        if self.caller.call(call_id):
            given = data.get("arguments")
            self._touch(tool, given if isinstance(given, dict) else {}, call_id)

    def _touch(self, tool: str, given: dict[str, Any], call_id: object) -> None:
        if tool in _SHELLS:
            command = given.get("command")
            self.caller.shell(tool, command if isinstance(command, str) else "", call_id)
        elif tool in _PATH_TOOLS:
            self.caller.path(_PATH_TOOLS[tool], tool, given.get("path"), call_id)
        elif tool == "str_replace_editor":
            op = _EDITOR.get(str(given.get("command")), "edit")
            self.caller.path(op, tool, given.get("path"), call_id)
        elif (page := web_node(given.get("url"))) is not None:
            self.caller.give("web", tool, page, "arg", call_id)
        elif tool not in _QUIET_TOOLS:
            self.sink.report.unknown[f"tool {tool[:80]}"] += 1


def _dicts(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
