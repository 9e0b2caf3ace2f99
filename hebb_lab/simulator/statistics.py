"""What a log is like in numbers: the same definitions for real and for simulated logs.

Nodes are files (and memories, urls, tools); directories and external paths are left out. A window
is a turn of a session; pairs come from windows of at most 50 nodes; a pair's gap is the time from
its last activation in one session to its first in the next; times are those of the window's start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hebb_lab.errors import InputError
from hebb_lab.simulator.survival import event_share, weibull_shape

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.records import EventLog

DAY_US = 86_400_000_000
PAIR_WINDOW = 50  # nodes


def statistics(log: EventLog) -> dict[str, float]:
    """The statistics of a log, in the order of the table; NaN where the log has no clock.

    Args:
        log: any EventLog.

    Raises:
        InputError: when the log has no touch of a node.
    """
    touches = log.events.filter(~pl.col("node_kind").is_in(["dir", "external"]))
    if touches.is_empty():
        raise InputError("the log touches no node", "Give a log with touches of files")
    touches = touches.select(
        "time_us", "session", "agent", "turn", "op", "ok", "node",
        row=pl.int_range(pl.len()),
    )  # fmt: skip
    windows = touches.group_by("session", "turn", maintain_order=True).agg(
        pl.col("time_us").min(), pl.col("node").unique(maintain_order=True), touches=pl.len()
    )
    return {
        **_sizes(touches, windows),
        **_pairs(windows, touches),
        **_nodes(touches),
        **_sequence(touches),
        **_clock(touches),
        **_operations(touches),
    }


def _quantile(values: pl.Series, q: float) -> float:
    """Linear quantile; NaN of nothing."""
    found = values.drop_nulls().quantile(q, "linear")
    return float("nan") if found is None else float(found)


def _sizes(touches: pl.DataFrame, windows: pl.DataFrame) -> dict[str, float]:
    size = windows["node"].list.len()
    sessions = touches.group_by("session", maintain_order=True).agg(
        nodes=pl.col("node").n_unique(), turns=pl.col("turn").n_unique()
    )
    return {
        "sessions": sessions.height,
        "touches": touches.height,
        "windows": windows.height,
        "nodes": touches["node"].n_unique(),
        "nodes per window, median": _quantile(size, 0.5),
        "nodes per window, p95": _quantile(size, 0.95),
        "nodes per window, max": float(size.max()),  # type: ignore[arg-type]
        "single-node windows": float((size == 1).mean()),  # type: ignore[arg-type]
        "nodes per session, median": _quantile(sessions["nodes"], 0.5),
        "nodes per session, p95": _quantile(sessions["nodes"], 0.95),
        "turns per session, median": _quantile(sessions["turns"], 0.5),
        "turns per session, p95": _quantile(sessions["turns"], 0.95),
        "touches per turn, median": _quantile(windows["touches"], 0.5),
        "touches per turn, p95": _quantile(windows["touches"], 0.95),
    }


def _pair_spells(windows: pl.DataFrame) -> pl.DataFrame:
    """One row for each (pair, session): first and last activation, sorted by pair and time."""
    members = (
        windows.with_row_index("window")
        .filter(pl.col("node").list.len() <= PAIR_WINDOW)
        .explode("node")
        .with_columns(node=pl.col("node").rank("dense").cast(pl.Int64))
        .select("window", "session", "time_us", "node")
    )
    other = members.select("window", b="node")
    return (
        members.join(other, on="window")
        .filter(pl.col("node") < pl.col("b"))
        .group_by("node", "b", "session")
        .agg(first=pl.col("time_us").min(), last=pl.col("time_us").max())
        .sort("node", "b", "first", "session")
    )


def _pairs(windows: pl.DataFrame, touches: pl.DataFrame) -> dict[str, float]:
    spells = _pair_spells(windows)
    counts = spells.group_by("node", "b").len()["len"]
    ends = pl.concat([spells.select("node", "b"), spells.select(node="b", b="node")])
    degree = ends.unique().group_by("node").len()["len"]
    observed, censored = _gaps(spells, ["node", "b"], touches["time_us"].max())
    spell = np.concatenate([observed, censored])
    happened = np.arange(len(spell)) < len(observed)
    nodes = touches["node"].n_unique()
    reactivated = {
        f"pairs reactivated within {d} d": event_share(spell, happened, d) for d in (1, 7, 30)
    }
    return {
        "distinct pairs": len(counts),
        "pairs recurring in a later session": _share(counts > 1),
        "pairs in 3 or more sessions": int((counts >= 3).sum()),
        "pairs in 5 or more sessions": int((counts >= 5).sum()),
        "pairs in 10 or more sessions": int((counts >= 10).sum()),
        "pair gap, median days": _quantile(pl.Series(observed), 0.5),
        "pair gap, p90 days": _quantile(pl.Series(observed), 0.9),
        **reactivated,
        "Weibull shape of the pair gaps": weibull_shape(spell, happened),
        "degree, max": float(degree.max() or 0),  # type: ignore[arg-type]
        "degree, p95": _quantile(degree, 0.95),
        "degree, median": _quantile(degree, 0.5),
        "hub degree, share of the nodes": float(degree.max() or 0) / nodes,  # type: ignore[arg-type]
    }


def _share(mask: pl.Series) -> float:
    return float(mask.mean()) if len(mask) else float("nan")  # type: ignore[arg-type]


def _gaps(
    spells: pl.DataFrame,
    key: list[str],
    end_us: Any,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Days between a key's sessions, and from its last session to the end of the log.

    A session that began before the former one ended has a gap of 0.
    """
    timed = spells.drop_nulls("first")
    if timed.is_empty():
        return np.zeros(0), np.zeros(0)
    gap = (pl.col("first") - pl.col("last").shift(1).over(key)).clip(lower_bound=0)
    observed = timed.select(gap.alias("gap"))["gap"].drop_nulls()
    last = timed.group_by(key, maintain_order=True).agg(pl.col("last").last())["last"]
    return observed.to_numpy() / DAY_US, (end_us - last.to_numpy()) / DAY_US


