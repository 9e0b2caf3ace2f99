"""Test questions asked of a store after days of silence; nothing of it changes the store."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hebb_lab.lifecycles.replay.cues import cues_of
from hebb_lab.lifecycles.replay.sheet import Sheet
from hebb_lab.lifecycles.replay.silence import silent
from hebb_lab.lifecycles.replay.story import DAY_US

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hebb_lab.lifecycles.arms.arm import Reading
    from hebb_lab.lifecycles.replay.living import Living
    from hebb_lab.lifecycles.replay.story import Asked
    from hebb_lab.memory.values import Recalled

log = logging.getLogger(__name__)
MOST_RECALLED = 1000
"""Recall gives no more than so many memories."""
Recall = Callable[..., "Recalled"]


@dataclass
class Examined:
    """What one reading of a store gave.

    Args:
        sheet: the answers.
        failed: (question, strategy: reason) → at how many horizons it could not be answered.
        seconds: that recall took.
        error: why the reading was given up.
    """

    sheet: Sheet
    failed: Counter[tuple[int, str]] = field(default_factory=Counter)
    seconds: float = 0.0
    error: Exception | None = None

    @property
    def failures(self) -> Counter[str]:
        """Strategy: reason → at how many questions and horizons it could not answer."""
        found: Counter[str] = Counter()
        for (_, reason), count in self.failed.items():
            found[reason] += count
        return found


@dataclass
class Examiner:
    """Asks the questions of each moment, under every reading, at every horizon.

    Args:
        living: whose store is asked.
        asked: the questions.
        readings: ways of asking.
        horizons: days of silence.
        depth: nodes that an answer holds.
        recall: (state, journal, rules, cues, at_us, k, strategies) → Recalled.
    """

    living: Living
    asked: Asked
    readings: Sequence[Reading]
    horizons: Sequence[float]
    depth: int
    recall: Recall
    found: dict[Reading, Examined] = field(init=False)

    def __post_init__(self) -> None:
        size = (len(self.horizons), len(self.asked), self.depth)
        self.found = {reading: Examined(Sheet.blank(*size)) for reading in self.readings}

    def ask(self, time_us: int, rows: NDArray[np.int64]) -> None:
        """Ask some questions of the store as it is, so many days after a moment."""
        most = max((len(self.asked.excluded[row]) for row in rows.tolist()), default=0)
        k = min(self.depth + most, MOST_RECALLED)
        for place, days in enumerate(self.horizons):
            at_us = time_us + round(days * DAY_US)
            state, journal = silent(self.living, at_us)
            cues = cues_of(self.asked, rows, self.living.held, state)
            for reading, found in self.found.items():
                if found.error is not None:
                    continue
                try:
                    start = time.perf_counter()
                    given = self.recall(
                        state, journal, reading.rules, cues, at_us, k, reading.strategies
                    )
                    found.seconds += time.perf_counter() - start
                except Exception as error:
                    log.error("a reading failed: %s: %s", type(error).__name__, error)
                    found.error = error
                    continue
                self._keep(found, place, rows, given, state)

    def _keep(
        self, found: Examined, place: int, rows: NDArray[np.int64], given: Recalled, state: Any
    ) -> None:
        own = self.living.store.state
        at = given.rows
        if state is not own:  # a fork has rows of its own
            at = own.rows_of(given.ids).reshape(at.shape)
        found.sheet.fill(
            place, rows, self.living.held.nodes_of(at), given.score, self.asked.excluded
        )
        for failure in given.failures:
            reason = f"{failure.strategy}: {failure.problem}"
            found.failed[int(rows[failure.place]), reason] += 1


def pieced(pieces: Sequence[tuple[Examined, NDArray[np.bool_]]]) -> Examined:
    """Answers of several readings as those of one: each has the questions [Q] that it is for.

    An error of any of them is the error of the whole; seconds are shared by questions.
    """
    whole = Examined(Sheet.blank(*pieces[0][0].sheet.ids.shape))
    for found, own in pieces:
        whole.sheet.ids[:, own] = found.sheet.ids[:, own]
        whole.sheet.scores[:, own] = found.sheet.scores[:, own]
        whole.failed.update({key: n for key, n in found.failed.items() if own[key[0]]})
        whole.seconds += found.seconds * float(own.mean())
        whole.error = whole.error or found.error
    return whole
