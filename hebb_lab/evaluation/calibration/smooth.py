"""The smoothed calibration curve, and the errors that are read off it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.evaluation.calibration.metric import calibration_metric
from hebb_lab.evaluation.calibration.probabilities import checked

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_SHARE = 2 / 3  # of the rows that a local line is fitted to


def smoothed(p: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Rate of the outcome at each row's probability, [R]: lowess of y on p.

    Local lines over the nearest two thirds of the rows, tricube weights, no robustness iterations
    (outcomes have no outliers), fitted anew at each hundredth of the range of p, with straight
    lines between (Cleveland 1979; statsmodels' lowess with it=0 and delta = .01 · range). Where so
    many rows share one p that the nearest two thirds have no other, the rate is their mean; lowess
    itself would say 0. With fewer than about ten rows the curve goes through the points.

    Args:
        p: [R] probabilities.
        y: [R] whether the event happened.

    Raises:
        InputError: as ``checked``.

    >>> smoothed([0.2, 0.2], [False, True]).tolist()
    [0.5, 0.5]
    """
    probability, outcome = checked(p, y)
    level, place, count = np.unique(probability, return_inverse=True, return_counts=True)
    if not len(level):
        return probability
    mean = np.bincount(place, weights=outcome) / count
    crowded = np.flatnonzero(count >= int(_SHARE * len(outcome) + 1e-10))
    anchors = np.union1d(_anchors(level), crowded)
    # Rows of equal p weigh the same, so means in place of outcomes change no fit.
    fit = _local_lines(np.repeat(level, count), np.repeat(mean, count), level[anchors])
    alone = np.isnan(fit) | np.isin(anchors, crowded)
    fit = np.where(alone, mean[anchors], fit)
    return np.interp(probability, level[anchors], fit)


def _anchors(level: NDArray[np.float64]) -> NDArray[np.int64]:
    """Where lowess fits: the first level, then the last within delta or else the next one."""
    reach = np.searchsorted(level, level + 0.01 * (level[-1] - level[0]), side="right") - 1
    chosen = [0]
    while chosen[-1] < len(level) - 1:
        chosen.append(max(int(reach[chosen[-1]]), chosen[-1] + 1))
    return np.array(chosen)


def _local_lines(
    p: NDArray[np.float64], y: NDArray[np.float64], at: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The fits of lowess at some points; p rises."""
    from statsmodels.nonparametric.smoothers_lowess import lowess

    with np.errstate(divide="ignore", invalid="ignore"):  # no line where all of p is the same
        return np.asarray(lowess(y, p, frac=_SHARE, it=0, xvals=at, is_sorted=True, missing="none"))


@dataclass(frozen=True)
class SmoothErrors:
    """Distances between the smoothed rate and the probability, over the rows.

    Args:
        ici: integrated calibration index, the mean distance.
        e50: median distance.
        e90: 90th percentile of the distances.
    """

    ici: float
    e50: float
    e90: float


def smooth_errors(p: ArrayLike, y: ArrayLike) -> SmoothErrors:
    """ICI, E50 and E90: mean, median and 90th percentile of |smoothed rate − p|.

    Source: Austin & Steyerberg 2019, §2.2. NaN without rows.

    Args:
        p: [R] probabilities.
        y: [R] whether the event happened.

    Raises:
        InputError: as ``checked``.

    >>> smooth_errors([0.2, 0.2], [False, True])
    SmoothErrors(ici=0.3, e50=0.3, e90=0.3)
    """
    distance = np.abs(smoothed(p, y) - np.asarray(p, dtype=np.float64))
    if not len(distance):
        return SmoothErrors(float("nan"), float("nan"), float("nan"))
    middle, tail = np.quantile(distance, [0.5, 0.9])
    return SmoothErrors(float(distance.mean()), float(middle), float(tail))


@calibration_metric("ici", "ICI", "lower", "mean gap of probability and smoothed rate")
def ici(p: ArrayLike, y: ArrayLike) -> float:
    """Integrated calibration index: mean of |smoothed rate − p|, see ``smooth_errors``.

    >>> ici([0.2, 0.2], [False, True])
    0.3
    """
    return smooth_errors(p, y).ici


@calibration_metric("e50", "E50", "lower", "median gap of probability and smoothed rate")
def e50(p: ArrayLike, y: ArrayLike) -> float:
    """Median of |smoothed rate − p|, see ``smooth_errors``.

    >>> e50([0.2, 0.2], [False, True])
    0.3
    """
    return smooth_errors(p, y).e50


@calibration_metric(
    "e90", "E90", "lower", "gap of probability and smoothed rate that 9 rows in 10 stay below"
)
def e90(p: ArrayLike, y: ArrayLike) -> float:
    """90th percentile of |smoothed rate − p|, see ``smooth_errors``.

    >>> e90([0.2, 0.2], [False, True])
    0.3
    """
    return smooth_errors(p, y).e90


def smooth_curve(
    p: ArrayLike, y: ArrayLike, points: int = 200
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The smoothed curve for a figure: probabilities in rising order and their rates.

    Args:
        p: [R] probabilities.
        y: [R] whether the event happened.
        points: at most so many, spread evenly over the distinct probabilities; both ends stay.

    Raises:
        InputError: as ``checked``.

    >>> at, rate = smooth_curve([0.4, 0.4, 0.4], [False, True, True])
    >>> at.tolist(), rate.round(3).tolist()
    ([0.4], [0.667])
    """
    fit = smoothed(p, y)
    level, first = np.unique(np.asarray(p, dtype=np.float64), return_index=True)
    if len(level) > points:
        first = first[np.linspace(0, len(level) - 1, points).round().astype(np.int64)]
    return np.asarray(p, dtype=np.float64)[first], fit[first]
