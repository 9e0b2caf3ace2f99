"""A weight whose half-life is read at the moment, not kept from the event: as the page has it.

The documented heuristic blends the learned half-life with the namespace's default by how recent
the last activation is, at the time of reading; so the half-life changes within a gap, and sums over
a gap have no closed form. Strata that widen with the distance from the event stand in for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.halflife.signals.decay import Stored, weight_after
from hebb_lab.halflife.signals.fading import Fading, gaps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked

NODES, SHARES = np.polynomial.legendre.leggauss(8)


@dataclass(frozen=True)
class ReadTime(Fading):
    """Signals under the rule half_life=learned; ``half_life`` holds the namespaces' defaults.

    half-life = clamp((1 − c) · default + c · learned(count)), c = 2^(−gap / default) (rules.md §1).

    Args:
        low: [S] lower bound of a learned half-life in each group.
        high: upper bound.
    """

    low: NDArray[np.float64] = None  # type: ignore[assignment]
    high: float = 120.0

    def at(self, asked: Asked) -> NDArray[np.float64]:
        """[Q, 1] the weights at moments."""
        return self._weight(asked.event, asked.gap)

    def half_life_at(self, asked: Asked) -> NDArray[np.float64]:
        """[Q] the half-life as read at moments."""
        return self._read(self.stored(asked.event), asked.event, asked.gap).half_life[:, 0]

    def half_life_of(self, events: NDArray[np.int64]) -> NDArray[np.float64]:
        """[Q] the half-life as read right after events."""
        return self._read(self.stored(events), events, np.zeros(len(events))).half_life[:, 0]

    def area(self, asked: Asked, ahead: NDArray[np.float64]) -> NDArray[np.float64]:
        """[Q, 1] ∫ of the weight over the next ``ahead``, by Gauss–Legendre with 8 nodes."""
        total = np.zeros((len(ahead), 1))
        for node, share in zip(NODES, SHARES, strict=True):
            moment = asked.gap + ahead * (1 + node) / 2
            total += share / 2 * self._weight(asked.event, moment)
        return total * ahead[:, None]

    def exposure(self, until: int) -> NDArray[np.float64]:
        """[E, 1] what each edge's exposure sees of the weight, by strata."""
        history = self.history
        events = np.flatnonzero(history.event_recall < until)
        start, stop = gaps(history, events, until)
        origin = history.reading[history.event_recall[events]]
        sums = np.zeros(len(events))
        for position, share in history.measure.strata(start, stop):
            gap = np.maximum(history.measure.time(position) - origin, 0.0)
            sums += share * self._weight(events, gap)[:, 0]
        edge = history.edge_of[events]
        return np.asarray(np.bincount(edge, sums, minlength=history.edges)[:, None], np.float64)

    def _weight(self, events: NDArray[np.int64], gap: NDArray[np.float64]) -> NDArray[np.float64]:
        return weight_after(self._read(self.stored(events), events, gap), gap, self.fades)

    def _read(self, stored: Stored, events: NDArray[np.int64], gap: NDArray[np.float64]) -> Stored:
        group = self.history.group[self.history.edge_of[events]]
        low, default = self.low[group][:, None], stored.half_life
        ratio = np.log1p(stored.reinforcements / 10)
        learned = low + (self.high - low) * ratio / (1 + ratio)
        confidence = np.exp2(-gap[:, None] / default)
        blend = (1 - confidence) * default + confidence * learned
        return stored._replace(half_life=np.clip(blend, low, self.high))
