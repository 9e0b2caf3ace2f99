"""Rows of text and Parquet files."""

import gzip
from datetime import UTC, datetime

import polars as pl
import pytest

from hebb_lab.errors import InputError
from hebb_lab.telemetry.naming import Projects
from hebb_lab.telemetry.readers.table import rows as table_rows
from hebb_lab.telemetry.readers.table.rows import (
    MAX_CELL_LINES,
    header_of,
    parquet_rows,
    text_rows,
)
from hebb_lab.telemetry.report import ReadReport
from hebb_lab.telemetry.sink import EventSink


@pytest.fixture
def sink() -> EventSink:
    return EventSink(ReadReport(), Projects())


def _rows(path, text, sink, columns=("a", "b")):
    path.write_bytes(text)
    return [(*row.cells.values(), row.line, row.byte) for row in
            text_rows(path, {name: name for name in columns}, sink)]  # fmt: skip


def test_the_separator_is_the_one_that_the_header_uses_most():
    assert header_of(b"a,b\tc\td") == (["a,b", "c", "d"], "\t")
    assert header_of(b"a;b;c,d\r\n") == (["a", "b", "c,d"], ";")
    assert header_of(b'\xef\xbb\xbf"a b",c\n')[0] == ["a b", "c"]
    assert header_of(b"no columns")[0] == []
    assert header_of(b"a,b\rc,d")[0] == []


def test_each_row_knows_its_line_and_byte_also_after_a_cell_of_several_lines(tmp_path, sink):
    found = _rows(tmp_path / "t.csv", b'a,b\r\n1,"x\r\ny"\r\n2,z\r\n', sink)
    assert found == [("1", "x\r\ny", 2, 5), ("2", "z", 4, 15)]


def test_a_quote_in_a_tsv_cell_does_not_swallow_the_lines_after_it(tmp_path, sink):
    found = _rows(tmp_path / "t.tsv", b'a\tb\n1\t"open\n2\t"say ""hi"""\n', sink)
    assert found == [("1", '"open', 2, 4), ("2", 'say "hi"', 3, 12)]


def test_short_rows_are_filled_empty_rows_passed_over_and_long_rows_counted(tmp_path, sink):
    found = _rows(tmp_path / "t.tsv", b"a\tb\n1\n\n2\tx\ty\n3\tz\t\n4\tw", sink)
    assert [row[:3] for row in found] == [("1", "", 2), ("3", "z", 5), ("4", "w", 6)]
    assert sink.report.skipped == {"row with more cells than the header": 1}
    assert sink.report.lines_read == 6


OPEN = "row with a quote that is not closed"


def _table_with_stray_quotes(at, rows=1000):
    """The bytes of a CSV file, and the rows that can be read: (a, b, line, byte)."""
    data, readable = b"a,b\n", []
    for number in range(1, rows + 1):
        if number not in at:
            readable.append((str(number), f"f{number}.py", number + 1, len(data)))
        quote = '"' if number in at else ""
        data += f"{number},{quote}f{number}.py\n".encode()
    return data, readable


@pytest.mark.parametrize("at", [(4,), (4, 600), (1000,), (999, 1000), (4, 6)])
def test_a_quote_that_is_not_closed_loses_its_own_line_alone(tmp_path, sink, at):
    text, readable = _table_with_stray_quotes(at)
    assert _rows(tmp_path / "t.csv", text, sink) == readable
    assert len(readable) == 1000 - len(at)
    assert sum(sink.report.skipped.values()) == len(at)
    places = [place for found in sink.report.examples.values() for place in found]
    assert sorted(places) == sorted(f"{tmp_path / 't.csv'}:{number + 1}" for number in at)
    assert sink.report.skipped[OPEN] >= 1
    assert sink.report.lines_read == 1001


def test_a_quote_in_the_last_line_without_a_newline_is_counted(tmp_path, sink):
    assert _rows(tmp_path / "t.csv", b'a,b\n1,x\n2,"', sink) == [("1", "x", 2, 4)]
    assert sink.report.examples == {OPEN: [f"{tmp_path / 't.csv'}:3"]}


@pytest.mark.parametrize(("lines", "whole"), [(MAX_CELL_LINES, True), (MAX_CELL_LINES + 1, False)])
def test_a_cell_in_quotes_may_span_fifty_lines_and_no_more(tmp_path, sink, lines, whole):
    cell = "\n".join(f"line {number}" for number in range(lines))
    found = _rows(tmp_path / "t.csv", f'a,b\n1,"{cell}"\n2,y\n'.encode(), sink)
    assert (found[0][:3] == ("1", cell, 2)) is whole
    assert found[-1][:3] == ("2", "y", lines + 2)
    assert sink.report.skipped[OPEN] == (not whole)


def test_bytes_that_are_not_utf_8_are_counted_once_in_a_line_that_is_given_again(tmp_path, sink):
    found = _rows(tmp_path / "t.csv", b'a,b\n1,"x\n2,caf\xe9\n', sink)
    assert found == [("2", "caf\ufffd", 3, 9)]
    assert sink.report.lines_salvaged == 1


def test_a_cell_that_is_too_long_loses_one_row_with_its_place_and_not_the_file(tmp_path, sink):
    text = b'a,b\n1,x\n2,"' + b"long " * 30_000 + b"\n3,y\n"
    found = _rows(tmp_path / "t.csv", text, sink)
    assert [row[:3] for row in found] == [("1", "x", 2), ("3", "y", 4)]
    assert list(sink.report.examples.values()) == [[f"{tmp_path / 't.csv'}:3"]]


def test_a_packed_table_is_read_and_bytes_count_in_what_was_unpacked(tmp_path, sink):
    assert _rows(tmp_path / "t.tsv.gz", gzip.compress(b"a\tb\n1\tx\n2\ty\n"), sink) == [
        ("1", "x", 2, 4), ("2", "y", 3, 8),
    ]  # fmt: skip


def test_parquet_cells_are_text_and_times_are_microseconds(tmp_path, sink):
    path = tmp_path / "t.parquet"
    moment = datetime(2026, 1, 5, 12, 17, 36, 209_000, UTC)
    pl.DataFrame({"when": [moment, None], "n": [1, 2], "ok": [True, None]}).write_parquet(path)
    found = parquet_rows(path, {"time": "when", "turn": "n", "ok": "ok"}, sink)
    assert [(row.cells, row.line) for row in found] == [
        ({"time": "1767615456209000", "turn": "1", "ok": "true"}, 1),
        ({"time": "", "turn": "2", "ok": ""}, 2),
    ]


def test_a_parquet_file_is_read_in_batches_that_join_without_a_gap(tmp_path, sink, monkeypatch):
    monkeypatch.setattr(table_rows, "BATCH_ROWS", 3)
    path = tmp_path / "t.parquet"
    pl.DataFrame({"n": list(range(10))}).write_parquet(path, row_group_size=4)
    assert [row.cells["n"] for row in parquet_rows(path, {"n": "n"}, sink)] == [
        str(number) for number in range(10)
    ]
    assert sink.report.lines_read == 10


def test_a_column_that_is_no_text_is_an_error_with_its_file(tmp_path, sink):
    path = tmp_path / "t.parquet"
    pl.DataFrame({"n": [b"\xff"]}).write_parquet(path)
    with pytest.raises(InputError, match=r"t\.parquet: the Parquet file cannot be read"):
        list(parquet_rows(path, {"n": "n"}, sink))
