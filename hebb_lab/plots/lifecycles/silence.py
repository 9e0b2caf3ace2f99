"""Quality after days of silence, arm by arm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import FixedLocator, NullLocator

from hebb_lab.plots.lifecycles.series import draw_series, room
from hebb_lab.plots.lines import name_ends
from hebb_lab.plots.style import canvas, frame, heading, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hebb_lab.plots.lifecycles.series import Series


def draw(
    lines: Sequence[Series], base: str, metric: str, title: str, about: str,
    ax: Axes | None = None,
) -> Figure:  # fmt: skip
    """Draw each arm's measure over the days between what was learned and the question.

    The days are on a log axis; the band is the base's 95 % interval. The axis of the measure
    begins where the lowest line does, so that arms that are near can be told apart; the heading
    says where that is not 0.

    Args:
        lines: one an arm, at the same days, above 0.
        base: the arm that the others are read against.
        metric: the measure's name.
        title: of the figure.
        about: dataset, number of questions and what else must be known, for the heading.
        ax: where to draw; a new figure when absent.
    """
    with styled():
        figure, axes = canvas(max(4.2, 1.9 + 0.21 * len(lines)), ax)
        axes.set_xscale("log")
        days = sorted({float(day) for line in lines for day in line.x})
        axes.xaxis.set_major_locator(FixedLocator(days))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xticklabels([f"{day:,.0f}" for day in days])
        axes.set_xlabel("days of silence before the question (log scale)")
        axes.set_ylabel(metric)
        axes.margins(x=0.03)
        foot = _limits(axes, lines)
        if ax is None:
            beside, above = room([line.name for line in lines]), 0.95 + 0.16 * about.count("\n")
            frame(figure, left=0.75, right=beside, top=above, bottom=0.6)
        ends = draw_series(axes, lines, base)
        if ax is None:
            begins = f"; the axis begins at {foot:g}" if foot else ""
            heading(figure, title, f"{about}\n{_key(lines, base)}{begins}")
        name_ends(axes, ends, size=9)
        return figure


def _key(lines: Sequence[Series], base: str) -> str:
    """What is black, and whether it has a band: one cluster has no interval."""
    banded = any(line.name == base and line.low is not None for line in lines)
    return f"black: {base}, band: its 95 % interval" if banded else f"black: {base}"


def _limits(ax: Axes, lines: Sequence[Series]) -> float:
    """Set the axis of the measure; where it begins."""
    parts = [part for line in lines for part in (line.y, line.low, line.high) if part is not None]
    every = np.concatenate(parts) if parts else np.zeros(0)
    every = every[np.isfinite(every)]
    if not len(every):
        ax.set_ylim(0, 1)
        return 0.0
    low, high = float(every.min()), float(every.max())
    pad = 0.06 * max(high - low, 0.02)
    foot = np.floor(20 * (low - pad)) / 20 if low > 0.3 else 0.0
    ax.set_ylim(max(foot, 0.0), min(1.0, high + pad) if high > 0 else 1.0)
    return float(max(foot, 0.0))
