"""One row a namespace: its name at the left, its half-life in words and its count at the right."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.plots.half_lives.axes import half_life_words
from hebb_lab.plots.style import (
    AMBER,
    BLUE,
    BROWN,
    GREEN,
    INDIGO,
    INK,
    PURPLE,
    QUIET,
    SKY,
    VERMILION,
    WIDTH,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

COLOURS = (BLUE, VERMILION, GREEN, AMBER, PURPLE, SKY, BROWN, INDIGO)
DASHES = ("-", "--", ":")
RIGHT = 3.05
"""Inches of the words and the count at the right."""


@dataclass(frozen=True)
class Estimate:
    """What a log says about the half-life of a namespace.

    Args:
        namespace: its name.
        days: the estimate; NaN or infinite where there is none.
        interval: of 95 %, in days; 0 and infinity where it is open, NaN where there is none.
        reactivations: how many stand behind it.
    """

    namespace: str
    days: float
    interval: tuple[float, float]
    reactivations: int = 0

    @property
    def words(self) -> str:
        """The estimate with its interval, or what the log cannot tell."""
        if not self.reactivations:
            return "no re-activation"
        return half_life_words(self.days, self.interval)

    @property
    def open_below(self) -> bool:
        """Whether no half-life is too short for the log."""
        return self.interval[0] <= 0

    @property
    def open_above(self) -> bool:
        """Whether none is too long."""
        return bool(np.isinf(self.interval[1]))


def strokes(count: int) -> list[tuple[str, str]]:
    """Colour and dashes of so many lines; only the dashes differ from the ninth on."""
    colours = cycle(COLOURS)
    return [(next(colours), DASHES[min(i // len(COLOURS), 2)]) for i in range(count)]


def left_of(estimates: Sequence[Estimate]) -> float:
    """Inches that the names of namespaces need at the left."""
    return min(max(0.95, 0.3 + 0.085 * max((len(e.namespace) for e in estimates), default=0)), 2.6)


def width_of(estimates: Sequence[Estimate]) -> float:
    """Inches that are left for the axes between names and words."""
    return WIDTH - left_of(estimates) - RIGHT


def tell(ax: Axes, place: float, estimate: Estimate, colour: str) -> None:
    """Write name, words and count beside a row.

    Args:
        ax: the axes; rows run along y.
        place: of the row.
        estimate: what is told.
        colour: of the name.
    """
    across = ax.get_yaxis_transform()
    inches = ax.get_window_extent().width / ax.figure.dpi
    sure = estimate.words.endswith("]")
    style: Any = {"transform": across, "va": "center", "size": 9}
    ax.text(-0.1 / inches, place, estimate.namespace, color=colour, ha="right", **style)
    words = INK if sure else QUIET
    ax.text(1 + 0.12 / inches, place, estimate.words, color=words, **style)
    end = 1 + (RIGHT - 0.12) / inches
    ax.text(end, place, f"{estimate.reactivations:,}", color=QUIET, ha="right", **style)


def heads(ax: Axes, place: float) -> None:
    """What stands above the columns of ``tell``."""
    across = ax.get_yaxis_transform()
    inches = ax.get_window_extent().width / ax.figure.dpi
    style: Any = {"transform": across, "va": "center", "size": 8.5, "color": QUIET}
    ax.text(1 + 0.12 / inches, place, "half-life [95 % interval]", **style)
    ax.text(1 + (RIGHT - 0.12) / inches, place, "re-activations", ha="right", **style)


def bounds(ax: Axes, estimate: Estimate) -> tuple[float, float]:
    """Both ends of an interval on an axis; an open end lies at the edge."""
    first, last = ax.get_xlim()
    low, high = estimate.interval
    return max(low, first), min(high, last)


def mark(ax: Axes, place: float, estimate: Estimate, colour: str, thick: float) -> None:
    """Draw the interval as a bar, the estimate as a dot and open ends as arrows.

    Args:
        ax: the axes; x is a log axis of days.
        place: of the row.
        estimate: what is drawn; nothing where no re-activation stands behind it.
        colour: of all marks.
        thick: the bar, in points.
    """
    if not estimate.reactivations:
        return
    first, last = ax.get_xlim()
    low, high = bounds(ax, estimate)
    if np.isfinite([low, high]).all():
        bar: Any = {"solid_capstyle": "butt", "alpha": 0.35, "zorder": 2}
        ax.plot([low, high], [place, place], color=colour, linewidth=thick, **bar)
    for is_open, edge, marker in (
        (estimate.open_below, first, "<"),
        (estimate.open_above, last, ">"),
    ):
        if is_open:
            ax.plot(edge, place, marker=marker, color=colour, markersize=7, clip_on=False, zorder=4)
    if np.isfinite(estimate.days) and first <= estimate.days <= last:
        ax.plot(estimate.days, place, marker="o", color=colour, markersize=6, zorder=5)
