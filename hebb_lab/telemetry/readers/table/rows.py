"""The rows of TSV, CSV and Parquet files as named text cells, one batch in memory at a time."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import polars as pl

from hebb_lab.errors import InputError
from hebb_lab.telemetry.parquet import DAMAGED_PARQUET, DAMAGED_PARQUET_CURE, parquet_columns
from hebb_lab.telemetry.sink import EventSink

BATCH_ROWS = 1 << 16
MAX_CELL_LINES = 200  # a CSV cell in quotes that goes on for longer was never closed
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

    A CSV cell in quotes may hold line breaks, in a row of at most ``MAX_CELL_LINES`` lines. Where
    its quote is not closed by then, or the row is no CSV, the row's first line alone is lost.

    Args:
        path: the file.
        columns: name → the column's own name in the header.
        sink: counts lines and rows that cannot be taken apart.
    """
    lines = _Lines(path, sink)
    found, delimiter = header_of(next(lines.raw, (0, 0, b""))[2])
    places = {name: found.index(own) for name, own in columns.items()}
    if delimiter == "\t":
        rows = _tab_rows(lines)
    else:
        rows = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        lines.begin_row()
        try:
            row = next(rows, None)
        except csv.Error as error:
            why = f"row that is no CSV ({error})"
            if lines.ended:
                why = "row with a quote that is not closed"
            sink.report.skip(why, str(path), lines.place[0])
            lines.give_again()
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
    """Decoded lines for the csv module, at most ``MAX_CELL_LINES`` to a row, which are held.

    A csv reader begins anew after an error and after the end of its lines, so one reader serves.
    """

    def __init__(self, path: Path, sink: EventSink) -> None:
        self.raw = sink.lines(path)
        self.report, self.file = sink.report, str(path)
        self.ended = False  # the row in hand has asked for more lines than there are for it
        self._held: list[tuple[int, int, str]] = []  # of the row in hand: number, offset, text
        self._again: deque[tuple[int, int, str]] = deque()

    @property
    def place(self) -> tuple[int, int]:
        """Line and byte where the row in hand begins."""
        return self._held[0][:2]

    def begin_row(self) -> None:
        """The lines from here on are those of another row."""
        self._held.clear()
        self.ended = False

    def give_again(self) -> None:
        """Of a row that failed, all lines but the first are given once more."""
        self._again.extendleft(reversed(self._held[1:]))

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        full = len(self._held) == MAX_CELL_LINES
        line = None if full else self._again.popleft() if self._again else self._decoded()
        if line is None:
            self.ended = True
            raise StopIteration
        self._held.append(line)
        return line[2]

    def _decoded(self) -> tuple[int, int, str] | None:
        number, offset, line = next(self.raw, (0, 0, b""))
        if not line:
            return None
        try:
            text = line.decode()
        except UnicodeDecodeError:
            self.report.save("bytes that are not UTF-8, replaced", self.file, number)
            text = line.decode(errors="replace")
        return number, offset, text.replace("\x00", "")


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
