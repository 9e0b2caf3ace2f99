"""What each part of the mechanism is worth: Shapley values, leave-one-out, or a ladder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hebb_lab.plots.style import (
    BLUE,
    INK,
    QUIET,
    VERMILION,
    canvas,
    frame,
    heading,
    plain,
    signed,
    styled,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW = 0.34
"""Inches a part."""
TITLES = {
    "shapley": "What each part is worth: Shapley value",
    "leave_one_out": "What is lost without each part",
    "ladder": "What each part adds, in this order",
}


@dataclass(frozen=True)
class Part:
    """One part of the mechanism.

    Args:
        name: its name.
        value: its contribution to the measure.
        interval: of the contribution; None where there is none.
    """

    name: str
    value: float
    interval: tuple[float, float] | None = None


def draw(
    parts: Sequence[Part],
    method: str,
    metric: str,
    about: str,
    start: float = 0.0,
    ax: Axes | None = None,
) -> Figure:
    """Draw a bar a part; a ladder's bars stand on each other, the others start at zero.

    Args:
        parts: in the ladder's order; by the other methods they are sorted, largest first.
        method: ``shapley``, ``leave_one_out`` or ``ladder``.
        metric: the measure, such as ``any@10``.
        about: dataset, task and number of queries, for the heading.
        start: the measure with no part at all, where a ladder starts.
        ax: where to draw; a new figure when absent.
    """
    ladder = method == "ladder"
    rows = list(parts) if ladder else sorted(parts, key=lambda part: (-part.value, part.name))
    with styled():
        figure, axes = canvas(1.75 + ROW * len(rows), ax)
        foot = start if ladder else 0.0
        for place, part in enumerate(rows):
            _bar(axes, place, part, foot)
            foot += part.value if ladder else 0.0
        if not ladder:
            axes.axvline(0, color=INK, linewidth=1.0, zorder=4)
        axes.use_sticky_edges = False  # a bar must leave room for its number on either side
        axes.margins(x=0.14)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_yticks(range(len(rows)), [part.name for part in rows])
        axes.tick_params(axis="y", length=0, grid_alpha=0)
        axes.set_xlabel(metric if ladder else f"contribution to {metric}, with its 95 % interval")
        if ax is None:
            frame(figure, left=2.2, right=0.35, top=0.92, bottom=0.55)
            note = f"starts at {plain(start)} with no part; " if ladder else ""
            key = f"{note}blue: helps, vermilion: harms, pale: the interval holds zero"
            heading(figure, f"{TITLES.get(method, method)} ({metric})", f"{about}\n{key}")
        return figure


def _bar(ax: Axes, place: int, part: Part, foot: float) -> None:
    colour = BLUE if part.value >= 0 else VERMILION
    low, high = part.interval or (part.value, part.value)
    unsure = part.interval is not None and low <= 0 <= high
    ax.barh(
        place,
        part.value,
        left=foot,
        height=0.62,
        color=colour,
        alpha=0.35 if unsure else 1.0,
        zorder=2,
    )
    if part.interval is not None:
        ax.plot([foot + low, foot + high], [place] * 2, color=INK, linewidth=1.4, zorder=3)
    right = part.value >= 0
    end = foot + (max(high, part.value) if right else min(low, part.value))
    ax.annotate(
        signed(part.value),
        (end, place),
        xytext=(5 if right else -5, 0),
        textcoords="offset points",
        ha="left" if right else "right",
        va="center",
        size=9,
        color=QUIET if unsure else INK,
    )
