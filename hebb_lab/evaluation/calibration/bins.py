"""RMSE(bins): calibration inside cells of recency × count × group."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.evaluation.calibration.metric import calibration_metric
from hebb_lab.evaluation.calibration.probabilities import checked

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def interval_bin(days: ArrayLike) -> NDArray[np.float64]:
    """Log bin of a time since the last event: 2.48 · 3.62^⌊log₃.₆₂ days⌋, to 2 decimals, [R].

    The rounding pools all that is shorter than 8.4 minutes (days below 10⁻⁶ count as 10⁻⁶).
    Source: rmse_matrix of the srs-benchmark; fitting.md §1.2.

    Args:
        days: [R] ≥ 0.

    >>> interval_bin([0.0, 1.0, 3.0, 7.0]).tolist()
    [0.0, 2.48, 2.48, 8.98]
    """
    length = _not_negative(days)
    return _log_bin(np.maximum(length, 1e-6), 2.48, 3.62, 2)


def count_bin(count: ArrayLike) -> NDArray[np.float64]:
    """Log bin of a number of events: 1.99 · 1.89^⌊log₁.₈₉ count⌋, to a whole number, [R].

    A count of 0 has a bin of its own, 0. Source: rmse_matrix of the srs-benchmark; fitting.md §1.2.

    Args:
        count: [R] ≥ 0.

    >>> count_bin([0, 1, 2, 3, 4]).tolist()
    [0.0, 2.0, 4.0, 4.0, 7.0]
    """
    number = _not_negative(count)
    return np.where(number == 0, 0.0, _log_bin(np.where(number == 0, 1, number), 1.99, 1.89, 0))


def _not_negative(numbers: ArrayLike) -> NDArray[np.float64]:
    values = np.asarray(numbers, dtype=np.float64)
    if not (values >= 0).all():  # NaN fails too
        raise InputError("a recency or a count is below 0 or NaN", "Give numbers of at least 0")
    return values


def _log_bin(
    values: NDArray[np.float64], middle: float, base: float, decimals: int
) -> NDArray[np.float64]:
    power = np.floor(np.log(values) / np.log(base))
    return np.asarray(np.round(middle * base**power, decimals))


def cells(days: ArrayLike, count: ArrayLike, group: ArrayLike) -> NDArray[np.int64]:
    """Number of the cell of each row, [R]: log bin of recency × log bin of count × group.

    Args:
        days: [R] time since the last event.
        count: [R] events so far.
        group: [R] integers or names, such as the namespace.

    Returns:
        Integers from 0, one for each combination that occurs.

    Raises:
        InputError: for a number below 0 or NaN, or when the three differ in length.

    >>> cells([1.0, 3.0, 7.0], [1, 1, 1], ["tool", "tool", "file"]).tolist()
    [0, 0, 1]
    """
    names = np.unique(np.asarray(group), return_inverse=True)[1]
    parts = [interval_bin(days), count_bin(count), names]
    if len({len(part) for part in parts}) > 1:
        lengths = ", ".join(str(len(part)) for part in parts)
        raise InputError(
            f"recency, count and group have {lengths} rows", "Give one of each for every row"
        )
    cell = np.zeros(len(names), dtype=np.int64)
    for part in parts:
        level, place = np.unique(part, return_inverse=True)
        cell = np.unique(cell * max(len(level), 1) + place, return_inverse=True)[1]
    return cell.astype(np.int64, copy=False)


@calibration_metric(
    "rmse_bins", "RMSE(bins)", "lower",
    "gap of mean probability and mean outcome in cells of recency × count × group",
    needs_cells=True,
)  # fmt: skip
def rmse_bins(p: ArrayLike, y: ArrayLike, cell: ArrayLike) -> float:
    """Root mean squared difference of mean outcome and mean probability in cells.

    √(Σ_b n_b (ȳ_b − p̄_b)² / R). It can be gamed by a model that knows the cells, so it is never
    read without the log loss. Source: rmse_matrix of the srs-benchmark; fitting.md §1.2.

    Args:
        p: [R] probabilities.
        y: [R] whether the event happened.
        cell: [R] integers, see ``cells``.

    Returns:
        In [0, 1]; NaN without rows.

    Raises:
        InputError: as ``checked``, or when cells and rows differ in number.

    >>> round(rmse_bins([0.2, 0.2, 0.9, 0.9], [False, True, True, True], [0, 0, 1, 1]), 3)
    0.224
    """
    probability, outcome = checked(p, y)
    place = np.unique(np.asarray(cell), return_inverse=True)[1]
    if len(place) != len(outcome):
        raise InputError(
            f"{len(place)} cells do not fit {len(outcome)} rows", "Give one cell a row, see cells()"
        )
    if not len(outcome):
        return float("nan")
    size = np.bincount(place)
    gap = np.bincount(place, weights=outcome - probability) / size
    return float(np.sqrt((size * gap**2).sum() / len(outcome)))
