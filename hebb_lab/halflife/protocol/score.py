"""One fitted model on one block: losses of its cases, probabilities of its rows, survival."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.errors import HebbLabError, InputError
from hebb_lab.evaluation.calibration.probabilities import CLIP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.cases import Cases
    from hebb_lab.halflife.facts.history import Asked
    from hebb_lab.halflife.model import Fit

HITS = (1, 5)
_EXACT = 1e-9  # rounding that a probability may be outside of [0, 1] by


class CaseScores(NamedTuple):
    """losses: [C] −ln(λ_case / Σ λ). hits: [C, 2] probability to be among the first 1 and 5."""

    losses: NDArray[np.float64]
    hits: NDArray[np.float64]


def score_cases(fit: Fit, cases: Cases) -> CaseScores:
    """How a fit ranks what came back among what could have.

    Raises:
        InputError: the model gives something that is no intensity.
    """
    intensity = _checked(fit.intensity(cases.moments), "an intensity", np.inf)
    return CaseScores(case_losses(cases, intensity), case_hits(cases, intensity))


def probabilities(fit: Fit, moments: Asked, days: float) -> NDArray[np.float64]:
    """[Q] of another activation within the next days.

    Raises:
        InputError: the model gives something that is no probability.
    """
    return _checked(fit.predict(moments, days), "a probability", 1.0)


def surviving(fit: Fit, moments: Asked, times: Sequence[float]) -> NDArray[np.float64]:
    """[T] expected number of the moments after which nothing comes for so many days.

    NaN where the model predicts nothing for so many days: that spoils a figure, no score. A fit
    that says ``any_horizon = False``, since it would be fitted anew to each, is not asked.
    """
    found = np.full(len(times), np.nan)
    for place, days in enumerate(times if getattr(fit, "any_horizon", True) else ()):
        with contextlib.suppress(HebbLabError):
            found[place] = (1.0 - probabilities(fit, moments, days)).sum()
    return found


def case_losses(cases: Cases, intensity: NDArray[np.float64]) -> NDArray[np.float64]:
    """[C] partial-likelihood loss in nats; that of a guess where all intensities are 0.

    The share of a case is at least 1e-12, as in the log losses of rows.
    """
    own, total = cases.totals(intensity)
    guess = 1.0 / cases.live.sum(axis=1)
    share = np.where(total > 0, own / np.where(total > 0, total, 1.0), guess)
    return np.asarray(-np.log(np.maximum(share, CLIP)))


def case_hits(cases: Cases, intensity: NDArray[np.float64]) -> NDArray[np.float64]:
    """[C, 2] probability that the case is among the first k, equal intensities in random order."""
    values = intensity.reshape(cases.live.shape)
    above = ((values > values[:, :1]) & cases.live).sum(axis=1)
    equal = ((values == values[:, :1]) & cases.live).sum(axis=1)  # the case among them
    return np.stack([np.clip((k - above) / equal, 0.0, 1.0) for k in HITS], axis=1)


def _checked(values: NDArray[np.float64], what: str, most: float) -> NDArray[np.float64]:
    """Finite values in [0, most]; what is outside by a rounding error is set inside."""
    found = np.asarray(values, np.float64)
    wrong = ~(np.isfinite(found) & (found >= -_EXACT) & (found <= most + _EXACT))
    if wrong.any():
        first = found[int(np.argmax(wrong))]
        raise InputError(f"the model predicts {what} of {first:g}", "Report this as a bug")
    return np.clip(found, 0.0, most)
