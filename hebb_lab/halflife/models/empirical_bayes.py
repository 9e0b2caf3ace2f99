"""Empirical Bayes: a half-life for each edge, shrunk to its namespace, predictions averaged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.halflife.facts.draws import of_edges, uniform
from hebb_lab.halflife.model import MODELS, Training
from hebb_lab.halflife.models.fixed import linked_to_half_lives
from hebb_lab.halflife.models.hierarchical import profiles
from hebb_lab.halflife.objectives.edgewise import EdgeTable, EdgewiseFit, fit_edgewise
from hebb_lab.halflife.objectives.prior import log_prior, normalised, posterior_interval
from hebb_lab.halflife.objectives.profile import (
    HIGHEST,
    LEAST_CASES,
    LOWEST,
    Estimate,
    is_identified,
)
from hebb_lab.halflife.objectives.sharing import alone_parameters
from hebb_lab.halflife.signals.fading import by_group
from hebb_lab.halflife.signals.terms import Constant, Decaying

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History
    from hebb_lab.halflife.objectives.sharing import Profiles
    from hebb_lab.halflife.signals.fading import Fading

HALF_LIVES = np.geomspace(LOWEST, HIGHEST, 24)
USE = 1 << 25  # of the draw that chooses them
PRIOR_EDGES = 10_000
"""So many edges of a group fix its prior; every edge gets its posterior."""


class EdgeHalfLives(NamedTuple):
    """Half-lives of single edges, U of them.

    edge: [U]. value, low, high: [U] posterior median and 95 % interval. supported: [U] bool,
    whether the interval is closed and the posterior's spread of ln half-life is at most half of the
    prior's on the grid: the others are the namespace's value in disguise.
    """

    edge: NDArray[np.int64]
    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    supported: NDArray[np.bool_]


@dataclass(frozen=True)
class EmpiricalBayesFit:
    """Posteriors of the edges' half-lives, and predictions averaged over them.

    Args:
        history: the facts.
        fading: signals at HALF_LIVES.
        posterior: [E, H] of each edge; the group's prior for edges not seen yet.
        fits: [S] coefficients and prior of each group.
        parameters: as Fit says.
        known: [E] bool, edges with exposure.
    """

    history: History
    fading: Fading
    posterior: NDArray[np.float64]
    fits: tuple[EdgewiseFit, ...]
    parameters: Mapping[str, Estimate]
    known: NDArray[np.bool_]

    def intensity(self, asked: Asked) -> NDArray[np.float64]:
        """μ + β Σ_h π_h w_h."""
        rows = self._coefficients(asked)
        weight = (self.fading.at(asked) * self.posterior[asked.edge]).sum(axis=1)
        return np.asarray(rows[:, 0] + rows[:, 1] * weight)

    def predict(self, asked: Asked, days: float) -> NDArray[np.float64]:
        """Σ_h π_h (1 − exp(−Λ_h)): averaged, never at a plugged-in half-life (fitting.md §3.5)."""
        rows = self._coefficients(asked)
        constant = Constant(self.history).ahead(asked, days)
        weights = Decaying(self.fading).ahead(asked, days)
        expected = rows[:, :1] * constant + rows[:, 1:] * weights
        chance = (-np.expm1(-expected) * self.posterior[asked.edge]).sum(axis=1)
        return np.asarray(np.minimum(chance, 1.0))  # weights sum to 1 but for the last bit

    def _coefficients(self, asked: Asked) -> NDArray[np.float64]:
        """[Q, 2] μ and β."""
        table = np.array([(fit.mu, fit.beta) for fit in self.fits])
        return table[self.history.group[asked.edge]]

    def half_life(self, asked: Asked) -> NDArray[np.float64]:
        """The posterior median of each edge."""
        edge, place = np.unique(asked.edge, return_inverse=True)
        return np.asarray(_ends(self.posterior[edge])[place, 0])

    def edge_half_lives(self) -> EdgeHalfLives:
        """What can be said of each edge that was exposed."""
        edge = np.flatnonzero(self.known)
        place = np.log(HALF_LIVES)
        rows = self.posterior[edge]
        mean = rows @ place
        spread = np.sqrt(np.maximum(rows @ place**2 - mean**2, 0.0))
        prior = np.array([_spread(fit) for fit in self.fits])[self.history.group[edge]]
        ends = _ends(rows)
        closed = (ends[:, 1] > 0) & np.isfinite(ends[:, 2])
        supported = closed & (spread <= prior / 2)
        return EdgeHalfLives(edge, ends[:, 0], ends[:, 1], ends[:, 2], supported)

    def details(self) -> Mapping[str, Any]:
        """Posterior medians by count of reinforcements, for a sample of edges."""
        edge = np.flatnonzero(self.known)
        some = edge[uniform(0, edge) < 20_000 / max(len(edge), 1)]
        count = np.diff(self.history.pointer)[some]
        lives = _ends(self.posterior[some])[:, 0]
        return {"edges": {"count": count.tolist(), "half_life": lives.tolist()}}


def _ends(posterior: NDArray[np.float64]) -> NDArray[np.float64]:
    """[U, 3] median and 95 % interval of each posterior."""
    return np.array([posterior_interval(HALF_LIVES, row) for row in posterior]).reshape(-1, 3)


def _spread(fit: EdgewiseFit) -> float:
    """Spread of ln half-life of a prior on the grid, which cuts off a wide one."""
    place = np.log(HALF_LIVES)
    weights = np.exp(log_prior(place, fit.mean, fit.spread))
    return float(np.sqrt(max(weights @ place**2 - (weights @ place) ** 2, 0.0)))


@dataclass(frozen=True)
class EmpiricalBayes:
    """λ = μ_g + β_g w(h_e), ln h_e ~ N(m_g, s_g²) over the edges of a group.

    L[edge, half-life] by the point process on a grid; coefficients and prior together by marginal
    likelihood, half-lives integrated out. Source: fitting.md §3.4, M5.
    """

    about: str = "a half-life for each edge, shrunk to its namespace; predictions averaged"
    kind: str = "learned"

    def fit(self, history: History, training: Training) -> EmpiricalBayesFit:
        """Each group from its half-life and coefficients, as if all edges were alike.

        Raises:
            InputError: too few re-activations.
        """
        one = profiles(history, training)
        lives = one.lives
        starts = linked_to_half_lives(history, lives, training).link.coefficients
        fading = by_group(history, HALF_LIVES)
        table = table_of(history, fading, training.until)
        known = table.exposed > 0
        posterior = np.zeros((history.edges, len(HALF_LIVES)))
        fits = []
        for group, (mu, beta) in enumerate(starts.tolist()):
            here = history.group == group
            own = known & here
            fit = fit_edgewise(table.some(_sampled(history, own)), mu, beta, float(lives[group]))
            prior = log_prior(np.log(HALF_LIVES), fit.mean, fit.spread)
            posterior[here] = np.exp(prior)
            if own.any():
                posterior[own] = normalised(table.some(own).likelihood(fit.mu, fit.beta) + prior)[0]
            fits.append(fit)
        return EmpiricalBayesFit(
            history, fading, posterior, tuple(fits),
            {**_parameters(history, fits, table, one), **alone_parameters(history, one)}, known,
        )  # fmt: skip


def table_of(history: History, fading: Fading, until: int) -> EdgeTable:
    """The table of all edges, before recall ``until``."""
    events = history.reactivations(0, until)
    return EdgeTable(
        HALF_LIVES, history.edge_of[events], fading.before[events], fading.exposure(until),
        Constant(history).exposure(until)[:, 0],
    )  # fmt: skip


def _sampled(history: History, own: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """About PRIOR_EDGES of the chosen edges."""
    kept = of_edges(0, history.birth(), USE) < PRIOR_EDGES / max(int(own.sum()), 1)
    some = own & kept
    return some if some.any() else own


def _parameters(
    history: History, fits: list[EdgewiseFit], table: EdgeTable, one: Profiles
) -> dict[str, Estimate]:
    named = {}
    for group, fit in enumerate(fits):
        events = int((history.group[table.edge] == group).sum())
        name, centre = history.groups[group], float(np.exp(fit.mean))
        low, high = centre * np.exp(np.array([-1.96, 1.96]) * fit.spread)
        verdict = _verdict(fit, events, history.clock.unit) or _untold(one.estimates[group])
        value = centre if events >= LEAST_CASES else np.nan
        named[f"half_life[{name}]"] = Estimate(
            value, float(low) if low > LOWEST else 0.0,
            float(high) if high < HIGHEST else np.inf, events,
            verdict or "median and 95 % range over the edges, not an interval of the median",
        )  # fmt: skip
        named[f"spread[{name}]"] = Estimate(fit.spread, np.nan, np.nan, events, verdict)
    return named


def _untold(alone: Estimate) -> str:
    """Why a spread of half-lives is no finding: one for the whole group cannot be told either.

    Edges of unequal rates alone look like edges of unequal half-lives.
    """
    return "" if is_identified(alone.verdict) else alone.verdict


def _verdict(fit: EdgewiseFit, events: int, unit: str) -> str:
    """Why not to trust a prior; empty where nothing speaks against it."""
    if events < LEAST_CASES:
        return f"only {events} re-activations: no estimate"
    if not fit.converged:
        return "the prior did not converge"
    least, most = np.log(HALF_LIVES[[0, -1]])
    if fit.mean < least + 0.05:
        return f"not identifiable: on the lower end of what is fitted, {LOWEST:g} {unit}"
    if fit.mean > most - 0.05:
        return f"not identifiable: on the upper end of what is fitted, {HIGHEST:g} {unit}"
    return ""


MODELS.register("empirical_bayes")(EmpiricalBayes())
