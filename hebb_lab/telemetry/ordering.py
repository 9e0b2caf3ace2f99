"""The order of the rows of an EventLog, and what the clock of a log is worth."""

from __future__ import annotations

import polars as pl

from hebb_lab.telemetry.report import ReadReport


def in_session_order(frame: pl.DataFrame) -> pl.DataFrame:
    """Sessions by their first time, in a session the order of the file.

    A session that lies in several files (subagents, checkpoints) is merged by time: a file's rows
    keep their order even where its clock goes back, because a row counts as late as the latest
    row before it. Rows without a time follow the row before them; sessions without any come last.

    A git history keeps its own order: a commit's clock is its committer's, and a parent must not
    come after its child.

    Args:
        frame: rows with ``session``, ``file``, ``source`` and ``time_us``, as they were read.
    """
    if _is_history(frame):
        return frame
    own_file = ["session", "file"]
    as_late_as = (
        pl.col("time_us").cum_max().forward_fill().backward_fill().over(own_file).fill_null(0)
    )
    ordered = frame.with_row_index("_row").with_columns(
        as_late_as.alias("_late"),
        pl.col("time_us").min().over("session").alias("_start"),
        pl.col("_row").min().over("session").alias("_first_row"),
    )
    keys = ["_start", "_first_row", "_late", "_row"]
    return ordered.sort(keys, nulls_last=True).drop("_row", *keys[:3], strict=False)


def note_times(frame: pl.DataFrame, report: ReadReport, now_us: int | None) -> None:
    """Fill the report's window, time quality, missing times, steps back and times in the future.

    A step back is counted between neighbours of one session in one file (of one file, in a git
    history, where each commit is a session). When every time lies after ``now_us``, the present
    is wrong and not the log, so none is counted.

    Args:
        frame: rows in the order in which they were read.
        report: is filled.
        now_us: the present; None counts no times in the future.
    """
    times = frame["time_us"]
    for quality, count in frame["time_quality"].cast(pl.String).value_counts().iter_rows():
        report.time_quality[quality] += count
    report.first_time_us = _as_int(times.min())
    report.last_time_us = _as_int(times.max())
    timed = frame.filter(pl.col("time_us").is_not_null())
    report.events_without_time = frame.height - timed.height
    report.sessions_without_time = frame["session"].n_unique() - timed["session"].n_unique()
    own_clock = ["file"] if _is_history(frame) else ["session", "file"]
    steps = timed.select(pl.col("time_us").diff().over(own_clock))["time_us"]
    back = -steps.filter(steps < 0)
    report.clock_steps_back = back.len()
    report.clock_largest_step_back_us = _as_int(back.max()) or 0
    if now_us is not None and report.first_time_us is not None and report.first_time_us <= now_us:
        report.times_in_future = int((times > now_us).sum())


def _is_history(frame: pl.DataFrame) -> bool:
    return bool((frame["source"] == "commit").all())


def _as_int(value: object) -> int | None:
    return value if isinstance(value, int) else None
