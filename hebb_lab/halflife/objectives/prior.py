"""Half-lives that share a prior: ln h ~ N(m, s²), by EM on a grid.

Groups (or edges) with little data lean on what the others say; those with much stand for
themselves (fitting.md §3.6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_SPREAD, MOST_SPREAD = 0.05, 3.0
STEPS = 500


class Pooled(NamedTuple):
    """A prior and the posteriors under it.

    mean, spread: of ln half-life. posterior: [U, H] of each unit, rows sum to 1. converged: whether
    EM came to rest.
    """

    mean: float
    spread: float
    posterior: NDArray[np.float64]
    converged: bool

    def prior(self, half_lives: NDArray[np.float64]) -> NDArray[np.float64]:
        """[H] the prior's weights on the grid."""
        weights = np.exp(_log_prior(np.log(half_lives), self.mean, self.spread))
        return np.asarray(weights / weights.sum())


def pool(
    half_lives: NDArray[np.float64], log_likelihood: NDArray[np.float64], *,
    tolerance: float = 1e-6,
) -> Pooled:  # fmt: skip
    """Fit m and s and give every unit its posterior.

    Args:
        half_lives: [H] the grid, evenly spaced in ln h.
        log_likelihood: [U, H] of each unit; a row of equal values says nothing.
        tolerance: of m and s.
    """
    place = np.log(half_lives)
    relative = log_likelihood - log_likelihood.max(axis=1, keepdims=True)
    likelihood = np.exp(relative)
    mean, spread = float(place @ likelihood.sum(axis=0) / likelihood.sum()), 1.0
    moved = np.inf
    for _ in range(STEPS):
        posterior = _posterior(likelihood, place, mean, spread)
        first = posterior @ place
        new_mean = float(first.mean())
        variance = float((posterior @ place**2 - 2 * new_mean * first + new_mean**2).mean())
        new_spread = float(np.clip(np.sqrt(max(variance, 0.0)), LEAST_SPREAD, MOST_SPREAD))
        moved = max(abs(new_mean - mean), abs(new_spread - spread))
        mean, spread = new_mean, new_spread
        if moved < tolerance:
            break
    return Pooled(mean, spread, _posterior(likelihood, place, mean, spread), moved < 1e-3)


def posteriors_under(
    pooled: Pooled, half_lives: NDArray[np.float64], log_likelihood: NDArray[np.float64]
) -> NDArray[np.float64]:
    """[U, H] posteriors of units, some of which may not have fixed the prior."""
    if not len(log_likelihood):
        return np.empty((0, len(half_lives)))
    likelihood = np.exp(log_likelihood - log_likelihood.max(axis=1, keepdims=True))
    return _posterior(likelihood, np.log(half_lives), pooled.mean, pooled.spread)


def _posterior(
    likelihood: NDArray[np.float64], place: NDArray[np.float64], mean: float, spread: float
) -> NDArray[np.float64]:
    prior = _log_prior(place, mean, spread)
    weights = likelihood * np.exp(prior - prior.max())
    total = weights.sum(axis=1, keepdims=True)
    flat = np.exp(prior - prior.max())
    found = np.where(total > 1e-300, weights / np.maximum(total, 1e-300), flat / flat.sum())
    return np.asarray(found)


def _log_prior(place: NDArray[np.float64], mean: float, spread: float) -> NDArray[np.float64]:
    return np.asarray(-0.5 * ((place - mean) / spread) ** 2)


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
