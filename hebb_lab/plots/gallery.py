"""The figures of a run, by name, from its leaderboard and its per-query rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hebb_lab.evaluation import curves
from hebb_lab.evaluation.spec import parse
from hebb_lab.plots import attribution, budget, forest, half_life, recall_at_k
from hebb_lab.plots.lines import Curve
from hebb_lab.plots.roles import Role, roles

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hebb_lab.evaluation.leaderboard import Leaderboard
    from hebb_lab.runs import Run

Figures = Iterator[tuple[str, "Figure"]]
DEPTH = 50
"""Curves end here at the latest."""
Entries = Mapping[str, Mapping[str, Any]]


def about(dataset: str, task: str, queries: int, clusters: int | None = None) -> str:
    """What every heading says: data set, task and how much there is of it.

    >>> about("simulated", "first_touch", 1200, 40)
    'simulated · first_touch · n = 1,200 queries in 40 clusters'
    """
    inside = "" if clusters is None else f" in {clusters:,} clusters"
    return f"{dataset} · {task} · n = {queries:,} queries{inside}"


def of_task(board: Leaderboard, dataset: str, task: str, metric: str) -> dict[str, dict[str, Any]]:
    """Rows of a leaderboard by arm."""
    chosen = board.rows.filter(dataset=dataset, task=task, metric=metric)
    return {row["arm"]: row for row in chosen.to_dicts()}


def base_of(rows: Entries) -> str:
    """The arm that most others are compared with; empty where there is none."""
    bases = [row["base"] for row in rows.values() if row["base"]]
    return max(dict.fromkeys(bases), key=bases.count, default="")


def roles_of(rows: Entries) -> dict[str, Role]:
    """What each arm of a task is to the reader."""
    values = {arm: row["value"] for arm, row in rows.items() if row["value"] is not None}
    return roles({arm: row["group"] or "arm" for arm, row in rows.items()}, values, base_of(rows))


def of_run(run: Run, board: Leaderboard, resamples: int) -> Figures:
    """(name, figure) of every figure that a run has something to show in.

    Args:
        run: what to show.
        board: its leaderboard.
        resamples: of the bands around curves.
    """
    for task, entry in run.tasks.items():
        rows = of_task(board, run.dataset["name"], task, entry["headline"])
        if not any(row["value"] is not None for row in rows.values()):
            continue
        count = next(row["n"] for row in rows.values() if row["value"] is not None)
        heading = about(run.dataset["name"], task, count, entry.get("clusters"))
        yield from _curves(run, task, entry["headline"], rows, heading, resamples)
        yield from _forest(task, entry["headline"], rows, heading)
        yield from _half_life(run.arms, task, entry["headline"], rows, heading)
        yield from _attribution(run.result.get("attribution"), task, heading)


def of_macro(board: Leaderboard, names: Sequence[str]) -> Figures:
    """(name, figure) for the mean over the named data sets: what each arm changes there."""
    title = f"mean of {len(names)} data sets: {', '.join(names)}"
    for (dataset, task), _ in board.rows.group_by(["dataset", "task"], maintain_order=True):
        metric = board.headlines[str(task)][0]
        rows = of_task(board, str(dataset), str(task), metric)
        count = max(row["n"] or 0 for row in rows.values())
        yield from _forest(str(task), metric, rows, about(title, str(task), count))


def _curves(
    run: Run, task: str, metric: str, rows: Entries, heading: str, resamples: int
) -> Figures:
    """Recall at k as any and as R, the headline's first; recall at a budget for the first."""
    lead, cut = parse(metric).name, parse(metric).cutoff
    found = roles_of(rows)
    scored = run.per_query.filter(task=task)
    depth = min(int(scored["returned"].to_numpy().max(initial=1)), DEPTH)
    families = ["R", "any"] if lead == "R" else ["any", "R"]
    for number, family in enumerate(families):
        kept = first_found(scored) if family == "any" else scored
        rng = np.random.default_rng([run.result["seed"], number])
        at_k = curves.recall_at_k(kept, rng, depth, resamples)
        mark = cut if family == lead else None
        figure = recall_at_k.draw(_split(at_k, "k"), found, family, heading, mark)
        yield f"{family}_at_k_{task}", figure
        if number == 0:
            spent = curves.recall_at_budget(kept, rng, resamples=resamples)
            figure = budget.draw(_split(changing(spent), "budget"), found, family, heading)
            yield f"budget_{task}", figure


def first_found(per_query: pl.DataFrame) -> pl.DataFrame:
    """Rows with the best-ranked relevant node alone: their recall is any@k of the given ones."""
    best = per_query.with_columns(pl.col("ranks", "grades", "gold_tokens").list.head(1))
    return best.with_columns(grades=pl.col("grades").list.eval(pl.element().clip(1, 1)))


