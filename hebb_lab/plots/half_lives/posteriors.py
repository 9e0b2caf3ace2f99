"""What is believed of each namespace's half-life, before the log and after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.plots.half_lives import lanes
from hebb_lab.plots.half_lives.axes import log_axis, nothing, reach
from hebb_lab.plots.half_lives.lanes import Estimate
from hebb_lab.plots.style import QUIET, heading, place, sheet, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

RIDGE = 0.72
"""Inches a namespace."""
TALL = 0.62
"""Height of the highest ridge, in rows."""


@dataclass(frozen=True)
class Posterior:
    """The half-life of a namespace after pooling.

    Args:
        estimate: its median with the 95 % interval.
        days: [G] increasing half-lives.
        density: [G] posterior density of ln half-life; NaN where it is unknown.
        prior: [G] prior density of ln half-life, to the same scale.
        raw: the estimate from this namespace alone; None or NaN where there is none, infinite where
            it lies on the upper bound.
    """

    estimate: Estimate
    days: NDArray[np.float64]
    density: NDArray[np.float64]
    prior: NDArray[np.float64]
    raw: float | None = None


def draw(posteriors: Sequence[Posterior], about: str) -> Figure:
    """Draw a ridge a namespace: posterior filled, prior dashed, interval a bar, raw a dot.

    Every ridge has its own height, and its prior that scale too: where the log says much the prior
    is flat beside the posterior, where it says nothing they are the same.

    Args:
        posteriors: one a namespace.
        about: data set and number of events, for the heading.
    """
    estimates = [posterior.estimate for posterior in posteriors]
    rows = max(len(posteriors), 1)
    with styled():
        figure = sheet(1.15 + RIDGE * rows + 0.72)
        ax = place(figure, lanes.left_of(estimates), 0.72, lanes.width_of(estimates), RIDGE * rows)
        low, high = reach([posterior.days for posterior in posteriors], least=10)
        log_axis(ax, "x", low, high, most=7)
        ax.set_ylim(rows - 0.5, -0.8)
        ax.set_yticks([])
        ax.spines["left"].set_visible(False)
        ax.set_xlabel("half-life, days (log scale)")
        for row, (posterior, (colour, _)) in enumerate(
            zip(posteriors, lanes.strokes(rows), strict=False)
        ):
            _ridge(ax, row, posterior, colour)
            lanes.mark(ax, row + 0.13, posterior.estimate, colour, thick=5)
            _raw(ax, row + 0.13, posterior.raw)
            lanes.tell(ax, row, posterior.estimate, colour)
        if posteriors:
            lanes.heads(ax, -0.8)
        else:
            nothing(ax, "no namespace was fitted")
        key = (
            "filled: after the log, dashed: prior; bar: 95 % interval, dot: median; "
            "hollow: from the namespace alone"
        )
        heading(figure, "How sure is each half-life? Posterior by namespace", f"{about}\n{key}")
        return figure


def _ridge(ax: Axes, row: int, posterior: Posterior, colour: str) -> None:
    both = np.concatenate([posterior.density, posterior.prior])
    most = float(np.nanmax(both, initial=0.0))
    ax.axhline(row, color=QUIET, linewidth=0.6, zorder=1)
    if most <= 0:
        return
    scale = TALL / most
    days, line = posterior.days, row - scale * posterior.density
    ax.fill_between(days, row, line, color=colour, alpha=0.25, linewidth=0, zorder=2)
    ax.plot(days, line, color=colour, linewidth=1.8, zorder=3)
    before: Any = {"color": QUIET, "linewidth": 1.2, "linestyle": (0, (4, 2)), "zorder": 3.5}
    ax.plot(days, row - scale * posterior.prior, **before)


def _raw(ax: Axes, y: float, raw: float | None) -> None:
    """The unpooled estimate; beyond the axis it stands on its edge."""
    if raw is None or np.isnan(raw):
        return
    low, high = ax.get_xlim()
    marker = "<" if raw < low else ">" if raw > high else "o"
    ax.plot(
        min(max(raw, low), high), y, marker=marker, markersize=8, markerfacecolor="none",
        markeredgecolor=QUIET, markeredgewidth=1.4, clip_on=False, zorder=6,
    )  # fmt: skip
