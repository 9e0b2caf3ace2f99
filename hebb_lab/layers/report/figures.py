"""The figures of a layers run, beside those that an ablation has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.layers.arms.standard import BASE, CODE, FULL, PAGE
from hebb_lab.layers.report.effects import KINDS
from hebb_lab.layers.report.findings import TURNED
from hebb_lab.layers.report.page import TITLES
from hebb_lab.plots import forest
from hebb_lab.plots.effects import Effect
from hebb_lab.plots.gallery import about
from hebb_lab.plots.layers import categories, effects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.figure import Figure

    from hebb_lab.layers.report.effects import LayerRow
    from hebb_lab.layers.report.findings import Findings
    from hebb_lab.layers.report.stored import Stored
    from hebb_lab.pages.families import Standing

SHOWN = (BASE, FULL, PAGE, CODE, "tuned")


def figures_of(found: Findings) -> Iterator[tuple[str, Figure]]:
    """(name, figure): effects of layers, quality by category, deviations; what there is of them."""
    stored = found.stored
    for task, entry in stored.run.tasks.items():
        heading = about(stored.run.dataset["name"], task, entry["n"], entry.get("clusters"))
        metric = stored.metrics[0]
        marks = [mark for row in found.rows_of(task) for mark in _marks(row, metric)]
        if any(mark.delta is not None for mark in marks):
            yield f"layers_effects_{task}", effects.draw(marks, metric, heading)
        arms = [*SHOWN, *stored.group("own")]
        bars = [
            categories.Bar(cell.category, cell.n, cell.arm, cell.value)
            for cell in found.cells
            if cell.task == task and cell.metric == "R@10" and cell.arm in arms
        ]
        if bars:
            yield f"layers_categories_{task}", categories.draw(bars, BASE, "R@10", heading)
        yield from _switches(found, task, metric, heading)


def _marks(row: LayerRow, metric: str) -> list[Effect]:
    """The three effects of a layer as rows of a forest."""
    found = {kind: row.effects[metric][kind] for kind in KINDS}
    return [
        _mark(TITLES[kind], row.layer, each, inert=each.verdict == "no change")
        for kind, each in found.items()
    ]


def _mark(name: str, group: str, standing: Standing, value: float | None = None, *,
          inert: bool = False) -> Effect:  # fmt: skip
    told = standing.verdict in ("better", "worse")
    status = standing.verdict if standing.verdict in ("failed", "skipped") else "ok"
    return Effect(
        name, group, value, standing.value, standing.interval, 0.0 if told else 1.0,
        inert=inert, status=status,
    )  # fmt: skip


def _family(stored: Stored, arm: str) -> str:
    """Deviations of the code; another base than the page's rules is named."""
    base = stored.entry(arm).get("base")
    return "deviations of the code" + ("" if base == PAGE else f", Δ to {base}")


def _switches(
    found: Findings, task: str, metric: str, heading: str
) -> Iterator[tuple[str, Figure]]:
    """The deviations in a forest of their own, without those about storage."""
    stored = found.stored
    marks = [
        _mark(arm.removeprefix("switch_"), _family(stored, arm), standing,
              stored.row(task, arm, metric).get("value"),
              inert=bool(stored.row(task, arm, metric).get("inert")))
        for arm, standing in found.arms_of(task, TURNED).items()
    ]  # fmt: skip
    if any(mark.delta is not None for mark in marks):
        value = stored.row(task, PAGE, metric).get("value")
        yield f"layers_switches_{task}", forest.draw(marks, PAGE, value, metric, heading)
