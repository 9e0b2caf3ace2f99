"""Rows of text and Parquet files."""

import gzip
from datetime import UTC, datetime

import polars as pl
import pytest

from hebb_lab.errors import InputError
from hebb_lab.telemetry.naming import Projects
from hebb_lab.telemetry.readers.table import rows as table_rows
from hebb_lab.telemetry.readers.table.rows import header_of, parquet_rows, text_rows
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


def test_an_open_quote_loses_one_row_with_its_place_and_not_the_file(tmp_path, sink):
    text = b'a,b\n1,x\n2,"' + b"long " * 30_000 + b"\n3,y\n"
    found = _rows(tmp_path / "t.csv", text, sink)
    assert found[0][:2] == ("1", "x")
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
