"""Collects touches, column by column, and makes an EventLog of them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from hebb_lab.errors import InputError
from hebb_lab.records import EVENT_SCHEMA, EventLog
from hebb_lab.telemetry.lines import Record, iter_lines, iter_records
from hebb_lab.telemetry.ordering import in_session_order, note_times
from hebb_lab.telemetry.report import ReadReport

if TYPE_CHECKING:
    from hebb_lab.telemetry.naming import Projects

# What a value of another shape than a reader expects leads to. Errors of the user, and of the disk,
# are none of these.
UNEXPECTED = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RecursionError)
CHUNK_ROWS = 1 << 16  # rows kept as Python objects before they become columns


class EventSink:
    """Where readers put what they find. One sink makes one EventLog.

    A tool call is known by its id: the first time it is seen it counts, later it is a duplicate
    (copies, resumes and snapshots of a session repeat its calls). A result may come long after
    its call, so ``ok`` is filled in at the end.

    Args:
        report: filled as things are read.
        projects: names nodes by paths.
        keep_prompts: whether the text of prompts is kept.
        on_bytes: told (path, size) of each chunk read.
    """

    def __init__(
        self,
        report: ReadReport,
        projects: Projects,
        keep_prompts: bool = False,
        on_bytes: Callable[[Path, int], None] | None = None,
    ) -> None:
        self.report = report
        self.projects = projects
        self.keep_prompts = keep_prompts
        self._on_bytes = on_bytes
        self._rows: list[tuple[Any, ...]] = []
        self._chunks: list[pl.DataFrame] = []
        self._calls: set[str] = set()
        self._calls_with_node: set[str] = set()
        self._results: dict[str, bool | None] = {}
        self._touches_by_cwd: Counter[str] = Counter()

    def records(
        self,
        path: Path,
        *,
        wanted: Callable[[bytes], bool] | None = None,
        keys: frozenset[str] = frozenset(),
    ) -> Iterator[Record]:
        """``lines.iter_records`` with this sink's report and progress."""
        on_bytes = None if self._on_bytes is None else _for_path(self._on_bytes, path)
        return iter_records(path, self.report, wanted=wanted, keys=keys, on_bytes=on_bytes)

    def each(
        self,
        path: Path,
        use: Callable[[Record], None],
        *,
        wanted: Callable[[bytes], bool] | None = None,
        keys: frozenset[str] = frozenset(),
    ) -> None:
        """Hand each record to a reader; one that it cannot use is counted with its place."""
        for record in self.records(path, wanted=wanted, keys=keys):
            try:
                use(record)
            except UNEXPECTED:
                self.report.skip("unexpected shape", str(path), record.line)

    def lines(self, path: Path) -> Iterator[tuple[int, int, bytes]]:
        """``lines.iter_lines`` with this sink's report and progress, for what is not JSON."""
        self.report.files_read += 1
        on_bytes = None if self._on_bytes is None else _for_path(self._on_bytes, path)
        return iter_lines(path, self.report, on_bytes)

    def call(self, call_id: str | None, *, subagent: bool = False) -> bool:
        """Count a tool call; True when it is new. A call without an id is always new.

        On False the reader must not give the call's touches.
        """
        if call_id is not None and call_id in self._calls:
            self.report.duplicates += 1
            return False
        self.report.calls += 1
        self.report.subagent_calls += subagent
        if call_id is not None:
            self._calls.add(call_id)
        return True

    def result(self, call_id: str, ok: bool | None) -> None:
        """Tell how a call ended, before or after the call itself; the first result holds."""
        self._results.setdefault(call_id, ok)

    def touch(
        self,
        *,
        session: str,
        node: str,
        op: str,
        tool: str,
        source: str,
        file: str,
        line: int,
        byte: int,
        time_us: int | None = None,
        time_quality: str = "none",
        agent: str = "main",
        turn: int = 0,
        call_id: str | None = None,
        node_kind: str = "file",
        ok: bool | None = None,
        strength: float = 1.0,
        namespace: str = "personal",
        query: str | None = None,
        cwd: str | None = None,
    ) -> None:
        """Add one touch of one node; the columns are those of ``records.EVENT_SCHEMA``.

        ``ok`` overrides the call's result; of ``query`` only the hash is kept unless asked for.
        """
        if call_id is not None:
            self._calls_with_node.add(call_id)
        if cwd is not None:
            self._touches_by_cwd[cwd] += 1
        text = query if self.keep_prompts else None
        self._rows.append(
            (
                time_us, time_quality, session, agent, turn, call_id, op, tool, node, node_kind,
                ok, source, strength, namespace, prompt_sha256(query), text, file, line, byte,
            )
        )  # fmt: skip
        if len(self._rows) >= CHUNK_ROWS:
            self._pack()

    def finish(self, path: Path, now_us: int | None = None) -> EventLog:
        """The log, its rows in order, its report whole.

        Args:
            path: what was read, for the error.
            now_us: the present, to count times in the future.

        Raises:
            InputError: when there is not one touch.
        """
        self._pack()
        report = self.report
        report.calls_without_result = len(self._calls - self._results.keys())
        report.results_without_call = len(self._results.keys() - self._calls)
        report.calls_with_node += len(self._calls_with_node)
        if not self._chunks:
            raise _no_touch(report, path)
        frame = pl.concat(self._chunks)
        results = pl.Series(
            [self._results.get(call) for call in frame["call_id"]], dtype=pl.Boolean
        )
        frame = frame.with_columns(ok=pl.col("ok").fill_null(results))
        note_times(frame, report, now_us)
        events = in_session_order(frame)
        report.events = events.height
        report.sessions = events["session"].n_unique()
        for cwd, touches in self._touches_by_cwd.items():
            report.projects[self.projects.name_of(cwd)] += touches
        report.warnings += report.mixed()
        report.warnings += report.few_touches(self.projects.unlisted())
        report.warnings += report.cut_short()
        return EventLog(events, report)

    def _pack(self) -> None:
        if not self._rows:
            return
        columns = zip(*self._rows, strict=True)
        self._chunks.append(
            pl.DataFrame(
                [
                    pl.Series(name, _clean(column) if dtype == pl.String else column, dtype)
                    for (name, dtype), column in zip(EVENT_SCHEMA.items(), columns, strict=True)
                ]
            )
        )
        self._rows.clear()


