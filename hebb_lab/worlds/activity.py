"""When the agent is at work: activity in spans, and the clock that runs with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import ConfigError
from hebb_lab.records import Activity

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from hebb_lab.worlds.parameters import WorldParameters

DAY_US = 86_400_000_000
HOUR_US = 3_600_000_000
MORNING, EVENING = 9, 18  # o'clock, UTC
MOST_SESSIONS = 4  # a work day has one to four
# Weeks: a vacation of three in each eight, never at their start. A likelihood that knows nothing of
# the silence then finds half-lives about as short as in fitting.md, finding 6.
VACATION_EVERY, VACATION_WEEKS = 8, 3


@dataclass(frozen=True)
class ActiveClock:
    """Wall time ↔ days of activity: the time in which the process runs evenly.

    In it the activity is 1 throughout, so a rate needs no thinning for it.

    Args:
        activity: A(t).
        done_days: [B+1] ∫ A dt from the start to each edge of the spans, days.
        session_us: [S] start of each session, ascending: one a span of activity, or one a day.
    """

    activity: Activity
    done_days: NDArray[np.float64]
    session_us: NDArray[np.int64]

    def end_us(self) -> int:
        """The end of the log."""
        return int(self.activity.start_us[-1])

    def total_days(self) -> float:
        """Days of activity in all."""
        return float(self.done_days[-1])

    def done(self, time_us: NDArray[np.int64]) -> NDArray[np.float64]:
        """Days of activity until a moment of the log."""
        start, level = self.activity
        span = np.clip(np.searchsorted(start, time_us, side="right") - 1, 0, len(level) - 1)
        return self.done_days[span] + level[span] * (time_us - start[span]) / DAY_US

    def moment(self, done_days: NDArray[np.float64]) -> NDArray[np.int64]:
        """The moment at which so much activity is done; never one of silence."""
        start, level = self.activity
        span = np.searchsorted(self.done_days, done_days, side="right") - 1
        after = (done_days - self.done_days[span]) / level[span] * DAY_US
        return start[span] + np.floor(after).astype(np.int64)

    def session(self, time_us: NDArray[np.int64]) -> NDArray[np.int64]:
        """The session of a moment of activity."""
        found = np.searchsorted(self.session_us, time_us, side="right") - 1
        return np.maximum(found, 0)


def active_clock(parameters: WorldParameters, rng: Generator) -> ActiveClock:
    """Draw A(t), with mean 1 over the log.

    Raises:
        ConfigError: a log in which, or in whose first share, no session falls.
    """
    end = round(parameters.days * DAY_US)
    if parameters.activity == "flat":
        spans = np.array([[0, end]], np.int64)
        sessions = np.arange(0, end, DAY_US)
    else:
        spans = _sessions(int(np.ceil(parameters.days)), rng)
        if parameters.activity == "vacations":
            spans = spans[~_on_vacation(spans[:, 0], int(np.ceil(parameters.days)), rng)]
        spans = np.minimum(spans[spans[:, 0] < end], end)
        sessions = spans[:, 0]
    if not (spans[:, 0] < parameters.birth_share * end).any():
        raise ConfigError(
            f"no session of activity={parameters.activity} falls in the first "
            f"{parameters.birth_share * parameters.days:g} days, in which edges are born",
            "Give more dataset.days, or dataset.activity=flat",
        )
    edges = np.unique(np.concatenate([[0], spans.ravel(), [end]]))
    level = np.zeros(len(edges) - 1)
    level[np.searchsorted(edges, spans[:, 0])] = end / float((spans[:, 1] - spans[:, 0]).sum())
    done = np.concatenate([[0.0], np.cumsum(level * np.diff(edges) / DAY_US)])
    activity = Activity(parameters.start_us + edges, level)
    return ActiveClock(activity, done, parameters.start_us + sessions)


def _sessions(days: int, rng: Generator) -> NDArray[np.int64]:
    """[S, 2] starts and ends, µs from the start: the working day is cut evenly, each part has one.

    A day has a row of random numbers, so that a longer log begins as a shorter one.
    """
    drawn = rng.random((days, 1 + 2 * MOST_SESSIONS))
    found = []
    for day in range(days):
        if day % 7 >= 5:
            continue
        count = 1 + int(drawn[day, 0] * MOST_SESSIONS)
        room = (EVENING - MORNING) / count
        for part in range(count):
            hours = 1.0 + drawn[day, 1 + 2 * part]  # one to two
            begin = MORNING + part * room + drawn[day, 2 + 2 * part] * (room - hours)
            start = day * DAY_US + round(begin * HOUR_US)
            found.append((start, start + round(hours * HOUR_US)))
    return np.array(found, np.int64).reshape(-1, 2)


def _on_vacation(start: NDArray[np.int64], days: int, rng: Generator) -> NDArray[np.bool_]:
    """Whether each start falls into a silent week."""
    periods = days // (7 * VACATION_EVERY) + 1
    first = rng.integers(1, VACATION_EVERY - VACATION_WEEKS + 1, size=periods)
    week = start // (7 * DAY_US)
    into = week % VACATION_EVERY - first[week // VACATION_EVERY]
    return np.asarray((into >= 0) & (into < VACATION_WEEKS))
