"""The calibration curve in bins, with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import ConfigError
from hebb_lab.evaluation.calibration.probabilities import checked

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class CalibrationCurve:
    """Mean probability and mean outcome in B bins of rising probability.

    Args:
        predicted: [B] mean probability.
        observed: [B] mean outcome.
        interval: [B, 2] Wilson interval of the mean outcome, as if rows were independent.
        count: [B] rows, > 0.
    """

    predicted: NDArray[np.float64]
    observed: NDArray[np.float64]
    interval: NDArray[np.float64]
    count: NDArray[np.int64]


def calibration_curve(
    p: ArrayLike, y: ArrayLike, bins: int = 10, confidence: float = 0.95
) -> CalibrationCurve:
    """Mean outcome against mean probability in quantile bins; rows of equal p stay together.

    The rows of one p go into bin ⌊bins · (rows below + half of its own) / R⌋, so many equal p make
    bins unequal, and bins that stay empty are left out.

    Args:
        p: [R] probabilities.
        y: [R] whether the event happened.
        bins: most that there may be.
        confidence: of the interval.

    Returns:
        At most ``bins`` bins; none without rows.

    Raises:
        ConfigError: for fewer than one bin or a confidence outside (0, 1).
        InputError: as ``checked``.

    >>> curve = calibration_curve([0.1, 0.1, 0.8, 0.8], [False, False, True, False], bins=2)
    >>> curve.predicted.tolist(), curve.observed.tolist(), curve.interval.round(2).tolist()
    ([0.1, 0.8], [0.0, 0.5], [[0.0, 0.66], [0.09, 0.91]])
    """
    if bins < 1:
        raise ConfigError(f"a calibration curve of {bins} bins", "Ask for 1 or more")
    probability, outcome = checked(p, y)
    _, place, equal = np.unique(probability, return_inverse=True, return_counts=True)
    twice_middle = 2 * np.cumsum(equal) - equal  # in whole numbers, so that no bin hangs on a bit
    level_bin = bins * twice_middle // max(2 * len(outcome), 1)
    chosen = level_bin[place]
    count = np.bincount(chosen, minlength=bins)
    kept = np.flatnonzero(count)
    happened = np.bincount(chosen, weights=outcome, minlength=bins)[kept]
    predicted = np.bincount(chosen, weights=probability, minlength=bins)[kept]
    count = count[kept]
    interval = wilson_interval(happened, count, confidence)
    return CalibrationCurve(predicted / count, happened / count, interval, count)


def wilson_interval(
    happened: ArrayLike, count: ArrayLike, confidence: float = 0.95
) -> NDArray[np.float64]:
    """Interval of a share without a test that fails at 0 and 1 (Wilson 1927), [B, 2].

    (s + z²/2 ± z √(s (1 − s/n) + z²/4)) / (n + z²), s of n happened. NaN where n is 0.

    Args:
        happened: [B] s.
        count: [B] n.
        confidence: coverage aimed at.

    Raises:
        ConfigError: for a confidence outside (0, 1).

    >>> wilson_interval([0, 5], [10, 10]).round(3).tolist()
    [[0.0, 0.278], [0.237, 0.763]]
    """
    from scipy.special import ndtri

    if not 0 < confidence < 1:
        raise ConfigError(f"a confidence of {confidence}", "Choose one between 0 and 1, as 0.95")
    s, n = np.asarray(happened, dtype=np.float64), np.asarray(count, dtype=np.float64)
    n = np.where(n > 0, n, np.nan)
    z = ndtri((1 + confidence) / 2)
    half = z * np.sqrt(s * (1 - s / n) + z**2 / 4)
    ends = np.stack([s + z**2 / 2 - half, s + z**2 / 2 + half], axis=-1)
    # s = 0 leaves a rounding error below 0, s = n one above 1
    return np.asarray(np.clip(ends / (n + z**2)[..., None], 0, 1))
