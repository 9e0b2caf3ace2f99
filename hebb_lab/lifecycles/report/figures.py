"""The figures of a run on the lives of memories, beside those that an ablation has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.plots.gallery import about
from hebb_lab.plots.lifecycles import growth, retention, silence
from hebb_lab.plots.lifecycles.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from matplotlib.figure import Figure

    from hebb_lab.lifecycles.report.findings import Findings
    from hebb_lab.lifecycles.report.stored import Stored

SILENCE: Mapping[str, tuple[str, ...]] = {
    "strategies": ("strategies", "systems", "tuned", "own"),
    "score": ("weights", "recency", "decay"),
    "life": ("reinforcement", "forgetting", "revisions"),
}
"""Name of a figure → groups of arms whose quality over days it shows."""
TITLES = {
    "strategies": "by strategy and system", "score": "by what the score is made of",
    "life": "by reinforcement, forgetting and revision",
}  # fmt: skip
HALF_LIVES = "half-life {:g} days"
LIVED = ("reinforcement", "forgetting", "revisions")
"""Groups of arms whose lives the figure of retention shows beside the base's."""


def figures_of(found: Findings) -> Iterator[tuple[str, Figure]]:
    """(name, figure): quality over days by families, what is kept, how the store grows."""
    stored = found.stored
    for of, sittings in stored.sittings().items():
        if len(sittings) > 1:
            yield from _silence(found, of, sittings)
    yield from _retention(stored)
    sizes = stored.growth.get("sizes")
    if sizes:
        told = [growth.Size(size["memories"], size["bytes"], size["event"]) for size in sizes]
        name = f"{stored.run.dataset['name']} · vectors of {stored.growth['dimensions']}"
        yield "memory_growth", growth.draw(told, name)


def _silence(found: Findings, of: str, sittings: Sequence[str]) -> Iterator[tuple[str, Figure]]:
    stored, metric = found.stored, found.metric(of)
    entry, base = stored.run.tasks[sittings[0]], str(found.stored.run.base)
    heading = about(stored.run.dataset["name"], of, entry["n"], entry.get("clusters"))
    for name, groups in SILENCE.items():
        arms = [arm for group in groups for arm in stored.group(group)
                if stored.entry(arm)["status"] == "ok"]  # fmt: skip
        shown, same = _told_apart(found, of, sittings, arms)
        if shown:
            lines = [_line(stored, sittings, arm, metric) for arm in (base, *shown)]
            told = f"{heading}{_same(same)}"
            title = f"{metric} after days of silence, {TITLES[name]}"
            yield f"memory_{name}_{of}", silence.draw(lines, base, metric, title, told)


def _told_apart(
    found: Findings, of: str, sittings: Sequence[str], arms: Sequence[str]
) -> tuple[list[str], list[str]]:
    """(arms of new values, arms whose values are those of the base or of an arm before them)."""
    seen = {tuple(found.value(name, of, str(found.stored.run.base)) for name in sittings)}
    shown, same = list[str](), list[str]()
    for arm in arms:
        own = tuple(found.value(name, of, arm) for name in sittings)
        (same if own in seen else shown).append(arm)
        seen.add(own)
    return shown, same


def _same(arms: Sequence[str]) -> str:
    """Which arms are not drawn because another has the same values.

    >>> _same([]), _same(["off", "on"]).strip()
    ('', 'the same values as a line that is drawn: off, on')
    """
    if not arms:
        return ""
    more = f" and {len(arms) - 4} more" if len(arms) > 4 else ""
    return f"\nthe same values as a line that is drawn: {', '.join(arms[:4])}{more}"


def _line(stored: Stored, sittings: Sequence[str], arm: str, metric: str) -> Series:
    rows = [stored.row(name, arm, metric) for name in sittings]
    days = np.array([stored.run.tasks[name]["days"] for name in sittings], np.float64)
    values = np.array([np.nan if row.get("value") is None else row["value"] for row in rows])
    ends = [row.get("ci95") for row in rows]
    if None in ends:
        return Series(arm, days, values)
    low, high = np.array(ends, np.float64).T
    return Series(arm, days, values, low, high)


def _retention(stored: Stored) -> Iterator[tuple[str, Figure]]:
    """The base's life under each half-life, and each life under its own."""
    curves = stored.retention
    if not curves:
        return
    first, name = curves[0], stored.run.dataset["name"]
    heading = f"{name} · {first['memories']:,} memories, threshold {first['threshold']:g}"
    kept = [_kept(HALF_LIVES.format(h), first, n) for n, h in enumerate(first["half_lives"])]
    yield "memory_retention", retention.draw(kept, kept[0].name, heading)
    shown = {stored.run.base, *(arm for group in LIVED for arm in stored.group(group))}
    seen, lives = set[tuple[float, ...]](), list[retention.Retained]()
    for curve in curves:
        own = tuple(curve["kept"][0])
        if curve["life"] in shown and own not in seen:
            seen.add(own)
            lives.append(_kept(curve["life"], curve, 0))
    if len(lives) > 1:
        told = f"{name} · {first['memories']:,} memories; each life by its own half-life"
        lives.sort(key=lambda life: float(life.all.sum()))  # so names stand in the lines' order
        yield "memory_retention_lives", retention.draw(lives, str(stored.run.base), told)


def _kept(name: str, curve: Mapping[str, Any], number: int) -> retention.Retained:
    needed = curve["kept_needed"]
    return retention.Retained(
        name, np.array(curve["days"], np.float64), np.array(curve["kept"][number], np.float64),
        None if needed is None else np.array(needed[number], np.float64),
    )  # fmt: skip
