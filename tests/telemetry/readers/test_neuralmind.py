"""NeuralMind events as touches."""

import json
import sqlite3
from pathlib import Path

import pytest

from hebb_lab.errors import InputError
from hebb_lab.telemetry.discover import read_log
from hebb_lab.telemetry.reader import ReadOptions

TINY = Path(__file__).parents[3] / "data" / "tiny" / "neuralmind"


def _log(path, *events):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    return path


def test_each_event_is_a_turn_of_its_own_with_its_strength_and_namespace():
    events = read_log(TINY).events
    rows = events.select("session", "turn", "tool", "op", "node", "node_kind").rows()
    one = "41@1772500000"
    assert rows == [
        (one, 1, "file", "edit", "beds/tomatoes.py", "file"),
        (one, 1, "file", "edit", "shed.py", "file"),
        (one, 2, "synapse", "read", "tomatoes_py", "memory"),
        (one, 2, "synapse", "read", "tomatoes_py__water", "memory"),
        (one, 2, "synapse", "read", "shed_py", "memory"),
        (one, 3, "transition", "read", "tomatoes_py", "memory"),
        (one, 3, "transition", "read", "shed_py", "memory"),
        (one, 3, "transition", "read", "README.md", "file"),
        ("7@1772500002", 1, "synapse", "read", "herbs_py", "memory"),
        ("41@1772502000", 1, "file", "edit", "shed.py", "file"),
    ]
    weights = events.select("strength", "namespace").unique(maintain_order=True).rows()
    assert [(round(s, 3), n) for s, n in weights] == [
        (1.0, "personal"), (0.8, "branch:main"), (0.5, "shared"),
    ]  # fmt: skip


def test_a_pause_of_half_an_hour_ends_a_session_and_another_process_is_another():
    assert read_log(TINY).report.sessions == 3


def test_query_events_and_unknown_events_are_counted():
    report = read_log(TINY).report
    assert report.skipped == {"query event, which names no node": 1}
    assert report.unknown == {"event type heartbeat": 1}
    assert report.calls == 5


def test_a_copy_of_the_log_adds_nothing(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "events.jsonl").write_bytes((TINY / "events.jsonl").read_bytes())
    report = read_log(tmp_path).report
    assert (report.events, report.duplicates) == (10, 5)


def test_files_are_named_from_the_project_in_which_the_log_lies(tmp_path):
    project = tmp_path / "garden"
    path = _log(
        project / ".neuralmind" / "events.jsonl",
        {"type": "file", "ts": 1e9, "_pid": 1, "paths": [f"{project}/beds/a.py"]},
    )
    assert read_log(path).events["node"].to_list() == ["beds/a.py"]


def test_files_are_named_by_tracked_paths_when_they_are_given(tmp_path):
    tracked = tmp_path / "tracked.txt"
    tracked.write_text("src/beds/a.py\n")
    path = _log(
        tmp_path / "events.jsonl",
        {"type": "file", "ts": 1e9, "paths": ["C:\\me\\src\\beds\\a.py", "/x/src/beds/a.py"]},
    )
    events = read_log(path, options=ReadOptions(tracked_paths=tracked)).events
    assert events["node"].to_list() == ["src/beds/a.py"] * 2


def test_only_query_events_are_an_error_not_a_result(tmp_path):
    query = {"event_type": "query", "timestamp": "2026-01-01T00:00:00+00:00", "query": "x"}
    with pytest.raises(InputError, match="query event, which names no node"):
        read_log(_log(tmp_path / "query_events.jsonl", query))


def _store(path):
    with sqlite3.connect(path) as store:
        store.execute("create table synapses (node_a text, node_b text, weight real)")
    return path


@pytest.mark.parametrize("reader", ["auto", "neuralmind"])
def test_a_store_is_refused_with_the_reason(tmp_path, reader):
    with pytest.raises(InputError, match="holds the state of a memory, not the history"):
        read_log(_store(tmp_path / "synapses.db"), reader)


def test_stores_do_not_keep_other_logs_from_being_read(tmp_path):
    _store(tmp_path / "synapses.db")
    (tmp_path / "t.tsv").write_text("time\tsession\tnode\n1\ts\ta.py\n")
    assert read_log(tmp_path).events["node"].to_list() == ["a.py"]


def test_a_store_beside_the_events_is_passed_over_and_named(tmp_path):
    store = _store(tmp_path / "synapses.db")
    (tmp_path / "events.jsonl").write_bytes((TINY / "events.jsonl").read_bytes())
    report = read_log(tmp_path).report
    assert report.events == 10
    assert "not the history" in report.files_skipped[str(store)]


def test_the_real_stores_are_refused(shared_data):
    with pytest.raises(InputError, match="not the history"):
        read_log(shared_data / "telemetry" / "neuralmind")


def test_odd_values_of_an_event_do_no_harm(tmp_path):
    path = _log(
        tmp_path / "events.jsonl",
        {
            "type": "synapse",
            "ts": None,
            "nodes": ["a", 3, "", None, "b"],
            "strength": "much",
            "namespace": 7,
        },
        {"type": "transition", "ts": 1e9, "pairs": [["a"], "x", [1, 2]]},
    )
    rows = read_log(path).events.select("time_us", "node", "strength", "namespace").rows()
    assert sorted(rows, key=str) == sorted(
        [(None, "a", 1.0, "personal"), (None, "b", 1.0, "personal"),
         (10**15, "a", 1.0, "personal")], key=str)  # fmt: skip
