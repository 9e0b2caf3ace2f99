"""Shared gamma frailty: every edge has a factor of its own on an intensity that fades.

    λ_e(t) = z_e (μ + β w_e(t)),  z_e ~ Gamma(a, a),

with the factor integrated out in closed form:

    ℓ = Σ_e ln Γ(a + n_e) − ln Γ(a) + a ln a − (a + n_e) ln(a + Λ_e) + Σ_i ln(μ + β w_i),

Λ_e = μ C_e + β X_e the exposure of edge e (recurrent events with shared gamma frailty: Andersen,
Borgan, Gill & Keiding 1993, ch. IX; Cook & Lawless 2007).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

BOUNDS = ((-4.0, 8.0), (-35.0, 10.0), (-35.0, 10.0))  # of ln a, ln μ, ln β
NOTHING = 1e-300
PRIOR_EVENTS = 0.5  # that the constant is given, so that nothing is ever impossible


class Seen(NamedTuple):
    """What the likelihood of one group is made of, at one half-life.

    counts: [E] re-activations. exposed: [E] C. weighted: [E] X. found: [R] the weight that each
    re-activation found.
    """

    counts: NDArray[np.int64]
    exposed: NDArray[np.float64]
    weighted: NDArray[np.float64]
    found: NDArray[np.float64]


class Maximum(NamedTuple):
    """Where ℓ is largest: ln a, ln μ and ln β, ℓ there, and whether the search converged."""

    point: NDArray[np.float64]
    value: float
    converged: bool


def fit_frailty(seen: Seen, start: NDArray[np.float64] | None = None) -> Maximum:
    """Maximise ℓ over a, μ and β.

    It begins from equal shares of constant and weight, and from a given point too if there is one.

    Args:
        seen: counts and exposures of a group.
        start: [3] ln a, ln μ, ln β.
    """
    total = max(int(seen.counts.sum()), 1)
    rates = [total / 2 / max(part.sum(), NOTHING) for part in (seen.exposed, seen.weighted)]
    begins = [np.log([1.0, *rates])]
    if start is not None:  # a term that is switched off has no gradient: begin where it has one
        begins.append(np.maximum(start, begins[0] - 4.0))
    ended = [_search(seen, np.clip(b, *np.transpose(BOUNDS)), total) for b in begins]
    return max(ended, key=lambda fit: fit.value)


def _search(seen: Seen, begin: NDArray[np.float64], total: int) -> Maximum:
    from scipy.optimize import minimize

    ended = minimize(
        lambda point: _loss(seen, point, total), begin, jac=True, method="L-BFGS-B", bounds=BOUNDS,
        options={"ftol": 1e-12, "gtol": 1e-7},
    )  # fmt: skip
    return Maximum(np.asarray(ended.x), -float(ended.fun) * total, bool(ended.success))


def _loss(seen: Seen, point: NDArray[np.float64], total: int) -> tuple[float, NDArray[np.float64]]:
    """(−ℓ per re-activation, its gradient)."""
    from scipy.special import digamma, gammaln

    a, mu, beta = np.exp(point)
    n, sums = seen.counts, mu * seen.exposed + beta * seen.weighted
    rate, logs = np.maximum(mu + beta * seen.found, NOTHING), np.log(a + sums)
    factor = (a + n) / (a + sums)
    # gamma functions of the few counts that there are, not of every edge
    edges = np.bincount(n) if len(n) else np.zeros(1)
    some = np.arange(len(edges))
    value = edges @ (gammaln(a + some) - gammaln(a) + a * np.log(a)) - (a + n) @ logs
    by_shape = edges @ (digamma(a + some) - digamma(a) + np.log(a) + 1) - (logs + factor).sum()
    by_mu = (1 / rate).sum() - factor @ seen.exposed + PRIOR_EVENTS / mu
    value += PRIOR_EVENTS * np.log(mu)
    by_beta = (seen.found / rate).sum() - factor @ seen.weighted
    slope = np.array([a * by_shape, mu * by_mu, beta * by_beta])
    return -float(value + np.log(rate).sum()) / total, -slope / total
