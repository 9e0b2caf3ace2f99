"""Frailty: each edge has a factor of its own on a rate that fades. The default model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.halflife.facts.draws import of_edges
from hebb_lab.halflife.facts.part import part_of
from hebb_lab.halflife.model import MODELS, Training
from hebb_lab.halflife.models.hierarchical import counted, profiles
from hebb_lab.halflife.objectives.frailty import Maximum, Seen, fit_frailty
from hebb_lab.halflife.objectives.profile import HIGHEST, LOWEST, Estimate
from hebb_lab.halflife.objectives.sharing import (
    GroupProfile,
    half_life_parameters,
    share,
    shown_of,
)
from hebb_lab.halflife.signals.fading import by_group, exposures_on_grid
from hebb_lab.halflife.signals.so_far import SoFar
from hebb_lab.halflife.signals.terms import Constant, Decaying

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History

HALF_LIVES = np.geomspace(LOWEST, HIGHEST, 24)
USE = 1 << 24  # of the draw that chooses them
PROFILE_EDGES = 8_000
"""So many edges of a group make its profile; all of them fix the other parameters at the end."""


@dataclass(frozen=True)
class FrailtyFit:
    """Factors as posterior means, predictions integrated over the posterior.

    Args:
        history: the facts.
        so_far: what each edge's exposure has seen of its weight, up to any moment.
        points: [S, 3] a, μ and β of each group.
        lives: [S] half-lives.
        parameters: as Fit says.
        shown: what figures draw.
    """

    history: History
    so_far: SoFar
    points: NDArray[np.float64]
    lives: NDArray[np.float64]
    parameters: Mapping[str, Estimate]
    shown: Mapping[str, Any]

    def details(self) -> Mapping[str, Any]:
        """Profiles and posteriors of the half-lives."""
        return self.shown

    def intensity(self, asked: Asked) -> NDArray[np.float64]:
        """(a + n) / (a + Λ) · (μ + β w): the factor's posterior mean times the rate."""
        shape, events, mean = self._posterior(asked)
        _, mu, beta = self.points[self.history.group[asked.edge]].T
        weight = self.so_far.fading.at(asked)[:, 0]
        return np.asarray((shape + events) / (shape + mean) * (mu + beta * weight))

    def predict(self, asked: Asked, days: float) -> NDArray[np.float64]:
        """1 − ((a + Λ) / (a + Λ + Λ ahead))^(a + n), the posterior predictive."""
        shape, events, mean = self._posterior(asked)
        _, mu, beta = self.points[self.history.group[asked.edge]].T
        ahead = mu * Constant(self.history).ahead(asked, days)[:, 0]
        ahead += beta * Decaying(self.so_far.fading).ahead(asked, days)[:, 0]
        return np.asarray(-np.expm1(-(shape + events) * np.log1p(ahead / (shape + mean))))

    def half_life(self, asked: Asked) -> NDArray[np.float64]:
        """That of the edge's group."""
        return self.lives[self.history.group[asked.edge]]

    def _posterior(
        self, asked: Asked
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """([Q] a, [Q] re-activations so far, [Q] Λ so far)."""
        shape, mu, beta = self.points[self.history.group[asked.edge]].T
        mean = mu * self.so_far.exposed(asked) + beta * self.so_far.weight(asked)[:, 0]
        return shape, self.so_far.again(asked).astype(np.float64), mean


@dataclass(frozen=True)
class Frailty:
    """λ_e = z_e (μ_g + β_g w(h_g)), z_e ~ Gamma(a_g, a_g), ln h_g ~ N(m, s²) over the groups.

    A shared gamma frailty, in the place of M7 of fitting.md §3.4, which adds a rate (rate_decay).

    Without the factor, edges that are merely more active than others look as if they faded; with a
    rate that is added instead, the running rate is itself a trace that fades slowly and takes the
    place of long half-lives. The factor is integrated out in closed form. Exposure counted in
    recalls makes the agent's activity cancel. Intervals are widened by how much re-activations of
    one recall hang together, as the partial likelihood of the same log has it.
    """

    about: str = "a factor for each edge on a rate that fades with a half-life for each namespace"
    kind: str = "learned"

    def fit(self, history: History, training: Training) -> FrailtyFit:
        """The marginal likelihood over half-lives, then all parameters at the best of them.

        Raises:
            InputError: no group has enough re-activations.
        """
        scales = profiles(history, training)
        some = part_of(history, _some_edges(history, training.until))
        grid = exposures_on_grid(some, HALF_LIVES, training.until)
        seen = _by_group(some, training.until, *grid)
        curves = [
            None if curve is None else _profile(seen[number], curve.scale)
            for number, curve in enumerate(scales.curves)
        ]
        events = counted(history, training.until)
        found = share(curves, events, history.clock.unit)
        fading = by_group(history, found.lives[:, None])
        fits = _fits(history, training.until, found.lives)
        points = np.exp([fit.point for fit in fits])
        parameters = {
            **half_life_parameters(history, found),
            **_parameters(history, training.until, fits, fading.exposure(training.until)[:, 0]),
        }
        shown = shown_of(history, found)
        return FrailtyFit(history, SoFar.of(fading), points, found.lives, parameters, shown)


def _some_edges(history: History, until: int) -> NDArray[np.bool_]:
    """[E] the edges that make profiles, at most about PROFILE_EDGES of each group."""
    known = history.group[history.birth() < until]
    counts = np.bincount(known, minlength=len(history.groups))
    kept = PROFILE_EDGES / np.maximum(counts, 1)
    return np.asarray(of_edges(0, history.birth(), USE) < kept[history.group])


def _by_group(
    history: History, until: int, weighted: NDArray[np.float64], found: NDArray[np.float64]
) -> list[list[Seen]]:
    """[S][K] what the likelihood of each group is made of.

    Args:
        history: the facts.
        until: number of the recall before which all lies.
        weighted: [E, K] exposures of the weights.
        found: [R, K] weights that the re-activations found.
    """
    edge = history.edge_of[history.reactivations(0, until)]
    exposed = Constant(history).exposure(until)[:, 0]
    counts = np.bincount(edge, minlength=history.edges)
    made = []
    for group in range(len(history.groups)):
        own = history.group == group
        known, events = own & (exposed > 0), own[edge]
        columns = zip(weighted[known].T, found[events].T, strict=True)
        made.append([Seen(counts[known], exposed[known], x, w) for x, w in columns])
    return made


def _profile(seen: list[Seen], scale: float) -> GroupProfile:
    values, start = [], None
    for each in seen:
        fit = fit_frailty(each, start)
        start = fit.point
        values.append(fit.value)
    return GroupProfile(HALF_LIVES, np.array(values), scale, max(int(seen[0].counts.sum()), 1))


def _fits(history: History, until: int, lives: NDArray[np.float64]) -> list[Maximum]:
    """[S] all parameters at the groups' half-lives."""
    fading = by_group(history, lives[:, None])
    found = fading.before[history.reactivations(0, until)]
    seen = _by_group(history, until, fading.exposure(until), found)
    return [fit_frailty(only) for (only,) in seen]


def _parameters(
    history: History, until: int, fits: list[Maximum], weighted: NDArray[np.float64]
) -> dict[str, Estimate]:
    """``frailty_variance[group]`` = 1/a, and what share of the expected comes of the weight."""
    named = {}
    events = counted(history, until)
    exposed = Constant(history).exposure(until)[:, 0]
    for number, group in enumerate(history.groups):
        own = history.group == number
        shape, mu, beta = np.exp(fits[number].point)
        verdict = "" if fits[number].converged else "the likelihood did not converge"
        fading = beta * weighted[own].sum()
        still = mu * exposed[own].sum()
        explained = fading / max(fading + still, 1e-300)
        for name, value in (("frailty_variance", 1 / shape), ("share_weight", explained)):
            named[f"{name}[{group}]"] = Estimate(
                float(value), np.nan, np.nan, events[number], verdict
            )
    return named


MODELS.register("frailty")(Frailty())
