"""Tables as touches."""

import polars as pl
import pytest

from hebb_lab.errors import InputError
from hebb_lab.records import EVENT_SCHEMA
from hebb_lab.telemetry.discover import read_log

COLUMNS = ["time_us", "time_quality", "session", "agent", "turn", "call_id", "op", "tool", "node",
           "node_kind", "ok", "source", "strength", "namespace"]  # fmt: skip


def _write(path, *rows):
    path.write_text("".join("\t".join(row) + "\n" for row in rows))
    return path


def test_three_columns_are_enough(tmp_path):
    path = _write(tmp_path / "t.tsv", ("time", "session", "node"), ("1767615456", "s", "a.py"))
    row = read_log(path).events.row(0, named=True)
    expected = {"time_us": 1_767_615_456_000_000, "time_quality": "second", "session": "s",
                "agent": "main", "turn": 0, "call_id": None, "op": "read", "node": "a.py",
                "node_kind": "file", "ok": None, "source": "table", "strength": 1.0,
                "namespace": "personal", "query": None, "line": 2, "byte": 18}  # fmt: skip
    assert {name: row[name] for name in expected} == expected


def test_every_column_that_a_table_may_have_is_kept(tmp_path):
    path = _write(
        tmp_path / "t.tsv",
        ("ts", "session", "agent", "turn", "call", "op", "tool", "node", "ok", "src", "strength",
         "namespace"),
        ("2026-01-05T12:17:36.209Z", "s", "sub1", "3", "c", "edit", "Edit", "dir:src", "0", "arg",
         "0.5", "shared"),
    )  # fmt: skip
    assert read_log(path).events.select(COLUMNS).row(0) == (
        1_767_615_456_209_000, "exact", "s", "sub1", 3, "c", "edit", "Edit", "dir:src", "dir",
        False, "arg", 0.5, "shared",
    )  # fmt: skip


def test_rows_that_cannot_be_used_are_counted_with_their_place_and_the_rest_is_read(tmp_path):
    path = _write(
        tmp_path / "t.tsv", ("time", "session", "node", "turn", "strength"),
        ("noon", "s", "a", "1", ""), ("1", "", "a", "1", ""), ("1", "s", " ", "1", ""),
        ("1", "s", "a", "-1", ""), ("1", "s", "a", "1", "much"), ("1", "s", "a", "1", "2"),
    )  # fmt: skip
    report = read_log(path).report
    assert report.events == 1
    assert report.examples == {
        "time that cannot be read": [f"{path}:2"], "empty session": [f"{path}:3"],
        "empty node": [f"{path}:4"], "turn that cannot be read": [f"{path}:5"],
        "strength that cannot be read": [f"{path}:6"],
    }  # fmt: skip


def test_a_missing_column_is_an_error_that_names_file_found_and_wanted(tmp_path):
    path = _write(tmp_path / "t.tsv", ("when", "session", "node"), ("1", "s", "a"))
    with pytest.raises(InputError) as error:
        read_log(path, "table")
    assert str(path) in str(error.value)
    assert "no column named time; its columns are: when, session, node" in str(error.value)
    assert "Name the columns in the first line: time, session, node" in str(error.value)


def test_a_parquet_file_without_the_columns_is_an_error_too(tmp_path):
    pl.DataFrame({"x": [1]}).write_parquet(tmp_path / "t.parquet")
    with pytest.raises(InputError, match="no column named time or session or node"):
        read_log(tmp_path / "t.parquet", "table")


def test_empty_times_are_allowed_and_have_no_quality(tmp_path):
    path = _write(tmp_path / "t.tsv", ("time", "session", "node"), ("", "s", "b"), ("", "s", "a"))
    log = read_log(path)
    assert log.events.select("time_us", "time_quality", "node").rows() == [
        (None, "none", "b"), (None, "none", "a"),
    ]  # fmt: skip
    assert log.report.time_quality == {"none": 2}


def test_a_csv_and_a_parquet_table_give_the_touches_of_the_tsv(tmp_path):
    frame = pl.DataFrame({"time": ["2026-01-05T12:17:36Z", "2026-01-05T12:17:37Z"],
                          "session": ["s", "s"], "node": ["a,b.py", "c.py"]})  # fmt: skip
    frame.write_csv(tmp_path / "t.csv")
    frame.write_csv(tmp_path / "t.tsv", separator="\t")
    times = frame.with_columns(pl.col("time").str.to_datetime(time_zone="UTC"))
    times.write_parquet(tmp_path / "t.parquet")
    logs = [read_log(tmp_path / name).events for name in ("t.csv", "t.tsv", "t.parquet")]
    rows = [log.select("time_us", "session", "node").rows() for log in logs]
    assert rows[0] == rows[1] == rows[2]


