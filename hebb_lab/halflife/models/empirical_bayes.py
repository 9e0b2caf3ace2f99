"""Empirical Bayes: a half-life for each edge, shrunk to its namespace, predictions averaged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.halflife.facts.draws import uniform
from hebb_lab.halflife.model import MODELS, Training
from hebb_lab.halflife.models.fixed import linked_to_half_lives
from hebb_lab.halflife.models.hierarchical import profiles
from hebb_lab.halflife.objectives.prior import Pooled, pool, posterior_interval, posteriors_under
from hebb_lab.halflife.objectives.process import concave_maximum
from hebb_lab.halflife.objectives.profile import HIGHEST, LOWEST, Estimate
from hebb_lab.halflife.signals.fading import by_group
from hebb_lab.halflife.signals.terms import Constant, Decaying

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History
    from hebb_lab.halflife.signals.fading import Fading

HALF_LIVES = np.geomspace(LOWEST, HIGHEST, 24)
PRIOR_EDGES = 10_000
"""So many edges of a group fix its prior; every edge gets its posterior."""
ROUNDS = 3  # of coefficients and posteriors in turn


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
        coefficients: [S, 2] μ and β of each group.
        priors: [S] of each group; None where it has no data of its own.
        parameters: as Fit says.
        known: [E] bool, edges with exposure.
    """

    history: History
    fading: Fading
    posterior: NDArray[np.float64]
    coefficients: NDArray[np.float64]
    priors: tuple[Pooled, ...]
    parameters: Mapping[str, Estimate]
    known: NDArray[np.bool_]

    def intensity(self, asked: Asked) -> NDArray[np.float64]:
        """μ + β Σ_h π_h w_h."""
        rows = self.coefficients[self.history.group[asked.edge]]
        weight = (self.fading.at(asked) * self.posterior[asked.edge]).sum(axis=1)
        return np.asarray(rows[:, 0] + rows[:, 1] * weight)

    def predict(self, asked: Asked, days: float) -> NDArray[np.float64]:
        """Σ_h π_h (1 − exp(−Λ_h)): averaged, never at a plugged-in half-life (fitting.md §3.5)."""
        rows = self.coefficients[self.history.group[asked.edge]]
        constant = Constant(self.history).ahead(asked, days)
        weights = Decaying(self.fading).ahead(asked, days)
        expected = rows[:, :1] * constant + rows[:, 1:] * weights
        chance = (-np.expm1(-expected) * self.posterior[asked.edge]).sum(axis=1)
        return np.asarray(np.minimum(chance, 1.0))  # weights sum to 1 but for the last bit

    def half_life(self, asked: Asked) -> NDArray[np.float64]:
        """Exp of the posterior mean of ln half-life."""
        return np.asarray(np.exp(self.posterior[asked.edge] @ np.log(HALF_LIVES)))

    def edge_half_lives(self) -> EdgeHalfLives:
        """What can be said of each edge that was exposed."""
        edge = np.flatnonzero(self.known)
        place = np.log(HALF_LIVES)
        rows = self.posterior[edge]
        mean = rows @ place
        spread = np.sqrt(np.maximum(rows @ place**2 - mean**2, 0.0))
        prior = np.array([_spread(pooled) for pooled in self.priors])[self.history.group[edge]]
        ends = np.array([posterior_interval(HALF_LIVES, row) for row in rows]).reshape(-1, 3)
        closed = (ends[:, 1] > 0) & np.isfinite(ends[:, 2])
        supported = closed & (spread <= prior / 2)
        return EdgeHalfLives(edge, ends[:, 0], ends[:, 1], ends[:, 2], supported)

    def details(self) -> Mapping[str, Any]:
        """Posterior means by count of reinforcements, for a sample of edges."""
        edge = np.flatnonzero(self.known)
        some = edge[uniform(0, edge) < 20_000 / max(len(edge), 1)]
        count = np.diff(self.history.pointer)[some]
        lives = np.exp(self.posterior[some] @ np.log(HALF_LIVES))
        return {"edges": {"count": count.tolist(), "half_life": lives.tolist()}}


def _spread(pooled: Pooled) -> float:
    """Spread of ln half-life of a prior on the grid, which cuts off a wide one."""
    weights, place = pooled.prior(HALF_LIVES), np.log(HALF_LIVES)
    return float(np.sqrt(max(weights @ place**2 - (weights @ place) ** 2, 0.0)))


