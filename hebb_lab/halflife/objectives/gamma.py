"""Edges that differ in their rate and do not fade: the Gamma–Poisson model."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.halflife.signals.terms import Constant

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import History

BOUNDS = (-12.0, 25.0)  # of ln a and ln b


class GammaPrior(NamedTuple):
    """Rates of the edges of each group: Gamma(shape a, scale b), mean a / b per unit of exposure.

    shape, scale: [S]. converged: [S].
    """

    shape: NDArray[np.float64]
    scale: NDArray[np.float64]
    converged: NDArray[np.bool_]


def fit_rates(history: History, until: int) -> GammaPrior:
    """Empirical Bayes: a and b of each group by marginal likelihood of the counts before ``until``.

    ℓ(a, b) = Σ_e ln Γ(a + n_e) − ln Γ(a) + a ln b − (a + n_e) ln(b + T_e): a negative binomial for
    each edge's n_e re-activations in its exposure T_e. A group with fewer than 10 re-activations
    takes the values of all groups.
    """
    exposure = Constant(history).exposure(until)[:, 0]
    events = history.reactivations(0, until)
    counts = np.bincount(history.edge_of[events], minlength=history.edges)
    known = exposure > 0
    whole = _fit(counts[known], exposure[known])
    fits = []
    for number in range(len(history.groups)):
        own = known & (history.group == number)
        few = counts[own].sum() < 10
        fits.append(whole if few else _fit(counts[own], exposure[own]))
    shape, scale, converged = zip(*fits, strict=True)
    return GammaPrior(np.array(shape), np.array(scale), np.array(converged))


def _fit(counts: NDArray[np.int64], exposure: NDArray[np.float64]) -> tuple[float, float, bool]:
    """(a, b, whether the search converged)."""
    from scipy.optimize import minimize
    from scipy.special import digamma, gammaln

    if not counts.sum():
        return 0.5, max(float(exposure.sum()), 1.0), True  # half an event in all that was seen
    # edges with the same count and exposure are one term
    pairs, weight = np.unique(np.stack([counts, exposure]), axis=1, return_counts=True)
    n, span = pairs

    def loss(theta: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        a, b = np.exp(theta)
        terms = gammaln(a + n) - gammaln(a) + a * np.log(b) - (a + n) * np.log(b + span)
        by_a = digamma(a + n) - digamma(a) + np.log(b / (b + span))
        by_b = a / b - (a + n) / (b + span)
        slope = np.array([a * (weight * by_a).sum(), b * (weight * by_b).sum()])
        return -float((weight * terms).sum()) / weight.sum(), -slope / weight.sum()

    mean = counts.sum() / exposure.sum()
    start = np.array([0.0, np.clip(-np.log(mean), *BOUNDS)])
    ended = minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=[BOUNDS, BOUNDS],
        options={"ftol": 1e-13, "gtol": 1e-9},
    )  # fmt: skip
    a, b = np.exp(ended.x)
    return float(a), float(b), bool(ended.success)
