"""What one call of Codex touches, and how it ended."""

import json

import pytest

from hebb_lab.telemetry.lines import Record
from hebb_lab.telemetry.naming import Projects
from hebb_lab.telemetry.readers.caller import Caller
from hebb_lab.telemetry.readers.codex.calls import call_of, give_touches, result_of
from hebb_lab.telemetry.report import ReadReport
from hebb_lab.telemetry.sink import EventSink

PATCH = "*** Begin Patch\n*** Update File: src/a.py\n@@\n*** End Patch"


@pytest.fixture
def caller(tmp_path) -> Caller:
    tracked = tmp_path / "tracked.txt"
    tracked.write_text("src/a.py\nsrc/b.py\n")
    caller = Caller(EventSink(ReadReport(), Projects(tracked_paths=tracked)), "r.jsonl", "s")
    caller.at(Record({}, 1, 0), "2026-03-01T10:00:00.000Z")
    caller.moved_to("/w")
    return caller


def _touched(caller, item):
    call = call_of(item)
    assert call is not None
    give_touches(call, caller)
    return caller.touched


def _function(name, arguments, **more):
    given = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"type": "function_call", "name": name, "call_id": "c", "arguments": given, **more}


@pytest.mark.parametrize(
    "item",
    [
        _function("exec_command", {"cmd": "cat src/a.py"}),
        _function("exec_command", {"cmd": "cat a.py", "workdir": "src"}),
        _function("exec_command", {"cmd": "cat a.py", "workdir": "/w/src"}),
        _function("shell_command", {"command": "cat src/a.py"}),
        _function("shell", {"command": ["bash", "-lc", "cat src/a.py"]}),
        _function("shell", {"command": ["cat", "src/a.py"]}),
        _function("shell", {"command": ["apply_patch", PATCH]}),
        _function("exec_command", {"cmd": f"apply_patch <<'EOF'\n{PATCH}\nEOF"}),
        _function("apply_patch", {"input": PATCH}),
        _function("view_image", {"path": "/w/src/a.py"}),
        _function("read_file", {"file_path": "/w/src/a.py"}),
        {"type": "custom_tool_call", "name": "apply_patch", "call_id": "c", "input": PATCH},
        {"type": "custom_tool_call", "name": "exec", "call_id": "c",
         "input": 'await tools.exec_command({"cmd": "cat \\"src/a.py\\"", "workdir": "/w"})'},
        {"type": "custom_tool_call", "name": "exec", "call_id": "c",
         "input": "tools.exec_command({cmd: 'cat src/a.py'})"},
        {"type": "custom_tool_call", "name": "exec", "call_id": "c",
         "input": f"tools.apply_patch({json.dumps(PATCH)})"},
        {"type": "local_shell_call", "call_id": "c",
         "action": {"command": ["cat", "a.py"], "working_directory": "/w/src"}},
    ],
)  # fmt: skip
def test_every_way_to_name_a_file_names_it(caller, item):
    assert _touched(caller, item) == {"src/a.py"}
    assert not caller.sink.report.unknown


@pytest.mark.parametrize(
    "item",
    [
        _function("exec_command", "{broken"),
        _function("exec_command", {"cmd": None}),
        _function("exec_command", ["cat"]),
        _function("update_plan", {"plan": "src/a.py"}),
        _function("write_stdin", {"chars": "src/a.py"}),
        _function("search", {"path": "src/a.py"}, namespace="mcp__wiki"),
        {"type": "custom_tool_call", "name": "apply_patch", "call_id": "c", "input": None},
        {"type": "web_search_call", "action": {"type": "search", "query": "src/a.py"}},
    ],
)
def test_what_names_no_file_touches_nothing(caller, item):
    assert _touched(caller, item) == set()


def test_an_opened_page_is_touched_without_what_may_be_secret(caller):
    item = {"type": "web_search_call", "action": {"url": "https://u:p@example.org/a?key=1"}}
    assert _touched(caller, item) == {"https://example.org/a"}


def test_what_is_no_call_is_none():
    assert call_of({"type": "message", "role": "user"}) is None


@pytest.mark.parametrize(
    ("output", "ok"),
    [
        ("Process exited with code 0\nOutput:\n", True),
        ("Exit code: 1\nWall time: 0 seconds\nOutput:\nExit code: 0", False),
        ('{"output":"","metadata":{"exit_code":0}}', True),
        ('{"output":""}', None),
        ("{broken", None),
        ({"content": "x", "success": False}, False),
        ({"content": "Process exited with code 0"}, True),
        ([{"type": "input_image"}], None),
        ("apply_patch verification failed: no such line", False),
        ("Plan updated", None),
        (None, None),
    ],
)
def test_how_a_call_ended_is_told_from_the_head_of_its_output(output, ok):
    assert result_of(output) == (ok, None)
