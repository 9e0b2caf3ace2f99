"""Moving average: what edges did in the last week they will do in the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.halflife.facts.clock import DAY_US
from hebb_lab.halflife.model import MODELS, NothingToDraw, Training

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History
    from hebb_lab.halflife.objectives.profile import Estimate

WINDOW_DAYS = 7.0


@dataclass(frozen=True)
class MovingAverageFit(NothingToDraw):
    """Events over exposure of a group's edges in the days before the moment.

    Args:
        history: the facts.
        events: [W+1, S] re-activations in the recalls before each.
        exposed: [W+1, S] exposure of all edges of each group up to the recall before each.
        live: [W+1, S] edges of each group seen strictly before each.
    """

    history: History
    events: NDArray[np.float64]
    exposed: NDArray[np.float64]
    live: NDArray[np.float64]

    @property
    def parameters(self) -> Mapping[str, Estimate]:
        """There are none."""
        return {}

    def intensity(self, asked: Asked) -> NDArray[np.float64]:
        """(k + ½ of the mean so far) / (exposure + ½ of the exposure so far): never 0."""
        history = self.history
        group = history.group[asked.edge]
        begin = asked.time_us - round(WINDOW_DAYS * DAY_US)
        first = np.searchsorted(history.recall_us, begin)
        recent = self.events[asked.seen, group] - self.events[first, group]
        all_events = self.events[asked.seen, group]
        all_span = self._exposure(asked.seen, asked.reading, group)
        span = all_span - self._exposure(first, history.clock.read(begin), group)
        usual = (all_events + 0.5) / np.maximum(all_span, 1.0)
        few = np.maximum(all_span, 1.0) * 0.01  # the mean so far counts as a hundredth of it
        return np.asarray((recent + usual * few) / (span + few))

    def _exposure(
        self, seen: NDArray[np.int64], reading: NDArray[np.float64], group: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """[Q] exposure of all edges of a group up to moments, also between two recalls."""
        measure = self.history.measure
        last = np.maximum(seen - 1, 0)
        since = measure.moment(seen, reading) - _positions(self.history)[last]
        since = np.where(seen > self.history.entry, np.maximum(since, 0.0), 0.0)
        return np.asarray(self.exposed[seen, group] + self.live[seen, group] * since)

    def predict(self, asked: Asked, days: float) -> NDArray[np.float64]:
        """1 − exp(−rate · exposure ahead)."""
        more = self.history.ahead(asked, days)[1]
        return np.asarray(-np.expm1(-self.intensity(asked) * more))

    def half_life(self, asked: Asked) -> NDArray[np.float64]:
        """There is none."""
        return np.full(len(asked.edge), np.nan)


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
        places = _positions(history)
        live = np.cumsum(born, axis=0)  # seen strictly before each recall
        exposed = np.zeros((width, count))
        steps = np.diff(places, prepend=places[0])
        exposed[1:] = np.cumsum(live[:-1] * steps[:, None], axis=0)
        return MovingAverageFit(history, np.cumsum(events, axis=0), exposed, live)


def _positions(history: History) -> NDArray[np.float64]:
    """[W] where each recall stands; those before the entry stand where exposure begins."""
    places = history.measure.position(np.arange(history.recalls))
    if history.entry == 0:
        return places
    return np.maximum(places, history.measure.entry(history.entry))


MODELS.register("moving_average")(MovingAverage())
