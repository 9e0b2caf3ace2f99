"""Calibration intercept and slope: how probabilities would have to be stretched and shifted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.evaluation.calibration.metric import calibration_metric
from hebb_lab.evaluation.calibration.probabilities import CLIP, checked

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_STEPS = 100  # Newton's method halves steps that do not climb, so it needs far fewer


@dataclass(frozen=True)
class Recalibration:
    """The line a + b · logit p that fits the outcomes best.

    Args:
        intercept: a; 0 is perfect.
        slope: b; 1 is perfect, below 1 the probabilities are too extreme, above 1 too timid.
    """

    intercept: float
    slope: float


def recalibration(p: ArrayLike, y: ArrayLike) -> Recalibration:
    """Logistic regression of the outcome on logit p, without penalty.

    P(y) = 1 / (1 + e^−(a + b x)), x = logit of p clipped to [1e-12, 1 − 1e-12]; Newton's method.
    Source: Cox 1958; Steyerberg 2019, §15.3.

    Args:
        p: [R] probabilities.
        y: [R] whether the event happened.

    Returns:
        NaN where no finite line is the best: no rows, one kind of outcome only, constant p, or a
        p that parts the two kinds without overlap.

    Raises:
        InputError: as ``checked``.

    >>> p, y = [0.2] * 5 + [0.6] * 5, [1, 0, 0, 0, 0] + [1, 1, 1, 0, 0]
    >>> found = recalibration(p, y)
    >>> round(abs(found.intercept), 6), round(found.slope, 6)
    (0.0, 1.0)
    """
    probability, outcome = checked(p, y)
    inside = np.clip(probability, CLIP, 1 - CLIP)
    x = np.log(inside) - np.log1p(-inside)
    if not _overlap(x[outcome == 1], x[outcome == 0]):
        return Recalibration(float("nan"), float("nan"))
    centre, scale = x.mean(), x.std()
    intercept, slope = _newton((x - centre) / scale, outcome)
    return Recalibration(float(intercept - slope * centre / scale), float(slope / scale))


def _overlap(happened: NDArray[np.float64], not_happened: NDArray[np.float64]) -> bool:
    """Whether the likelihood of a line has a maximum (Albert & Anderson 1984)."""
    if not len(happened) or not len(not_happened):
        return False
    return bool(happened.min() < not_happened.max() and not_happened.min() < happened.max())


def _newton(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Intercept and slope of the maximum, [2]; x has mean 0 and deviation 1."""
    from scipy.special import expit

    design = np.stack([np.ones(len(x)), x])  # [2, R]
    line = np.array([np.log(y.mean() / (1 - y.mean())), 0.0])
    height = _log_likelihood(line @ design, y)
    for _ in range(_STEPS):
        rate = expit(line @ design)
        curvature = (design * (rate * (1 - rate))) @ design.T
        step = np.linalg.solve(curvature, design @ (y - rate))
        while (higher := _log_likelihood((line + step) @ design, y)) < height:
            step /= 2
            if np.abs(step).max() < 1e-12:
                return line
        line, height = line + step, higher
        if np.abs(step).max() < 1e-10:
            break
    return line


def _log_likelihood(score: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    return float(y @ score - np.logaddexp(0, score).sum())


@calibration_metric(
    "slope", "slope", "nearer 1", "stretch of logit p that fits best; below 1, p is too extreme"
)
def calibration_slope(p: ArrayLike, y: ArrayLike) -> float:
    """Slope of the recalibration; 1 is perfect, below 1 the probabilities are too extreme.

    >>> calibration_slope([0.2, 0.2], [True, False])
    nan
    """
    return recalibration(p, y).slope


@calibration_metric(
    "intercept", "intercept", "nearer 0", "shift of logit p that fits best beside the slope"
)
def calibration_intercept(p: ArrayLike, y: ArrayLike) -> float:
    """Intercept of the recalibration; 0 is perfect when the slope is 1.

    >>> calibration_intercept([0.2, 0.4], [True, True])
    nan
    """
    return recalibration(p, y).intercept
