"""The rows of TSV, CSV and Parquet files as named text cells, one batch in memory at a time."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import polars as pl

from hebb_lab.errors import InputError
from hebb_lab.telemetry.parquet import DAMAGED_PARQUET, DAMAGED_PARQUET_CURE, parquet_columns
from hebb_lab.telemetry.sink import EventSink

BATCH_ROWS = 1 << 16
_BOM = b"\xef\xbb\xbf"


class Row(NamedTuple):
    """One row and its place.

    Args:
        cells: column → text; empty text for an empty cell.
        line: its line (from 1), where a CSV row begins; the number of the row in a Parquet file.
        byte: offset of the line; 0 in a Parquet file.
    """

    cells: dict[str, str]
    line: int
    byte: int


def header_of(data: bytes) -> tuple[list[str], str]:
    r"""The columns of the first line, and what separates them (tab, comma or semicolon).

    >>> header_of(b"#ts\tnode\r\n1\ta.py")
    (['#ts', 'node'], '\t')
    """
    first = data.removeprefix(_BOM).split(b"\n", 1)[0].rstrip(b"\r")
    text = first.decode(errors="replace")
    delimiter = max("\t,;", key=text.count)
    if "\x00" in text or delimiter not in text:
        return [], delimiter
    try:
        return [name.strip() for name in _split(text, delimiter)], delimiter
    except csv.Error:  # a lone carriage return: no line of a table
        return [], delimiter


def text_rows(path: Path, columns: Mapping[str, str], sink: EventSink) -> Iterator[Row]:
    """The rows of a TSV or CSV file, plain or gzip, without its header.

    Args:
        path: the file.
        columns: name → the column's own name in the header.
        sink: counts lines and rows that cannot be taken apart.
    """
    lines = _Lines(path, sink)
    found, delimiter = header_of(next(lines.raw, (0, 0, b""))[2])
    places = {name: found.index(own) for name, own in columns.items()}
    rows = _tab_rows(lines) if delimiter == "\t" else csv.reader(lines, delimiter=delimiter)
    while True:
        lines.first = None
        try:
            row = next(rows, None)
        except csv.Error as error:
            sink.report.skip(f"row that is no CSV ({error})", str(path), lines.place[0])
            continue
        if row is None:
            return
        line, byte = lines.place
        if not any(row):
            continue
        if any(row[len(found) :]):
            sink.report.skip("row with more cells than the header", str(path), line)
            continue
        cells = {name: row[at] if at < len(row) else "" for name, at in places.items()}
        yield Row(cells, line, byte)


class _Lines:
    """Decoded lines for the csv module, with the place where the row in hand begins."""

    def __init__(self, path: Path, sink: EventSink) -> None:
        self.raw = sink.lines(path)
        self.report, self.file = sink.report, str(path)
        self.first: tuple[int, int] | None = None
        self.place = (0, 0)

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        number, offset, line = next(self.raw)
        if self.first is None:
            self.first = self.place = (number, offset)
        try:
            return line.decode().replace("\x00", "")
        except UnicodeDecodeError:
            self.report.save("bytes that are not UTF-8, replaced", self.file, number)
            return line.decode(errors="replace").replace("\x00", "")


def _tab_rows(lines: _Lines) -> Iterator[list[str]]:
    for line in lines:
        yield _split(line.rstrip("\r\n"), "\t")


def _split(line: str, delimiter: str) -> list[str]:
    """Cells of a line. A tab always separates; a cell in quotes is taken out of them."""
    if delimiter != "\t":
        return next(csv.reader([line], delimiter=delimiter), [])
    return [
        cell[1:-1].replace('""', '"') if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell
        for cell in line.split("\t")
    ]


def is_temporal(dtype: pl.DataType) -> bool:
    """Whether a column holds dates or times, which are given as µs since 1970."""
    return dtype in (pl.Datetime, pl.Date)


def parquet_rows(path: Path, columns: Mapping[str, str], sink: EventSink) -> Iterator[Row]:
    """The rows of a Parquet file, in batches.

    Raises:
        InputError: a column cannot be read as text.
    """
    types = parquet_columns(path)
    scan = pl.scan_parquet(path, glob=False).select(
        _as_text(own, types[own]).fill_null("").alias(name) for name, own in columns.items()
    )
    report = sink.report
    report.files_read += 1
    report.bytes_read += path.stat().st_size
    done = 0
    try:
        while (batch := scan.slice(done, BATCH_ROWS).collect()).height:
            for row in batch.iter_rows(named=True):
                done += 1
                yield Row(row, done, 0)
    except pl.exceptions.PolarsError as error:
        problem = f"the Parquet file cannot be read after row {done}: {error}"
        cure = f"Write the columns {', '.join(columns.values())} as text or numbers"
        if "out of specification" in str(error).lower():
            problem, cure = f"{DAMAGED_PARQUET} after row {done}: {error}", DAMAGED_PARQUET_CURE
        raise InputError(problem, cure, path) from error
    finally:
        report.lines_read += done


def _as_text(own: str, dtype: pl.DataType) -> pl.Expr:
    column = pl.col(own)
    if is_temporal(dtype):
        column = column.cast(pl.Datetime("us")).dt.epoch("us")
    return column.cast(pl.String)
