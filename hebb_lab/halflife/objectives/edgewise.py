"""A half-life for each edge, integrated out: the table L[edge, half-life] and what it says.

    ℓ(μ, β, m, s) = Σ_e ln Σ_h N(ln h; m, s²) exp L_e(h; μ, β),
    L_e(h) = Σ_i ln(μ + β w_i(h)) − μ C_e − β X_e(h),

i over the edge's re-activations, C and X what its exposure sums to (fitting.md §3.1, §3.4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.halflife.objectives.prior import (
    LEAST_SPREAD,
    MOST_SPREAD,
    log_prior,
    normalised,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

NOTHING = 1e-300
REACH = 12.0  # that ln μ and ln β may move from where they begin


@dataclass(frozen=True)
class EdgeTable:
    """What L[edge, half-life] is made of, for U edges.

    Args:
        half_lives: [H].
        edge: [R] of each re-activation, ascending, in 0 … U − 1.
        found: [R, H] the weight it found.
        exposure: [U, H] of the weights.
        exposed: [U] of the constant.
    """

    half_lives: NDArray[np.float64]
    edge: NDArray[np.int64]
    found: NDArray[np.float64]
    exposure: NDArray[np.float64]
    exposed: NDArray[np.float64]

    def some(self, own: NDArray[np.bool_]) -> EdgeTable:
        """The table of some of the edges."""
        events = own[self.edge]
        place = np.cumsum(own) - 1
        return EdgeTable(
            self.half_lives, place[self.edge[events]], self.found[events], self.exposure[own],
            self.exposed[own],
        )  # fmt: skip

    def likelihood(self, mu: float, beta: float) -> NDArray[np.float64]:
        """[U, H] L."""
        table = -mu * self.exposed[:, None] - beta * self.exposure
        if len(self.edge):
            logs = np.log(np.maximum(mu + beta * self.found, NOTHING))
            starts = np.flatnonzero(np.diff(self.edge, prepend=-1))
            table[self.edge[starts]] += np.add.reduceat(logs, starts, axis=0)
        return np.asarray(table)


class EdgewiseFit(NamedTuple):
    """Where ℓ is largest: μ and β, mean and spread of ln half-life; whether it came to rest."""

    mu: float
    beta: float
    mean: float
    spread: float
    converged: bool


def fit_edgewise(table: EdgeTable, mu: float, beta: float, half_life: float) -> EdgewiseFit:
    """Maximise ℓ, from coefficients and a half-life that fit all edges alike."""
    from scipy.optimize import minimize

    place = np.log(table.half_lives)
    start = np.array([np.log(max(mu, 1e-12)), np.log(max(beta, 1e-12)), np.log(half_life), 0.0])
    bounds = [
        *((begin - REACH, begin + REACH) for begin in start[:2].tolist()),
        (place[0], place[-1]), (np.log(LEAST_SPREAD), np.log(MOST_SPREAD)),
    ]  # fmt: skip
    if not len(table.exposed):
        return EdgewiseFit(mu, beta, float(start[2]), 1.0, converged=False)
    ended = minimize(
        lambda theta: _loss(table, theta), start, jac=True, method="L-BFGS-B", bounds=bounds,
        options={"ftol": 1e-11, "gtol": 1e-6, "maxfun": 200},
    )  # fmt: skip
    found = np.asarray(ended.x)
    mu, beta = np.exp(found[:2]).tolist()
    return EdgewiseFit(
        mu, beta, float(found[2]), float(np.exp(found[3])), converged=bool(ended.success)
    )


def _loss(table: EdgeTable, theta: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
    """(−ℓ per edge, its gradient in ln μ, ln β, m, ln s)."""
    mu, beta, spread = np.exp(theta[[0, 1, 3]]).tolist()
    place, mean = np.log(table.half_lives), float(theta[2])
    prior = log_prior(place, mean, spread)
    posterior, evidence = normalised(table.likelihood(mu, beta) + prior)
    away = (place - mean) / spread
    mass = posterior.sum(axis=0) - len(posterior) * np.exp(prior)
    rate = np.maximum(mu + beta * table.found, NOTHING)
    pull = posterior[table.edge] / rate  # [R, H]
    slope = np.array([
        mu * (pull.sum() - table.exposed.sum()),
        beta * ((pull * table.found).sum() - (posterior * table.exposure).sum()),
        mass @ away / spread,
        mass @ away**2,
    ])  # fmt: skip
    return -float(evidence.mean()), -slope / len(posterior)
