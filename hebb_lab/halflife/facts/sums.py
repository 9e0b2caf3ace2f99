"""Sums of decay over recalls: of all that come after one, and between two.

Differences of the first are quick, and know the rest of the log by their rounding. What a
prediction reads must not: the second are put together of runs of 1, 2, 4, … recalls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Number = TypeVar("Number", np.float64, np.int64)

SPAN = 500.0  # half-lives that one block of sums may span: 2^500 is far from any overflow


@dataclass(frozen=True)
class Runs:
    """Sums over runs of recalls, relative to the first of each.

    Args:
        reading: [W] what the clock shows at each recall.
        half_life: in its units; inf for no decay.
        sums: sums[k][i] = Σ over the 2^k recalls from i on of 2^(−(t_v − t_i) / half_life).
    """

    reading: NDArray[np.float64]
    half_life: float
    sums: tuple[NDArray[np.float64], ...]

    @classmethod
    def of(cls, reading: NDArray[np.float64], half_life: float) -> Runs:
        """All runs whose length is a power of two."""
        sums = [np.ones(len(reading))]
        while (width := 1 << len(sums)) <= len(reading):
            half, last = width // 2, sums[-1]
            first, second = last[: len(reading) - width + 1], last[half:]
            gap = reading[half : half + len(first)] - reading[: len(first)]
            sums.append(first + np.exp2(-gap / half_life) * second[: len(first)])
        return cls(reading, half_life, tuple(sums))

    def between(self, start: NDArray[np.int64], stop: NDArray[np.int64]) -> NDArray[np.float64]:
        """[Q] Σ over the recalls start < v ≤ stop of 2^(−(t_v − t_start) / half_life).

        >>> days = np.array([0.0, 1.0, 2.0, 5.0])
        >>> Runs.of(days, 1.0).between(np.array([0, 1]), np.array([2, 3])).tolist()
        [0.75, 0.5625]
        """
        length = np.maximum(stop - start, 0)
        place, total = start + 1, np.zeros(len(start))
        for power, sums in enumerate(self.sums):
            rows = np.flatnonzero(length >> power & 1)
            at = place[rows]
            gap = self.reading[at] - self.reading[start[rows]]
            total[rows] += np.exp2(-gap / self.half_life) * sums[at]
            place[rows] += 1 << power
        return total


def tails_of(reading: NDArray[np.float64], half_life: float) -> NDArray[np.float64]:
    """Σ_{v > a} 2^(−(t_v − t_a)/h) of every a, by sums from the far end in blocks.

    In a block all is relative to its first time, so that no power over- or underflows.
    """
    if np.isinf(half_life):
        return np.arange(len(reading) - 1, -1, -1, dtype=np.float64)
    found, carried, stop = np.empty(len(reading)), 0.0, len(reading)
    while stop > 0:
        first = int(np.searchsorted(reading[:stop], reading[stop - 1] - SPAN * half_life))
        first = min(first, stop - 1)
        power = np.exp2((reading[first] - reading[first:stop]) / half_life)
        # ``carried``: the sum over all after the block, as seen from its last recall
        later = np.append(np.cumsum(power[:0:-1])[::-1], 0.0) + carried * power[-1]
        found[first:stop] = later / power
        if first > 0:
            gap = np.exp2((reading[first - 1] - reading[first]) / half_life)
            carried = float(gap * (1.0 + found[first]))
            found[first - 1] = carried
        stop = first
    return found


def within_edges(values: NDArray[Number], pointer: NDArray[np.int64]) -> NDArray[Number]:
    """Running sums of [M] or [M, K] values, begun anew at each edge.

    The j-th events of all edges at once: no sum knows of another edge, not even by its rounding.

    >>> within_edges(np.array([1.0, 2.0, 5.0, 1.0]), np.array([0, 2, 4])).tolist()
    [1.0, 3.0, 5.0, 6.0]
    """
    total, counts = values.copy(), np.diff(pointer)
    longest = np.argsort(-counts, kind="stable")
    alive = np.searchsorted(-counts[longest], -np.arange(1, counts.max(initial=0)) - 0.5)
    for ordinal, number in enumerate(alive.tolist(), start=1):
        event = pointer[longest[:number]] + ordinal
        total[event] += total[event - 1]
    return total
