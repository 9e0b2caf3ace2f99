"""No JSON value, wherever it stands, may stop a reader or cost a record beside it."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hebb_lab.telemetry.discover import read_log

CLAUDE = {
    "type": "assistant", "sessionId": "s", "uuid": "u", "parentUuid": "p", "cwd": "/gone/p",
    "isSidechain": False, "agentId": None, "isMeta": False, "timestamp": "2026-01-05T12:00:00.000Z",
    "data": {"type": "agent_progress", "agentId": "a", "message": {}},
    "message": {"role": "user", "content": [
        {"type": "tool_use", "id": "c", "name": "Read", "input": {"file_path": "/gone/p/a.py"}},
        {"type": "tool_result", "tool_use_id": "c", "is_error": False},
        {"type": "text", "text": "look at @a.py"},
    ]},
}  # fmt: skip
CODEX = {
    "type": "response_item", "timestamp": "2026-01-05T12:00:00.000Z", "record_type": None,
    "id": "i", "instructions": "",
    "payload": {
        "type": "function_call", "name": "view_image", "call_id": "c", "id": "i", "cwd": "/gone/p",
        "arguments": json.dumps({"path": "/gone/p/a.py"}), "role": "user", "namespace": None,
        "content": [{"text": "hello"}], "output": {"success": True, "content": ""},
        "input": "*** Begin Patch", "action": {"command": ["ls"], "working_directory": "/"},
        "changes": {"a.py": {"type": "update", "move_path": None}}, "success": True,
        "source": {"subagent": "x"}, "result": {"Ok": 1}, "message": "hello",
    },
}  # fmt: skip
COPILOT = {
    "type": "tool.execution_start", "id": "i", "parentId": None,
    "timestamp": "2026-01-05T12:00:00.000Z",
    "data": {
        "toolName": "view", "toolCallId": "c", "arguments": {"path": "/gone/a.py", "command": "x"},
        "parentToolCallId": None, "success": True, "sessionId": "s", "context": {"cwd": "/gone"},
        "input": {"cwd": "/gone"}, "content": "hello", "attachments": [{"path": "a.py"}],
        "toolRequests": [{"toolCallId": "c"}],
    },
}  # fmt: skip
NEURALMIND = {
    "type": "synapse", "nodes": ["a", "b"], "pairs": [["a", "b"]], "paths": ["/gone/a.py"],
    "ts": 1767615456.5, "_pid": 7, "namespace": "personal", "strength": 0.5, "event_type": None,
    "timestamp": 1,
}  # fmt: skip
GIT = {"sha": "abc", "t": 1767615456, "s": "subject", "f": [["M", "a.py"]]}
LOGS = {"claude_code": CLAUDE, "codex": CODEX, "copilot_cli": COPILOT, "neuralmind": NEURALMIND,
        "git": GIT}  # fmt: skip
KINDS = st.sampled_from((
    "assistant", "user", "progress", "summary", "session_meta", "turn_context", "response_item",
    "event_msg", "function_call", "custom_tool_call", "local_shell_call", "function_call_output",
    "message", "user_message", "patch_apply_end", "mcp_tool_call_end", "session.start",
    "hook.start", "user.message", "assistant.message", "tool.execution_complete", "transition",
    "file", "tool_use", "tool_result", "Bash", "exec", "exec_command", "apply_patch", "bash",
))  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | KINDS
    | st.sampled_from(("/" + "x" * 5000, "\x00", "\ud800", "1" * 5000, "~/\x00")),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(("type", "text", "content", "path", "cwd")), inner),
    max_leaves=6,
)  # fmt: skip
ODD = VALUES | st.sampled_from((json.loads("[" * 900 + "]" * 900), 10**400, ["x"], {"x": 1}))


def places_in(value, place=()):
    """Every key and index of a record, as the way to it."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in pairs:
        yield (*place, key)
        if isinstance(inner, dict | list):
            yield from places_in(inner, (*place, key))


def with_value(record, place, value):
    changed = json.loads(json.dumps(record))
    inner = changed
    for key in place[:-1]:
        if not isinstance(inner, dict | list):
            return changed
        inner = inner[key]
    if isinstance(inner, dict | list):
        inner[place[-1]] = value
    return changed


def good(record, name):
    """A record with ids of its own, which is surely read."""
    text = json.dumps(record)
    for old in ('"c"', '"abc"', '"a"'):
        text = text.replace(old, f'"{name}"')
    return json.loads(text)


@pytest.mark.parametrize("reader", LOGS)
@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_value_stops_a_reader_and_the_records_beside_it_are_read(tmp_path, reader, data):
    record = LOGS[reader]
    places = sorted(places_in(record), key=str)
    odd = with_value(record, data.draw(st.sampled_from(places)), data.draw(ODD))
    more = data.draw(st.sampled_from(places))
    odd = with_value(odd, more, data.draw(ODD)) if reaches(odd, more) else odd
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in
                            (good(record, "first"), odd, good(record, "last"))))  # fmt: skip
    log = read_log(tmp_path)
    assert log.report.reader == reader
    assert {1, 3} <= set(log.events["line"].to_list())
    path.write_text(json.dumps(odd) + "\n" + json.dumps(good(record, "last")) + "\n")
    assert 2 in read_log(tmp_path).events["line"].to_list()


def reaches(record, place):
    """Whether a place is still there after another was changed."""
    try:
        for key in place:
            inside, record = record, record[key]
    except (TypeError, LookupError):
        return False
    return isinstance(inside, dict | list)


@pytest.mark.parametrize("reader", LOGS)
@pytest.mark.parametrize("value", [["x"], {"x": 1}], ids=["list", "object"])
def test_a_list_or_an_object_in_any_place_costs_no_other_record(tmp_path, reader, value):
    record = LOGS[reader]
    odd = [with_value(good(record, f"odd{at}"), place, value)
           for at, place in enumerate(places_in(record))]  # fmt: skip
    lines = [*odd, good(record, "last")]
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert len(lines) in read_log(tmp_path).events["line"].to_list()
