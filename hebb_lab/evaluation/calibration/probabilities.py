"""Scores of probabilities against what happened: log loss, Brier score, area under the curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.evaluation.calibration.metric import calibration_metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

CLIP = 1e-12  # a probability nearer to 0 or 1 is taken for this near


def checked(p: ArrayLike, y: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Probabilities [R] and outcomes [R] as float64, outcomes 0 or 1.

    Raises:
        InputError: when the two differ in shape, a probability is NaN or outside [0, 1], or an
            outcome is neither 0 nor 1.
    """
    probability, outcome = np.asarray(p, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if probability.ndim != 1 or probability.shape != outcome.shape:
        shapes = f"probabilities {probability.shape} do not fit outcomes {outcome.shape}"
        raise InputError(shapes, "Give one probability and one outcome a row")
    wrong = ~((probability >= 0) & (probability <= 1))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InputError(
            f"the probability of row {row} is {probability[row]}",
            "Probabilities lie in [0, 1]; give rows where a model failed the one of its fallback",
        )
    neither = (outcome != 0) & (outcome != 1)
    if neither.any():
        row = int(np.argmax(neither))
        raise InputError(f"the outcome of row {row} is {outcome[row]}", "Outcomes are 0 or 1")
    return probability, outcome


def log_losses(p: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Log loss of each row, [R] nats: −ln p where the event happened, −ln(1 − p) where not.

    p is clipped to [1e-12, 1 − 1e-12], so no row costs more than 27.6 nats.

    Args:
        p: [R] probabilities.
        y: [R] whether the event happened.

    Raises:
        InputError: as ``checked``.

    >>> log_losses([0.5, 0.0], [True, False]).round(3).tolist()
    [0.693, 0.0]
    """
    probability, outcome = checked(p, y)
    inside = np.clip(probability, CLIP, 1 - CLIP)
    return -np.log(np.where(outcome == 1, inside, 1 - inside))


@calibration_metric("log_loss", "log loss", "lower", "mean −ln of the probability of what happened")
def log_loss(p: ArrayLike, y: ArrayLike) -> float:
    """Mean of the log losses, nats a row (Good 1952); NaN without rows.

    >>> round(log_loss([0.5, 0.25], [True, False]), 3)
    0.49
    """
    losses = log_losses(p, y)
    return float(losses.mean()) if len(losses) else float("nan")


@calibration_metric("brier", "Brier", "lower", "mean squared gap of probability and outcome")
def brier(p: ArrayLike, y: ArrayLike) -> float:
    """Mean squared error of the probabilities, Σ (p − y)² / R (Brier 1950); NaN without rows.

    Args:
        p: [R] probabilities.
        y: [R] whether the event happened.

    Raises:
        InputError: as ``checked``.

    >>> brier([0.5, 0.0], [True, False])
    0.125
    """
    probability, outcome = checked(p, y)
    return float(((probability - outcome) ** 2).mean()) if len(outcome) else float("nan")


@calibration_metric("auc", "AUC", "higher", "share of pairs of rows that p puts in the right order")
def auc(p: ArrayLike, y: ArrayLike) -> float:
    """Probability that a row with the event stands above one without; a tie counts half.

    (Σ ranks of the rows with the event − n₁ (n₁ + 1) / 2) / (n₁ n₀), ranks of p from 1, mean rank
    at a tie (Hanley & McNeil 1982). It says nothing about calibration.

    Args:
        p: [R] probabilities.
        y: [R] whether the event happened.

    Returns:
        In [0, 1]; NaN unless there are rows of both kinds.

    Raises:
        InputError: as ``checked``.

    >>> auc([0.1, 0.5, 0.5], [False, False, True])
    0.75
    """
    probability, outcome = checked(p, y)
    happened = int(outcome.sum())
    pairs = happened * (len(outcome) - happened)
    if pairs == 0:
        return float("nan")
    _, place, count = np.unique(probability, return_inverse=True, return_counts=True)
    rank = np.cumsum(count) - (count - 1) / 2
    return float((rank[place] @ outcome - happened * (happened + 1) / 2) / pairs)
