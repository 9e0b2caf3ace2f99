"""Oracle: the intensity that a simulated world was drawn from. A ceiling, not a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.halflife.facts.clock import DAY_US
from hebb_lab.halflife.model import MODELS, NotApplicableError, NothingToDraw, Training
from hebb_lab.halflife.models.heuristic import learned_by_rule
from hebb_lab.halflife.signals.fading import by_event

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History
    from hebb_lab.halflife.objectives.profile import Estimate
    from hebb_lab.halflife.signals.fading import Fading
    from hebb_lab.records import EdgeTruth


@dataclass(frozen=True)
class _Powers:
    """The true signal of the power law: Σ (age + τ)^−d over all events of the edge, exactly."""

    history: History
    exponent: float
    offset: float

    def at(self, asked: Asked) -> NDArray[np.float64]:
        """[Q, 1]."""
        return self._summed(asked, lambda age: (age + self.offset) ** -self.exponent)

    def area(self, asked: Asked, ahead: NDArray[np.float64]) -> NDArray[np.float64]:
        """[Q, 1] its integral over the next ``ahead`` days."""

        def whole(age: NDArray[np.float64]) -> NDArray[np.float64]:
            base = age + self.offset
            if self.exponent == 1.0:
                return np.log(base)
            return np.asarray(base ** (1 - self.exponent) / (1 - self.exponent))

        later = asked._replace(reading=asked.reading + ahead)
        return self._summed(later, whole) - self._summed(asked, whole)

    def _summed(self, asked: Asked, shape: Any) -> NDArray[np.float64]:
        history, total = self.history, np.zeros(len(asked.edge))
        event, first = asked.event.copy(), history.pointer[asked.edge]
        rows = np.arange(len(event))
        while len(rows):
            age = asked.reading[rows] - history.reading[history.event_recall[event[rows]]]
            total[rows] += shape(age)
            event[rows] -= 1
            rows = rows[event[rows] >= first[rows]]
        return total[:, None]


@dataclass(frozen=True)
class OracleFit(NothingToDraw):
    """The true intensity, per day, with the true activity ahead.

    Args:
        history: the facts.
        truth: what the world was drawn from.
        signal: the true signal.
    """

    history: History
    truth: EdgeTruth
    signal: Fading | _Powers

    @property
    def parameters(self) -> Mapping[str, Estimate]:
        """Nothing was fitted."""
        return {}

    def intensity(self, asked: Asked) -> NDArray[np.float64]:
        """base_rate + gain · signal; the activity is the same for all edges of a moment."""
        rate = self.truth.base_rate[asked.edge]
        return np.asarray(rate + self.truth.gain[asked.edge] * self.signal.at(asked)[:, 0])

    def predict(self, asked: Asked, days: float) -> NDArray[np.float64]:
        """1 − exp(−mean activity ahead · ∫ of the intensity)."""
        ahead = np.full(len(asked.edge), float(days))
        area = self.truth.gain[asked.edge] * self.signal.area(asked, ahead)[:, 0]
        area += self.truth.base_rate[asked.edge] * days
        return np.asarray(-np.expm1(-self._activity(asked.time_us, days) * area))

    def _activity(self, time_us: NDArray[np.int64], days: float) -> NDArray[np.float64]:
        """[Q] mean true activity over the next days."""
        start, level = self.truth.activity
        spans = np.diff(start) / DAY_US
        total = np.concatenate([[0.0], np.cumsum(spans * level)])
        knots = (start - start[0]) / DAY_US
        since = (time_us - start[0]) / DAY_US
        first, last = (np.interp(since + more, knots, total) for more in (0.0, days))
        seen = np.minimum(since + days, knots[-1]) - np.minimum(since, knots[-1])
        return np.asarray((last - first) / np.maximum(seen, 1e-9))

    def half_life(self, asked: Asked) -> NDArray[np.float64]:
        """The true one."""
        return self.truth.half_life_days[asked.edge]


@dataclass(frozen=True)
class Oracle:
    """λ as a simulated world has it."""

    about: str = "the intensity that a simulated world was drawn from"
    kind: str = "baseline"

    def fit(self, history: History, training: Training) -> OracleFit:
        """Nothing is fitted.

        Raises:
            NotApplicableError: the log is not of a simulated world, or not read as it was drawn.
        """
        truth = history.truth
        if truth is None:
            raise NotApplicableError("the truth of a real log is not known", "Leave the oracle out")
        if history.clock.name != "wall":
            raise NotApplicableError("the truth is in wall time", "Use halflife.clock=wall")
        ends = history.graph.edge_index.numpy().T
        if ends.shape != truth.pairs.shape or (ends != truth.pairs).any():
            raise InputError(
                "the graph has other edges than the world it is of", "Leave windows whole"
            )
        return OracleFit(history, truth, _signal(history, truth))


def _signal(history: History, truth: EdgeTruth) -> Fading | _Powers:
    if truth.law == "power_law":
        return _Powers(history, truth.power_exponent, truth.power_offset_days)
    if truth.law == "learned_observed":
        return learned_by_rule(history, "learned_observed")
    lives = truth.half_life_days if truth.law == "exponential" else np.full(history.edges, np.inf)
    return by_event(history, lives[history.edge_of])


MODELS.register("oracle")(Oracle())
