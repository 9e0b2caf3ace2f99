"""Codex rollouts as touches.

Differences to the touches that were extracted from the real rollouts before (1,678 by exec_command,
apply_patch and view_image; 1,641 here, 1,588 of them the same in time, tool, node and turn):

- 85 missing: the command is cut in the samples ("…[+439]"), the reference read it whole;
- 2 missing: the file is named in a here-document that bash runs; here-documents are cut out;
- 3 named otherwise: files outside the project (``ext:``), whose hash is of another spelling;
- 14 more: web pages that were opened (``web_search_call`` with a url);
- 36 more: words of commands that are tracked files without a dot or slash in their name
  (Dockerfile, node_modules, nested, manifest), in nine commands by chance, as a word of a text; and
  package.json and README.md of other projects, whose longest known suffix they are;
- ops: the reference calls all of a shell ``exec`` and all of a patch ``edit``; here a shell's op is
  guessed from the command, and a patch says what it adds and deletes;
- ok: known for 23 patches that were refused and for 14 commands that ended in a later output.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from hebb_lab.telemetry.discover import read_log
from hebb_lab.telemetry.heads import head_of
from hebb_lab.telemetry.reader import ReadOptions
from hebb_lab.telemetry.readers.codex import CodexReader
from tests.telemetry.readers import agentv

TINY = Path(__file__).parents[4] / "data" / "tiny" / "codex"
NEW = TINY / "rollout-2026-03-01T10-00-00-019f0000-0000-7000-8000-000000000001.jsonl"
OLD = TINY / "rollout-2025-05-01T09-00-00-019a0000-0000-7000-8000-000000000002.jsonl"


@pytest.fixture
def options(tmp_path) -> ReadOptions:
    """The paths of the garden in data/tiny."""
    tracked = tmp_path / "tracked.txt"
    tracked.write_text(
        "beds/tomatoes.py\nbeds/test_tomatoes.py\nbeds/herbs.py\nshed.py\nold.py\ntools/hose.py\n"
    )
    return ReadOptions(tracked_paths=tracked)


def _rollout(path, *lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def _line(kind, **payload):
    return {"timestamp": "2026-03-01T10:00:00.000Z", "type": kind, "payload": payload}


def _call(call_id, **arguments):
    return _line("response_item", type="function_call", name="exec_command", call_id=call_id,
                 arguments=json.dumps(arguments))  # fmt: skip


def test_commands_patches_and_images_are_touches_in_their_turns(options):
    log = read_log(NEW, options=options)
    rows = log.events.select("turn", "op", "tool", "node", "ok", "source", "line").rows()
    assert rows == [
        (1, "read", "exec_command", "beds/tomatoes.py", True, "shell", 7),
        (1, "edit", "apply_patch", "beds/tomatoes.py", True, "patch", 9),
        (1, "write", "apply_patch", "beds/herbs.py", True, "patch", 9),
        (1, "delete", "apply_patch", "shed.py", True, "patch", 9),
        (1, "write", "apply_patch", "tools/shed.py", True, "patch", 9),
        (1, "delete", "apply_patch", "old.py", True, "patch", 9),
        (1, "edit", "apply_patch", "README.md", True, "patch", 10),
        (2, "exec", "exec_command", "beds/test_tomatoes.py", False, "shell", 14),
        (2, "read", "view_image", "ext:f2da69cd.png", None, "arg", 18),
    ]
    assert set(log.events["session"]) == {"019f0000-0000-7000-8000-000000000001"}
    assert (log.report.calls, log.report.results_without_call) == (5, 1)
    assert log.report.unknown == {}


def test_the_format_of_before_mid_2025_is_read_with_the_time_of_its_start(options):
    events = read_log(OLD, options=options).events
    rows = events.select("turn", "op", "tool", "node", "ok", "source").rows()
    assert rows == [
        (1, "read", "shell", "shed.py", True, "shell"),
        (2, "edit", "shell", "shed.py", None, "patch"),
        (2, "read", "local_shell", "beds/herbs.py", None, "shell"),
    ]
    assert set(events["time_quality"]) == {"inferred"}
    assert set(events["time_us"]) == {1_746_090_000_123_000}


def test_both_formats_are_known_by_their_content(tmp_path):
    reader = CodexReader()
    assert reader.sniff(head_of(NEW))
    assert reader.sniff(head_of(OLD))
    other = tmp_path / "x.jsonl"
    other.write_text('{"type":"user","sessionId":"s"}\n{"id":1,"timestamp":"x","type":"a"}\n')
    assert not reader.sniff(head_of(other))


def test_nothing_of_an_output_or_of_a_prompt_is_stored(options):
    events = read_log(TINY, options=options).events
    text = str(events.drop("file").to_dicts())
    for secret in ("Process exited", "water the tomatoes", "Success", "look at"):
        assert secret not in text
    assert events["query_sha256"].null_count() == 0


def test_a_prompt_is_counted_once_whether_an_event_tells_it_or_not(tmp_path, options):
    said = _line("response_item", type="message", role="user", content=[
        {"type": "input_text", "text": "one"}])  # fmt: skip
    event = _line("event_msg", type="user_message", message="one")
    meta = _line("session_meta", id="s", cwd="/w")
    for lines in ((said, event), (event, said), (said,), (event,)):
        path = _rollout(tmp_path / "r.jsonl", meta, *lines, _call("c", cmd="cat shed.py"))
        assert read_log(path, options=options).events["turn"].to_list() == [1], lines


def test_a_fork_repeats_no_call_and_keeps_its_own_session(tmp_path, options):
    parent = _line("session_meta", id="parent", cwd="/w")
    child = _line("session_meta", id="child", forked_from_id="parent", cwd="/w")
    _rollout(tmp_path / "rollout-1.jsonl", parent, _call("c1", cmd="cat shed.py"))
    _rollout(tmp_path / "rollout-2.jsonl", child, parent, _call("c1", cmd="cat shed.py"),
             _call("c2", cmd="cat old.py"))  # fmt: skip
    log = read_log(tmp_path, options=options)
    assert log.events.select("session", "node").rows() == [
        ("parent", "shed.py"), ("child", "old.py"),
    ]  # fmt: skip
    assert log.report.duplicates == 1


def test_what_compaction_repeats_is_not_counted(tmp_path, options):
    again = {"type": "function_call", "name": "exec_command", "call_id": "c9", "arguments": "{}"}
    path = _rollout(tmp_path / "r.jsonl", _call("c1", cmd="cat shed.py"),
                    _line("compacted", replacement_history=[again]))  # fmt: skip
    assert read_log(path, options=options).report.calls == 1


def test_a_subagent_is_told_from_the_user(tmp_path, options):
    meta = _line("session_meta", id="sub", cwd="/w", source={"subagent": {"thread_spawn": {}}})
    log = read_log(
        _rollout(tmp_path / "r.jsonl", meta, _call("c", cmd="cat shed.py")), options=options
    )
    assert log.events["agent"].to_list() == ["sub"]
    assert log.report.subagent_calls == 1


def test_unknown_lines_items_events_and_tools_are_counted_by_name(tmp_path, options):
    path = _rollout(
        tmp_path / "r.jsonl", _call("c", cmd="cat shed.py"), _line("novelty", a=1),
        _line("response_item", type="telepathy"), _line("event_msg", type="zap"),
        _line("response_item", type="function_call", name="fly", call_id="d", arguments="{}"),
    )  # fmt: skip
    assert read_log(path, options=options).report.unknown == {
        "line type novelty": 1, "item type telepathy": 1, "event type zap": 1, "tool fly": 1,
    }  # fmt: skip


def test_broken_lines_are_skipped_with_their_place_and_the_rest_is_read(tmp_path, options):
    path = tmp_path / "r.jsonl"
    whole = json.dumps(_call("c", cmd="cat shed.py"))
    path.write_text(
        f'{whole}\n{{"timestamp":"x","type":"resp\n{json.dumps(_call("d", cmd="cat old.py"))}'
    )
    log = read_log(path, options=options)
    assert log.events["node"].to_list() == ["shed.py", "old.py"]
    assert log.report.examples == {"broken record": [f"{path}:2"]}


def test_the_real_rollouts_give_the_touches_of_the_reference_but_for_known_causes(shared_data):
    log = read_log(shared_data / "telemetry" / "codex", options=agentv.options(shared_data))
    wanted, turns = agentv.reference(shared_data, {"exec_command", "apply_patch", "view_image"})
    found, own_turns = agentv.touches_of(log.events)
    assert (wanted.total(), found.total(), (wanted & found).total()) == (1678, 1641, 1588)

    lines = agentv.lines_at(shared_data / "telemetry" / "codex" / "agentv")
    causes = Counter()
    for time, _, node in (wanted - found).elements():
        causes["named otherwise" if node.startswith("ext:") else "cut" if "…[+" in lines[time]
               else "not known"] += 1  # fmt: skip
        if "bash -euo pipefail <<'EOF'" in lines[time]:
            causes["here-document"] += 1
    assert causes == {"cut": 87, "named otherwise": 3, "here-document": 2}
    extra = Counter(tool for _, tool, _ in (found - wanted).elements())
    assert extra == {"web_search": 14, "apply_patch": 3, "exec_command": 36}

    both = wanted.keys() & found.keys()
    pairs = {(turns[touch], own_turns[touch]) for touch in both}
    assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
    assert {a.split("/")[1] == b.split("/")[1] for a, b in pairs} == {True}


def test_the_report_on_the_real_rollouts_accounts_for_every_call(shared_data):
    report = read_log(
        shared_data / "telemetry" / "codex", options=agentv.options(shared_data)
    ).report
    assert (report.files_read, report.lines_read, report.sessions) == (20, 17705, 20)
    assert report.calls == 3506 + 389 + 21 + 163 + 32 + 11 + 17  # and 17 calls of other tools
    assert report.results_without_call == 0
    assert not report.skipped
    assert not report.unknown
