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
    below = 2 * (top - values) - CHI2[level]
    ends = _crossings(place, below, best)
    return float(np.exp(peak)), *ends


def _crossings(
    place: NDArray[np.float64], below: NDArray[np.float64], best: int
) -> tuple[float, float]:
    """Half-lives on both sides of the best at which ``below`` becomes positive for good."""
    outside = below > 0
    left, right = np.flatnonzero(~outside)[[0, -1]] if (~outside).any() else (best, best)
    low, high = 0.0, np.inf
    if left > 0:
        part = below[left - 1] / (below[left - 1] - min(below[left], 0.0))
        low = float(np.exp(place[left - 1] + part * (place[left] - place[left - 1])))
    if right < len(place) - 1:
        part = below[right + 1] / (below[right + 1] - min(below[right], 0.0))
        high = float(np.exp(place[right + 1] - part * (place[right + 1] - place[right])))
    return low, high


def half_life_estimate(curve: Curve, events: int, unit: str = "days") -> Estimate:
    """The half-life that a curve supports, with its interval and a verdict.

    Args:
        curve: the profile.
        events: re-activations behind it, thinned-out ones too.
        unit: of the half-life, for the verdict.
    """
    if len(curve.recall) < LEAST_CASES:
        return Estimate(np.nan, 0.0, np.inf, events, f"only {events} re-activations: no estimate")
    value, low, high = likelihood_interval(curve.half_lives, curve.values / inflation(curve))
    return Estimate(value, low, high, events, identified(low, high, unit))


def identified(low: float, high: float, unit: str = "days") -> str:
    """A sentence where an interval of a half-life is open; empty where it is closed."""
    if low <= 0 and np.isinf(high):
        return "not identifiable: no half-life is better than another on this log"
    if np.isinf(high):
        return f"not identifiable above {low:.3g} {unit} on this log"
    if low <= 0:
        return f"not identifiable below {high:.3g} {unit} on this log"
    return ""
