"""Who calls tools, where and when."""

import pytest

from hebb_lab.telemetry.lines import Record
from hebb_lab.telemetry.naming import Node, Projects
from hebb_lab.telemetry.readers.caller import Caller
from hebb_lab.telemetry.report import ReadReport
from hebb_lab.telemetry.sink import EventSink


@pytest.fixture
def caller(tmp_path) -> Caller:
    tracked = tmp_path / "tracked.txt"
    tracked.write_text("src/a.py\nsrc/b.py\n")
    caller = Caller(EventSink(ReadReport(), Projects(tracked_paths=tracked)), "log", "s")
    caller.moved_to("/w")
    caller.at(Record({}, 7, 99), "2026-03-01T10:00:00.250Z")
    return caller


def _rows(caller, *columns):
    return caller.sink.finish(caller.file).events.select(columns).rows()


def test_a_touch_has_the_place_and_time_of_its_record_and_the_turn_of_its_prompt(caller):
    caller.prompted("go")
    caller.call("c")
    caller.path("read", "view", "/w/src/a.py", "c")
    columns = ("session", "turn", "call_id", "node", "line", "byte", "time_us", "time_quality")
    assert _rows(caller, *columns) == [
        ("s", 1, "c", "src/a.py", 7, 99, 1_772_359_200_250_000, "exact"),
    ]  # fmt: skip


def test_files_that_a_prompt_names_with_an_at_sign_are_touched_once(caller):
    caller.prompted('see @src/a.py and @"src/b.py", @src/a.py. mail me@src/b.py or @nobody')
    assert _rows(caller, "op", "node", "turn") == [
        ("mention", "src/a.py", 1), ("mention", "src/b.py", 1),
    ]  # fmt: skip


def test_the_project_as_a_whole_and_an_empty_path_are_no_node(caller):
    caller.path("list", "ls", " ", None)
    caller.give("list", "ls", Node("dir:.", "dir"), "arg", None)
    assert caller.touched == set()


def test_a_call_that_was_seen_before_is_not_new_and_one_without_an_id_always_is(caller):
    assert [caller.call("c"), caller.call("c"), caller.call(None), caller.call(3)] == [
        True, False, True, True,
    ]  # fmt: skip
    assert (caller.sink.report.calls, caller.sink.report.duplicates) == (3, 1)


def test_a_command_runs_in_the_directory_that_it_names_or_in_that_of_the_session(caller):
    caller.shell("bash", "cat a.py", "c", "/w/src")
    caller.moved_to("/w/src")
    caller.shell("bash", "cat b.py", "d")
    assert _rows(caller, "node", "call_id") == [("src/a.py", "c"), ("src/b.py", "d")]


def test_the_first_directory_of_a_session_stays_its_base(caller):
    caller.moved_to("/w/src")
    caller.moved_to(None)
    assert (caller.base, caller.cwd) == ("/w", "/w/src")


def test_a_command_without_a_repository_at_hand_is_counted_as_a_loss(caller):
    blind = Caller(EventSink(ReadReport(), Projects()), "log", "s")
    blind.moved_to("/nowhere/at/all")
    blind.shell("bash", "cat src/a.py", "c")
    caller.shell("bash", "cat src/a.py", "c")
    assert [sum(each.sink.report.skipped.values()) for each in (blind, caller)] == [1, 0]
    assert "set dataset.repo or dataset.tracked_paths" in next(iter(blind.sink.report.skipped))
