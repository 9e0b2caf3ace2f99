"""Clocks on which memory may fade: wall time, days with work in them, sessions.

A clock is a never-falling, piecewise linear map of wall time. Forgetting "in the time that was
worked" instead of in calendar time is the oldest cure for nights, weekends and holidays; which of
them a log prefers is a finding, so all are offered (fitting.md §3.1). What a clock shows at a
moment follows from what came before it: none knows when work will begin again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import ConfigError

if TYPE_CHECKING:
    from numpy.typing import NDArray

DAY_US = 86_400_000_000
CLOCKS = ("wall", "active_days", "sessions")
UNITS = {"wall": "days", "active_days": "active days", "sessions": "sessions"}


@dataclass(frozen=True)
class Clock:
    """A map of wall time to the units of a clock, linear between its knots.

    Args:
        name: of CLOCKS.
        knots_us: [K] int64, ascending.
        readings: [K] float64, what the clock shows there; never falling.
        beyond: units a day after the last knot.
    """

    name: str
    knots_us: NDArray[np.int64]
    readings: NDArray[np.float64]
    beyond: float = 0.0

    @property
    def unit(self) -> str:
        """What a half-life on this clock is counted in."""
        return UNITS[self.name]

    def read(self, time_us: NDArray[np.int64]) -> NDArray[np.float64]:
        """What the clock shows at times in µs; before the first knot it stands."""
        first, last = int(self.knots_us[0]), int(self.knots_us[-1])
        # whole microseconds are subtracted before they become floats
        since = (np.asarray(time_us, np.int64) - first) / DAY_US
        shown = np.interp(since, (self.knots_us - first) / DAY_US, self.readings)
        more = np.maximum(np.asarray(time_us, np.int64) - last, 0) / DAY_US
        return np.asarray(shown + self.beyond * more)


def clock_of(
    name: str, recall_us: NDArray[np.int64], session_us: NDArray[np.int64] | None = None
) -> Clock:
    """The clock of that name for a log.

    ``wall`` counts days since the first recall; ``active_days`` runs from the first recall of each
    UTC day to its end, and stands else; ``sessions`` advances by 1 when a session begins.

    Args:
        name: of CLOCKS.
        recall_us: [W] times of all recalls, ascending, at least one.
        session_us: [S] when each session began, in any order; for ``sessions`` only.

    Raises:
        ConfigError: an unknown clock; ``sessions`` with fewer than two sessions.

    >>> days = np.array([0, 1, 9, 10]) * DAY_US
    >>> clock_of("wall", days).read(days).tolist()
    [0.0, 1.0, 9.0, 10.0]
    >>> clock_of("active_days", days).read(days).tolist()
    [0.0, 1.0, 2.0, 3.0]
    """
    if name == "wall":
        return Clock(name, recall_us[:1].copy(), np.zeros(1), beyond=1.0)
    if name == "active_days":
        return _active_days(recall_us)
    if name == "sessions":
        return _sessions(session_us)
    raise ConfigError(f"halflife.clock={name!r} is no clock", f"Use one of {', '.join(CLOCKS)}")


def _active_days(recall_us: NDArray[np.int64]) -> Clock:
    days, first = np.unique(recall_us // DAY_US, return_index=True)
    begins, ends = recall_us[first], (days + 1) * DAY_US
    knots = np.stack([begins, ends], axis=1).ravel()
    worked = np.cumsum((ends - begins) / DAY_US)
    readings = np.stack([np.append(0.0, worked[:-1]), worked], axis=1).ravel()
    kept = np.concatenate([np.diff(knots) > 0, [True]])  # a day may begin where the last one ends
    return Clock("active_days", knots[kept], readings[kept])


def _sessions(session_us: NDArray[np.int64] | None) -> Clock:
    starts, count = np.unique(
        np.empty(0, np.int64) if session_us is None else session_us, return_counts=True
    )
    if len(starts) < 2:
        raise ConfigError(
            "halflife.clock=sessions, and the log has fewer than two sessions",
            "Use wall or active_days",
        )
    begun = np.concatenate([[0], np.cumsum(count[1:])]).astype(np.float64)
    knots = np.stack([starts[1:] - 1, starts[1:]], axis=1).ravel()
    readings = np.stack([begun[:-1], begun[1:]], axis=1).ravel()
    knots, readings = np.append(starts[:1], knots), np.append(0.0, readings)
    kept = np.concatenate([np.diff(knots) > 0, [True]])
    return Clock("sessions", knots[kept], readings[kept])
