import hashlib
from pathlib import Path

import pytest

from hebb_lab.errors import InputError
from hebb_lab.records import EVENT_SCHEMA
from hebb_lab.telemetry import sink as sink_module
from hebb_lab.telemetry.naming import Projects
from hebb_lab.telemetry.report import ReadReport
from hebb_lab.telemetry.sink import EventSink

PLACE = {"tool": "Read", "op": "read", "source": "arg", "byte": 0}


def make_sink(**options) -> EventSink:
    return EventSink(ReadReport(reader="test"), Projects(), **options)


def touch(sink, session="s", node="a.py", time_us=1, file="f", line=1, **more):
    quality = "none" if time_us is None else "exact"
    sink.touch(session=session, node=node, time_us=time_us, time_quality=quality, file=file,
               line=line, **{**PLACE, **more})  # fmt: skip


def names(log) -> list[str]:
    return log.events["node"].to_list()


def test_the_log_has_exactly_the_schema_of_the_records():
    sink = make_sink()
    touch(sink)
    assert dict(sink.finish(Path("p")).events.schema) == EVENT_SCHEMA


def test_a_call_counts_once_and_its_result_may_come_before_or_after():
    sink = make_sink()
    sink.result("early", True)
    assert sink.call("early")
    touch(sink, call_id="early")
    assert sink.call("late", subagent=True)
    touch(sink, call_id="late")
    sink.result("late", False)
    sink.result("late", True)
    assert not sink.call("late")
    assert sink.call("open")
    touch(sink, call_id="open")
    assert sink.call(None)
    assert sink.call(None)
    sink.result("never called", True)
    log = sink.finish(Path("p"))
    assert log.events["ok"].to_list() == [True, False, None]
    report = log.report
    assert (report.calls, report.duplicates, report.subagent_calls) == (5, 1, 1)
    assert (report.calls_without_result, report.results_without_call) == (1, 1)
    assert report.calls_with_node == 3
    assert report.touch_share == 0.6


def test_ok_that_is_given_with_the_touch_holds():
    sink = make_sink()
    sink.call("c")
    touch(sink, call_id="c", ok=True)
    sink.result("c", False)
    assert sink.finish(Path("p")).events["ok"].to_list() == [True]


def test_of_a_prompt_only_the_hash_is_kept_unless_asked():
    prompt = "fix it \ud83d please"
    for keep in (False, True):
        sink = make_sink(keep_prompts=keep)
        touch(sink, query=prompt)
        touch(sink, query=None)
        events = sink.finish(Path("p")).events
        expected = hashlib.sha256(b"fix it ? please").hexdigest()
        assert events["query_sha256"].to_list() == [expected, None]
        assert events["query"].to_list() == ["fix it ? please" if keep else None, None]


def test_sessions_come_by_their_first_time_and_files_keep_their_order():
    sink = make_sink()
    touch(sink, "late", "l1", 500)
    touch(sink, "no clock", "n1", None)
    touch(sink, "early", "e1", 100)
    touch(sink, "early", "e2", 90)  # the clock goes back: the order of the file holds
    touch(sink, "late", "l0", 400)
    touch(sink, "early", "e3", None)
    assert names(sink.finish(Path("p"))) == ["e1", "e2", "e3", "l1", "l0", "n1"]


def test_the_files_of_one_session_are_merged_by_time():
    sink = make_sink()
    for node, time in (("m1", 10), ("m2", 40), ("m3", 35), ("m4", 60)):
        touch(sink, "s", node, time, file="main")
    for node, time in (("a1", None), ("a2", 20), ("a3", 50)):
        touch(sink, "s", node, time, file="agent")
    assert names(sink.finish(Path("p"))) == ["m1", "a1", "a2", "m2", "m3", "a3", "m4"]


