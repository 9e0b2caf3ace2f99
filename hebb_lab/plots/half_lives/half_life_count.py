"""Half-life against the number of reinforcements: what models say, and what pairs show."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.plots.half_lives.axes import log_axis, nothing, numbers_below, reach
from hebb_lab.plots.half_lives.models import look_of
from hebb_lab.plots.lines import End, name_ends
from hebb_lab.plots.style import BLACK, FAINT, QUIET, WIDTH, heading, place, sheet, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

PAIRS = "pairs: median of\nposterior medians"
APART = 1.1
"""Counts nearer to each other than this factor are taken together."""


@dataclass(frozen=True)
class ModelCurve:
    """The half-life that a model gives at each count, [G] each.

    Args:
        model: its name, which sets the colour.
        count: increasing numbers of reinforcements, above 0.
        days: half-life; NaN where the model says nothing.
        low: lower end of the 95 % interval; None for a model without.
        high: upper end.
    """

    model: str
    count: NDArray[np.float64]
    days: NDArray[np.float64]
    low: NDArray[np.float64] | None = None
    high: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class Level:
    """A half-life that does not depend on the count.

    Args:
        namespace: which pairs have it.
        days: the half-life.
    """

    namespace: str
    days: float


@dataclass(frozen=True)
class Cloud:
    """Posterior medians of the half-lives of pairs, by count, [B] each, in days.

    Args:
        count: increasing numbers of reinforcements; of several counts taken together, their mean.
        median: of the pairs with that count.
        low_50: lower end of the middle half.
        high_50: upper end of it.
        low_90: lower end of the middle 90 %.
        high_90: upper end of it.
        pairs: how many there are.
    """

    count: NDArray[np.float64]
    median: NDArray[np.float64]
    low_50: NDArray[np.float64]
    high_50: NDArray[np.float64]
    low_90: NDArray[np.float64]
    high_90: NDArray[np.float64]
    pairs: NDArray[np.int64]


def cloud_of(count: NDArray[np.int64], days: NDArray[np.float64], least: int = 20) -> Cloud:
    """Quantiles of half-lives by count; neighbours with few pairs are taken together.

    Args:
        count: [E] reinforcements of each pair, above 0.
        days: [E] posterior median of its half-life; pairs without a finite one are left out.
        least: pairs that a median should stand on; the last counts may have fewer.

    >>> cloud = cloud_of(np.array([1, 1, 2, 3]), np.array([4.0, 6.0, 7.0, 9.0]), least=2)
    >>> cloud.count.tolist(), cloud.median.tolist(), cloud.pairs.tolist()
    ([1.0, 2.5], [5.0, 8.0], [2, 2])
    """
    known = np.isfinite(days) & (count > 0)
    order = np.argsort(count[known], kind="stable")
    counts, values = count[known][order], days[known][order]
    cuts = np.flatnonzero(np.diff(counts)) + 1  # where a new count begins
    starts = [0] if len(counts) else []
    for cut in cuts.tolist():
        if cut - starts[-1] >= least and counts[cut] >= APART * counts[starts[-1]]:
            starts.append(cut)
    parts = [
        (counts[a:b].mean(), *np.quantile(values[a:b], [0.5, 0.25, 0.75, 0.05, 0.95]), b - a)
        for a, b in pairwise([*starts, len(counts)])
    ]
    columns = np.asarray(parts, dtype=np.float64).reshape(-1, 7).T
    mean, median, low, high, lowest, highest, pairs = columns
    return Cloud(mean, median, low, high, lowest, highest, pairs.astype(np.int64))


def draw(
    curves: Sequence[ModelCurve],
    levels: Sequence[Level],
    cloud: Cloud | None,
    about: str,
) -> Figure:
    """Draw models as lines, fixed half-lives as level lines, pairs as a median with bands.

    Args:
        curves: one a model.
        levels: one a namespace.
        cloud: the pairs; None where no model gives a half-life to a pair.
        about: data set and number of pairs, for the heading.
    """
    longest = max([len(c.model) for c in curves] + [len(_level(v)) for v in levels] + [16])
    width = WIDTH - 0.85 - 0.4 - 0.085 * longest
    with styled():
        figure = sheet(5.6)
        ax = place(figure, 0.85, 0.95, width, 3.7)
        ticks = _scale(ax, curves, levels, cloud)
        ends = _levels(ax, levels) + _curves(ax, curves)
        if cloud is not None and len(cloud.count):
            ends.append(_cloud(ax, cloud))
            numbers_below(ax, "pairs", *_pairs_between(cloud, ticks))
        if not ends:
            nothing(ax, "no model gives a half-life")
        ax.set_xlabel("reinforcements (log scale)")
        ax.set_ylabel("half-life, days (log scale)")
        title = "Do pairs that are seen often last longer? Half-life by count"
        heading(figure, title, f"{about}\n{_key(curves, cloud)}")
        name_ends(ax, ends, size=9)
        return figure


def _scale(
    ax: Axes, curves: Sequence[ModelCurve], levels: Sequence[Level], cloud: Cloud | None
) -> list[float]:
    """Set both axes; the ticks of counts. A band may reach beyond, a line may not."""
    counts = [curve.count for curve in curves] + ([] if cloud is None else [cloud.count])
    days = [curve.days for curve in curves] + [np.array([level.days]) for level in levels]
    if cloud is not None and len(cloud.count):
        days += [cloud.low_50, cloud.high_50]
        days += [np.quantile(cloud.low_90, [0.1]), np.quantile(cloud.high_90, [0.9])]
    log_axis(ax, "y", *reach(days, least=4, room=1.25), most=8)
    low, high = reach(counts)
    return log_axis(ax, "x", max(low, 1.0), max(high, 10.0), most=7)


def _curves(ax: Axes, curves: Sequence[ModelCurve]) -> list[End]:
    ends = []
    for curve in curves:
        look = look_of(curve.model)
        ax.plot(
            curve.count, curve.days, color=look.colour, linewidth=look.width,
            linestyle=look.dashes, zorder=look.order,
        )  # fmt: skip
        if curve.low is not None and curve.high is not None:
            band: Any = {"color": look.colour, "alpha": 0.18, "linewidth": 0, "zorder": 2.5}
            ax.fill_between(curve.count, curve.low, curve.high, **band)
        known = np.isfinite(curve.days)
        if known.any():
            x, y = curve.count[known][-1], curve.days[known][-1]
            ends.append(End(curve.model, float(x), float(y), look.colour))
    return ends


def _level(level: Level) -> str:
    return f"{level.namespace}: {level.days:g} d"


def _levels(ax: Axes, levels: Sequence[Level]) -> list[End]:
    last = ax.get_xlim()[1]
    for level in levels:
        ax.axhline(level.days, color=QUIET, linewidth=1.1, linestyle=(0, (4, 3)), zorder=2)
    return [End(_level(level), last, level.days, QUIET) for level in levels]


def _cloud(ax: Axes, cloud: Cloud) -> End:
    for low, high, alpha in (
        (cloud.low_90, cloud.high_90, 0.35),
        (cloud.low_50, cloud.high_50, 0.55),
    ):
        ax.fill_between(cloud.count, low, high, color=FAINT, alpha=alpha, linewidth=0, zorder=1.5)
    ax.plot(
        cloud.count, cloud.median, color=BLACK, linewidth=1.4, marker="o", markersize=3, zorder=3
    )
    return End(PAIRS, float(cloud.count[-1]), float(cloud.median[-1]), BLACK)


def _pairs_between(cloud: Cloud, ticks: Sequence[float]) -> tuple[list[float], list[int]]:
    """How many pairs have a count from each tick to the next."""
    edges = [0.0, *ticks[1:], np.inf]
    pairs, _ = np.histogram(np.minimum(cloud.count, 1e300), bins=edges, weights=cloud.pairs)
    return list(ticks), [int(number) for number in pairs]


def _key(curves: Sequence[ModelCurve], cloud: Cloud | None) -> str:
    """What the bands and the numbers below are."""
    pairs = cloud is not None and len(cloud.count) > 0
    words = (
        ["grey: middle 50 and 90 % of pairs, below: how many from tick to tick"] if pairs else []
    )
    words += ["coloured band: 95 % interval"] if any(c.low is not None for c in curves) else []
    return "; ".join(words)
