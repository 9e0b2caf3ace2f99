"""Log-linear: the half-life as a product of powers of what the edge has done so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.halflife.facts.past import Past, past_of
from hebb_lab.halflife.model import MODELS, Linked, Training, link_parameters
from hebb_lab.halflife.models.hierarchical import profiles
from hebb_lab.halflife.objectives.chain import Problem, Solution
from hebb_lab.halflife.objectives.process import fit_link
from hebb_lab.halflife.objectives.profile import HIGHEST, LOWEST, Estimate
from hebb_lab.halflife.objectives.sharing import Profiles, alone_parameters
from hebb_lab.halflife.signals.fading import by_event
from hebb_lab.halflife.signals.terms import Constant, Decaying, Design

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History

CASES = 6000  # enough for a handful of parameters; each evaluation replays and looks all up
SLOPES = ("count", "mean_gap", "regularity")


@dataclass(frozen=True)
class LogLinearRule:
    """ln h = θ_g + γ₁ ln c + γ₂ ln(1 + mean gap) + γ₃ CV(gaps), within the fitted range.

    Args:
        group: [M] of each event's edge.
        past: what the edge had done after each event.
        groups: S.
    """

    group: NDArray[np.int64]
    past: Past
    groups: int

    def lives(self, theta: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """([M] ln half-life, [M, S + 3] derivatives; 0 where the range binds)."""
        slopes = np.column_stack(
            [np.log(self.past.reinforcements), np.log1p(self.past.mean_gap), self.past.variation]
        )
        own = np.zeros((len(self.group), self.groups))
        own[np.arange(len(self.group)), self.group] = 1.0
        features = np.concatenate([own, slopes], axis=1)
        logs = features @ theta
        kept = np.clip(logs, np.log(LOWEST), np.log(HIGHEST))
        return kept, features * (kept == logs)[:, None]


@dataclass(frozen=True)
class LogLinearFit(Linked):
    """A linked fit whose half-life is the edge's own after each event."""

    def half_life(self, asked: Asked) -> NDArray[np.float64]:
        """That after the edge's last event."""
        term = self.design.terms[-1]
        assert isinstance(term, Decaying)  # noqa: S101 (the design is made below)
        return np.asarray(term.fading.half_life[asked.event, 0])


@dataclass(frozen=True)
class LogLinear:
    """λ = μ_g + β_g w, ln h = θ_g + γ₁ ln c + γ₂ ln(1 + mean gap) + γ₃ CV(gaps).

    c counts the reinforcements so far; gaps are those so far, on the clock. By sampled partial
    likelihood with analytic derivatives. Half-life regression's parametrisation (Settles & Meeder
    2016) without its loss. Source: fitting.md §3.4, M4.
    """

    about: str = "a half-life that follows from count, mean gap and regularity of the gaps"
    kind: str = "learned"

    def fit(self, history: History, training: Training) -> Linked:
        """L-BFGS-B from the groups' half-lives; then the link.

        Raises:
            InputError: too few re-activations.
        """
        start = profiles(history, training)
        groups, past = len(history.groups), past_of(history)
        rule = LogLinearRule(history.group[history.edge_of], past, groups)
        mean = np.concatenate([np.log(start.lives), np.zeros(len(SLOPES))])
        spread = np.concatenate([np.full(groups, 2.0), np.ones(len(SLOPES))])
        problem = Problem(history, training.drawn(history, CASES), rule, mean, spread)
        found = problem.fit(np.concatenate([mean, np.full(groups, np.log(10.0))]))
        logs, _ = rule.lives(found.point[: groups + len(SLOPES)])
        design = Design([Constant(history), Decaying(by_event(history, np.exp(logs)))])
        link = fit_link(design, history, training.until)
        parameters = {
            **_parameters(history, found, start),
            **alone_parameters(history, start),
            **link_parameters(link, history, design.names),
        }
        return LogLinearFit(
            history, design, link, np.full(groups, np.nan), parameters,
            {"counts": _by_count(past, np.exp(logs))},
        )  # fmt: skip


def _parameters(history: History, found: Solution, start: Profiles) -> dict[str, Estimate]:
    """Slopes with intervals, and the half-life of an edge seen once."""
    groups = len(history.groups)
    events = [estimate.events for estimate in start.estimates]
    verdict = "" if found.converged else "the search did not converge"
    named = {}
    for place, name in enumerate(SLOPES, start=groups):
        value, error = float(found.point[place]), float(found.errors[place])
        named[f"slope_{name}"] = Estimate(
            value, value - 1.96 * error, value + 1.96 * error, sum(events), verdict
        )
    for number, group in enumerate(history.groups):
        value, error = float(found.point[number]), float(found.errors[number])
        few = start.curves[number] is None
        named[f"half_life_once[{group}]"] = Estimate(
            float(np.exp(value)), float(np.exp(value - 1.96 * error)),
            float(np.exp(value + 1.96 * error)), events[number],
            start.estimates[number].verdict if few else verdict,
        )  # fmt: skip
    return named


def _by_count(past: Past, lives: NDArray[np.float64]) -> Mapping[str, list[float]]:
    """Median half-life after the n-th reinforcement, and its quartiles."""
    found: dict[str, list[float]] = {"count": [], "half_life": [], "low": [], "high": []}
    order = np.argsort(past.reinforcements, kind="stable")
    count, first = np.unique(past.reinforcements[order], return_index=True)
    for n, rows in zip(count.tolist(), np.split(order, first[1:]), strict=True):
        low, middle, high = np.quantile(lives[rows], [0.25, 0.5, 0.75])
        for name, value in (("count", n), ("half_life", middle), ("low", low), ("high", high)):
            found[name].append(float(value))
    return found


MODELS.register("log_linear")(LogLinear())
