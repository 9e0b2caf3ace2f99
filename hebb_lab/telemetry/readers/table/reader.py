"""Tables of touches: TSV, CSV or Parquet with named columns, for every log that has no reader."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from hebb_lab.errors import InputError
from hebb_lab.records import NODE_KINDS, OPS, SOURCES, TIME_QUALITIES
from hebb_lab.telemetry.heads import head_of
from hebb_lab.telemetry.parquet import (
    DAMAGED_PARQUET,
    DAMAGED_PARQUET_CURE,
    PARQUET_MAGIC,
    parquet_columns,
)
from hebb_lab.telemetry.reader import READERS, Head, ReadOptions
from hebb_lab.telemetry.readers.table.rows import (
    Row,
    header_of,
    is_temporal,
    parquet_rows,
    text_rows,
)
from hebb_lab.telemetry.readers.table.times import Clock
from hebb_lab.telemetry.sink import EventSink

REQUIRED = ("time", "session", "node")
OPTIONAL = (
    "agent", "turn", "call_id", "op", "tool", "ok", "source", "strength", "namespace", "query",
    "node_kind", "time_quality",
)  # fmt: skip
ALIASES = {
    "ts": "time", "timestamp": "time", "time_us": "time", "src": "source", "call": "call_id",
}  # fmt: skip
# Columns of a saved EventLog that a table need not have and that are made anew.
_REMADE = frozenset({"query_sha256", "file", "line", "byte"})
_TRUTH = {"1": True, "true": True, "t": True, "yes": True,
          "0": False, "false": False, "f": False, "no": False}  # fmt: skip


@READERS.register("table")
class TableReader:
    """One row is one touch, in the order of the rows.

    Required columns: time (may be empty), session, node. Optional: agent, turn, call_id, op, tool,
    ok, source, strength, namespace, query, node_kind, time_quality. A leading ``#`` of the header,
    and the names ts, timestamp, time_us, src and call, are understood. Without an op a touch is a
    ``read``.
    """

    name: ClassVar[str] = "table"
    describe: ClassVar[str] = "a TSV, CSV or Parquet table with the columns time, session and node"

    def sniff(self, head: Head) -> bool:
        """A Parquet file or a header line that has the three required columns."""
        parquet = head.data.startswith(PARQUET_MAGIC)
        found = list(parquet_columns(head.path)) if parquet else header_of(head.data)[0]
        return set(REQUIRED) <= columns_of(found).keys()

    def claims_folder(self, folder: Path) -> bool:
        """No folder is one table."""
        return False

    def read(self, paths: Sequence[Path], sink: EventSink, options: ReadOptions) -> None:
        """Read the tables row by row; a row that cannot be used is counted with its place.

        Raises:
            InputError: a table lacks a required column.
        """
        calls = _Calls(sink)
        for path in paths:
            head = head_of(path)
            parquet = head.data.startswith(PARQUET_MAGIC)
            types = parquet_columns(path) if parquet else {}
            if parquet and not types:
                raise InputError(DAMAGED_PARQUET, DAMAGED_PARQUET_CURE, path)
            columns = _checked(path, list(types) or header_of(head.data)[0], sink)
            rows = parquet_rows(path, columns, sink) if parquet else text_rows(path, columns, sink)
            own = columns["time"]
            in_us = _plain(own) == "time_us" or (own in types and is_temporal(types[own]))
            touches = _Touches(path, sink, Clock(in_us), calls)
            empty = True
            for row in rows:
                empty = False
                touches.add(row)
            touches.close()
            if empty:
                why = "the table holds a header and no row"
                sink.report.files_skipped.setdefault(str(path), why)


def columns_of(found: Sequence[str]) -> dict[str, str]:
    """The columns that are understood: name → the column's own name; the first of a name holds.

    >>> columns_of(["#ts", "Session", "node", "src", "colour"])
    {'time': '#ts', 'session': 'Session', 'node': 'node', 'source': 'src'}
    """
    columns: dict[str, str] = {}
    for own in found:
        name = ALIASES.get(_plain(own), _plain(own))
        if name in REQUIRED + OPTIONAL:
            columns.setdefault(name, own)
    return columns


def _plain(column: str) -> str:
    return column.strip().lstrip("#").strip().lower()


def _checked(path: Path, found: Sequence[str], sink: EventSink) -> dict[str, str]:
    columns = columns_of(found)
    missing = [name for name in REQUIRED if name not in columns]
    if missing:
        raise InputError(
            f"the table has no column named {' or '.join(missing)}; "
            f"its columns are: {', '.join(found) or 'none, for it has no header line'}",
            f"Name the columns in the first line: {', '.join(REQUIRED)} "
            f"(and if known: {', '.join(OPTIONAL)})",
            path,
        )
    unused = [own for own in found if own not in columns.values() and _plain(own) not in _REMADE]
    if unused:
        sink.report.warnings.append(f"{path}: columns that are not used: {', '.join(unused)}")
    return columns


class _Calls:
    """Counts the calls of tables: rows with one id in one session are one, a row without is one.

    The ids of a table may be ordinals that begin anew in each session, so they are told apart by
    session; the report, which knows calls by their id alone, is put right.
    """

    def __init__(self, sink: EventSink) -> None:
        self.sink = sink
        self._calls: set[tuple[str, str]] = set()
        self._ids: set[str] = set()

    def count(self, session: str, call_id: str | None, *, subagent: bool) -> None:
        """Count the call of a row when it is new."""
        if call_id is not None:
            if (session, call_id) in self._calls:
                return
            self._calls.add((session, call_id))
            known_by_id = call_id not in self._ids  # the sink counts an id once
            self._ids.add(call_id)
        else:
            known_by_id = False
        self.sink.call(None, subagent=subagent)
        self.sink.report.calls_with_node += not known_by_id


class _Touches:
    """Gives the rows of one table to the sink."""

    def __init__(self, path: Path, sink: EventSink, clock: Clock, calls: _Calls) -> None:
        self.calls = calls
        self.path = path
        self.sink = sink
        self.clock = clock

    def add(self, row: Row) -> None:
        """Add a row, or count why not."""
        cells = row.cells
        node, session = cells.get("node") or "", cells.get("session") or ""
        if not node.strip() or not session.strip():
            self._skip("empty node" if not node.strip() else "empty session", row)
            return
        time = self.clock.read(cells.get("time"))
        turn, strength = _whole(cells.get("turn")), _number(cells.get("strength"))
        if time is None or turn is None or strength is None:
            what = "time" if time is None else "turn" if turn is None else "strength"
            self._skip(f"{what} that cannot be read", row)
            return
        call_id = cells.get("call_id") or None
        agent = cells.get("agent") or "main"
        self.calls.count(session, call_id, subagent=agent != "main")
        self.sink.touch(
            session=session,
            node=node,
            op=self._one_of(OPS, cells.get("op"), "read"),
            tool=cells.get("tool") or "table",
            source=self._one_of(SOURCES, cells.get("source"), "table"),
            file=str(self.path),
            line=row.line,
            byte=row.byte,
            time_us=time.us,
            time_quality=self._one_of(TIME_QUALITIES, cells.get("time_quality"), time.quality),
            agent=agent,
            turn=turn,
            call_id=call_id,
            node_kind=self._one_of(NODE_KINDS, cells.get("node_kind"), _kind_of(node)),
            ok=self._truth(cells.get("ok")),
            strength=strength,
            namespace=cells.get("namespace") or "personal",
            query=cells.get("query") or None,
        )

    def close(self) -> None:
        """Tell the report what the table as a whole was taken for."""
        self.sink.report.warnings += [f"{self.path}: {said}" for said in self.clock.notes()]

    def _skip(self, reason: str, row: Row) -> None:
        self.sink.report.skip(reason, str(self.path), row.line)

    def _one_of(self, known: Sequence[str], cell: str | None, otherwise: str) -> str:
        if not cell:
            return otherwise
        if cell in known:
            return cell
        self.sink.report.unknown[f"'{cell}', read as {otherwise}"] += 1
        return otherwise

    def _truth(self, cell: str | None) -> bool | None:
        if not cell:
            return None
        if cell.lower() not in _TRUTH:
            self.sink.report.unknown[f"ok '{cell}'"] += 1
        return _TRUTH.get(cell.lower())


def _kind_of(node: str) -> str:
    prefix, colon, rest = node.partition(":")
    if colon and prefix in ("dir", "ext"):
        return {"dir": "dir", "ext": "external"}[prefix]
    return "url" if rest.startswith("//") and prefix in ("http", "https") else "file"


def _whole(cell: str | None) -> int | None:
    number = _number(cell, 0.0)
    return int(number) if number is not None and 0 <= number < 2**31 else None


def _number(cell: str | None, otherwise: float = 1.0) -> float | None:
    if not cell:
        return otherwise
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if abs(number) < float("inf") else None
