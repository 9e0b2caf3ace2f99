"""Log axes of days and shares, half-lives as text, and what an empty figure says."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.plots.style import QUIET

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.patheffects import AbstractPathEffect
    from numpy.typing import ArrayLike

LETTER = 0.08
"""Inches of a digit of a tick label."""
_STEPS = (
    (1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0),
    (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0),
    (1.0, 2.0, 5.0),
    (1.0, 3.0),
    (1.0,),
)


def log_places(low: float, high: float, most: int) -> list[float]:
    """Round numbers between two ends, evenly on a log axis, as many as fit.

    Args:
        low: above 0.
        high: not below low.
        most: so many at most, 1 or more.

    >>> log_places(0.25, 2000, 8), log_places(3, 120, 5)
    ([0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0], [5.0, 10.0, 20.0, 50.0, 100.0])
    """
    first, last = int(np.floor(np.log10(low))), int(np.ceil(np.log10(high)))
    for steps in _STEPS:
        found = _inside(
            [float(f"{s}e{p}") for p in range(first, last + 1) for s in steps], low, high
        )
        if len(found) <= most:
            return found
    decades = _inside([float(f"1e{p}") for p in range(first, last + 1)], low, high)
    return decades[:: -(-len(decades) // most)]


def _inside(values: Iterable[float], low: float, high: float) -> list[float]:
    return [value for value in values if low <= value * (1 + 1e-9) and value <= high * (1 + 1e-9)]


def log_axis(ax: Axes, which: str, low: float, high: float, most: int) -> list[float]:
    """Make an axis logarithmic, with round ticks; the ticks are returned.

    Args:
        ax: the axes.
        which: ``x`` or ``y``.
        low: where the axis begins, above 0.
        high: where it ends.
        most: so many ticks at most.
    """
    axis = ax.xaxis if which == "x" else ax.yaxis
    ticks = log_places(low, high, most)
    if which == "x":
        ax.set_xscale("log")
        ax.set_xlim(low, high)
        inches = ax.get_window_extent().width / ax.figure.dpi
        while most > 1 and _meet(ticks, inches / np.log(high / low)):
            most -= 1
            ticks = log_places(low, high, most)
    else:
        ax.set_yscale("log")
        ax.set_ylim(low, high)
    axis.set_ticks(ticks, [number(tick) for tick in ticks])
    axis.set_ticks([], minor=True)
    return ticks


def _meet(ticks: Sequence[float], scale: float) -> bool:
    """Whether labels touch; scale is inches per unit of the natural logarithm."""
    return any(
        scale * np.log(b / a) < LETTER * (len(number(a)) + len(number(b))) / 2 + 0.08
        for a, b in pairwise(ticks)
    )


def reach(
    values: Iterable[ArrayLike], least: float = 2.0, room: float = 1.0
) -> tuple[float, float]:
    """Both ends of a log axis that shows all finite values above 0.

    Args:
        values: arrays of what is to be shown.
        least: high is at least so many times low.
        room: factor that is left free at either end.
    """
    flat = [np.ravel(np.asarray(value, dtype=np.float64)) for value in values]
    every = np.concatenate([*flat, np.empty(0)])
    shown = every[np.isfinite(every) & (every > 0)]
    if not len(shown):
        return 1.0, 10.0
    low, high = float(shown.min()), float(shown.max())
    wider = max(1.0, np.sqrt(least * low / high))
    return low / wider / room, high * wider * room


def number(value: float) -> str:
    """Three significant digits, never in powers of ten.

    >>> number(19.54), number(0.25), number(1234), number(30.0), number(float("inf"))
    ('19.5', '0.25', '1,234', '30', '∞')
    """
    if not np.isfinite(value) or value <= 0:
        return "∞" if value > 0 else f"{value:g}"
    digits = max(0, 2 - int(np.floor(np.log10(value) + 1e-9)))
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def in_days(days: float) -> str:
    """A time in words.

    >>> in_days(1.0), in_days(7.0), in_days(0.5)
    ('1 day', '7 days', '0.5 days')
    """
    return f"{days:g} day" + ("" if days == 1 else "s")


def half_life_words(best: float, interval: tuple[float, float]) -> str:
    """An estimate with its interval; where that is open, what the log cannot tell.

    An interval from N days to infinity says that all half-lives above N fit, so that none of them
    can be told from another.

    Args:
        best: in days; NaN where there is none.
        interval: in days; 0 and infinity are open ends.

    >>> half_life_words(19.5, (14, 28)), half_life_words(61, (23, np.inf))
    ('19.5 d [14, 28]', 'not identifiable above 23 days')
    """
    low, high = interval
    if np.isnan(best) or (low <= 0 and np.isinf(high)):
        return "not identifiable"
    if np.isinf(high):
        return f"not identifiable above {number(low)} days"
    if low <= 0:
        return f"not identifiable below {number(high)} days"
    if np.isnan(interval).any():
        return f"{number(best)} d, no interval"
    return f"{number(best)} d [{number(low)}, {number(high)}]"


def outline() -> list[AbstractPathEffect]:
    """White around letters that lines pass through."""
    from matplotlib.patheffects import withStroke

    return [withStroke(linewidth=3, foreground="white")]


def nothing(ax: Axes, text: str) -> None:
    """Say in the middle of empty axes why they are empty."""
    style: Any = {"ha": "center", "va": "center", "color": QUIET, "path_effects": outline()}
    ax.text(0.5, 0.5, text, transform=ax.transAxes, size=10, **style)


def numbers_below(ax: Axes, name: str, places: Sequence[float], numbers: Sequence[int]) -> None:
    """A row of numbers under the ticks of the x axis, named at the left.

    Args:
        ax: the axes; their x axis must be final.
        name: what the numbers count.
        places: where they stand, in the axis's unit.
        numbers: one a place.
    """
    style: Any = {"size": 8.5, "color": QUIET, "va": "top", "textcoords": "offset points"}
    for x, count in zip(places, numbers, strict=True):
        within = ("data", "axes fraction")
        ax.annotate(f"{count:,}", (x, 0), (0, -40), xycoords=within, ha="center", **style)
    ax.annotate(name, (0, 0), (-24, -40), xycoords="axes fraction", ha="right", **style)
