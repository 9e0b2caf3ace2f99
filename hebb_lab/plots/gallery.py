"""The figures of a run, by name, from its leaderboard and its per-query rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from hebb_lab.evaluation import curves
from hebb_lab.evaluation.spec import parse
from hebb_lab.plots import attribution, budget, forest, half_life, recall_at_k
from hebb_lab.plots.choose import (
    Entries,
    base_of,
    budgets_of,
    curves_of,
    depth_of,
    effects_of,
    families_of,
    first_found,
    half_life_levels,
    half_life_points,
    longest,
    roles_of,
    rows_of,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hebb_lab.evaluation.leaderboard import Leaderboard
    from hebb_lab.runs import Run

Figures = Iterator[tuple[str, "Figure"]]
OWN_EFFECTS = ("layers",)
"""Kinds of runs whose report shows by itself what each arm changes, against bases of their own."""


def about(dataset: str, task: str, queries: int, clusters: int | None = None) -> str:
    """What every heading says: data set, task and how much there is of it.

    >>> about("simulated", "first_touch", 1200, 40)
    'simulated · first_touch · n = 1,200 queries in 40 clusters'
    """
    inside = "" if clusters is None else f" in {clusters:,} clusters"
    return f"{dataset} · {task} · n = {queries:,} queries{inside}"


@dataclass(frozen=True)
class _Task:
    """A task with its headline metric, the rows under it, what its headings say, and its base."""

    name: str
    metric: str
    rows: Entries
    heading: str
    base: str


def of_run(
    run: Run, board: Leaderboard, resamples: int, effects: pl.DataFrame | None = None
) -> Figures:
    """(name, figure) of every figure that a run has something to show in.

    Args:
        run: what to show.
        board: its leaderboard.
        resamples: of the bands around curves.
        effects: of its parts, in EFFECT_SCHEMA.
    """
    for name, entry in run.tasks.items():
        rows = rows_of(board, run.dataset["name"], name, entry["headline"])
        counts = [row["n"] for row in rows.values() if row["value"] is not None]
        if not counts:
            continue
        heading = about(run.dataset["name"], name, counts[0], entry.get("clusters"))
        task = _Task(name, entry["headline"], rows, heading, _base(run, rows))
        yield from _curves(run, task, resamples)
        if run.kind in OWN_EFFECTS:
            continue
        yield from _forest(task)
        yield from _half_life(run.arms, task)
        if effects is not None:
            yield from _attribution(effects.filter(task=name), task)


def of_macro(board: Leaderboard, runs: Sequence[Run], resamples: int) -> Figures:
    """(name, figure) for the mean over data sets: recall at k, and what each arm changes.

    Args:
        board: the means.
        runs: what they are means of, one a data set.
        resamples: of the bands around curves.
    """
    for (dataset, name), _ in board.rows.group_by(["dataset", "task"], maintain_order=True):
        metric = board.headlines[str(name)][0]
        rows = rows_of(board, str(dataset), str(name), metric)
        count = max(row["n"] or 0 for row in rows.values())
        asked = [run for run in runs if name in run.tasks]
        heading = about(f"mean of {len(asked)} data sets", str(name), count)
        task = _Task(str(name), metric, rows, heading, _base(runs[0], rows))
        yield from _macro_curves(asked, task, resamples)
        if runs[0].kind not in OWN_EFFECTS:
            yield from _forest(task)


def _base(run: Run, rows: Entries) -> str:
    """The run's own base where its arms have many, else the arm that most are compared with."""
    return str(run.result["base"]) if run.kind in OWN_EFFECTS else base_of(rows)


def _curves(run: Run, task: _Task, resamples: int) -> Figures:
    """Recall at k as any and as R, the headline's first; recall at a budget for the first.

    Where every query has one relevant node both are the same. Where no arm returns a second node,
    or finds any, there is no curve.
    """
    lead = parse(task.metric)
    found = roles_of(task.rows, task.base)
    scored = _scored(run, task)
    depth = depth_of(scored)
    for number, family in enumerate(families_of(scored, lead.name)):
        kept = first_found(scored) if family == "any" else scored
        rng = np.random.default_rng([run.result["seed"], number])
        at_k = curves_of(curves.recall_at_k(kept, rng, depth, resamples), "k", longest(scored))
        if depth > 1:
            figure = recall_at_k.draw(at_k, found, family, task.heading, lead.cutoff)
            yield f"{family}_at_k_{task.name}", figure
        if number == 0:
            spent = curves.recall_at_budget(kept, rng, budgets_of(kept), resamples)
            figure = budget.draw(curves_of(spent, "budget"), found, family, task.heading)
            yield f"budget_{task.name}", figure


def _macro_curves(runs: Sequence[Run], task: _Task, resamples: int) -> Figures:
    """Recall at k, the mean over data sets; the same families as for a single run."""
    lead, found = parse(task.metric), roles_of(task.rows, task.base)
    parts = [_scored(run, task) for run in runs]
    depth = max(depth_of(part) for part in parts)
    families = max((families_of(part, lead.name) for part in parts), key=len)
    for number, family in enumerate(families if depth > 1 else ()):
        kept = [first_found(part) if family == "any" else part for part in parts]
        rng = np.random.default_rng([runs[0].result["seed"], number])
        ends = longest(pl.concat([part.select("arm", "returned") for part in parts]))
        at_k = curves_of(curves.macro_recall_at_k(kept, rng, depth, resamples), "k", ends)
        figure = recall_at_k.draw(at_k, found, family, task.heading, lead.cutoff)
        yield f"{family}_at_k_{task.name}", figure


def _scored(run: Run, task: _Task) -> pl.DataFrame:
    """The rows of a run behind a task's numbers."""
    numbers = [arm for arm, row in task.rows.items() if row["value"] is not None]
    return run.per_query.filter((pl.col("task") == task.name) & pl.col("arm").is_in(numbers))


def _forest(task: _Task) -> Figures:
    base, effects = task.base, effects_of(task.rows)
    if effects:
        value = task.rows[base]["value"] if base in task.rows else None
        figure = forest.draw(effects, base, value, task.metric, task.heading)
        yield f"forest_{task.name}", figure


def _half_life(arms: Entries, task: _Task) -> Figures:
    points = half_life_points(arms, task.rows)
    if len(points) > 1:
        levels = half_life_levels(arms, task.rows, points)
        figure = half_life.draw(points, task.base, task.metric, task.heading, levels=levels)
        yield f"half_life_{task.name}", figure


def _attribution(effects: pl.DataFrame, task: _Task) -> Figures:
    """One figure a method, for the headline."""
    for (method,), rows in effects.filter(metric=task.metric).group_by(
        ["method"], maintain_order=True
    ):
        parts = [
            attribution.Part(r["part"], r["effect"], _interval(r["low"], r["high"]))
            for r in rows.to_dicts()
        ]
        start = rows["start"][0] or 0.0
        figure = attribution.draw(parts, str(method), task.metric, task.heading, start)
        yield f"attribution_{method}_{task.name}", figure


def _interval(low: float | None, high: float | None) -> tuple[float, float] | None:
    return None if low is None or high is None else (low, high)