def test_steps_back_are_counted_in_a_file_and_times_to_come_against_the_present():
    sink = make_sink()
    for time in (10, 40, 15, None, 30, 20):
        touch(sink, "s", time_us=time)
    touch(sink, "s", time_us=1, file="other")
    report = sink.finish(Path("p"), now_us=25).report
    assert (report.clock_steps_back, report.clock_largest_step_back_us) == (2, 25)
    assert report.times_in_future == 2
    assert report.time_quality == {"exact": 6, "none": 1}
    assert (report.first_time_us, report.last_time_us) == (1, 40)


def test_a_present_before_everything_is_wrong_itself():
    sink = make_sink()
    touch(sink, time_us=100)
    assert sink.finish(Path("p"), now_us=5).report.times_in_future == 0


def test_two_projects_in_one_log_are_named():
    sink = make_sink()
    touch(sink, cwd="/gone/one")
    touch(sink, cwd="/gone/two")
    touch(sink, cwd="/gone/two")
    report = sink.finish(Path("p")).report
    assert report.projects == {"/gone/one": 1, "/gone/two": 2}
    assert "/gone/two (2), /gone/one (1)" in report.warnings[0]


def test_a_log_without_touches_is_an_error_that_says_what_was_seen():
    sink = make_sink()
    sink.report.files_read, sink.report.lines_read = 3, 120
    sink.report.unknown["tool Frobnicate"] = 7
    sink.report.skip("broken record", "f", 1)
    sink.call("c")
    with pytest.raises(InputError) as error:
        sink.finish(Path("logs"))
    for part in ("logs", "3 files", "120 lines", "1 tool calls", "test", "Frobnicate", "broken"):
        assert part in str(error.value)


def test_chunks_do_not_show(monkeypatch):
    def content():
        sink = make_sink()
        for i in range(25):
            sink.call(f"c{i}")
            touch(sink, f"s{i % 3}", f"n{i}", 100 - i, call_id=f"c{i}", line=i)
        return sink.finish(Path("p"))

    whole = content()
    monkeypatch.setattr(sink_module, "CHUNK_ROWS", 4)
    assert content().events.equals(whole.events)
    assert content().sha256() == whole.sha256()


def test_a_record_that_a_reader_cannot_use_is_counted_with_its_place_and_the_rest_is_read(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("".join(f'{{"at": {at}}}\n' for at in range(8)))
    errors = [TypeError, ValueError, AttributeError, KeyError, OverflowError, RecursionError]
    used = []

    def use(record):
        if record.obj["at"] < len(errors):
            raise errors[record.obj["at"]]
        used.append(record.line)

    sink = make_sink()
    sink.each(path, use)
    assert used == [7, 8]
    assert sink.report.skipped == {"unexpected shape": 6}
    assert sink.report.examples["unexpected shape"][0] == f"{path}:1"


def test_an_error_of_the_user_is_not_taken_for_a_record_of_odd_shape(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("{}\n")

    def use(record):
        raise InputError("no such list", "Check it")

    with pytest.raises(InputError, match="no such list"):
        make_sink().each(path, use)


def test_few_touches_are_warned_of_once():
    sink = make_sink()
    for call in range(10):
        sink.call(str(call))
    touch(sink, call_id="3")
    assert [said[:8] for said in sink.finish(Path("p")).report.warnings] == ["only 10%"]


def test_where_tracked_paths_are_given_it_is_said_how_many_paths_are_not_among_them(tmp_path):
    path = tmp_path / "paths.txt"
    path.write_text("a.py\n")
    sink = EventSink(ReadReport(reader="codex"), Projects(tracked_paths=path))
    for call in range(10):
        sink.call(str(call))
    for name in ("a.py", "b.py"):
        touch(sink, node=sink.projects.node(name, "/gone").name, call_id="3")
    (said,) = sink.finish(Path("p")).report.warnings
    assert "of the 2 paths that calls name 1 are not among the tracked paths" in said
    assert "give dataset.tracked_paths" not in said


def test_a_file_that_was_read_in_part_is_warned_of():
    sink = make_sink()
    sink.report.files_skipped["a.gz"] = "gzip archive that ends too early, read in part"
    touch(sink)
    (said,) = sink.finish(Path("p")).report.warnings
    assert said == "1 file read in part: a.gz: gzip archive that ends too early"
