"""What the exposure of an edge has seen up to a moment: of itself, and of a weight that fades."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.halflife.facts.sums import within_edges
from hebb_lab.halflife.signals.decay import exposure_of
from hebb_lab.halflife.signals.fading import gaps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History
    from hebb_lab.halflife.signals.fading import Fading


@dataclass(frozen=True)
class SoFar:
    """Running exposures; a moment's are made of what came before it alone.

    Args:
        fading: K signals.
        before: [M, K] exposure of the weights from the edge's first event to each event.
        early: [E] re-activations before exposure counts.
    """

    fading: Fading
    before: NDArray[np.float64]
    early: NDArray[np.int64]

    @classmethod
    def of(cls, fading: Fading) -> SoFar:
        """Sums over the gaps between an edge's events."""
        history = fading.history
        events = np.arange(len(history.edge_of))
        start, stop = gaps(history, events, history.recalls)
        ends = history.pointer[1:][history.edge_of] == events + 1
        stop = np.where(ends, start, stop)  # nothing is known of when a last gap ends
        whole = _exposures(fading, events, start, stop)
        total = within_edges(whole, history.pointer)
        before = np.concatenate([np.zeros((1, fading.width)), total[:-1]])
        before[history.pointer[:-1]] = 0.0
        before_entry = history.reinforces() & (history.event_recall < history.entry)
        early = np.bincount(history.edge_of[before_entry], minlength=history.edges)
        return cls(fading, before, early)

    def weight(self, asked: Asked) -> NDArray[np.float64]:
        """[Q, K] what the edge's exposure up to the moment has seen of the weights."""
        history = self.fading.history
        start, _ = gaps(history, asked.event, history.recalls)
        stop = history.measure.moment(asked.seen, asked.reading)
        found = _exposures(self.fading, asked.event, start, np.maximum(stop, start))
        return np.asarray(self.before[asked.event] + found)

    def exposed(self, asked: Asked) -> NDArray[np.float64]:
        """[Q] the edge's exposure up to the moment."""
        history = self.fading.history
        born = history.pointer[asked.edge]
        start, _ = gaps(history, born, history.recalls)
        return np.maximum(history.measure.moment(asked.seen, asked.reading) - start, 0.0)

    def again(self, asked: Asked) -> NDArray[np.int64]:
        """[Q] re-activations of the edge in that exposure."""
        history: History = self.fading.history
        return np.asarray(np.maximum(history.again(asked) - self.early[asked.edge], 0))


def _exposures(
    fading: Fading, events: NDArray[np.int64], start: NDArray[np.float64],
    stop: NDArray[np.float64],
) -> NDArray[np.float64]:  # fmt: skip
    history = fading.history
    return exposure_of(
        fading.stored(events), history.reading[history.event_recall[events]], start, stop,
        history.measure.steady(), fading.fades,
    )  # fmt: skip
