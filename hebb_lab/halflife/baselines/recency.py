"""Recency: how often edges came back after so long a time, read off a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.halflife.model import MODELS, NothingToDraw, Training
from hebb_lab.halflife.signals.fading import gaps

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import Asked, History
    from hebb_lab.halflife.objectives.profile import Estimate

ENDS = np.array([0.01, 0.04, 0.15, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512], np.float64)
"""Ends of the bins of time since the last activation, in the clock's units; one more is beyond."""
PRIOR_EVENTS = 1.0  # of every bin, at the group's mean rate


@dataclass(frozen=True)
class RecencyFit(NothingToDraw):
    """A hazard that is constant in each bin of recency.

    Args:
        history: the facts.
        hazard: [S, B] re-activations per exposure.
    """

    history: History
    hazard: NDArray[np.float64]

    @property
    def parameters(self) -> Mapping[str, Estimate]:
        """A table, not parameters."""
        return {}

    def intensity(self, asked: Asked) -> NDArray[np.float64]:
        """The hazard of the bin that the gap lies in."""
        return self.hazard[self.history.group[asked.edge], np.searchsorted(ENDS, asked.gap)]

    def predict(self, asked: Asked, days: float) -> NDArray[np.float64]:
        """1 − exp(−mean hazard over the horizon · exposure ahead)."""
        clock, more = self.history.ahead(asked, days)
        group = self.history.group[asked.edge]
        first, last = (self._sum(group, end) for end in (asked.gap, asked.gap + clock))
        still = clock <= 0
        mean = np.where(still, self.intensity(asked), (last - first) / np.where(still, 1.0, clock))
        return np.asarray(-np.expm1(-mean * more))

    def _sum(self, group: NDArray[np.int64], until: NDArray[np.float64]) -> NDArray[np.float64]:
        """∫ of the hazard from 0 to ``until``."""
        begins = np.concatenate([[0.0], ENDS])
        widths = np.diff(begins)
        whole = np.concatenate(
            [np.zeros((len(self.hazard), 1)), np.cumsum(self.hazard[:, :-1] * widths, axis=1)],
            axis=1,
        )
        bin_ = np.searchsorted(ENDS, until)
        return np.asarray(whole[group, bin_] + self.hazard[group, bin_] * (until - begins[bin_]))

    def half_life(self, asked: Asked) -> NDArray[np.float64]:
        """There is none."""
        return np.full(len(asked.edge), np.nan)


@dataclass(frozen=True)
class Recency:
    """λ = a step function of the time since the edge's last activation: decay without a law."""

    about: str = "a table of how often edges came back after so long"
    kind: str = "baseline"

    def fit(self, history: History, training: Training) -> RecencyFit:
        """Events over exposure in each bin, leaning on the group's mean rate."""
        events = np.flatnonzero(history.event_recall < training.until)
        start, stop = gaps(history, events, training.until)
        origin = history.reading[history.event_recall[events]]
        group = history.group[history.edge_of[events]]
        spans = np.zeros((len(history.groups), len(ENDS) + 1))
        before = start
        for place, end in enumerate([*ENDS, np.inf]):
            after = np.clip(history.measure.position_at(origin + end), start, stop)
            after = stop if np.isinf(end) else np.maximum(after, before)
            spans[:, place] = np.bincount(group, after - before, minlength=len(spans))
            before = after
        again = history.at_events(history.reactivations(0, training.until))
        counts = np.zeros_like(spans)
        np.add.at(counts, (history.group[again.edge], np.searchsorted(ENDS, again.gap)), 1.0)
        usual = (counts.sum(axis=1) + 0.5) / np.maximum(spans.sum(axis=1), 1.0)
        prior = PRIOR_EVENTS / usual[:, None]
        return RecencyFit(history, (counts + PRIOR_EVENTS) / (spans + prior))


MODELS.register("recency")(Recency())
