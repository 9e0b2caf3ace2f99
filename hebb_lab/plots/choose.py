"""What of a leaderboard goes into which figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import polars.selectors as cs

from hebb_lab.evaluation.leaderboard.board import UNLISTED
from hebb_lab.plots.effects import Effect
from hebb_lab.plots.half_life import Level, Point
from hebb_lab.plots.lines import Curve
from hebb_lab.plots.roles import Role, roles

if TYPE_CHECKING:
    from hebb_lab.evaluation.leaderboard import Leaderboard

Entries = Mapping[str, Mapping[str, Any]]
DEPTH = 50
"""Curves end here at the latest."""


def rows_of(board: Leaderboard, dataset: str, task: str, metric: str) -> dict[str, dict[str, Any]]:
    """Rows of a leaderboard by arm; sets of parts have a figure of their own and are left out."""
    chosen = board.rows.filter(dataset=dataset, task=task, metric=metric)
    rows = {row["arm"]: row for row in chosen.to_dicts()}
    unlisted = ("attribution", UNLISTED)
    return {arm: row for arm, row in rows.items() if row["group"] not in unlisted} or rows


def base_of(rows: Entries) -> str:
    """The arm that most others are compared with; empty where there is none."""
    bases = [row["base"] for row in rows.values() if row["base"]]
    return max(dict.fromkeys(bases), key=bases.count, default="")


def roles_of(rows: Entries, base: str | None = None) -> dict[str, Role]:
    """What each arm of a task is to the reader; the base is that of most arms unless given."""
    values = {arm: row["value"] for arm, row in rows.items() if _differs(row)}
    groups = {arm: row["group"] or "arm" for arm, row in rows.items()}
    return roles(groups, values, base_of(rows) if base is None else base)


def _differs(row: Mapping[str, Any]) -> bool:
    """Whether an arm has a number, and not that of its base on every query."""
    same = row["base"] and not row["win"] and not row["loss"] and row["delta"] == 0
    return row["value"] is not None and not same


def effects_of(rows: Entries) -> list[Effect]:
    """Every arm that is compared with another; another base than that of most is named."""
    base = base_of(rows)
    return [_effect(row, base) for row in rows.values() if row["base"]]


def _effect(row: Mapping[str, Any], base: str) -> Effect:
    interval = row["delta_ci95"]
    against = "" if row["base"] == base else f", Δ to {row['base']}"
    return Effect(
        arm=row["arm"],
        group=(row["group"] or "arms").replace("_", " ") + against,
        value=row["value"],
        delta=row["delta"],
        interval=None if interval is None else (interval[0], interval[1]),
        p=row["p_holm"],
        inert=bool(row["inert"]),
        status=row["status"],
    )


def half_life_points(arms: Entries, rows: Entries) -> list[Point]:
    """The largest set of arms that differ in nothing but a fixed half-life, or in having none.

    Of two equally large sets the one with the base is taken.

    Args:
        arms: name → entry of result.json; its ``parameters`` hold ``half_life_days`` (null: no
            decay), and perhaps the switch ``half_life`` (fixed, none, or a learned one).
        rows: name → leaderboard row.
    """
    families: dict[str, dict[float | None, Point]] = {}
    for name, row in rows.items():
        parameters = arms.get(name, {}).get("parameters") or {}
        if "half_life_days" not in parameters or "fitted" in parameters or row["value"] is None:
            continue
        days, mode = parameters["half_life_days"], dict(_flat(parameters)).get("half_life")
        if mode in (None, "none" if days is None else "fixed"):
            point = Point(name, days, row["value"], _ends(row))
            families.setdefault(_besides_half_life(parameters), {}).setdefault(days, point)
    base = base_of(rows)
    sets = [list(family.values()) for family in families.values()]
    return max(sets, key=lambda s: (len(s), base in {point.arm for point in s}), default=[])


def half_life_levels(arms: Entries, rows: Entries, points: Sequence[Point]) -> list[Level]:
    """The arms that differ from those points in nothing but that their half-lives are fitted.

    Arms of one value share a line.

    Args:
        arms: as of ``half_life_points``.
        rows: name → leaderboard row.
        points: arms with a stated half-life.
    """
    kinds = {_besides_half_life(arms[point.arm]["parameters"]) for point in points}
    found: dict[tuple[float, tuple[float, float]], list[str]] = {}
    for name, row in rows.items():
        parameters = arms.get(name, {}).get("parameters") or {}
        fits = "fitted" in parameters and dict(_flat(parameters)).get("half_life") == "fixed"
        if fits and row["value"] is not None and _besides_half_life(parameters) in kinds:
            doubt = "\n(not identifiable)" if arms[name].get("unidentified") else ""
            found.setdefault((row["value"], _ends(row)), []).append(f"{name}{doubt}")
    return [Level(",\n".join(names), *key) for key, names in found.items()]


def _ends(row: Mapping[str, Any]) -> tuple[float, float]:
    """The interval of a row's value; without one the value itself."""
    ends = row["ci95"] or (row["value"], row["value"])
    return ends[0], ends[1]


