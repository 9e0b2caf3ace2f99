"""Which nodes a tool of Claude Code touches."""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from hebb_lab.telemetry.naming import Node, shell_touches
from hebb_lab.telemetry.readers.claude_code_session import Session, Speaker
from hebb_lab.telemetry.sink import EventSink

_PATH_TOOLS: dict[str, tuple[str, tuple[str, ...]]] = {  # tool → (op, keys of its input)
    "Read": ("read", ("file_path",)),
    "NotebookRead": ("read", ("notebook_path",)),
    "LSP": ("read", ("filePath",)),
    "Edit": ("edit", ("file_path",)),
    "MultiEdit": ("edit", ("file_path",)),
    "NotebookEdit": ("edit", ("notebook_path",)),
    "Write": ("write", ("file_path",)),
    "Grep": ("search", ("path", "file_path")),
    "Glob": ("list", ("path",)),
    "LS": ("list", ("path",)),
}
# Known tools that name no file.
_QUIET_TOOLS = frozenset((
    "Agent", "AskUserQuestion", "BashOutput", "EnterPlanMode", "EnterWorktree", "ExitPlanMode",
    "ExitWorktree", "KillBash", "KillShell", "ListMcpResourcesTool", "ReadMcpResourceTool",
    "SendMessage", "Skill", "SlashCommand", "StructuredOutput", "Task", "TaskCreate", "TaskGet",
    "TaskList", "TaskOutput", "TaskStop", "TaskUpdate", "TeamCreate", "TeamDelete", "TodoRead",
    "TodoWrite", "ToolSearch", "WebSearch",
))  # fmt: skip
_MCP_PATH_KEYS = ("path", "file_path", "filePath", "relative_path", "uri", "paths")
_MENTION = re.compile(r"(?<![\w@/.])@(?:\"([^\"\n]+)\"|([\w./~\\-]+))")


class Place(NamedTuple):
    """Where and when something was said, and by whom."""

    session: Session
    speaker: Speaker
    time_us: int | None
    time_quality: str
    file: str
    line: int
    byte: int


def give_touches(block: dict[str, Any], call_id: str | None, place: Place, sink: EventSink) -> None:
    """Give the sink the touches of a ``tool_use`` block; an unknown tool is counted."""
    tool, given = str(block.get("name")), block.get("input")
    given = given if isinstance(given, dict) else {}
    for op, node, source in _touched(tool, given, place.session, sink):
        if node.name != "dir:.":  # the whole project is no node
            _give(op, tool, node, source, call_id, place, sink)


def give_mentions(prompt: str, place: Place, sink: EventSink) -> None:
    """Give the sink the files that a prompt names with ``@``."""
    session = place.session
    seen: set[str] = set()
    for quoted, plain in _MENTION.findall(prompt):
        word = (quoted or plain).rstrip(".")
        node = sink.projects.known(word, session.cwd, session.base)
        if node is not None and node.name not in seen:
            seen.add(node.name)
            _give("mention", "@", node, "prompt", None, place, sink)


def _touched(
    tool: str, given: dict[str, Any], session: Session, sink: EventSink
) -> list[tuple[str, Node, str]]:
    """(op, node, source) of each node."""
    projects, cwd, base = sink.projects, session.cwd, session.base
    if tool in _PATH_TOOLS:
        op, keys = _PATH_TOOLS[tool]
        paths = [given[key] for key in keys if isinstance(given.get(key), str) and given[key]]
        return [(op, projects.node(path, cwd, base), "arg") for path in paths]
    if tool == "Bash":
        command = given.get("command")
        touches = shell_touches(
            command if isinstance(command, str) else "",
            lambda word: projects.known(word, cwd, base),
        )
        return [(op, node, "shell") for op, node in touches]
    if tool == "WebFetch":
        url = _without_secrets(given.get("url"))
        return [("web", Node(url, "url"), "arg")] if url else []
    if tool.startswith("mcp__"):
        found = [projects.known(word, cwd, base) for word in _mcp_paths(given)]
        return [("mcp", node, "arg") for node in found if node is not None]
    if tool not in _QUIET_TOOLS:
        sink.report.unknown[f"tool {tool[:80]}"] += 1
    return []


def _mcp_paths(given: dict[str, Any]) -> list[str]:
    values = [given.get(key) for key in _MCP_PATH_KEYS]
    flat = [item for value in values for item in (value if isinstance(value, list) else [value])]
    return list(dict.fromkeys(word for word in flat if isinstance(word, str) and word))


def _without_secrets(url: Any) -> str | None:
    """A web address without user, query and fragment, where keys and tokens stand."""
    if not isinstance(url, str):
        return None
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return None
    return f"{parts.scheme}://{host}{parts.path}" if host else None


def _give(
    op: str, tool: str, node: Node, source: str, call_id: str | None, place: Place, sink: EventSink
) -> None:
    session, speaker = place.session, place.speaker
    turn = session.turn if speaker.is_main else session.turn_at(place.time_us)
    sink.touch(
        session=session.name,
        node=node.name,
        op=op,
        tool=tool,
        source=source,
        file=place.file,
        line=place.line,
        byte=place.byte,
        time_us=place.time_us,
        time_quality=place.time_quality,
        agent=speaker.agent,
        turn=turn,
        call_id=call_id,
        node_kind=node.kind,
        query=session.words(turn),
        cwd=session.cwd,
    )
