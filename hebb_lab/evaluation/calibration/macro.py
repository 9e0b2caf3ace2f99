"""Models compared over units, such as projects: each has one loss in every unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.evaluation.bootstrap import ClusterSums, resample
from hebb_lab.evaluation.paired import holm

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

WEIGHTINGS = ("unit", "event", "log")  # each unit the same, its events, ln(1 + its events)
ENOUGH_UNITS = 20
LEAST_UNITS = 6  # 2 / 2⁵ = .0625: with five, no signed-rank test gets below .05


@dataclass(frozen=True)
class MacroComparison:
    """A models and their differences to one base, in all three WEIGHTINGS; NaN for the base itself.

    Args:
        mean: [A, 3] mean loss.
        delta: [A, 3] mean difference of the loss to the base; below 0 is better.
        interval: [A, 3, 2] BCa interval of the difference, over units.
        p: [A] of the Wilcoxon signed-rank test over units, two-sided, not adjusted.
        p_holm: [A] adjusted for the family of all models but the base.
        effect: [A] r = |Z| / √U of that test; .1, .3 and .5 are small, medium and large.
        better: [A] share of the units in which the loss is below that of the base.
        units: U.
        caution: what to say beside the figures when units are few; "" when there are enough.
    """

    mean: NDArray[np.float64]
    delta: NDArray[np.float64]
    interval: NDArray[np.float64]
    p: NDArray[np.float64]
    p_holm: NDArray[np.float64]
    effect: NDArray[np.float64]
    better: NDArray[np.float64]
    units: int
    caution: str


def macro_comparison(
    loss: ArrayLike,
    events: ArrayLike,
    base: int,
    rng: np.random.Generator,
    resamples: int = 9999,
    confidence: float = 0.99,
) -> MacroComparison:
    """Mean differences over units with BCa intervals and the signed-rank test.

    A mean is Σ w_u ℓ_u / Σ w_u with w_u = 1, n_u or ln(1 + n_u), n_u the events of unit u; units
    are drawn with replacement and their weights with them. Protocol: srs-benchmark, evaluate.py
    (it weights by ln n_u, which drops units of one event); fitting.md §1.2 and §4.

    Args:
        loss: [A, U] mean loss of each model in each unit; all models were scored on the same rows.
        events: [U] number of scored events, ≥ 1.
        base: index of the model that the others are compared with.
        rng: source of the draws; models share them.
        resamples: B.
        confidence: coverage aimed at.

    Raises:
        InputError: for a NaN among the losses, events below 1, a base that does not exist, or
            arrays that do not fit.

    >>> loss = [[0.4, 0.5, 0.6, 0.5], [0.3, 0.4, 0.5, 0.5]]
    >>> found = macro_comparison(loss, [10, 20, 30, 40], 0, np.random.default_rng(0))
    >>> found.delta.round(3).tolist()[1], found.better.tolist()
    ([-0.075, -0.06, -0.071], [nan, 0.75])
    >>> found.p.tolist(), found.caution
    ([nan, nan], 'only 4 units: fewer than 6 cannot show a difference by ranks')
    """
    losses, sizes = _checked(loss, events, base)
    units = losses.shape[1]
    weights = np.stack([np.ones(units), sizes, np.log1p(sizes)])  # [3, U]
    difference = losses - losses[base]
    intervals = [
        resample(ClusterSums(difference * w, w), rng, resamples).interval(confidence, "bca")
        for w in weights
    ]
    share = weights / weights.sum(axis=1, keepdims=True)
    is_base = np.arange(len(losses)) == base
    tests = np.array([signed_rank(row) for row in difference])
    p = np.where(is_base, np.nan, tests[:, 0])
    return MacroComparison(
        mean=losses @ share.T,
        delta=np.where(is_base[:, None], np.nan, difference @ share.T),
        interval=np.where(is_base[:, None, None], np.nan, np.stack(intervals, axis=1)),
        p=p,
        p_holm=holm(p),
        effect=np.where(is_base, np.nan, tests[:, 1]),
        better=np.where(is_base, np.nan, (difference < 0).mean(axis=1)),
        units=units,
        caution=_caution(units),
    )


def signed_rank(difference: ArrayLike) -> tuple[float, float]:
    """Wilcoxon signed-rank test of paired differences: two-sided p and effect r = |Z| / √U.

    Exact where scipy has the exact distribution (up to 50 units without ties or zeros); zeros are
    ranked, and then their ranks dropped (Pratt 1959). Z is that of the normal approximation
    without correction (Rosenthal 1991, §2).

    Args:
        difference: [U].

    Returns:
        NaN with fewer than six units, which cannot get below .05; p = 1 and r = 0 where all
        differences are 0.

    >>> p, effect = signed_rank([-0.1, -0.2, -0.3, -0.4, -0.5, -0.6])
    >>> round(p, 5), round(effect, 3)
    (0.03125, 0.899)
    """
    from scipy.stats import wilcoxon

    values = np.asarray(difference, dtype=np.float64)
    if len(values) < LEAST_UNITS:
        return float("nan"), float("nan")
    if not values.any():
        return 1.0, 0.0
    p = wilcoxon(values, zero_method="pratt").pvalue
    z = wilcoxon(values, zero_method="pratt", method="asymptotic").zstatistic
    return float(p), float(abs(z) / np.sqrt(len(values)))


def _checked(
    loss: ArrayLike, events: ArrayLike, base: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    losses, sizes = np.asarray(loss, dtype=np.float64), np.asarray(events, dtype=np.float64)
    if losses.ndim != 2 or sizes.shape != losses.shape[1:] or not losses.size:
        raise InputError(
            f"losses {losses.shape} do not fit events {sizes.shape}",
            "Give a row for each model, with a loss for every unit, and the events of each unit",
        )
    if not 0 <= base < len(losses):
        raise InputError(
            f"model {base} is the base of {len(losses)}", "Count models from 0, in rows"
        )
    if not np.isfinite(losses).all():
        model, unit = np.argwhere(~np.isfinite(losses))[0]
        raise InputError(
            f"the loss of model {model} in unit {unit} is {losses[model, unit]}",
            "Give a model that failed the loss of its fallback: leaving units out favours it",
        )
    if not (sizes >= 1).all():
        raise InputError("a unit has fewer than one event", "Leave out units that scored nothing")
    return losses, sizes


def _caution(units: int) -> str:
    if units >= ENOUGH_UNITS:
        return ""
    head = f"only {units} unit{'s' if units > 1 else ''}: "
    if units < LEAST_UNITS:
        silent = "no interval, and " if units == 1 else ""
        return f"{head}{silent}fewer than {LEAST_UNITS} cannot show a difference by ranks"
    return f"{head}with fewer than {ENOUGH_UNITS}, intervals over units are rough"
