"""What the command line says when a run on the lives of memories is done."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hebb_lab.lifecycles.report.stored import Stored

if TYPE_CHECKING:
    from pathlib import Path

TOLD_GROUPS = ("stack", "floors", "strategies", "reinforcement", "forgetting", "systems", "tuned")
"""Groups that are told on the command line; all others stand in the leaderboard."""


def headline(folder: Path) -> float | None:
    """The base's value of the first task's headline; what a sweep can optimise."""
    stored = Stored.of(folder)
    task, entry = next(iter(stored.run.tasks.items()))
    found: float | None = stored.row(task, str(stored.run.base), entry["headline"]).get("value")
    return found


def tell(folder: Path) -> None:
    """Print the main arms at each horizon, what ended badly, and where everything lies."""
    stored, out = Stored.of(folder), sys.stdout
    about = stored.memory
    for task, sittings in stored.sittings().items():
        entry = stored.run.tasks[sittings[0]]
        out.write(
            f"\n{stored.run.dataset['name']} · {task} · {entry['headline']} · n = {entry['n']:,}"
            f" questions in {entry['clusters']:,} clusters, {about['memories']:,} memories"
            f" · vectors: {about['embedder']}\n"
        )
        out.writelines(_table(stored, sittings, entry["headline"]))
    ended = [(arm, e) for arm, e in stored.run.arms.items() if e["status"] != "ok"]
    for arm, entry in ended:
        out.write(f"\narm {arm}: {entry['status']}: {entry['error']}")
    out.write("\n" if ended else "")
    for label, name in (("memory", "memory.md"), ("leaderboard", "leaderboard.md"),
                        ("figures", "figures")):  # fmt: skip
        out.write(f"\n{label:<12} {folder / name}")
    out.write("\n")


def _table(stored: Stored, sittings: list[str], metric: str) -> Iterator[str]:
    """One line an arm: its value at each horizon."""
    names = [
        arm for arm, entry in stored.run.arms.items()
        if entry.get("group") in (*TOLD_GROUPS, "own") and entry["status"] == "ok"
    ]  # fmt: skip
    wide = max((len(name) for name in names), default=0)
    heads = "".join(f"{stored.run.tasks[name]['days']:>8g} d" for name in sittings)
    yield f"  {'days of silence':<{wide}}{heads}\n"
    for name in names:
        values = [stored.row(sitting, name, metric).get("value") for sitting in sittings]
        cells = "".join(f"{'–' if value is None else f'{value:.3f}':>10}" for value in values)
        yield f"  {name:<{wide}}{cells}\n"
