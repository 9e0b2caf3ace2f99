"""What each layer is worth in three ways: added, kept, and its Shapley value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hebb_lab.plots.effects import SAID, Columns, Effect, Reading, draw_rows
from hebb_lab.plots.style import WIDTH, canvas, frame, heading, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW = 0.235
READING = Reading(
    said={**SAID, "inert": "no change: the same score on every question"}, clip=math.inf
)  # no floors stand here, and the layers that help most must not fall off the axis
LEFT, RIGHT = 2.1, 0.85
"""Inches for the names, and for the column of numbers."""


def draw(
    effects: Sequence[Effect], metric: str, about: str, ax: Axes | None = None
) -> Figure:  # fmt: skip
    """Draw a group of rows a layer around the zero line, in the order given.

    Args:
        effects: ``group`` is the layer, ``arm`` the way in which its effect was measured; ``p`` is
            below 0.05 where it is told from chance.
        metric: the measure.
        about: dataset, task and number of questions, for the heading.
        ax: where to draw; a new figure when absent.
    """
    rows: list[Effect | str] = []
    for layer in dict.fromkeys(effect.group for effect in effects):
        rows += [layer, *(effect for effect in effects if effect.group == layer)]
    with styled():
        figure, axes = canvas(1.55 + ROW * max(len(rows), 1), ax)
        inches = WIDTH - LEFT - RIGHT
        columns = Columns(-(LEFT - 0.12) / inches, None, 1 + 0.72 / inches)
        draw_rows(axes, rows, READING, columns, ("", f"Δ {metric}"), inches)
        axes.set_xlabel(f"Δ {metric}, with its 95 % interval")
        if ax is None:
            frame(figure, left=LEFT, right=RIGHT, top=1.0, bottom=0.55)
            key = "filled: told from chance, blue helps, vermilion harms; hollow: may be chance"
            heading(figure, f"What each layer is worth: Δ {metric}", f"{about}\n{key}")
        return figure
