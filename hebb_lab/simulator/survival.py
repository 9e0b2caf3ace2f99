"""Gaps that may not have ended yet: Weibull shape and Kaplan–Meier shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def event_share(spell: NDArray[np.float64], happened: NDArray[np.bool_], within: float) -> float:
    """Share of spells that end by an event within a time: 1 − Kaplan–Meier estimate.

    S(t) = Π over spells with event at t_i ≤ t of (1 − 1 / number still at risk at t_i). NaN when
    no spell was watched for that long.

    Args:
        spell: [S] lengths.
        happened: [S] whether the event ended it; else the log ended first.
        within: the time.

    >>> event_share(np.array([1.0, 2.0, 3.0, 4.0]), np.array([True, False, True, False]), 3.0)
    0.625
    """
    if not len(spell) or spell.max() < within:
        return float("nan")
    order = np.lexsort((~happened, spell))  # at a tie, events before the censored
    factor = 1 - happened[order] / np.arange(len(spell), 0, -1)
    return float(1 - np.prod(factor[spell[order] <= within]))


def weibull_shape(spell: NDArray[np.float64], happened: NDArray[np.bool_]) -> float:
    """Maximum-likelihood shape k of right-censored Weibull spells; below 1, ever rarer.

    Root of 1/k + mean(ln t over events) − Σ tᵏ ln t / Σ tᵏ, by bisection in ln k. Spells of length
    0 are left out. NaN with fewer than two events or without variation.

    Args:
        spell: [S] lengths ≥ 0.
        happened: [S] whether the event ended it.

    >>> spell = -np.log(1 - (np.arange(1000) + 0.5) / 1000)
    >>> round(weibull_shape(spell, np.ones(1000, bool)), 2)
    1.0
    """
    kept = spell > 0
    log_time, happened = np.log(spell[kept]), happened[kept]
    if happened.sum() < 2 or np.ptp(log_time) == 0:
        return float("nan")
    mean = log_time[happened].mean()
    shifted = log_time - log_time.max()

    def slope(k: float) -> float:
        weight = np.exp(k * shifted)
        return float(1 / k + mean - (weight * log_time).sum() / weight.sum())

    low, high = np.log(1e-3), np.log(1e3)
    if slope(float(np.exp(high))) > 0:
        return float("nan")
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(float(np.exp(middle))) > 0 else (low, middle)
    return float(np.exp(low))
