"""What the command line says when a layers run is done."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from hebb_lab.layers.arms.standard import BASE, FULL
from hebb_lab.layers.report.stored import Stored, rate_of
from hebb_lab.pages.families import SAID, too_few
from hebb_lab.pages.text import count, share, value, with_interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from typing import Any

TOLD = (BASE, FULL, "documented", "ungated", "observed", "tuned", "tuned_from_start")


def headline(folder: Path) -> float | None:
    """The full stack's value of the first task's headline; what a sweep can optimise."""
    stored = Stored.of(folder)
    task, entry = next(iter(stored.run.tasks.items()))
    found: float | None = stored.row(task, FULL, entry["headline"]).get("value")
    return found


def tell(folder: Path) -> None:
    """Print the systems, each layer in a line, what ended badly, and where everything lies."""
    stored, out = Stored.of(folder), sys.stdout
    found = json.loads((folder / "layers.json").read_text("utf-8"))
    for task, entry in stored.run.tasks.items():
        metric = stored.metrics[0]
        out.write(
            f"\n{stored.run.dataset['name']} · {task} · {metric} · n = {entry['n']:,} questions in"
            f" {entry['clusters']:,} clusters, {stored.run.result['layers']['memories']:,} memories"
            f" · direct search: {stored.run.result['layers']['stack']['seeder']}\n"
        )
        few = too_few(entry["clusters"])
        out.write(f"{few}\n" if few else "")
        out.writelines(_systems(stored, task, metric, found["arms"]))
        own = [row for row in found["layers"] if row["task"] == task]
        out.writelines(_layers(own, metric))
    ended = [(arm, e) for arm, e in stored.run.arms.items() if e["status"] != "ok"]
    for arm, entry in ended:
        out.write(f"\narm {arm}: {entry['status']}: {entry['error']}")
    out.write("\n" if ended else "")
    for label, name in (("layers", "layers.md"), ("leaderboard", "leaderboard.md"),
                        ("figures", "figures")):  # fmt: skip
        out.write(f"\n{label:<12} {folder / name}")
    out.write("\n")


def _systems(
    stored: Stored, task: str, metric: str, standings: list[Mapping[str, Any]]
) -> Iterator[str]:
    own = [*TOLD, *stored.group("own")]
    wide = max(len(arm) for arm in own)
    told = {row["arm"]: row for row in standings if row["task"] == task}
    for arm in own:
        row, entry, found = stored.row(task, arm, metric), stored.entry(arm), told.get(arm)
        if not row or row["value"] is None:
            continue
        rate = rate_of(entry, "candidate_rate", task)
        more = ""
        if entry.get("base") and found is not None:
            delta = with_interval(found["value"], found["interval"])
            more = f"  {delta} against {row['base']}: {found['verdict']}"
            more += "" if rate is None else f"; {share(rate, 1)} of the questions have candidates"
        yield f"  {value(row['value'])}  {arm:<{wide}}{more}\n"


def _layers(rows: list[Mapping[str, Any]], metric: str) -> Iterator[str]:
    """Each layer: what it adds to direct search, to the full stack, and how many it found."""
    yield f"\n  Δ {metric:<13} {'added to direct search':<26} {'kept in the full stack':<26}"
    yield f" {'Shapley value':<26} listed  relevant\n"
    for row in rows:
        found, work = row["effects"][metric], row["work"]
        cells = [with_interval(found[kind]["value"], found[kind]["interval"])
                 for kind in ("added", "kept", "shapley")]  # fmt: skip
        told = " ".join(f"{cell:<26}" for cell in cells)
        said = SAID.get(found["added"]["verdict"], found["added"]["verdict"])
        yield (
            f"  {row['layer']:<15} {told} {count(work.get('listed')):>6}"
            f"  {count(work.get('gold')):>8}  {said}\n"
        )
        if row["note"]:
            yield f"  {'':<15} {row['note']}\n"
