"""The figures of a layers run, beside those that an ablation has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.layers.arms.standard import BASE, CODE, FULL, PAGE
from hebb_lab.layers.report.effects import KINDS
from hebb_lab.layers.report.page import TITLES
from hebb_lab.plots import forest
from hebb_lab.plots.choose import effects_of
from hebb_lab.plots.effects import Effect as Mark
from hebb_lab.plots.gallery import about
from hebb_lab.plots.layers import categories, effects

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.figure import Figure

    from hebb_lab.layers.report.categories import Cell
    from hebb_lab.layers.report.effects import Effect, LayerRow
    from hebb_lab.layers.report.stored import Stored

SHOWN = (BASE, FULL, PAGE, CODE, "tuned")


def figures_of(
    stored: Stored, rows: Sequence[LayerRow], cells: Sequence[Cell]
) -> Iterator[tuple[str, Figure]]:
    """(name, figure): effects of layers, quality by category, deviations; what there is of them."""
    for task, entry in stored.run.tasks.items():
        heading = about(stored.run.dataset["name"], task, entry["n"], entry.get("clusters"))
        metric = stored.metrics[0]
        marks = [mark for row in rows if row.task == task for mark in _marks(row, metric)]
        if any(mark.delta is not None for mark in marks):
            yield f"layers_effects_{task}", effects.draw(marks, metric, heading)
        arms = [*SHOWN, *stored.group("own")]
        bars = [
            categories.Bar(cell.category, cell.n, cell.arm, cell.value)
            for cell in cells
            if cell.task == task and cell.metric == "R@10" and cell.arm in arms
        ]
        if bars:
            yield f"layers_categories_{task}", categories.draw(bars, BASE, "R@10", heading)
        yield from _switches(stored, task, metric, heading)


def _marks(row: LayerRow, metric: str) -> list[Mark]:
    """The three effects of a layer as rows of a forest."""
    return [_mark(row.layer, TITLES[kind], row.effects[metric][kind]) for kind in KINDS]


def _mark(layer: str, name: str, effect: Effect) -> Mark:
    told = effect.verdict in ("better", "worse")
    status = effect.verdict if effect.verdict in ("failed", "skipped") else "ok"
    return Mark(
        name, layer, delta=effect.value, interval=effect.interval, p=0.0 if told else 1.0,
        inert=effect.verdict == "no change", status=status,
    )  # fmt: skip


def _switches(
    stored: Stored, task: str, metric: str, heading: str
) -> Iterator[tuple[str, Figure]]:  # fmt: skip
    """The deviations in a forest of their own."""
    chosen = {arm: stored.row(task, arm, metric) for arm in stored.group("switches")}
    marks = effects_of({arm: row for arm, row in chosen.items() if row})
    if marks:
        value = stored.row(task, PAGE, metric).get("value")
        yield f"layers_switches_{task}", forest.draw(marks, PAGE, value, metric, heading)
