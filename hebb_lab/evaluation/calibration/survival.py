"""How long spells last that were not watched from their start or not to their end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import ConfigError, InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Curve:
    """A survival curve: a step down at each of T times at which spells ended.

    Args:
        time: [T] rising, in the unit of the spells.
        survival: [T] share that lasts longer than that time.
        low: [T] lower end of the interval; NaN where the share is 0.
        high: [T] upper end.
        at_risk: [T] spells watched just before that time.
        watched: longest time for which any spell was watched; the curve says nothing after it.
    """

    time: NDArray[np.float64]
    survival: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    at_risk: NDArray[np.int64]
    watched: float

    def at(self, times: ArrayLike) -> NDArray[np.float64]:
        """The share that lasts longer than each time; 1 before the first step, NaN when unwatched.

        >>> kaplan_meier([1.0, 2.0], [True, False]).at([0.5, 1.0, 9.0]).tolist()
        [1.0, 0.5, nan]
        """
        when = np.asarray(times, dtype=np.float64)
        steps = np.concatenate([[1.0], self.survival])
        share = steps[np.searchsorted(self.time, when, side="right")]
        return np.where(when <= self.watched, share, np.nan)

    def median(self) -> float:
        """First time at which at most half of the spells last longer; NaN when never so few.

        >>> kaplan_meier([1.0, 2.0], [True, False]).median()
        1.0
        """
        reached = np.flatnonzero(self.survival <= 0.5)
        return float(self.time[reached[0]]) if len(reached) else float("nan")


def kaplan_meier(
    duration: ArrayLike,
    observed: ArrayLike,
    entry: ArrayLike | None = None,
    confidence: float = 0.95,
) -> Curve:
    """Product-limit estimate of left-truncated and right-censored spells.

    S(t) = Π over end times t_i ≤ t of (1 − d_i / n_i): d_i spells end at t_i, and n_i are at risk,
    entry < t_i ≤ duration. Interval: S^exp(±z s), s² = Σ d_i / (n_i (n_i − d_i)) / ln² S, which
    stays inside [0, 1]. At a tie, ends come before the censored; a spell that enters at t_i comes
    after. Sources: Kaplan & Meier 1958; Greenwood 1926; Kalbfleisch & Prentice 2002, §1.4; delayed
    entry: Klein & Moeschberger 2003, §4.6.

    With delayed entry few spells are at risk at short times; when all of them end, the curve falls
    to 0 and stays there. ``at_risk`` shows it: then look from a later time on, with the spells that
    last beyond it and entries not before it.

    Args:
        duration: [S] age of each spell when it ended or was last seen, ≥ 0.
        observed: [S] whether it ended; else only its watching did.
        entry: [S] age at which watching began, ≤ duration; None when all were seen from the start.
            A spell that was watched for no time at all (entry = duration) tells nothing and counts
            nowhere.
        confidence: of the interval.

    Returns:
        Curve of the distinct times at which spells ended; of no step when none did.

    Raises:
        ConfigError: for a confidence outside (0, 1).
        InputError: for arrays that do not fit each other, a duration that is negative or not
            finite, or an entry after its duration.

    >>> curve = kaplan_meier([1, 2, 3, 4], [True, False, True, False], entry=[0, 0, 2, 0])
    >>> curve.time.tolist(), curve.survival.round(3).tolist(), curve.at_risk.tolist()
    ([1.0, 3.0], [0.667, 0.333], [3, 2])
    """
    if not 0 < confidence < 1:
        raise ConfigError(f"a confidence of {confidence}", "Choose one between 0 and 1, as 0.95")
    length, ended, start = _spells(duration, observed, entry)
    time, ends = np.unique(length[ended], return_counts=True)
    # At risk: not over yet (duration ≥ t), less those not yet watched (entry ≥ t).
    later = len(length) - np.searchsorted(np.sort(length), time, side="left")
    unseen = len(start) - np.searchsorted(np.sort(start), time, side="left")
    at_risk = (later - unseen).astype(np.int64)
    survival = np.asarray(np.cumprod(1 - ends / at_risk), dtype=np.float64)
    low, high = _log_log_interval(survival, ends, at_risk, confidence)
    watched = float(length.max()) if len(length) else float("nan")
    return Curve(time, survival, low, high, at_risk, watched)


def _spells(
    duration: ArrayLike, observed: ArrayLike, entry: ArrayLike | None
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64]]:
    """The spells that were watched: durations, whether they ended, entries (−∞ without)."""
    length = np.asarray(duration, dtype=np.float64)
    ended = np.asarray(observed, dtype=np.bool_)
    start = np.full(len(length), -np.inf) if entry is None else np.asarray(entry, dtype=np.float64)
    if not length.shape == ended.shape == start.shape or length.ndim != 1:
        raise InputError(
            f"{length.shape} durations, {ended.shape} ends and {start.shape} entries do not fit",
            "Give one of each for every spell",
        )
    wrong = ~(np.isfinite(length) & (length >= 0) & (start <= length))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InputError(
            f"spell {row} lasts {length[row]} and enters at {start[row]}",
            "Durations are finite and ≥ 0, and no spell enters after it ended",
        )
    seen = start < length
    return length[seen], ended[seen], start[seen]


def _log_log_interval(
    survival: NDArray[np.float64],
    ends: NDArray[np.int64],
    at_risk: NDArray[np.int64],
    confidence: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    from scipy.special import ndtri

    z = ndtri((1 + confidence) / 2)
    with np.errstate(divide="ignore", invalid="ignore"):  # a share of 0 has no interval: NaN
        greenwood = np.cumsum(ends / (at_risk * (at_risk - ends)))
        exponent = np.exp(z * np.sqrt(greenwood) / np.abs(np.log(survival)))
        low, high = survival**exponent, survival ** (1 / exponent)
    inside = survival > 0
    return np.where(inside, low, np.nan), np.where(inside, high, np.nan)
