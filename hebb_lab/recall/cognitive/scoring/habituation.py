"""Habituation and inhibition of return: what was just recalled is held back for a while.

Source: fact sheet, §2.2.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

HABITUATION_RATE = 0.2
RETURN_WINDOW_US = 300_000_000
RETURN_FLOOR = 0.1
SATIATED = 20  # last memories recalled that are had enough of; the page gives no number
SATIATION = 0.5
NEVER_US = np.int64(-(1 << 62))


def habituation(recall: NDArray[np.integer]) -> NDArray[np.float64]:
    """1/(1 + 0.2 (n − 1)) at the n-th recall.

    >>> habituation(np.array([1, 2, 3])).round(3).tolist()
    [1.0, 0.833, 0.714]
    """
    return 1.0 / (1.0 + HABITUATION_RATE * (np.asarray(recall) - 1))


def inhibition_of_return(
    since_us: NDArray[np.integer], floor: float = RETURN_FLOOR, window_us: int = RETURN_WINDOW_US
) -> NDArray[np.float64]:
    """From ``floor`` at once, in a line, to 1 after the window.

    >>> inhibition_of_return(np.array([0, 50_000_000, 400_000_000])).round(6).tolist()
    [0.1, 0.25, 1.0]
    """
    passed = np.clip(np.asarray(since_us, np.float64) / window_us, 0.0, 1.0)
    return floor + (1.0 - floor) * passed


@dataclass
class Habituation:
    """What earlier queries were given: counts, times, and the last few.

    Args:
        recalls: [N] int64, how often each was recalled.
        last_us: [N] int64, when last.
        recent: the last ``SATIATED`` distinct memories, oldest first.
    """

    recalls: NDArray[np.int64]
    last_us: NDArray[np.int64]
    recent: dict[int, None] = field(default_factory=dict)

    @classmethod
    def of(cls, memories: int) -> Habituation:
        """Nothing was recalled yet."""
        return cls(np.zeros(memories, np.int64), np.full(memories, NEVER_US))

    def penalty(self, now_us: int) -> NDArray[np.float64]:
        """[N] what scores are multiplied by: min(habituation, inhibition of return) × satiation.

        Half for those that were recalled last.
        """
        since = np.maximum(now_us - np.maximum(self.last_us, now_us - 2 * RETURN_WINDOW_US), 0)
        held = np.minimum(habituation(self.recalls + 1), inhibition_of_return(since))
        held[list(self.recent)] *= SATIATION
        return held

    def recall(self, memories: NDArray[np.integer], now_us: int) -> None:
        """Take in that some memories were given to a query."""
        self.recalls[memories] += 1
        self.last_us[memories] = now_us
        for memory in memories.tolist():
            self.recent.pop(memory, None)
            self.recent[memory] = None
        for memory in list(self.recent)[: max(len(self.recent) - SATIATED, 0)]:
            del self.recent[memory]


def held_back(scores: NDArray[np.float32], penalty: NDArray[np.float64]) -> NDArray[np.float32]:
    """Scores × penalty; a score that is not positive stays, for a share of it would be more."""
    return np.where(scores > 0, scores * penalty, scores).astype(np.float32)
