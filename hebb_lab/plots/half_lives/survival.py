"""Time until a pair is re-activated: as observed, and as each model predicted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.plots.half_lives.axes import log_axis, nothing, numbers_below, reach
from hebb_lab.plots.half_lives.models import LEADING, letters, looks_of
from hebb_lab.plots.lines import End, name_ends
from hebb_lab.plots.style import BLACK, WIDTH, heading, place, sheet, styled

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

DECADES = 2
"""More of these between the first and the last time make the axis of days a log one."""
SOONEST = 0.001
"""Days at which a log axis may begin: what comes back at the same moment has no place on one."""
OBSERVED = "observed\n(Kaplan–Meier)"


@dataclass(frozen=True)
class Observed:
    """The Kaplan–Meier curve of the time to re-activation, [T] each.

    Args:
        days: increasing times at which pairs were re-activated, perhaps none.
        survival: share not re-activated by then, from that time on.
        low: lower end of its 95 % interval; NaN where there is none.
        high: upper end.
        at_risk: pairs not yet re-activated and still seen just before that time.
        watched_days: longest time for which any pair was seen: there the curve ends; NaN for none.
    """

    days: NDArray[np.float64]
    survival: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    at_risk: NDArray[np.int64]
    watched_days: float


@dataclass(frozen=True)
class Predicted:
    """A model's survival, the mean over the pairs that were observed, [G] each.

    Args:
        model: its name.
        days: increasing times.
        survival: mean probability of no re-activation by then.
    """

    model: str
    days: NDArray[np.float64]
    survival: NDArray[np.float64]


def draw(
    observed: Observed,
    predicted: Sequence[Predicted],
    about: str,
    leading: Collection[str] = LEADING,
) -> Figure:
    """Draw the observed survival with its band, a line a model, and the numbers at risk below.

    The axis of days is a log one where the times span more than two decades. The number below a
    tick is that of the first re-activation from there on.

    Args:
        observed: what came.
        predicted: one a model.
        about: data set and number of pairs, for the heading.
        leading: models in colour where there are more than eight.
    """
    longest = max(len(name) for name in (OBSERVED.split("\n")[1], *(p.model for p in predicted)))
    beside = 0.07 + 0.02 * len(predicted)  # inches; leading lines of many names want room to turn
    width = WIDTH - 0.85 - beside - 0.2 - 0.085 * longest
    with styled():
        height = max(4.6, 1.9 + 0.172 * (len(predicted) + 2))
        figure = sheet(height)
        ax = place(figure, 0.85, 0.95, width, height - 1.9)
        ticks = _time_axis(ax, observed, predicted)
        foot = _share_axis(ax, observed, predicted)
        ends = [*_observed(ax, observed, ticks), *_models(ax, predicted, leading)]
        if not ends:
            nothing(ax, "no pair was observed")
        key = "band: 95 % interval; below: pairs not yet re-activated and still seen"
        cut = f"; the axis of shares begins at {foot:g}" if foot else ""
        title = "When do pairs come back? Share not re-activated yet"
        heading(figure, title, f"{about}\n{key}{cut}")
        name_ends(ax, ends, size=9, beside=1 + beside / width)
        return figure


def _time_axis(ax: Axes, observed: Observed, predicted: Sequence[Predicted]) -> list[float]:
    """Set the axis of days; its ticks."""
    watched = np.isfinite(observed.watched_days)
    seen = [observed.days, np.array([observed.watched_days])]
    low, high = reach(seen if watched else [line.days for line in predicted])
    if high / low > 10**DECADES:
        fallen = observed.days[observed.survival < 0.99]
        begin = max(low, float(fallen[0]) / 3, SOONEST) if len(fallen) else max(low, SOONEST)
        ax.set_xlabel("days since a pair was last active (log scale)")
        return log_axis(ax, "x", min(begin, high / 10), high, most=9)
    last = (observed.watched_days if watched else high) or 1.0
    ax.set_xlim(0, last)
    ax.set_xlabel("days since a pair was last active")
    return [float(tick) for tick in ax.get_xticks() if 0 <= tick <= last]


def _share_axis(ax: Axes, observed: Observed, predicted: Sequence[Predicted]) -> float:
    """Set the axis of shares; where it begins: where most survive the curves must not look flat."""
    every = np.concatenate([observed.survival, observed.low, *(p.survival for p in predicted)])
    least = float(np.nanmin(every, initial=1.0)) if np.isfinite(every).any() else 0.0
    foot = np.floor(20 * (least - 0.02)) / 20 if least > 0.6 else 0.0
    ax.set_ylim(foot, 1 + 0.015 * (1 - foot))
    ax.set_ylabel("share not re-activated yet")
    return float(foot)


def _observed(ax: Axes, observed: Observed, ticks: Sequence[float]) -> list[End]:
    """Draw what came and the numbers at risk; where the curve ends."""
    if not np.isfinite(observed.watched_days):
        return []
    # The curve begins at 1 and goes on, level, until nobody was watched any more.
    begin = min([ax.get_xlim()[0], *observed.days[:1]])
    start = np.concatenate([[begin], observed.days, [observed.watched_days]])
    share, low, high = (
        np.concatenate([[1.0], part, part[-1:] if len(part) else [1.0]])
        for part in (observed.survival, observed.low, observed.high)
    )
    ax.fill_between(start, low, high, step="post", color=BLACK, alpha=0.15, linewidth=0)
    ax.step(start, share, where="post", color=BLACK, linewidth=2.2, zorder=5.5)
    at = np.searchsorted(observed.days, ticks)
    known = at < len(observed.days)
    places = [tick for tick, seen in zip(ticks, known, strict=True) if seen]
    numbers_below(ax, "at risk", places, observed.at_risk[at[known]].tolist())
    return [End(OBSERVED, float(start[-1]), float(share[-1]), BLACK, bold=True)]


def _models(ax: Axes, predicted: Sequence[Predicted], leading: Collection[str]) -> list[End]:
    looks = looks_of([p.model for p in predicted], leading)
    start, last = ax.get_xlim()
    ends = []
    for line in predicted:
        look = looks[line.model]
        ax.plot(
            line.days, line.survival, color=look.colour, linewidth=look.width,
            linestyle=look.dashes, zorder=look.order,
        )  # fmt: skip
        inside = np.isfinite(line.survival) & (line.days <= last) & (line.days >= start)
        if inside.any():
            x, y = line.days[inside][-1], line.survival[inside][-1]
            ends.append(End(line.model, float(x), float(y), letters(look)))
    return ends
