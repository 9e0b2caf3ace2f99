"""What each arm changes: its difference to the base with its interval, arm under arm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.plots.effects import Columns, Effect, Reading, are_cut, draw_rows, in_rows
from hebb_lab.plots.style import WIDTH, canvas, frame, heading, plain, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW = 0.235
"""Inches an arm."""
RIGHT = 1.45
"""Inches of the two columns of numbers."""


def draw(
    effects: Sequence[Effect],
    base: str,
    base_value: float | None,
    metric: str,
    about: str,
    ax: Axes | None = None,
) -> Figure:
    """Draw one row an arm, by group, the best of a group first, around the zero line.

    Args:
        effects: every arm but the base, groups in the order in which they first come.
        base: the arm they are compared with.
        base_value: its mean.
        metric: the measure, such as ``any@10``.
        about: dataset, task and number of queries, for the heading.
        ax: where to draw; a new figure when absent.
    """
    reading = Reading()
    rows = in_rows(effects, reading)
    with styled():
        figure, axes = canvas(1.55 + ROW * max(len(rows), 1), ax)
        left = names_width(effects)
        inches = WIDTH - left - RIGHT
        columns = Columns(-(left - 0.12) / inches, 1 + 0.72 / inches, 1 + 1.32 / inches)
        draw_rows(axes, rows, reading, columns, (metric, "Δ"), inches)
        axes.set_xlabel(f"Δ {metric} to {base}, with its {reading.level} % interval")
        if ax is None:
            frame(figure, left=left, right=RIGHT, top=1.0, bottom=0.55)
            level = "" if base_value is None else f" ({plain(base_value)})"
            title = f"What each arm changes: Δ {metric} to the base {base}{level}"
            heading(figure, title, f"{about}\n{_key(effects)}")
        return figure


def names_width(effects: Sequence[Effect]) -> float:
    """Inches that the names of arms need at the left."""
    return min(0.5 + 0.083 * max((len(effect.arm) for effect in effects), default=0), 3.6)


def _key(effects: Sequence[Effect]) -> str:
    """What the marks mean."""
    key = "filled: p < 0.05 after Holm, blue better, vermilion worse; hollow: may be chance"
    return key + ("; arrows: beyond the axis" if are_cut(effects) else "")