def _besides_half_life(parameters: Mapping[str, Any]) -> str:
    """All parameters that neither set the half-life nor describe the arm in words."""
    left_out = ("about", "changed", "fitted", "schedule")
    said = {key: value for key, value in parameters.items() if key not in left_out}
    return repr(sorted((k, repr(v)) for k, v in _flat(said) if not k.startswith("half_life")))


def _flat(value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """(last key, value) of every leaf of nested mappings."""
    for key, inner in value.items():
        if isinstance(inner, Mapping):
            yield from _flat(inner)
        else:
            yield str(key), inner


def depth_of(per_query: pl.DataFrame) -> int:
    """Where a curve over ranks ends: with the longest ranking, at 50 at the latest."""
    return min(int(per_query["returned"].to_numpy().max(initial=1)), DEPTH)


def families_of(per_query: pl.DataFrame, lead: str) -> list[str]:
    """``any`` and ``R``, the headline's first; none where no arm finds anything.

    Where every query has one relevant node both are the same, and only the first is given.
    """
    if (per_query["ranks"].list.max().max() or 0) == 0:
        return []
    families = ["R", "any"] if lead == "R" else ["any", "R"]
    alike = int(per_query["ranks"].list.len().to_numpy().max(initial=0)) < 2
    return families[:1] if alike else families


def first_found(per_query: pl.DataFrame) -> pl.DataFrame:
    """Rows with the best-ranked relevant node alone: their recall is any@k of the given ones."""
    best = per_query.with_columns(cs.by_dtype(pl.List(pl.Int32)).list.head(1))
    return best.with_columns(grades=pl.col("grades").list.eval(pl.element().clip(1, 1)))


def budgets_of(per_query: pl.DataFrame, steps: int = 24) -> list[int]:
    """Budgets in tokens, evenly spaced on a log scale, over the range in which answers are found.

    From the 1 % of the relevant nodes that cost least to reach to the one that costs most.

    Args:
        per_query: rows of all arms of a task.
        steps: at most so many.
    """
    spent = per_query["gold_tokens"].list.explode().drop_nulls().to_numpy()
    found = spent[spent > 0]
    if len(found) == 0:
        return [1, 10]
    first, last = float(np.quantile(found, 0.01)), float(found.max())
    grid = np.geomspace(max(first, 1.0), max(last, first + 1.0), steps)
    return sorted({int(tokens) for tokens in np.ceil(grid)})


def longest(per_query: pl.DataFrame) -> dict[str, int]:
    """Arm → the length of its longest ranking: beyond it a curve over ranks would be flat."""
    lengths = per_query.group_by("arm").agg(pl.col("returned").max())
    return {str(arm): int(length or 1) for arm, length in lengths.iter_rows()}


def curves_of(frame: pl.DataFrame, axis: str, ends: Mapping[str, int] | None = None) -> list[Curve]:
    """One curve an arm; without intervals the band has no width.

    Args:
        frame: columns arm, recall, low, high and the axis.
        axis: ``k`` or ``budget``.
        ends: arm → where its curve ends.
    """
    if ends is not None:
        last = pl.col("arm").replace_strict(dict(ends), default=None, return_dtype=pl.Int64)
        frame = frame.filter(last.is_null() | (pl.col(axis) <= last.clip(1)))
    filled = frame.with_columns(pl.col("low", "high").fill_null(pl.col("recall")))
    return [
        Curve(
            str(arm),
            *(part[name].cast(pl.Float64).to_numpy() for name in (axis, "recall", "low", "high")),
        )
        for (arm,), part in filled.group_by(["arm"], maintain_order=True)
    ]
