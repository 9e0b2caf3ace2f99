"""Half-lives that follow from an edge's past, fitted by their derivatives.

The sampled partial likelihood of λ = 1 + r_g w(t), where the half-life in force after each event is
a function h(θ) of what the edge had done by then. Value and gradient come of one replay with
tangents (fitting.md §3.2); scipy's L-BFGS-B does the rest, and the sandwich of the scores by recall
gives intervals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from hebb_lab.halflife.signals.decay import slope_after, weight_after
from hebb_lab.halflife.signals.fading import Fading, one_trace
from hebb_lab.kernels.arrays import on_host

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.cases import Cases
    from hebb_lab.halflife.facts.history import History

REACH = 15.0  # of ln r
MOST_EVALUATIONS = 150
LEAST_GAIN = 0.1  # nats over all cases: a search that gains less from where it ended is over
STEP = 1e-4  # of the differences of gradients that make the information


class Rule(Protocol):
    """A half-life after every event, as a function of parameters."""

    def lives(self, theta: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """([M] ln half-life in force after each event, [M, P] its derivatives)."""


@dataclass(frozen=True)
class Problem:
    """The partial likelihood of a rule.

    Args:
        history: the facts.
        cases: sampled.
        rule: θ → half-lives.
        prior_mean, prior_spread: [P] of θ; a weak normal prior keeps what the log is silent on.
    """

    history: History
    cases: Cases
    rule: Rule
    prior_mean: NDArray[np.float64]
    prior_spread: NDArray[np.float64]

    def fit(self, start: NDArray[np.float64]) -> Solution:
        """From θ and ln r of each group, [P + S]."""
        from scipy.optimize import minimize

        width, count = len(self.prior_mean), max(len(self.cases.event), 1)
        bounds = [(None, None)] * width + [(-REACH, REACH)] * (len(start) - width)
        point, value, evaluations, converged = np.asarray(start), np.inf, 0, False
        while not converged and evaluations < MOST_EVALUATIONS:
            ended = minimize(
                self.loss, point, jac=True, method="L-BFGS-B", bounds=bounds,
                options={"maxfun": MOST_EVALUATIONS, "ftol": 1e-7, "gtol": 1e-5},
            )  # fmt: skip
            # caps and floors make kinks, at which a line search can end: begin again from there
            converged = bool((value - ended.fun) * count < LEAST_GAIN)
            point, value = np.asarray(ended.x), float(ended.fun)
            evaluations += int(ended.nfev)
        return Solution(point, self._errors(point), converged, -value * count, evaluations)

    def loss(self, point: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """(−ℓ per case with the prior, its gradient)."""
        values, slopes = self.terms(point)
        theta, count = point[: len(self.prior_mean)], max(len(values), 1)
        away = (theta - self.prior_mean) / self.prior_spread
        slope = -slopes.sum(axis=0) / count
        slope[: len(theta)] += away / self.prior_spread / count
        return float(-values.sum() + 0.5 * (away**2).sum()) / count, slope

    def terms(self, point: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """([C] ℓ of each case, [C, P + S] its gradient)."""
        width, history, cases = len(self.prior_mean), self.history, self.cases
        theta, ratio = point[:width], np.exp(point[width:])
        weight, slope = self._weights(theta)
        shape = cases.live.shape
        group = history.group[cases.edge()]
        r = ratio[group]
        weight = weight.reshape(shape)
        rate = (1.0 + r[:, None] * weight) * cases.live
        total = rate.sum(axis=1)
        values = np.log(rate[:, 0]) - np.log(total)
        push = np.where(cases.live, -1.0 / total[:, None], 0.0)  # ∂ℓ/∂λ of every edge of the set
        push[:, 0] += 1.0 / rate[:, 0]
        found = np.zeros((len(values), len(point)))
        found[:, :width] = ((push * r[:, None])[:, :, None] * slope.reshape(*shape, width)).sum(
            axis=1
        )
        found[np.arange(len(values)), width + group] = r * (push * weight).sum(axis=1)
        return values, found

    def _weights(
        self, theta: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """([Q] weights at the moments of the cases, [Q, P] their derivatives)."""
        logs, features = self.rule.lives(theta)
        lives = np.exp(logs)
        found = on_host(
            self.history.backend.replay_tangents(
                self.history.arrays(), one_trace(self.history), lives, features
            )
        )
        fading = Fading(
            self.history, found.weight[:, None], found.reinforcements[:, None],
            found.before[:, None], lives[:, None], self.history.rules, by_event=True,
        )  # fmt: skip
        asked = self.cases.moments
        stored, event = fading.stored(asked.event), asked.event
        weight = weight_after(stored, asked.gap, fading.fades)[:, 0]
        slope = slope_after(
            stored, found.weight_tangent[event], features[event], asked.gap, fading.fades
        )
        return weight, np.asarray(slope)

    def _errors(self, point: NDArray[np.float64]) -> NDArray[np.float64]:
        """[P + S] standard errors: information⁻¹ · spread of scores by recall · information⁻¹."""
        count, size = max(len(self.cases.event), 1), len(point)
        information = np.empty((size, size))
        for place in range(size):
            ends = []
            for sign in (1.0, -1.0):
                moved = point.copy()
                moved[place] += sign * STEP
                ends.append(self.loss(moved)[1] * count)
            information[place] = (ends[0] - ends[1]) / (2 * STEP)
        _, scores = self.terms(point)
        _, unit = np.unique(self.cases.recall(), return_inverse=True)
        sums = np.zeros((int(unit.max(initial=-1)) + 1, size))
        np.add.at(sums, unit, scores)
        inverse = np.linalg.pinv((information + information.T) / 2)
        spread = inverse @ (sums.T @ sums) @ inverse
        return np.asarray(np.sqrt(np.maximum(np.diag(spread), 0.0)))


@dataclass(frozen=True)
class Solution:
    """Where the search ended.

    Args:
        point: [P + S] θ and ln r.
        errors: [P + S] standard errors, scores clustered by recall.
        converged: whether it got there.
        value: ℓ with the prior.
        evaluations: replays that it took.
    """

    point: NDArray[np.float64]
    errors: NDArray[np.float64]
    converged: bool
    value: float
    evaluations: int
