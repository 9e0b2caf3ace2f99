"""Importance from surprise: what is far from all that was just written matters more.

Source: fact sheet, §2.3. Each memory is judged by those before it alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.records import Memories

WORKING_MEMORY = 100  # memories that are at hand; the tier's capacity
WARM_UP = 20  # samples before there is a verdict
WARM_UP_IMPORTANCE = 1.0
FLASHBULB_Z = 3.0
_BLOCK = 1024


@dataclass
class RunningMoments:
    """Mean and population SD of a stream, by Welford's method.

    >>> moments = RunningMoments()
    >>> for value in (2, 4, 4, 4, 5, 5, 7, 9):
    ...     moments.add(value)
    >>> moments.mean, moments.z(7), moments.z(11)
    (5.0, 1.0, 3.0)
    """

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        """Take one more value in."""
        self.count += 1
        apart = value - self.mean
        self.mean += apart / self.count
        self.squares += apart * (value - self.mean)

    def z(self, value: float) -> float:
        """(value − mean)/SD; 0 where the SD is below 1e-9."""
        deviation = (self.squares / self.count) ** 0.5 if self.count else 0.0
        return (value - self.mean) / deviation if deviation >= 1e-9 else 0.0


def importance_of_z(z: NDArray[np.floating]) -> NDArray[np.float64]:
    """0.05 + 9.95 × sigmoid(1.2 (z − 1)).

    >>> importance_of_z(np.array([-2.0, 0.0, 1.0])).round(4).tolist()
    [0.3146, 2.3532, 5.025]
    """
    drive = 1.2 * (np.asarray(z, np.float64) - 1.0)
    importance: NDArray[np.float64] = 0.05 + 9.95 / (1.0 + np.exp(-drive))
    return importance


def novelty_distances(
    vectors: NDArray[np.float32], window: int = WORKING_MEMORY
) -> NDArray[np.float64]:
    """[N] L2 distance of each vector to the nearest of the ``window`` before it.

    The first has none before it: its own length.
    """
    wide = vectors.astype(np.float64)
    squares = (wide * wide).sum(axis=1)
    nearest: NDArray[np.float64] = np.sqrt(squares)  # what stands alone
    for first in range(0, len(wide), _BLOCK):
        last, start = min(first + _BLOCK, len(wide)), max(first - window, 0)
        here, before = np.arange(first, last), np.arange(start, last)
        apart = squares[here, None] + squares[None, before] - 2.0 * wide[here] @ wide[before].T
        gap = here[:, None] - before[None, :]
        apart[(gap <= 0) | (gap > window)] = np.inf
        least = apart.min(axis=1)
        found = np.isfinite(least)
        nearest[here[found]] = np.sqrt(np.maximum(least[found], 0.0))
    return nearest


def surprise(distances: NDArray[np.floating]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Importance of each memory in the order of writing, and which are flashbulbs (pinned).

    The running moments take a distance in before its z is asked for. The first 20 are worth 1.0;
    z > 3 is a flashbulb: importance 10, pinned.
    """
    moments, z = RunningMoments(), np.zeros(len(distances))
    for i, distance in enumerate(np.asarray(distances, np.float64).tolist()):
        moments.add(distance)
        z[i] = moments.z(distance)
    warm = np.arange(len(z)) >= WARM_UP
    flashbulb = warm & (z > FLASHBULB_Z)
    importance = np.where(warm, importance_of_z(z), WARM_UP_IMPORTANCE)
    return np.where(flashbulb, 10.0, importance).astype(np.float32), flashbulb


def with_surprise(memories: Memories, vectors: NDArray[np.float32]) -> Memories:
    """The memories with surprise for importance wherever the data gives none.

    A flashbulb of those is pinned.
    """
    importance, flashbulb = surprise(novelty_distances(vectors))
    missing = np.isnan(memories.importance)
    return replace(
        memories,
        importance=np.where(missing, importance, memories.importance).astype(np.float32),
        pinned=memories.pinned | (missing & flashbulb),
    )
