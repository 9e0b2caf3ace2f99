"""Half-lives that share a prior: ln h ~ N(m, s²), on a grid.

Groups (or edges) with little data lean on what the others say; those with much stand for
themselves (fitting.md §3.6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_SPREAD, MOST_SPREAD = 0.05, 3.0
USUAL_SPREAD = 0.7  # of ln s around 0, where units are few


class Pooled(NamedTuple):
    """A prior and the posteriors under it.

    mean, spread: of ln half-life. posterior: [U, H] of each unit, rows sum to 1. converged: whether
    the search came to rest.
    """

    mean: float
    spread: float
    posterior: NDArray[np.float64]
    converged: bool

    def prior(self, half_lives: NDArray[np.float64]) -> NDArray[np.float64]:
        """[H] the prior's weights on the grid."""
        return np.asarray(np.exp(log_prior(np.log(half_lives), self.mean, self.spread)))


def pool(
    half_lives: NDArray[np.float64], log_likelihood: NDArray[np.float64], *,
    tolerance: float = 1e-6, few: bool = False,
) -> Pooled:  # fmt: skip
    """Fit m and s by marginal likelihood, Σ ln Σ_h prior(h) L(h); give every unit its posterior.

    Args:
        half_lives: [H] the grid, evenly spaced in ln h.
        log_likelihood: [U, H] of each unit; a row of equal values says nothing.
        tolerance: of the gradient per unit.
        few: whether there are so few units that their spread needs a prior of its own, ln s ~
            N(0, 0.7²): else s would fall to nothing, and with it every interval.
    """
    from scipy.optimize import minimize

    place = np.log(half_lives)
    relative = log_likelihood - log_likelihood.max(axis=1, keepdims=True)

    def loss(theta: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        mean, spread = float(theta[0]), float(np.exp(theta[1]))
        prior = log_prior(place, mean, spread)
        posterior, evidence = normalised(relative + prior)
        mass = posterior.mean(axis=0) - np.exp(prior)
        away = (place - mean) / spread
        slope = np.array([mass @ away / spread, mass @ away**2])
        usual = -0.5 * (theta[1] / USUAL_SPREAD) ** 2 / len(relative) if few else 0.0
        slope[1] -= theta[1] / USUAL_SPREAD**2 / len(relative) if few else 0.0
        return -float(evidence.mean() + usual), -slope

    likelihood = np.exp(relative)
    start = np.array([place @ likelihood.sum(axis=0) / likelihood.sum(), 0.0])
    ended = minimize(
        loss, start, jac=True, method="L-BFGS-B",
        bounds=[(place[0], place[-1]), (np.log(LEAST_SPREAD), np.log(MOST_SPREAD))],
        options={"ftol": tolerance * 1e-6, "gtol": tolerance},
    )  # fmt: skip
    mean, spread = float(ended.x[0]), float(np.exp(ended.x[1]))
    posterior, _ = normalised(relative + log_prior(place, mean, spread))
    return Pooled(mean, spread, posterior, bool(ended.success))


def normalised(logs: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """([U, H] rows that sum to 1, [U] ln of what they summed to)."""
    top = logs.max(axis=1, keepdims=True)
    weights = np.exp(logs - top)
    total = weights.sum(axis=1, keepdims=True)
    return weights / total, (np.log(total) + top)[:, 0]


def log_prior(place: NDArray[np.float64], mean: float, spread: float) -> NDArray[np.float64]:
    """[H] ln of the prior's weights on the grid, which sum to 1."""
    logs = -0.5 * ((place - mean) / spread) ** 2
    top = logs.max()
    return np.asarray(logs - top - np.log(np.exp(logs - top).sum()))


def posterior_interval(
    half_lives: NDArray[np.float64], posterior: NDArray[np.float64], level: float = 0.95
) -> tuple[float, float, float]:
    """(median, low, high) of a posterior on a grid, interpolated in ln half-life.

    An end where a hundredth of the mass or more lies on the end of the grid is open: 0 or inf.
    """
    cumulative = np.cumsum(posterior) - posterior / 2
    tail = (1 - level) / 2
    place = np.log(half_lives)
    low, median, high = np.exp(np.interp([tail, 0.5, 1 - tail], cumulative, place))
    if posterior[0] > tail:
        low = 0.0
    if posterior[-1] > tail:
        high = np.inf
    return float(median), float(low), float(high)
