"""The sampled partial likelihood: which edge came back, given that one did.

    ℓ(b) = Σ_c ln(b · x_c) − ln Σ_{j ∈ set of c} b · x_j,   b ≥ 0 up to a factor.

Whatever moves all edges alike, the agent's activity first of all, cancels (Cox 1975; nested
case-control sampling: Goldstein & Langholz 1992; fitting.md finding 6). It tells half-lives and
the ratios of coefficients, not their level.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

REACH = 15.0  # what a term sums to may differ by e^±15 from what the first does
NEAR = 4.0  # and by so much where a search begins
FLOOR = 1e-300


@dataclass(frozen=True)
class PartialFit:
    """The maximum of the partial likelihood.

    Args:
        ratios: [P] coefficients over the first.
        terms: [C] ℓ of each case.
        converged: whether the search got there.
    """

    ratios: NDArray[np.float64]
    terms: NDArray[np.float64]
    converged: bool

    @property
    def value(self) -> float:
        """ℓ."""
        return float(self.terms.sum())


def case_terms(
    ratios: NDArray[np.float64], cases: NDArray[np.float64], sums: NDArray[np.float64]
) -> NDArray[np.float64]:
    """[C] ln(b · x_case) − ln(b · Σ x_j); of [C, P] values of cases and sums over their sets."""
    return np.asarray(
        np.log(np.maximum(cases @ ratios, FLOOR)) - np.log(np.maximum(sums @ ratios, FLOOR))
    )


def fit_partial(
    cases: NDArray[np.float64], sums: NDArray[np.float64],
    start: NDArray[np.float64] | None = None,
) -> PartialFit:  # fmt: skip
    """Maximise ℓ over the ratios of the coefficients to the first.

    The search runs over logarithms of ratios of what the terms sum to. Where a term is all but
    switched off its gradient vanishes, so a search begins where none is: from equal shares, or
    from near a known good point.

    Args:
        cases: [C, P] the terms at the cases; the first is the constant.
        sums: [C, P] summed over each case and its controls.
        start: [P] ratios to begin with.
    """
    width = cases.shape[1]
    if width == 1 or not len(cases):
        ratios = np.ones(width)
        return PartialFit(ratios, case_terms(ratios, cases, sums), True)
    scale = np.maximum(sums.mean(axis=0), FLOOR)
    begin = np.zeros(width - 1)
    if start is not None:
        begin = np.clip(np.log(np.maximum(start * scale / scale[0], FLOOR))[1:], -NEAR, NEAR)
    theta, converged = _search(cases / scale, sums / scale, begin)
    ratios = np.concatenate([[1.0], np.exp(theta)]) * scale[0] / scale
    return PartialFit(ratios, case_terms(ratios, cases, sums), converged)


def _search(
    cases: NDArray[np.float64], sums: NDArray[np.float64], begin: NDArray[np.float64]
) -> tuple[NDArray[np.float64], bool]:
    """(ln ratios, whether it converged)."""
    from scipy.optimize import minimize

    def loss(theta: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        ratios = np.concatenate([[1.0], np.exp(theta)])
        case, total = np.maximum(cases @ ratios, FLOOR), np.maximum(sums @ ratios, FLOOR)
        slope = ((1.0 / case) @ cases - (1.0 / total) @ sums)[1:] * ratios[1:]
        value = np.log(case).sum() - np.log(total).sum()
        return -float(value) / len(cases), -slope / len(cases)

    ended = minimize(
        loss, begin, jac=True, method="L-BFGS-B", bounds=[(-REACH, REACH)] * len(begin),
        options={"ftol": 1e-12, "gtol": 1e-8},
    )  # fmt: skip
    return np.asarray(ended.x), bool(ended.success)


@dataclass(frozen=True)
class Curve:
    """ℓ at its maximum over the coefficients, as a function of the half-life.

    Args:
        half_lives: [H] ascending.
        fits: one for each.
        recall: [C] the recall of each case: cases of a recall are not independent.
    """

    half_lives: NDArray[np.float64]
    fits: Sequence[PartialFit]
    recall: NDArray[np.int64]

    @property
    def values(self) -> NDArray[np.float64]:
        """[H] ℓ."""
        return np.array([fit.value for fit in self.fits])


def half_life_curve(
    half_lives: NDArray[np.float64], others: tuple[NDArray[np.float64], NDArray[np.float64]],
    weights: tuple[NDArray[np.float64], NDArray[np.float64]], recall: NDArray[np.int64],
) -> Curve:  # fmt: skip
    """The profile of the half-life: for each, the other coefficients at their best.

    Args:
        half_lives: [H].
        others: ([C, P], [C, P]) terms beside the weight, the constant first: cases and sums.
        weights: ([C, H], [C, H]) the weight at each half-life: cases and sums.
        recall: [C].
    """
    fits: list[PartialFit] = []
    start = None
    for column in range(len(half_lives)):
        cases, sums = (
            np.column_stack([other, weight[:, column]])
            for other, weight in zip(others, weights, strict=True)
        )
        fit = fit_partial(cases, sums, start)
        start = fit.ratios
        fits.append(fit)
    return Curve(half_lives, fits, recall)
