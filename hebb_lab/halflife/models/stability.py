"""Stability: each recall lengthens the half-life, the more so the more was forgotten."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.halflife.facts.past import past_of
from hebb_lab.halflife.model import MODELS, Training, link_parameters
from hebb_lab.halflife.models.hierarchical import profiles
from hebb_lab.halflife.models.log_linear import CASES, LogLinearFit
from hebb_lab.halflife.objectives.chain import Problem, Solution
from hebb_lab.halflife.objectives.process import fit_link
from hebb_lab.halflife.objectives.profile import HIGHEST, LOWEST, Estimate
from hebb_lab.halflife.objectives.sharing import alone_parameters
from hebb_lab.halflife.signals.fading import by_event
from hebb_lab.halflife.signals.terms import Constant, Decaying, Design

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import History

MOST_GROWTH = 50.0  # of ln(a h^−b): beyond the fitted range long before, and far from any overflow


@dataclass(frozen=True)
class StabilityRule:
    """h ← h · (1 + a (1 − R) h^−b) at each re-activation, R = 2^(−gap / h).

    θ = (ln h₀, ln a, b). The recursion runs over the ordinals of the events, all edges at once.

    Args:
        pointer: [E+1] the events of each edge.
        gap: [M] since the event before.
    """

    pointer: NDArray[np.int64]
    gap: NDArray[np.float64]

    def lives(self, theta: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """([M] ln half-life, [M, 3] derivatives; 0 where the fitted range binds)."""
        counts = np.diff(self.pointer)
        logs = np.empty(len(self.gap))
        slopes = np.zeros((len(self.gap), 3))
        first = self.pointer[:-1]
        start = float(np.clip(theta[0], np.log(LOWEST), np.log(HIGHEST)))
        logs[first] = start
        slopes[first, 0] = float(start == theta[0])
        longest = np.argsort(-counts, kind="stable")
        alive = np.searchsorted(-counts[longest], -np.arange(1, counts.max(initial=0)) - 0.5)
        for ordinal, number in enumerate(alive, start=1):
            event = first[longest[:number]] + ordinal
            logs[event], slopes[event] = _step(
                logs[event - 1], slopes[event - 1], self.gap[event], theta
            )
        return logs, slopes


def _step(
    logs: NDArray[np.float64], slopes: NDArray[np.float64], gap: NDArray[np.float64],
    theta: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:  # fmt: skip
    """One re-activation: u ← u + ln(1 + g), g = a (1 − R) e^(−b u), u = ln h."""
    share = gap / np.exp(logs)
    left = np.exp2(-share)
    power = np.exp(np.minimum(theta[1] - theta[2] * logs, MOST_GROWTH))
    growth = power * (1 - left)
    # R falls with the share; ∂R/∂u = R ln 2 · share
    by_log = -power * left * np.log(2) * share - theta[2] * growth
    found = logs + np.log1p(growth)
    own = np.column_stack([np.zeros_like(logs), growth, -growth * logs])
    slope = slopes + (by_log[:, None] * slopes + own) / (1 + growth)[:, None]
    kept = np.clip(found, np.log(LOWEST), np.log(HIGHEST))
    return kept, slope * (kept == found)[:, None]


@dataclass(frozen=True)
class Stability:
    """λ = μ_g + β_g w, with a half-life that grows at each re-activation.

    The spacing effect of the FSRS family: much forgotten, much gained; and what is stable gains
    less. By sampled partial likelihood with analytic derivatives. Source: fitting.md §3.4, M10.
    """

    about: str = "a half-life that grows at each re-activation, more after longer gaps (FSRS-like)"
    kind: str = "learned"

    def fit(self, history: History, training: Training) -> LogLinearFit:
        """L-BFGS-B; then the link.

        Raises:
            InputError: too few re-activations.
        """
        groups = len(history.groups)
        found = profiles(history, training)
        seen = [curve is not None for curve in found.curves]  # a group to come has no say
        usual = float(np.exp(np.log(found.lives[seen]).mean()))
        rule = StabilityRule(history.pointer, past_of(history).gap)
        mean, spread = np.array([np.log(usual), np.log(0.3), 0.2]), np.array([2.0, 2.0, 0.5])
        problem = Problem(history, training.drawn(history, CASES), rule, mean, spread)
        solved = problem.fit(np.concatenate([mean, np.full(groups, np.log(10.0))]))
        logs, _ = rule.lives(solved.point[:3])
        design = Design([Constant(history), Decaying(by_event(history, np.exp(logs)))])
        link = fit_link(design, history, training.until)
        parameters = {
            **_parameters(solved, int(link.events.sum())),
            **alone_parameters(history, found),
            **link_parameters(link, history, design.names),
        }
        return LogLinearFit(history, design, link, np.full(groups, np.nan), parameters)


def _parameters(found: Solution, events: int) -> dict[str, Estimate]:
    verdict = "" if found.converged else "the search did not converge"
    named = {}
    for place, name in enumerate(("half_life_first", "growth", "saturation")):
        value, error = float(found.point[place]), float(found.errors[place])
        ends = np.array([value, value - 1.96 * error, value + 1.96 * error])
        shown = ends if name == "saturation" else np.exp(np.clip(ends, -30.0, 30.0))
        middle, low, high = shown.tolist()
        named[name] = Estimate(middle, low, high, events, verdict)
    return named


MODELS.register("stability")(Stability())