_CURE = (
    "Check that the log holds tool calls that name files, and that dataset.repo or "
    "dataset.tracked_paths is the repository they belong to"
)


@lru_cache(maxsize=64)
def prompt_sha256(prompt: str | None) -> str | None:
    """SHA-256 of a prompt's UTF-8 bytes, in hex; None for no prompt."""
    if prompt is None:
        return None
    return hashlib.sha256(prompt.encode(errors="replace")).hexdigest()


def _for_path(told: Callable[[Path, int], None], path: Path) -> Callable[[int], None]:
    return lambda size: told(path, size)


def _clean(column: tuple[str | None, ...]) -> list[str | None]:
    """Without lone surrogates, which JSON can hold and UTF-8 cannot."""
    return [
        text if text is None or text.isascii() else text.encode(errors="replace").decode()
        for text in column
    ]


def _no_touch(report: ReadReport, path: Path) -> InputError:
    why = report.files_skipped.get(str(path))
    if why is not None:
        return InputError(why, "Check how the file was written", path)
    skipped = "".join(f"; {said}" for said in report.cut_short() + report.left_out())
    return InputError(f"no touch of any file in {_seen(report)}{skipped}", _CURE, path)


def _seen(report: ReadReport) -> str:
    losses = "".join(f", {count} lines lost: {why}" for why, count in report.skipped.items())
    unknown = "".join(f", {count} of unknown type '{name}'" for name, count in
                      report.unknown.most_common(5))  # fmt: skip
    return (
        f"{report.files_read} files, {report.lines_read} lines, {report.calls} tool calls "
        f"(format: {report.reader or 'unknown'}{losses}{unknown})"
    )
