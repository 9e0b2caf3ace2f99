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
    "life": ("reinforcement", "forgetting"),
}
"""Name of a figure → groups of arms whose quality over days it shows."""
HALF_LIVES = "half-life {:g} days"


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
        shown = _told_apart(found, of, sittings, arms)
        if shown:
            lines = [_line(stored, sittings, arm, metric) for arm in (base, *shown)]
            yield f"memory_{name}_{of}", silence.draw(lines, base, metric, heading)


def _told_apart(
    found: Findings, of: str, sittings: Sequence[str], arms: Sequence[str]
) -> list[str]:
    """Arms whose values are not those of the base or of an arm before them."""
    seen = {tuple(found.value(name, of, str(found.stored.run.base)) for name in sittings)}
    shown = []
    for arm in arms:
        own = tuple(found.value(name, of, arm) for name in sittings)
        if own not in seen:
            seen.add(own)
            shown.append(arm)
    return shown


def _line(stored: Stored, sittings: Sequence[str], arm: str, metric: str) -> Series:
    rows = [stored.row(name, arm, metric) for name in sittings]

    def column(name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
        found = [row.get(name) for row in rows]
        return np.array([np.nan if each is None else each for each in found], np.float64)

    days = np.array([stored.run.tasks[name]["days"] for name in sittings], np.float64)
    return Series(arm, days, column("value"), column("low"), column("high"))


def _retention(stored: Stored) -> Iterator[tuple[str, Figure]]:
    """The base's life under each half-life, and each life under its own."""
    curves = stored.retention
    if not curves:
        return
    first, name = curves[0], stored.run.dataset["name"]
    heading = f"{name} · {first['memories']:,} memories, threshold {first['threshold']:g}"
    kept = [_kept(HALF_LIVES.format(h), first, n) for n, h in enumerate(first["half_lives"])]
    yield "memory_retention", retention.draw(kept, kept[0].name, heading)
    seen, lives = set(), []
    for curve in curves:
        own = (tuple(curve["kept"][0]), tuple((curve["kept_needed"] or [[]])[0]))
        if own not in seen:
            seen.add(own)
            lives.append(_kept(curve["life"], curve, 0))
    if len(lives) > 1:
        told = f"{name} · {first['memories']:,} memories; each life by its own half-life"
        yield "memory_retention_lives", retention.draw(lives, lives[0].name, told)


def _kept(name: str, curve: Mapping[str, Any], number: int) -> retention.Retained:
    needed = curve["kept_needed"]
    return retention.Retained(
        name, np.array(curve["days"], np.float64), np.array(curve["kept"][number], np.float64),
        None if needed is None else np.array(needed[number], np.float64),
    )  # fmt: skip