def test_a_saved_event_log_is_read_back_as_it_was(tmp_path):
    path = _write(
        tmp_path / "t.tsv", ("ts", "session", "call", "op", "node", "ok", "src"),
        ("2026-01-05T12:17:36.209Z", "s", "c", "edit", "a", "1", "arg"),
        ("2026-01-05T12:17:37Z", "s", "d", "read", "ext:1", "", "shell"), ("", "t", "", "", "b"),
    )  # fmt: skip
    first = read_log(path)
    first.events.write_parquet(tmp_path / "log.parquet")
    again = read_log(tmp_path / "log.parquet")
    assert again.sha256() == first.sha256()
    assert again.events.schema == EVENT_SCHEMA
    assert again.report.warnings == []


def test_unknown_values_are_counted_and_unused_columns_named(tmp_path):
    path = _write(tmp_path / "t.tsv", ("time", "session", "node", "op", "ok", "colour"),
                  ("1", "s", "a", "smell", "maybe", "red"))  # fmt: skip
    log = read_log(path)
    assert log.events.select("op", "ok").row(0) == ("read", None)
    assert log.report.unknown == {"'smell', read as read": 1, "ok 'maybe'": 1}
    assert any("columns that are not used: colour" in said for said in log.report.warnings)


def test_rows_of_one_call_are_one_call_and_ordinals_of_sessions_are_told_apart(tmp_path):
    path = _write(
        tmp_path / "t.tsv", ("time", "session", "call", "node"),
        ("1", "s", "1", "a"), ("1", "s", "1", "b"), ("2", "t", "1", "a"), ("3", "t", "", "a"),
    )  # fmt: skip
    report = read_log(path).report
    assert (report.calls, report.calls_with_node, report.duplicates) == (3, 3, 0)


def test_the_row_order_of_a_session_holds_when_its_clock_goes_back(tmp_path):
    path = _write(tmp_path / "t.tsv", ("time", "session", "node"),
                  ("20", "s", "a"), ("10", "s", "b"), ("30", "s", "c"))  # fmt: skip
    log = read_log(path)
    assert log.events["node"].to_list() == ["a", "b", "c"]
    assert log.report.clock_steps_back == 1


def test_a_header_without_rows_is_an_error_not_a_result(tmp_path):
    with pytest.raises(InputError, match="the table holds a header and no row"):
        read_log(_write(tmp_path / "t.tsv", ("time", "session", "node")))


@pytest.mark.parametrize(
    ("name", "touches", "sessions"),
    [("agentv", 1740, 24), ("entire_cli", 14889, 272), ("mini_swe_django", 4768, 231)],
)
def test_the_extracted_touches_of_real_logs_are_read_whole(shared_data, name, touches, sessions):
    report = read_log(shared_data / "telemetry" / "events" / f"{name}.tsv").report
    assert (report.events, report.sessions, dict(report.skipped)) == (touches, sessions, {})
    assert report.unknown == {}


def test_an_empty_table_beside_another_is_named_and_the_other_is_read(tmp_path):
    header = ("time", "session", "node")
    empty = _write(tmp_path / "a.tsv", header)
    with pytest.raises(InputError, match="a header and no row"):
        read_log(tmp_path)
    _write(tmp_path / "b.tsv", header, ("1", "s", "a"))
    report = read_log(tmp_path).report
    assert report.events == 1
    assert report.files_skipped == {str(empty): "the table holds a header and no row"}


@pytest.mark.parametrize("reader", ["auto", "table"])
def test_a_parquet_file_that_is_cut_off_or_damaged_is_said_to_be_so(tmp_path, reader):
    path = tmp_path / "t.parquet"
    frame = pl.DataFrame({"time": range(500), "session": "s", "node": map(str, range(500))})
    frame.write_parquet(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="Parquet file is damaged or cut off") as error:
        read_log(path, reader)
    assert "copy it again" in error.value.cure
    path.write_bytes(whole[:4] + bytes(60) + whole[64:])
    with pytest.raises(InputError, match="Parquet file is damaged or cut off") as error:
        read_log(path, reader)
    assert "copy it again" in error.value.cure


def test_a_parquet_table_without_the_columns_is_not_called_damaged(tmp_path):
    pl.DataFrame({"x": [1]}).write_parquet(tmp_path / "t.parquet")
    with pytest.raises(InputError, match="without the columns time, session and node"):
        read_log(tmp_path)


def test_a_cell_that_is_not_utf_8_is_kept_with_a_sign_and_counted(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_bytes(b"time\tsession\tnode\n1767615456\ts\tcaf\xe9.py\n1767615457\ts\tb.py\n")
    log = read_log(path)
    assert log.events["node"].to_list() == ["caf\ufffd.py", "b.py"]
    assert log.report.lines_salvaged == 1
    assert log.report.examples == {"bytes that are not UTF-8, replaced": [f"{path}:2"]}
