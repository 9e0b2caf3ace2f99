"""What a wrong half-life costs: loss per event at every half-life, one line a namespace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.plots.half_lives import lanes
from hebb_lab.plots.half_lives.axes import log_axis, nothing, reach
from hebb_lab.plots.half_lives.lanes import Estimate
from hebb_lab.plots.lines import End, name_ends
from hebb_lab.plots.style import heading, place, sheet, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

LANE = 0.27
"""Inches a namespace below the lines."""
TALL = 2.9
"""Inches of the lines."""


@dataclass(frozen=True)
class Profile:
    """The loss of a namespace with everything else fitted anew at each half-life.

    Args:
        estimate: where it is least, and how sure that is.
        days: [G] increasing half-lives that were tried.
        loss: [G] nats per event; NaN where nothing could be fitted.
    """

    estimate: Estimate
    days: NDArray[np.float64]
    loss: NDArray[np.float64]


def draw(profiles: Sequence[Profile], loss: str, about: str) -> Figure:
    """Draw a line a namespace, relative to its best, and below it the intervals on the same axis.

    A line is bold inside its 95 % interval. An interval that reaches a bound of what was tried gets
    an arrow and says above, or below, which half-life the log cannot tell one from another.

    Args:
        profiles: one a namespace.
        loss: which loss, such as ``partial-likelihood loss``.
        about: data set and number of events, for the heading.
    """
    estimates = [profile.estimate for profile in profiles]
    with styled():
        strip = LANE * max(len(profiles), 1)
        tall = max(TALL, 0.18 * len(profiles))  # every line is named
        figure = sheet(1.0 + tall + 0.42 + strip + 0.62)
        left, width = lanes.left_of(estimates), lanes.width_of(estimates)
        ax = place(figure, left, 0.62 + strip + 0.42, width, tall)
        below = place(figure, left, 0.62, width, strip)
        low, high = reach([profile.days for profile in profiles], least=10)
        for axes in (ax, below):
            log_axis(axes, "x", low, high, most=7)
        ends = _lines(ax, profiles)
        for estimate in estimates if len(estimates) == 1 else ():
            ax.axvspan(
                *lanes.bounds(below, estimate), color=lanes.COLOURS[0], alpha=0.1, linewidth=0
            )
        ax.tick_params(labelbottom=False)
        ax.set_ylabel("Δ loss per event, nats")
        _lanes(below, estimates)
        below.set_xlabel("half-life, days (log scale)")
        key = "bold line and band: 95 % interval; dot: least loss; arrow: open at the bound"
        heading(figure, f"What does a wrong half-life cost? Δ {loss}", f"{about}\n{key}")
        name_ends(ax, ends, size=9)
        return figure


def _lines(ax: Axes, profiles: Sequence[Profile]) -> list[End]:
    """Draw the lines; where they end."""
    ends, tops = [], []
    shown = list(zip(profiles, lanes.strokes(len(profiles)), strict=True))
    for profile, (colour, dashes) in shown:
        known = np.isfinite(profile.loss)
        if not known.any():
            continue
        rise = profile.loss - np.nanmin(profile.loss)
        tops.append(float(np.nanmax(rise)))
        ax.plot(profile.days, rise, color=colour, linewidth=1.3, linestyle=dashes, zorder=3)
        _inside(ax, profile, rise, colour)
        ends.append((profile, rise, colour))
    if not ends:
        nothing(ax, "no loss could be computed")
    # A namespace that runs away must not flatten the others.
    top = 1.5 * float(np.median(tops)) if tops else 1.0
    top = min(top, 1.05 * max(tops, default=1.0)) or 1.0
    ax.set_ylim(-0.03 * top, top)
    return [_end(profile, rise, colour, top) for profile, rise, colour in ends]


def _end(profile: Profile, rise: NDArray[np.float64], colour: str, top: float) -> End:
    """Where a line ends, or leaves the axes for good."""
    inside = np.flatnonzero(rise <= top)[-1]
    beyond = np.isfinite(rise[inside + 1 :]).any()
    at = min(inside + 1, len(rise) - 1) if beyond else inside
    y = top if beyond else float(rise[at])
    return End(profile.estimate.namespace, float(profile.days[at]), y, colour)


def _inside(ax: Axes, profile: Profile, rise: NDArray[np.float64], colour: str) -> None:
    """The line inside its interval, and its least point with its value."""
    estimate = profile.estimate
    if not estimate.reactivations:
        return
    low, high = estimate.interval
    known = np.isfinite(rise)
    days, height = np.log(profile.days[known]), rise[known]
    first = days[0] if estimate.open_below else np.log(low)
    last = days[-1] if estimate.open_above else np.log(high)
    if np.isfinite([first, last]).all():
        x = np.unique(np.concatenate([days[(days > first) & (days < last)], [first, last]]))
        y = np.interp(x, days, height)
        bold: Any = {"linewidth": 3.4, "alpha": 0.55, "solid_capstyle": "butt", "zorder": 3.5}
        ax.plot(np.exp(x), y, color=colour, **bold)
    if np.isfinite(estimate.days):
        y = float(np.interp(np.log(estimate.days), days, height))
        ax.plot(estimate.days, y, marker="o", color=colour, markersize=5, zorder=5)


def _lanes(ax: Axes, estimates: Sequence[Estimate]) -> None:
    ax.set_ylim(max(len(estimates), 1) - 0.5, -0.5)
    ax.set_yticks([])
    for number, (estimate, (colour, _)) in enumerate(
        zip(estimates, lanes.strokes(len(estimates)), strict=True)
    ):
        lanes.mark(ax, number, estimate, colour, thick=9)
        lanes.tell(ax, number, estimate, colour)
    if estimates:
        lanes.heads(ax, -1.0)
