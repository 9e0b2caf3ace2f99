"""What the command line says when a run is done."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


def headline(folder: Path) -> float | None:
    """The base's value of the first task's headline; what a sweep can optimise."""
    rows, result = _rows(folder), _result(folder)
    first = result["tasks"][0]
    for row in rows:
        mine = row["task"] == first["task"] and row["metric"] == first["headline"]
        if mine and row["arm"] == result.get("base"):
            value: float | None = row["value"]
            return value
    return None


def tell(folder: Path) -> None:
    """Print the best arms of each task, the base, fitted ones, and where everything lies."""
    rows, result = _rows(folder), _result(folder)
    out = sys.stdout
    own = {entry["arm"]: entry.get("changed", {}).get("half_life") for entry in result["arms"]}
    fitted = {arm for arm, value in own.items() if str(value).startswith("@")}
    for task in result["tasks"]:
        scored = [
            row
            for row in rows
            if row["task"] == task["task"]
            and row["metric"] == task["headline"]
            and row["value"] is not None
        ]
        scored.sort(key=lambda row: -row["value"])
        out.write(
            f"\n{result['dataset']['name']} · {task['task']} · {task['headline']}"
            f" · n = {task['n']:,} queries in {task['clusters']:,} clusters\n"
        )
        for row in scored[:5]:
            out.write(_line(row))
        for row in scored[5:]:
            if row["arm"] == result.get("base") or row["arm"] in fitted:
                out.write(_line(row))
    for entry in result["arms"]:
        if entry["status"] != "ok":
            out.write(f"\narm {entry['arm']}: {entry['status']}: {entry['error']}")
    out.write(f"\n\nleaderboard  {folder / 'leaderboard.md'}\nfigures      {folder / 'figures'}\n")


def _line(row: dict[str, Any]) -> str:
    delta = ""
    if row["delta"] is not None and row["base"]:
        ends = row["delta_ci95"]
        interval = f" [{ends[0]:+.3f}, {ends[1]:+.3f}]" if ends else ""
        delta = f"  {row['delta']:+.3f}{interval} against {row['base']}"
    return f"  {row['value']:.3f}  {row['arm']:<28}{delta}\n"


def _rows(folder: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((folder / "leaderboard.json").read_text())["rows"]
    return rows


def _result(folder: Path) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((folder / "result.json").read_text())
    return result