def _nodes(touches: pl.DataFrame) -> dict[str, float]:
    nodes = touches.group_by("node").agg(
        pl.len(), sessions=pl.col("session").n_unique(), born=pl.col("time_us").min(),
        died=pl.col("time_us").max(),
    )  # fmt: skip
    count = np.sort(nodes["len"].to_numpy())[::-1].astype(np.float64)
    spells = (
        touches.group_by("node", "session")
        .agg(first=pl.col("time_us").min(), last=pl.col("time_us").max())
        .sort("node", "first", "session")
    )
    gaps = pl.Series(_gaps(spells, ["node"], 0)[0])
    life = (nodes["died"] - nodes["born"]) / DAY_US
    births = _births_per_week(nodes["born"].drop_nulls().to_numpy(), nodes["died"].max())
    slope = np.nan
    if len(count) > 1:
        slope = np.polyfit(np.log(np.arange(1, len(count) + 1)), np.log(count), 1)[0]
    return {
        "nodes recurring in a later session": _share(nodes["sessions"] > 1),
        "node gap, median days": _quantile(gaps, 0.5),
        "node gap, p90 days": _quantile(gaps, 0.9),
        "node life, median days": _quantile(life, 0.5),
        "node life, p90 days": _quantile(life, 0.9),
        "fewest new nodes in a full week": float(births.min()) if len(births) else float("nan"),
        "share of the ten most touched nodes": float(count[:10].sum() / count.sum()),
        "rank-frequency slope": float(slope),
    }


def _births_per_week(born: NDArray[np.int64], end_us: Any) -> NDArray[np.int64]:
    """New nodes in each full week from the first touch; empty for less than a week."""
    if not len(born):
        return np.zeros(0, dtype=np.int64)
    full = int((end_us - born.min()) // (7 * DAY_US))
    return np.bincount((born - born.min()) // (7 * DAY_US), minlength=full)[:full]


def _sequence(touches: pl.DataFrame) -> dict[str, float]:
    """Repeats in the order of the log; unseen nodes in the order of time."""
    same = pl.col("node") == pl.col("node").shift(1).over("session")
    first = pl.struct("session", "node").is_first_distinct()
    ordered = touches.sort("time_us", "row", nulls_last=True).select(
        first=first,
        new=pl.col("node").is_first_distinct(),
        opener=pl.col("session").is_first_distinct(),
    )
    targets = ordered.filter(pl.col("first") & ~pl.col("opener"))
    return {
        "repeat touches in a session": 1 - _share(touches.select(first.alias("x"))["x"]),
        "same node twice in a row": _share(touches.select(same.alias("x"))["x"].drop_nulls()),
        "first touches never seen before": _share(targets["new"]),
    }


def _clock(touches: pl.DataFrame) -> dict[str, float]:
    timed = touches.drop_nulls("time_us")
    sessions = timed.group_by("session", maintain_order=True).agg(
        start=pl.col("time_us").min(), end=pl.col("time_us").max()
    )
    sessions = sessions.sort("start")
    days = sessions.group_by(pl.col("start") // DAY_US).len()["len"]
    hours = (sessions["end"] - sessions["start"]) / 3.6e9
    overlap = sessions["start"] < sessions["end"].cum_max().shift(1)
    pause = timed.select((pl.col("time_us").diff().over("session") / 1e6).alias("x"))["x"]
    span = timed.select((pl.col("time_us").max() - pl.col("time_us").min()) / DAY_US).item()
    return {
        "span, days": float("nan") if span is None else float(span),
        "sessions per active day, median": _quantile(days, 0.5),
        "sessions per active day, max": float(days.max() or "nan"),  # type: ignore[arg-type]
        "overlapping sessions": _share(overlap.drop_nulls()),
        "session hours, median": _quantile(hours, 0.5),
        "session hours, p95": _quantile(hours, 0.95),
        "seconds between touches, median": _quantile(pause, 0.5),
        "seconds between touches, p95": _quantile(pause, 0.95),
    }


def _operations(touches: pl.DataFrame) -> dict[str, float]:
    op = touches["op"]
    return {
        "share of read": _share(op == "read"),
        "share of edit and write": _share(op.is_in(["edit", "write"])),
        "share of exec": _share(op == "exec"),
        "share of search": _share(op == "search"),
        "touches by subagents": _share(touches["agent"] != "main"),
        "failed calls": _share(~touches["ok"].fill_null(value=True)),
    }
