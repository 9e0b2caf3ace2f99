"""What a benchmark measured, held against its goal. A goal is reported, never asserted."""

import statistics
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Value:
    """One measured quantity of a row.

    Args:
        name: what was measured.
        unit: s, MB/s, MB or × (how many times faster than the peer).
        samples: one a round.
        at_most, at_least: the goal, if there is one; the median is held against it.
    """

    name: str
    unit: str
    samples: tuple[float, ...]
    at_most: float | None = None
    at_least: float | None = None

    def as_dict(self):
        """Plain values for the JSON of pytest-benchmark."""
        median = statistics.median(self.samples)
        met = None
        if self.at_most is not None:
            met = median <= self.at_most
        if self.at_least is not None:
            met = median >= self.at_least
        return asdict(self) | {
            "median": median, "low": min(self.samples), "high": max(self.samples), "met": met,
        }  # fmt: skip


def note(benchmark, what, method, *values):
    """Keep a row of the table beside the times of pytest-benchmark."""
    benchmark.extra_info.update(
        what=what,
        method=method,
        values=[value.as_dict() for value in values],
    )


def rounds_of(benchmark):
    """The seconds of each round."""
    return tuple(benchmark.stats.stats.data)
