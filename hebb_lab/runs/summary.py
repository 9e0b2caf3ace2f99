"""What a run found, in a few lines for a terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hebb_lab.runs.reader import read_run

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from hebb_lab.runs.reader import Run

BEST = 5
"""Arms a task that are shown, beside the base."""


def headline_rows(folder: Path, task: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows of leaderboard.json for a task's first headline, best first, those without value last.

    Args:
        folder: of a run that was reported.
        task: its entry in result.json.
    """
    rows = json.loads((folder / "leaderboard.json").read_text(encoding="utf-8"))["rows"]
    chosen = [r for r in rows if (r["task"], r["metric"]) == (task["task"], task["headline"])]
    return sorted(chosen, key=lambda row: (row["value"] is None, -(row["value"] or 0.0)))


def headline(run: Run) -> float | None:
    """The base's first headline of the first task; the best arm's where a run has no base."""
    task = next(iter(run.tasks.values()))
    rows = headline_rows(run.folder, task)
    chosen = [row for row in rows if row["arm"] == run.base] or rows[:1]
    return chosen[0]["value"] if chosen else None


def summary(folder: Path) -> str:
    """How a run ended, the best arms and the base of each task, and where the rest is."""
    run = read_run(folder)
    states = [entry["status"] for entry in run.arms.values()]
    counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    lines = [f"{run.name} on {run.dataset['name']}: {len(states)} arms ({counts})"]
    for task in run.tasks.values():
        rows = headline_rows(folder, task)
        lines += ["", f"{task['task']}, {task['headline']}, n = {task['n']:,}", *_table(rows, run)]
    lines += ["", f"{folder / 'leaderboard.md'}", f"{folder / 'figures'}"]
    return "\n".join(lines) + "\n"


def _table(rows: Sequence[Mapping[str, Any]], run: Run) -> Iterator[str]:
    shown = [row for row in rows if row["group"] != "attribution"] or rows
    kept = [row for i, row in enumerate(shown) if i < BEST or row["arm"] == run.base]
    width = max((len(row["arm"]) for row in kept), default=0)
    for row in kept:
        value = "    –" if row["value"] is None else f"{row['value']:.3f}"
        yield f"  {row['arm']:<{width}}  {value}  {_change(row, run.base)}".rstrip()


def _change(row: Mapping[str, Any], base: str | None) -> str:
    """The difference to the base in words."""
    if row["arm"] == base:
        return "base"
    if row["status"] != "ok":
        return str(row["status"])
    if row["delta"] is None:
        return ""
    against = "" if row["base"] == base else f" to {row['base']}"
    ends = row["delta_ci95"]
    inside = "" if ends is None else f" [{ends[0]:+.3f}, {ends[1]:+.3f}]"
    if row["inert"]:
        return f"inert: ranks as {row['base']} does"
    shown = row["p_holm"] is not None and row["p_holm"] < 0.05
    verdict = ("better" if row["delta"] > 0 else "worse") if shown else "may be chance"
    return f"{row['delta']:+.3f}{inside}{against}  {verdict}"