def changing(spent: pl.DataFrame) -> pl.DataFrame:
    """The budgets between the last at which nobody has found anything and the first that is enough.

    Args:
        spent: as ``recall_at_budget`` makes it.
    """
    steps = (
        spent.with_columns(final=pl.col("recall").max().over("arm"))
        .group_by("budget")
        .agg(none=(pl.col("recall") == 0).all(), done=(pl.col("recall") == pl.col("final")).all())
    )
    low = max(steps.filter("none")["budget"], default=0)
    high = min(steps.filter("done")["budget"], default=0)
    return spent.filter(pl.col("budget").is_between(low, high)) if low < high else spent


def _split(frame: pl.DataFrame, axis: str) -> list[Curve]:
    """One curve an arm; without intervals the band has no width."""
    filled = frame.with_columns(pl.col("low", "high").fill_null(pl.col("recall")))
    return [
        Curve(
            str(arm),
            *(part[name].cast(pl.Float64).to_numpy() for name in (axis, "recall", "low", "high")),
        )
        for (arm,), part in filled.group_by(["arm"], maintain_order=True)
    ]


def _forest(task: str, metric: str, rows: Entries, heading: str) -> Figures:
    base = base_of(rows)
    against = [row for arm, row in rows.items() if row["base"] == base and arm != base]
    if base and against:
        effects = [effect_of(row) for row in against]
        value = rows[base]["value"] if base in rows else None
        yield f"forest_{task}", forest.draw(effects, base, value, metric, heading)


def effect_of(row: Mapping[str, Any]) -> forest.Effect:
    """A leaderboard row as a row of the forest plot."""
    interval = row["delta_ci95"]
    return forest.Effect(
        arm=row["arm"],
        group=row["group"] or "arms",
        value=row["value"],
        delta=row["delta"],
        interval=None if interval is None else (interval[0], interval[1]),
        p=row["p_holm"],
        inert=bool(row["inert"]),
        status=row["status"],
    )


def _half_life(arms: Entries, task: str, metric: str, rows: Entries, heading: str) -> Figures:
    points = half_life_points(arms, rows)
    if len({point.days for point in points}) > 1:
        figure = half_life.draw(points, base_of(rows), metric, heading)
        yield f"half_life_{task}", figure


def half_life_points(arms: Entries, rows: Entries) -> list[half_life.Point]:
    """The arms that differ from the base in nothing but a fixed half-life, or in having none.

    Args:
        arms: name → entry of result.json; its ``parameters`` hold ``half_life_days`` (null: no
            decay), and perhaps the switch ``half_life`` (fixed, none, or a learned one).
        rows: name → leaderboard row.
    """
    alike = _without_half_life(arms.get(base_of(rows), {}).get("parameters"))
    points = []
    for name, row in rows.items():
        parameters = arms[name].get("parameters") or {}
        if "half_life_days" not in parameters or row["value"] is None:
            continue
        days, mode = parameters["half_life_days"], dict(_flat(parameters)).get("half_life")
        fixed = mode in (None, "none" if days is None else "fixed")
        if fixed and _without_half_life(parameters) == alike:
            ends = row["ci95"] or (row["value"], row["value"])
            points.append(half_life.Point(name, days, row["value"], (ends[0], ends[1])))
    return points


def _without_half_life(parameters: Any) -> list[tuple[str, Any]]:
    return sorted(
        (key, repr(value)) for key, value in _flat(parameters) if not key.startswith("half_life")
    )


def _flat(value: Any) -> Iterator[tuple[str, Any]]:
    """(last key, value) of every leaf of nested mappings."""
    for key, inner in (value or {}).items():
        if isinstance(inner, Mapping):
            yield from _flat(inner)
        else:
            yield str(key), inner


def _attribution(stored: Mapping[str, Any] | None, task: str, heading: str) -> Figures:
    """One figure a method and metric.

    ``stored["rows"]`` are the rows of ``evaluation.attribution.attribute`` with ``task`` and
    ``metric``, and for a ladder ``start``, the measure with no part.
    """
    rows = [row for row in (stored or {}).get("rows", ()) if row["task"] == task]
    for method, metric in dict.fromkeys((row["method"], row["metric"]) for row in rows):
        chosen = [row for row in rows if (row["method"], row["metric"]) == (method, metric)]
        parts = [attribution.Part(r["part"], r["effect"], _interval(r)) for r in chosen]
        start = chosen[0].get("start") or 0.0
        name = f"attribution_{method}_{task}" + ("" if len(rows) == len(chosen) else f"_{metric}")
        yield name, attribution.draw(parts, method, metric, heading, start)


def _interval(row: Mapping[str, Any]) -> tuple[float, float] | None:
    return None if row["low"] is None else (row["low"], row["high"])
