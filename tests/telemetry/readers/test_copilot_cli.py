"""Copilot CLI sessions as touches.

Differences to the touches that were extracted from the real sessions before (49 by bash, view, edit
and create; 45 here, all the same in time, tool, node and turn): 4 missing, because the command is
cut in the samples; a shell's op is guessed from the command, the reference calls it ``exec``.
"""

import json
from pathlib import Path

import pytest

from hebb_lab.telemetry.discover import read_log
from hebb_lab.telemetry.heads import head_of
from hebb_lab.telemetry.reader import ReadOptions
from hebb_lab.telemetry.readers.copilot_cli import CopilotCliReader
from tests.telemetry.readers import agentv

TINY = Path(__file__).parents[3] / "data" / "tiny" / "copilot_cli"
SESSION = "6f1e2d3c-0000-4000-8000-000000000001"


@pytest.fixture
def options(tmp_path) -> ReadOptions:
    tracked = tmp_path / "tracked.txt"
    tracked.write_text("beds/herbs.py\nshed.py\nREADME.md\n")
    return ReadOptions(tracked_paths=tracked)


def _events(path, *events):
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        {
            "id": str(number),
            "parentId": None,
            "timestamp": "2026-03-01T10:00:00.000Z",
            "type": kind,
            "data": data,
        }
        for number, (kind, data) in enumerate(events)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def _start(call_id, tool, **arguments):
    return "tool.execution_start", {
        "toolCallId": call_id, "toolName": tool, "arguments": arguments,
    }  # fmt: skip


def test_executed_calls_and_attachments_are_touches_in_their_turns(options):
    log = read_log(TINY, options=options)
    rows = log.events.select("session", "turn", "op", "tool", "node", "ok").rows()
    assert rows == [
        (SESSION, 1, "mention", "attachment", "README.md", None),
        (SESSION, 1, "read", "view", "shed.py", True),
        (SESSION, 1, "edit", "edit", "shed.py", True),
        (SESSION, 2, "write", "create", "test_shed.py", True),
        (SESSION, 2, "search", "grep", "dir:beds", None),
    ]
    assert log.report.unknown == {}


def test_a_call_that_never_started_is_a_call_without_a_result_and_touches_nothing(options):
    log = read_log(TINY, options=options)
    assert (log.report.calls, log.report.calls_without_result) == (6, 2)
    assert "t6" not in log.events["call_id"]


def test_a_copy_without_its_start_takes_the_session_from_its_folder(tmp_path, options):
    path = _events(
        tmp_path / SESSION / "events.jsonl",
        ("user.message", {"content": "x"}),
        _start("t", "view", path="/w/shed.py"),
    )
    assert read_log(path, options=options).events["session"].to_list() == [SESSION]


def test_a_call_in_two_copies_is_read_once(tmp_path, options):
    for name in ("a", "b"):
        _events(tmp_path / name / "events.jsonl", _start("t", "view", path="/w/shed.py"))
    report = read_log(tmp_path, options=options).report
    assert (report.events, report.duplicates) == (1, 1)


@pytest.mark.parametrize(
    ("tool", "arguments", "touched"),
    [
        ("str_replace_editor", {"command": "view", "path": "/w/shed.py"}, ("read", "shed.py")),
        (
            "str_replace_editor",
            {"command": "str_replace", "path": "/w/shed.py"},
            ("edit", "shed.py"),
        ),
        ("powershell", {"command": "Get-Content shed.py"}, ("read", "shed.py")),
        ("web_fetch", {"url": "https://example.org/a?key=1"}, ("web", "https://example.org/a")),
    ],
)
def test_other_tools_that_name_something_touch_it(tmp_path, options, tool, arguments, touched):
    path = _events(tmp_path / "events.jsonl", ("session.start", {"sessionId": "s"}),
                   _start("t", tool, **arguments))  # fmt: skip
    assert read_log(path, options=options).events.select("op", "node").row(0) == touched


def test_unknown_events_and_tools_are_counted_by_name(tmp_path, options):
    path = _events(tmp_path / "events.jsonl", _start("t", "view", path="/w/shed.py"),
                   _start("u", "fly"), ("novelty", {}), ("tool.execution_start", None))  # fmt: skip
    unknown = read_log(path, options=options).report.unknown
    assert unknown == {"tool fly": 1, "event type novelty": 1, "tool None": 1}


def test_a_subagents_calls_are_told_apart(tmp_path, options):
    kind, data = _start("t", "view", path="/w/shed.py")
    path = _events(tmp_path / "events.jsonl", (kind, data | {"parentToolCallId": "task1"}))
    log = read_log(path, options=options)
    assert (log.events["agent"].item(), log.report.subagent_calls) == ("task1", 1)


def test_the_format_is_known_by_its_content(tmp_path):
    reader = CopilotCliReader()
    assert reader.sniff(head_of(TINY / SESSION / "events.jsonl"))
    other = tmp_path / "events.jsonl"
    other.write_text('{"type":"synapse","ts":1,"nodes":[]}\n{"type":"user.x","data":{},"id":1}\n')
    assert not reader.sniff(head_of(other))


def test_the_real_sessions_give_the_touches_of_the_reference_but_for_cut_commands(shared_data):
    log = read_log(shared_data / "telemetry" / "copilot_cli", options=agentv.options(shared_data))
    wanted, turns = agentv.reference(shared_data, {"bash", "view", "edit", "create"})
    found, own_turns = agentv.touches_of(log.events)
    assert (wanted.total(), found.total(), (wanted & found).total()) == (49, 45, 45)
    lines = agentv.lines_at(shared_data / "telemetry" / "copilot_cli" / "agentv")
    assert all("…[+" in lines[time] for time, _, _ in (wanted - found).elements())
    pairs = {(turns[touch], own_turns[touch]) for touch in found}
    assert {a.split("/")[1] == b.split("/")[1] for a, b in pairs} == {True}
    assert (log.report.lines_read, log.report.unknown, log.report.skipped) == (1171, {}, {})
