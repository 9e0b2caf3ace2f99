"""How exposure is counted: in recalls, or in time.

An edge can come back only when something is recalled. Counting an edge's exposure in recalls makes
any rise and fall of the agent's activity, nights and holidays too, cancel from the likelihood: the
activity offset of fitting.md finding 6. Counting it in time is the plain point process.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np

from hebb_lab.errors import ConfigError
from hebb_lab.halflife.facts.shelf import Shelf
from hebb_lab.halflife.facts.sums import Runs, tails_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

Faded = Callable[["NDArray[np.float64]", "NDArray[np.float64]"], "NDArray[np.float64]"]
SUMS = 500_000_000  # bytes of sums that a measure keeps
ACTIVITIES = ("recalls", "none")
LN2 = float(np.log(2.0))
ALONE, STRATA = 8, 24  # recalls after an event that are summed one by one, and strata after them


class Measure(Protocol):
    """Positions on the axis of exposure, and sums of decay over it."""

    def position(self, recall: NDArray[np.int64]) -> NDArray[np.float64]:
        """Where a recall stands."""

    def moment(self, seen: NDArray[np.int64], reading: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where a moment stands, ``seen`` recalls being strictly before it."""

    def entry(self, recall: int) -> float:
        """Where exposure begins that includes a recall and nothing before it."""

    def stop(self, until: int) -> float:
        """Where the exposure of the recalls before number ``until`` ends."""

    def before(self, until: int) -> Measure:
        """The same measure of the recalls before number ``until`` alone.

        What it sums is then free of even the rounding errors of what comes after.
        """

    def time(self, position: NDArray[np.float64]) -> NDArray[np.float64]:
        """What the clock shows at a position."""

    def position_at(self, reading: NDArray[np.float64]) -> NDArray[np.float64]:
        """The last position at which the clock shows at most ``reading``."""

    def steady(self) -> Measure:
        """The same measure, whose sums know nothing but the recalls that they are over."""

    def faded(self, half_life: float) -> Faded:
        """What sums 2^(−(time − time(start)) / half_life) over (start, stop]."""

    def harmonic(
        self, first: NDArray[np.float64], last: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Σ or ∫ of 1/x from x = first to last."""

    def strata(
        self, start: NDArray[np.float64], stop: NDArray[np.float64]
    ) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """(positions, what they stand for) that sum what has no closed form over (start, stop]."""


@dataclass(frozen=True)
class RecallMeasure:
    """Exposure is the number of recalls; positions are their numbers.

    Args:
        reading: [W] what the clock shows at each recall, never falling.
        shelf: sums for the half-lives that were asked for last.
    """

    reading: NDArray[np.float64]
    shelf: Shelf = field(default_factory=lambda: Shelf(SUMS), repr=False, compare=False)

    def position(self, recall: NDArray[np.int64]) -> NDArray[np.float64]:
        """Where a recall stands: its number."""
        return np.asarray(recall, np.float64)

    def moment(self, seen: NDArray[np.int64], reading: NDArray[np.float64]) -> NDArray[np.float64]:
        """The last recall strictly before it."""
        return np.asarray(seen - 1.0, np.float64)

    def entry(self, recall: int) -> float:
        """The recall before it: exposure is counted after where it starts."""
        return recall - 1.0

    def stop(self, until: int) -> float:
        """The last recall before number ``until``."""
        return float(until - 1)

    def before(self, until: int) -> RecallMeasure:
        """The first ``until`` recalls."""
        return RecallMeasure(self.reading[:until])

    def time(self, position: NDArray[np.float64]) -> NDArray[np.float64]:
        """What the clock shows at a recall."""
        return self.reading[np.asarray(position, np.int64)]

    def position_at(self, reading: NDArray[np.float64]) -> NDArray[np.float64]:
        """The last recall at which the clock shows at most ``reading``."""
        return np.asarray(np.searchsorted(self.reading, reading, side="right") - 1.0, np.float64)

    def steady(self) -> SteadyRecalls:
        """Sums put together of runs of recalls."""
        return self.shelf.get("steady", lambda: SteadyRecalls(self.reading))

    def faded(self, half_life: float) -> Faded:
        """T(start) − 2^(−(t_stop − t_start) / h) T(stop), T(a) the sum over all after a."""
        tails: NDArray[np.float64] = self.shelf.get(
            half_life, lambda: tails_of(self.reading, half_life), self.reading.nbytes
        )

        def between(start: NDArray[np.float64], stop: NDArray[np.float64]) -> NDArray[np.float64]:
            first, last = start.astype(np.int64), stop.astype(np.int64)
            gap = self.reading[last] - self.reading[first]
            return np.asarray(tails[first] - np.exp2(-gap / half_life) * tails[last])

        return between

    def harmonic(
        self, first: NDArray[np.float64], last: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """1/first + 1/(first + 1) + … up to, without, 1/last."""
        from scipy.special import digamma

        return np.asarray(digamma(last) - digamma(first))

    def strata(
        self, start: NDArray[np.float64], stop: NDArray[np.float64]
    ) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """The first 8 recalls one by one, then the middles of 24 strata that widen."""
        for step in range(1, ALONE + 1):
            yield np.minimum(start + step, stop), (start + step <= stop).astype(np.float64)
        first = np.minimum(start + ALONE, stop)
        for low, high in _widening(stop - first, ALONE):
            # recall v stands for the positions (v − 1, v]
            middle = np.ceil(first + np.sqrt((ALONE + low) * (ALONE + high)) - ALONE)
            yield np.minimum(middle, stop), high - low


@dataclass(frozen=True)
class SteadyRecalls(RecallMeasure):
    """Recalls, whose sums are put together of runs of 1, 2, 4, … of them."""

    def faded(self, half_life: float) -> Faded:
        """The runs between start and stop."""
        size = self.reading.nbytes * len(self.reading).bit_length()
        runs = self.shelf.get(half_life, lambda: Runs.of(self.reading, half_life), size)
        return lambda start, stop: runs.between(start.astype(np.int64), stop.astype(np.int64))


@dataclass(frozen=True)
class TimeMeasure:
    """Exposure is time on the clock; positions are what it shows.

    Args:
        reading: [W] what the clock shows at each recall.
    """

    reading: NDArray[np.float64]

    def position(self, recall: NDArray[np.int64]) -> NDArray[np.float64]:
        """Where a recall stands: its time."""
        return self.reading[np.asarray(recall, np.int64)]

    def moment(self, seen: NDArray[np.int64], reading: NDArray[np.float64]) -> NDArray[np.float64]:
        """What the clock shows."""
        return reading

    def entry(self, recall: int) -> float:
        """Its time."""
        return float(self.reading[recall])

    def stop(self, until: int) -> float:
        """The time of recall number ``until``, or of the last one."""
        return float(self.reading[min(until, len(self.reading) - 1)])

    def before(self, until: int) -> TimeMeasure:
        """Itself: its integrals are closed forms."""
        return self

    def time(self, position: NDArray[np.float64]) -> NDArray[np.float64]:
        """A position is a time."""
        return np.asarray(position, np.float64)

    def position_at(self, reading: NDArray[np.float64]) -> NDArray[np.float64]:
        """A time is a position."""
        return np.asarray(reading, np.float64)

    def steady(self) -> TimeMeasure:
        """Itself."""
        return self

    def faded(self, half_life: float) -> Faded:
        """(h / ln 2) (1 − 2^(−(stop − start) / h))."""
        scale = half_life / LN2
        return lambda start, stop: np.asarray(-np.expm1((start - stop) / scale) * scale)

    def harmonic(
        self, first: NDArray[np.float64], last: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """ln(last / first)."""
        return np.asarray(np.log(last / first))

    def strata(
        self, start: NDArray[np.float64], stop: NDArray[np.float64]
    ) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """The middles of 24 strata that widen, from a thousandth of the exposure on."""
        length = stop - start
        tiny = np.maximum(length, 1e-9) * 1e-3
        for low, high in _widening(length, tiny):
            yield start + np.sqrt((tiny + low) * (tiny + high)) - tiny, high - low


def _widening(
    length: NDArray[np.float64], first: NDArray[np.float64] | float
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Ends of STRATA parts of [0, length], each wider than the last by one factor."""
    ratio = (1.0 + length / first) ** (1.0 / STRATA)
    low = np.zeros_like(length)
    for part in range(1, STRATA + 1):
        high = length if part == STRATA else first * (ratio**part - 1.0)
        yield low, high
        low = high


def measure_of(activity: str, reading: NDArray[np.float64]) -> Measure:
    """The measure for ``halflife.activity``.

    Raises:
        ConfigError: unknown.
    """
    if activity not in ACTIVITIES:
        raise ConfigError(
            f"halflife.activity={activity!r} is no choice", f"Use one of {', '.join(ACTIVITIES)}"
        )
    return RecallMeasure(reading) if activity == "recalls" else TimeMeasure(reading)
