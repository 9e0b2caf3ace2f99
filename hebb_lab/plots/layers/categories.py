"""Quality by the kind of question, arm under arm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hebb_lab.plots.style import (
    AMBER,
    BLUE,
    FAINT,
    GREEN,
    INDIGO,
    INK,
    PURPLE,
    QUIET,
    VERMILION,
    canvas,
    frame,
    heading,
    plain,
    styled,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW, HEAD = 0.19, 0.34
"""Inches an arm, and inches above each category."""
COLOURS = (BLUE, VERMILION, GREEN, AMBER, PURPLE, INDIGO)


@dataclass(frozen=True)
class Bar:
    """One arm on the questions of one category.

    Args:
        category: their kind.
        n: how many there are.
        arm: its name.
        value: the measure's mean.
    """

    category: str
    n: int
    arm: str
    value: float


def draw(bars: Sequence[Bar], base: str, metric: str, about: str, ax: Axes | None = None) -> Figure:
    """Draw a group of bars a category; a line marks the base's value in each.

    Args:
        bars: arms in one order in every category.
        base: the arm that the line stands for; it is drawn in grey.
        metric: the measure, from 0 to 1.
        about: dataset, task and number of questions, for the heading.
        ax: where to draw; a new figure when absent.

    More arms than colours have one colour: no two would be told apart by it.
    """
    arms = list(dict.fromkeys(bar.arm for bar in bars))
    others = [arm for arm in arms if arm != base]
    palette = COLOURS if len(others) <= len(COLOURS) else COLOURS[:1] * len(others)
    colours = dict(zip(others, palette, strict=False)) | {base: FAINT}
    groups = list(dict.fromkeys(bar.category for bar in bars))
    inches = sum(HEAD + ROW * sum(bar.category == name for bar in bars) for name in groups)
    left = min(0.4 + 0.083 * max((len(arm) for arm in arms), default=0), 3.2)
    with styled():
        figure, axes = canvas(1.5 + inches, ax)
        place = 0.0
        for name in groups:
            place = _group(axes, [b for b in bars if b.category == name], place, base, colours)
        axes.set_ylim(place, 0)
        axes.set_xlim(0, min(1.0, 1.12 * max((bar.value for bar in bars), default=1.0) or 1.0))
        axes.grid(visible=False, axis="y")
        axes.set_yticks([])
        axes.set_xlabel(metric)
        if ax is None:
            frame(figure, left=left, right=0.55, top=0.9, bottom=0.55)
            key = f"grey, and the line across each group: {base}"
            heading(figure, f"{metric} by the kind of question", f"{about}\n{key}")
        return figure


def _group(
    ax: Axes, bars: Sequence[Bar], top: float, base: str, colours: dict[str, str]
) -> float:  # fmt: skip
    """One category from ``top`` down, in inches; where the next one begins."""
    across, first = ax.get_yaxis_transform(), top + HEAD
    bottom = first + ROW * len(bars)
    title = f"{bars[0].category} (n = {bars[0].n:,})"
    ax.text(0.0, top + 0.22, title, transform=across, size=9, weight="bold", color=INK,
            va="center")  # fmt: skip
    for number, bar in enumerate(bars):
        at = first + ROW * (number + 0.5)
        ax.barh(at, bar.value, height=0.72 * ROW, color=colours[bar.arm], zorder=2)
        ax.text(-0.012, at, bar.arm, transform=across, size=8.5, color=INK, ha="right", va="center")
        ax.annotate(plain(bar.value), (bar.value, at), xytext=(4, 0), textcoords="offset points",
                    size=8, color=QUIET, va="center", zorder=5,
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8})  # fmt: skip
        if bar.arm == base:
            ax.plot([bar.value] * 2, [first, bottom], color=QUIET, linewidth=0.9, zorder=3)
    return bottom