@dataclass(frozen=True)
class EmpiricalBayes:
    """λ = μ_g + β_g w(h_e), ln h_e ~ N(m_g, s_g²) over the edges of a group.

    L[edge, half-life] by the point process on a grid, priors by marginal likelihood, coefficients
    and posteriors in turn. Source: fitting.md §3.4, M5.
    """

    about: str = "a half-life for each edge, shrunk to its namespace; predictions averaged"
    kind: str = "learned"

    def fit(self, history: History, training: Training) -> EmpiricalBayesFit:
        """Start from the groups' half-lives, then alternate.

        Raises:
            InputError: too few re-activations.
        """
        lives = profiles(history, training).lives
        coefficients = linked_to_half_lives(history, lives, training).link.coefficients
        fading = by_group(history, HALF_LIVES)
        table = _Table.of(history, fading, training.until)
        pools: list[Pooled] = []
        posterior = np.zeros((history.edges, len(HALF_LIVES)))
        for _ in range(ROUNDS):
            pools = []
            for group in range(len(history.groups)):
                own = table.known & (history.group == group)
                pooled, rows = _pooled(table.likelihood(own, coefficients[group]), own)
                pools.append(pooled)
                posterior[history.group == group] = pooled.prior(HALF_LIVES)
                posterior[own] = rows
            coefficients = table.linked(posterior, coefficients)
        return EmpiricalBayesFit(
            history, fading, posterior, coefficients, tuple(pools),
            _parameters(history, pools, table), table.known,
        )  # fmt: skip


def _pooled(
    likelihood: NDArray[np.float64], own: NDArray[np.bool_]
) -> tuple[Pooled, NDArray[np.float64]]:
    """(the prior of a group by some of its edges, [U, H] the posteriors of all)."""
    if not len(likelihood):
        likelihood_some = np.zeros((1, len(HALF_LIVES)))
    else:
        keep = uniform(0, np.flatnonzero(own)) < PRIOR_EDGES / len(likelihood)
        likelihood_some = likelihood[keep] if keep.any() else likelihood
    pooled = pool(HALF_LIVES, likelihood_some, tolerance=1e-4)
    return pooled, posteriors_under(pooled, HALF_LIVES, likelihood)


def _parameters(history: History, pools: list[Pooled], table: _Table) -> dict[str, Estimate]:
    named = {}
    for group, pooled in enumerate(pools):
        events = int((history.group[table.edge] == group).sum())
        verdict = "" if pooled.converged else "the prior did not converge"
        name = history.groups[group]
        centre, spread = float(np.exp(pooled.mean)), pooled.spread
        named[f"half_life[{name}]"] = Estimate(
            centre, float(centre * np.exp(-1.96 * spread)),
            float(centre * np.exp(1.96 * spread)), events,
            verdict or "median and 95 % range over the edges, not an interval of the median",
        )  # fmt: skip
        named[f"spread[{name}]"] = Estimate(spread, np.nan, np.nan, events, verdict)
    return named


@dataclass(frozen=True)
class _Table:
    """What L[edge, half-life] is made of, before recall ``until``.

    edge: [R] of each re-activation. found: [R, H] the weight it found. exposure: [E, H] of the
    weights. exposed: [E] of the constant. known: [E] bool.
    """

    history: History
    edge: NDArray[np.int64]
    found: NDArray[np.float64]
    exposure: NDArray[np.float64]
    exposed: NDArray[np.float64]

    @classmethod
    def of(cls, history: History, fading: Fading, until: int) -> _Table:
        events = history.reactivations(0, until)
        exposed = Constant(history).exposure(until)[:, 0]
        return cls(
            history, history.edge_of[events], fading.before[events], fading.exposure(until), exposed
        )

    @property
    def known(self) -> NDArray[np.bool_]:
        return self.exposed > 0

    def likelihood(
        self, own: NDArray[np.bool_], coefficients: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """[U, H] Σ ln(μ + β w) − μ T − β ∫ w of the chosen edges."""
        mu, beta = coefficients
        table = -mu * self.exposed[own][:, None] - beta * self.exposure[own]
        place = np.cumsum(own) - 1
        rows = np.flatnonzero(own[self.edge])
        if len(rows):
            logs = np.log(np.maximum(mu + beta * self.found[rows], 1e-300))
            at = place[self.edge[rows]]
            starts = np.flatnonzero(np.diff(at, prepend=-1))
            table[at[starts]] += np.add.reduceat(logs, starts, axis=0)
        return np.asarray(table)

    def linked(
        self, posterior: NDArray[np.float64], before: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """[S, 2] coefficients anew, for weights averaged over the posteriors."""
        found = (self.found * posterior[self.edge]).sum(axis=1)
        exposure = (self.exposure * posterior).sum(axis=1)
        rows = []
        for group in range(len(before)):
            own, events = self.history.group == group, self.history.group[self.edge] == group
            if events.sum() < 10:
                rows.append(before[group])
                continue
            totals = np.array([self.exposed[own].sum(), exposure[own].sum()])
            columns = np.column_stack([np.ones(int(events.sum())), found[events]])
            rows.append(concave_maximum(columns, totals).coefficients)
        return np.stack(rows)


MODELS.register("empirical_bayes")(EmpiricalBayes())
