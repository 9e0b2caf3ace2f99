"""What a tool call of Codex touches, and how it ended."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from hebb_lab.telemetry.naming.web import web_node
from hebb_lab.telemetry.readers.caller import Caller
from hebb_lab.telemetry.salvage import JSON_ERRORS

_SHELLS = frozenset({"exec_command", "shell", "shell_command", "container.exec", "local_shell"})
_PATH_TOOLS = {  # tool → (op, key of its argument)
    "view_image": ("read", "path"),
    "read_file": ("read", "file_path"),
    "list_dir": ("list", "dir_path"),
    "grep_files": ("search", "path"),
}
_QUIET_TOOLS = frozenset((
    "update_plan", "write_stdin", "request_user_input", "request_permissions", "web_search",
    "spawn_agent", "send_input", "wait", "wait_agent", "resume_agent", "close_agent",
    "list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource", "tool_search",
    "get_goal", "create_goal", "update_goal",
))  # fmt: skip
_PATCH = re.compile(r"\*\*\* Begin Patch.*?(?:\*\*\* End Patch|\Z)", re.DOTALL)
_PATCH_LINE = re.compile(
    r"^\*\*\* (Update File|Add File|Delete File|Move to): ([^\r\n]+?)[ \t]*$", re.MULTILINE
)
_PATCH_OPS = {"Update File": "edit", "Add File": "write", "Delete File": "delete"}
_CHANGE_OPS = {"update": "edit", "add": "write", "delete": "delete"}
_COMMAND_IN_CODE = re.compile(r"""\bcmd["']?\s*:\s*("(?:[^"\\]|\\.)*"|'[^'\n]*'|`[^`]*`)""")
_EXIT_CODE = re.compile(r"(?:exited with code|Exit code:?) (-?\d+)", re.IGNORECASE)
_RUNNING = re.compile(r"running with session ID (\d+)")
_FAILED = (
    "apply_patch verification failed", "exec_command failed", "failed to ", "execution error",
    "unsupported call", "aborted",
)  # fmt: skip


class Call(NamedTuple):
    """A tool call as the model made it.

    Args:
        tool: its name.
        call_id: its id, or None.
        given: its arguments; the raw text of a custom tool stands under ``input``.
        mcp: whether a server of the Model Context Protocol runs it.
    """

    tool: str
    call_id: str | None
    given: dict[str, Any]
    mcp: bool


def call_of(payload: dict[str, Any]) -> Call | None:
    """The call in a ``response_item``; None when it is none."""
    kind, name = payload.get("type"), str(payload.get("name"))
    call_id = payload.get("call_id") or payload.get("id")
    call_id = call_id if isinstance(call_id, str) and call_id else None
    mcp = str(payload.get("namespace") or name).startswith("mcp__")
    if kind == "function_call":
        return Call(name, call_id, _arguments(payload.get("arguments")), mcp)
    if kind == "custom_tool_call":
        return Call(name, call_id, {"input": payload.get("input")}, mcp)
    action = payload.get("action")
    action = action if isinstance(action, dict) else {}
    if kind == "local_shell_call":
        given = {"command": action.get("command"), "workdir": action.get("working_directory")}
        return Call("local_shell", call_id, given, False)
    if kind == "web_search_call":
        return Call("web_search", call_id, action, False)
    if kind == "tool_search_call":
        return Call("tool_search", call_id, {}, False)
    return None


def give_touches(call: Call, caller: Caller) -> None:
    """Give what a call touches to the caller's sink; an unknown tool is counted."""
    tool, given = call.tool, call.given
    if tool in _SHELLS:
        _run(_command(given), call, caller)
    elif tool == "apply_patch":
        _patch(_text(given.get("input") or given.get("patch")), call, caller)
    elif tool == "exec" and isinstance(given.get("input"), str):
        _code(given["input"], call, caller)
    elif tool in _PATH_TOOLS:
        op, key = _PATH_TOOLS[tool]
        caller.path(op, tool, given.get(key), call.call_id)
    elif (page := web_node(given.get("url"))) is not None:
        caller.give("mcp" if call.mcp else "web", tool, page, "arg", call.call_id)
    elif not call.mcp and tool not in _QUIET_TOOLS:
        caller.sink.report.unknown[f"tool {tool[:80]}"] += 1


def give_changes(changes: dict[str, Any], call: Call, done: frozenset[str], caller: Caller) -> None:
    """Touch the files of a ``patch_apply_end`` that the call itself did not name.

    Args:
        changes: path → {type, move_path}.
        call: the call that made them.
        done: names of the nodes that the call has touched.
        caller: the session.
    """
    for path, change in changes.items():
        change = change if isinstance(change, dict) else {}
        moved = change.get("move_path")
        op = "delete" if moved else _CHANGE_OPS.get(str(change.get("type")), "edit")
        for what, where in ((op, path), ("write", moved)):
            if isinstance(where, str) and where:
                node = caller.sink.projects.node(where, caller.cwd, caller.base)
                if node.name not in done:
                    caller.give(what, call.tool, node, "patch", call.call_id)


def result_of(output: Any) -> tuple[bool | None, str | None]:
    r"""(whether the call succeeded, the id of the process that still runs).

    None for what the output does not say. The output itself is not kept.

    >>> result_of("Chunk ID: 1\nProcess exited with code 0\nOutput:\nexited with code 1")
    (True, None)
    >>> result_of('{"output": "…", "metadata": {"exit_code": 2}}')
    (False, None)
    >>> result_of("Process running with session ID 4242")
    (None, '4242')
    """
    if isinstance(output, dict):
        success = output.get("success")
        return (success, None) if type(success) is bool else result_of(output.get("content"))
    if not isinstance(output, str):
        return None, None
    if output.startswith("{"):
        metadata = _arguments(output).get("metadata")
        code = metadata.get("exit_code") if isinstance(metadata, dict) else None
        return (code == 0, None) if type(code) is int else (None, None)
    head = output.split("\nOutput:", 1)[0][:2000]
    if (found := _EXIT_CODE.search(head)) is not None:
        return int(found[1]) == 0, None
    if (running := _RUNNING.search(head)) is not None:
        return None, running[1]
    return (False if head.startswith(_FAILED) else None), None


def patched_files(patch: str) -> Iterator[tuple[str, str]]:
    r"""(op, path) of each file that a patch names; a file that is moved is deleted and written.

    >>> list(patched_files("*** Update File: a.py\n*** Move to: b.py\n@@\n*** Add File: c.py"))
    [('delete', 'a.py'), ('write', 'b.py'), ('write', 'c.py')]
    """
    found = _PATCH_LINE.findall(patch)
    for (what, path), (after, _) in zip(found, [*found[1:], ("", "")], strict=False):
        if what == "Move to":
            yield "write", path
        else:
            yield "delete" if after == "Move to" else _PATCH_OPS[what], path


def _run(command: str, call: Call, caller: Caller) -> None:
    """The files that a command names, and those of a patch in it."""
    where = call.given.get("workdir")
    where = where if isinstance(where, str) and where else None
    if where is not None and caller.cwd is not None and not re.match(r"[/~\\]|[A-Za-z]:", where):
        where = f"{caller.cwd}/{where}"
    caller.shell(call.tool, _PATCH.sub(" ", command), call.call_id, where)
    for patch in _PATCH.findall(command):
        _patch(patch, call, caller, where)


def _patch(patch: str, call: Call, caller: Caller, cwd: str | None = None) -> None:
    for op, path in patched_files(patch):
        node = caller.sink.projects.node(path, cwd or caller.cwd, caller.base)
        caller.give(op, call.tool, node, "patch", call.call_id)


def _code(source: str, call: Call, caller: Caller) -> None:
    """JavaScript that calls the tools: its commands and patches."""
    for quoted in _COMMAND_IN_CODE.findall(source):
        command = quoted[1:-1]
        if quoted[0] == '"':
            try:
                command = json.loads(quoted, strict=False)
            except ValueError:
                command = quoted[1:-1]
        _run(command, call, caller)
    if "*** Begin Patch" in source and not _COMMAND_IN_CODE.search(source):
        _patch(source.replace("\\n", "\n"), call, caller)


def _command(given: dict[str, Any]) -> str:
    """The command line: ``cmd`` or ``command``, also as ``["bash", "-lc", line]``."""
    command = given.get("cmd") or given.get("command")
    if isinstance(command, list):
        words = [word for word in command if isinstance(word, str)]
        is_shell = len(words) == 3 and words[1] in ("-lc", "-c", "/c", "-Command")
        return words[2] if is_shell else " ".join(words)
    return _text(command)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _arguments(text: Any) -> dict[str, Any]:
    if isinstance(text, dict):
        return text
    try:
        found = json.loads(text, strict=False) if isinstance(text, str) else None
    except JSON_ERRORS:
        return {}
    return found if isinstance(found, dict) else {}
