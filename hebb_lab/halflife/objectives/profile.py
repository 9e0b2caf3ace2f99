"""From a likelihood over half-lives to a half-life, its interval, and whether it means anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.halflife.objectives.partial import Curve

LOWEST, HIGHEST, STEPS = 0.02, 2000.0, 64
GRID = np.geomspace(LOWEST, HIGHEST, STEPS)
"""Half-lives that are fitted, in the clock's units: from half an hour, since in agent logs an edge
comes back within the session, to years. The published bounds of 3 and 120 days apply only when a
fit is exported, so that piling up at a bound is seen (fitting.md §3.3)."""
CHI2 = {0.90: 2.7055, 0.95: 3.8415, 0.99: 6.6349}
"""Quantiles of χ² with one degree of freedom."""
LEAST_CASES = 10


class Estimate(NamedTuple):
    """A fitted number with what stands behind it.

    value: the estimate, NaN where there is none. low, high: the interval's ends; inf or 0 where it
    is open. events: re-activations behind it. verdict: empty, or a sentence on why not to trust it.
    """

    value: float
    low: float
    high: float
    events: int
    verdict: str = ""


def inflation(curve: Curve) -> float:
    """How much wider than independent cases allow: variance of scores by recall over information.

    Cases of one recall share what happened in it, so ℓ is divided by this before an interval is
    read off (the scaling of composite likelihoods: Chandler & Bate 2007); at least 1.
    """
    best = int(np.clip(np.argmax(curve.values), 1, len(curve.half_lives) - 2))
    step = np.log(curve.half_lives[best + 1] / curve.half_lives[best - 1]) / 2
    low, mid, high = (curve.fits[best + i].terms for i in (-1, 0, 1))
    scores = (high - low) / (2 * step)
    _, unit = np.unique(curve.recall, return_inverse=True)
    sums = np.bincount(unit, scores)
    information = -(high.sum() - 2 * mid.sum() + low.sum()) / step**2
    if not information > 0 or len(sums) < 2:
        return 1.0
    spread = ((sums - sums.mean()) ** 2).sum() * len(sums) / (len(sums) - 1)
    return float(max(spread / information, 1.0))


def refined(
    half_lives: NDArray[np.float64], values: NDArray[np.float64], times: int = 8
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Log likelihoods on a grid that is finer: ([F] half-lives, [..., F] values), cubic in ln h.

    Where a log says much, a posterior is narrower than a step of the grid. A bell stays exact.

    Args:
        half_lives: [H] ascending.
        values: [..., H].
        times: how much finer.
    """
    from scipy.interpolate import CubicSpline

    place = np.log(half_lives)
    steps = np.linspace(0.0, len(place) - 1.0, times * (len(place) - 1) + 1)
    fine = np.interp(steps, np.arange(len(place)), place)
    found: NDArray[np.float64] = CubicSpline(place, values, axis=-1)(fine)
    return np.exp(fine), found


def likelihood_interval(
    half_lives: NDArray[np.float64], values: NDArray[np.float64], level: float = 0.95
) -> tuple[float, float, float]:
    """(maximum, low, high) of a log likelihood over half-lives, interpolated in ln half-life.

    The interval holds all half-lives with 2(ℓ_max − ℓ) at most the quantile of χ²₁; 0 and inf where
    it reaches the end of the grid.
    """
    place = np.log(half_lives)
    best = int(np.argmax(values))
    peak, top = float(place[best]), float(values[best])
    if 0 < best < len(place) - 1:
        left, mid, right = values[best - 1 : best + 2]
        bend = left - 2 * mid + right
        if bend < 0:
            shift = 0.5 * (left - right) / bend
            peak += shift * (place[1] - place[0])
            top = float(mid - 0.125 * (left - right) ** 2 / bend)
    roots = np.sqrt(np.maximum(2 * (top - values), 0.0))
    reach = float(np.sqrt(CHI2[level]))
    low = _crossing(peak, place[place < peak][::-1], roots[place < peak][::-1], reach)
    high = _crossing(peak, place[place > peak], roots[place > peak], reach)
    return (
        float(np.exp(peak)),
        0.0 if low is None else float(np.exp(low)),
        np.inf if high is None else float(np.exp(high)),
    )


def _crossing(
    peak: float, place: NDArray[np.float64], roots: NDArray[np.float64], reach: float
) -> float | None:
    """Where, going away from the peak, the root of the deviance exceeds ``reach`` for good.

    For a bell the root is straight in ln half-life, so a line between two points of the grid tells
    where, also when the whole interval lies between them (the profile t of Bates & Watts 1988).
    """
    place, roots = np.append(peak, place), np.append(0.0, roots)
    last = int(np.flatnonzero(roots <= reach)[-1])
    if last == len(place) - 1:
        return None
    part = (reach - roots[last]) / (roots[last + 1] - roots[last])
    return float(place[last] + part * (place[last + 1] - place[last]))


def identified(low: float, high: float, unit: str = "days") -> str:
    """A sentence where an interval of a half-life is open; empty where it is closed."""
    if low <= 0 and np.isinf(high):
        return "not identifiable: no half-life is better than another on this log"
    if np.isinf(high):
        return f"not identifiable above {low:.3g} {unit} on this log"
    if low <= 0:
        return f"not identifiable below {high:.3g} {unit} on this log"
    return ""


def is_identified(verdict: str) -> bool:
    """Whether a half-life of that verdict is one that the log tells.

    >>> is_identified("not identifiable above 23 days on this log"), is_identified("not steady")
    (False, True)
    """
    return "not identifiable" not in verdict


def several(
    half_lives: NDArray[np.float64], values: NDArray[np.float64], unit: str = "days",
    level: float = 0.95,
) -> str:  # fmt: skip
    """A sentence where half-lives that lie apart fit about as well; empty where one range does.

    Args:
        half_lives: [H] a fine grid.
        values: [H] ℓ over its scale.
        unit: of the half-lives.
        level: of the intervals.
    """
    kept = 2 * (values.max() - values) <= CHI2[level]
    edges = np.flatnonzero(np.diff(np.concatenate([[False], kept, [False]]).astype(int)))
    ranges = [
        f"{half_lives[first]:.3g} to {half_lives[stop - 1]:.3g}"
        for first, stop in zip(edges[::2], edges[1::2], strict=True)
    ]
    if len(ranges) < 2:
        return ""
    return f"half-lives that lie apart fit about as well: {' and '.join(ranges)} {unit}"
