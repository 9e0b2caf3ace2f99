"""Moving average: what edges did in the last week they will do in the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.halflife.facts.clock import DAY_US
from hebb_lab.halflife.model import MODELS, Training

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History
    from hebb_lab.halflife.objectives.profile import Estimate

WINDOW_DAYS = 7.0


@dataclass(frozen=True)
class MovingAverageFit:
    """Events over exposure of a group's edges in the days before the moment.

    Args:
        history: the facts.
        events: [W+1, S] re-activations in the recalls before each.
        exposed: [W+1, S] exposure of all edges of each group up to each recall.
    """

    history: History
    events: NDArray[np.float64]
    exposed: NDArray[np.float64]

    @property
    def parameters(self) -> Mapping[str, Estimate]:
        """There are none."""
        return {}

    def intensity(self, asked: Asked) -> NDArray[np.float64]:
        """(k + ½ of the mean so far) / (exposure + ½ of the exposure so far): never 0."""
        history = self.history
        group = history.group[asked.edge]
        first = np.searchsorted(history.recall_us, asked.time_us - round(WINDOW_DAYS * DAY_US))
        recent = self.events[asked.seen, group] - self.events[first, group]
        span = self.exposed[asked.seen, group] - self.exposed[first, group]
        all_events, all_span = self.events[asked.seen, group], self.exposed[asked.seen, group]
        usual = (all_events + 0.5) / np.maximum(all_span, 1.0)
        few = np.maximum(all_span, 1.0) * 0.01  # the mean so far counts as a hundredth of it
        return np.asarray((recent + usual * few) / (span + few))

    def predict(self, asked: Asked, days: float) -> NDArray[np.float64]:
        """1 − exp(−rate · exposure ahead)."""
        more = self.history.ahead(asked, days)[1]
        return np.asarray(-np.expm1(-self.intensity(asked) * more))

    def half_life(self, asked: Asked) -> NDArray[np.float64]:
        """There is none."""
        return np.full(len(asked.edge), np.nan)

    def details(self) -> Mapping[str, Any]:
        """Nothing to draw."""
        return {}


@dataclass(frozen=True)
class MovingAverage:
    """λ = the group's rate over the last 7 days, as of the moment. No parameter.

    Its like beats most published memory models on flashcards (fitting.md §1.2).
    """

    about: str = "the namespace's rate over the last 7 days, without a parameter"
    kind: str = "baseline"

    def fit(self, history: History, training: Training) -> MovingAverageFit:
        """Running sums; a moment reads those of the recalls before it."""
        count, width = len(history.groups), history.recalls + 1
        again = history.reactivations(0, history.recalls)
        place = history.event_recall[again] + 1
        events = np.zeros((width, count))
        np.add.at(events, (place, history.group[history.edge_of[again]]), 1.0)
        born = np.zeros((width, count))
        np.add.at(born, (history.birth() + 1, history.group), 1.0)
        stops = np.array([history.measure.stop(until) for until in range(1, width)])
        steps = np.diff(stops, prepend=stops[0])
        live = np.cumsum(born, axis=0)[:-1]  # seen strictly before each recall
        exposed = np.zeros((width, count))
        exposed[1:] = np.cumsum(live * steps[:, None], axis=0)
        return MovingAverageFit(history, np.cumsum(events, axis=0), exposed)


MODELS.register("moving_average")(MovingAverage())
