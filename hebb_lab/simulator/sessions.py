"""When the agent works: sessions, turns, touches and subagents on a working team's clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from hebb_lab.simulator.parameters import SimulatorParameters

HOUR = 3600.0  # seconds
DAY = 24 * HOUR


@dataclass(frozen=True)
class Schedule:
    """Who works when, without what.

    Args:
        turn_session: [T] session of each turn; turns lie in the order of (session, turn).
        turn_number: [T] ordinal of the turn in its session, from 1.
        turn_start: [T] seconds from the start of the log.
        turn_topic: [T] topic of each turn.
        topics: number of topics.
        touch_turn: [M] index of the turn of each touch, touches in time order.
        touch_agent: [M] 0 the main agent, i the i-th subagent of the turn.
        touch_time: [M] seconds from the start of the log, increasing.
    """

    turn_session: NDArray[np.int64]
    turn_number: NDArray[np.int64]
    turn_start: NDArray[np.float64]
    turn_topic: NDArray[np.int64]
    topics: int
    touch_turn: NDArray[np.int64]
    touch_agent: NDArray[np.int64]
    touch_time: NDArray[np.float64]


@dataclass(frozen=True)
class WorkingClock:
    """Seconds of the calendar ↔ work done, for a team with nights, weekends and busy days.

    Args:
        edges: [H+1] seconds, hour by hour.
        work: [H+1] work done until each edge, in mean hours.
    """

    edges: NDArray[np.float64]
    work: NDArray[np.float64]

    def at(self, work: NDArray[np.float64] | float) -> NDArray[np.float64]:
        """The second at which so much work is done."""
        return np.asarray(np.interp(work, self.work, self.edges))

    def done(self, seconds: NDArray[np.float64] | float) -> NDArray[np.float64]:
        """The work done until a second."""
        return np.asarray(np.interp(seconds, self.edges, self.work))


def working_clock(parameters: SimulatorParameters, rng: Generator) -> WorkingClock:
    """Activity by the hour: a bell over the day, weaker weekends, log-normal days.

    The clock runs on for 60 days after the end of the log, for sessions left open.
    """
    hours = int(np.ceil(parameters.days + 60) * 24)
    hour = np.arange(hours)
    bell = 0.5 - 0.5 * np.cos(2 * np.pi * (hour % 24 - 3) / 24)  # quietest at 3, busiest at 15
    activity = parameters.night + (1 - parameters.night) * bell
    activity *= np.where(hour // 24 % 7 >= 5, parameters.weekend, 1.0)
    day_factor = np.exp(parameters.day_sigma * rng.standard_normal(hours // 24 + 1))
    activity *= day_factor[hour // 24]
    work = np.concatenate([[0.0], np.cumsum(activity / activity.mean())])
    return WorkingClock(np.arange(hours + 1, dtype=np.float64) * HOUR, work)


def schedule(parameters: SimulatorParameters, rng: Generator) -> Schedule:
    """Draw all times; sessions start as a Poisson process on the working clock."""
    clock = working_clock(parameters, rng)
    end = float(clock.done(parameters.days * DAY))
    starts = clock.at(np.sort(rng.random(parameters.sessions)) * end)
    turns = _log_normal_counts(
        parameters.turns_median, parameters.turns_sigma, parameters.sessions, rng
    )
    turn_session = np.repeat(np.arange(parameters.sessions), turns)
    turn_number = np.arange(len(turn_session)) - np.repeat(np.cumsum(turns) - turns, turns) + 1
    pace = parameters.pace_sigma * rng.standard_normal(parameters.sessions)
    slack = parameters.turn_gap_sigma * rng.standard_normal(len(turn_session))
    pauses = np.minimum(parameters.turn_gap_seconds * np.exp(pace[turn_session] + slack), DAY)
    turn_start = np.empty(len(turn_session))
    times: list[NDArray[np.float64]] = []
    agents: list[NDArray[np.int64]] = []
    now = 0.0
    for turn in range(len(turn_session)):
        if turn_number[turn] == 1:
            now = starts[turn_session[turn]]
        elif pauses[turn] <= HOUR:
            now += pauses[turn]
        else:
            now = float(clock.at(clock.done(now) + pauses[turn] / HOUR))
        turn_start[turn] = now
        offsets, agent = _touches(parameters, rng)
        times.append(now + offsets)
        agents.append(agent)
        now = float(times[-1].max())
    touch_turn = np.repeat(np.arange(len(turn_session)), [len(t) for t in times])
    time = np.concatenate(times)
    order = np.lexsort((touch_turn, time))
    topic, topics = _topics(parameters, turn_start, turn_number, rng)
    return Schedule(
        turn_session, turn_number, turn_start, topic, topics,
        touch_turn[order], np.concatenate(agents)[order], time[order],
    )  # fmt: skip


def _log_normal_counts(median: float, sigma: float, size: int, rng: Generator) -> NDArray[np.int64]:
    """Whole numbers from 1 with a log-normal law."""
    drawn = np.rint(median * np.exp(sigma * rng.standard_normal(size)))
    return np.clip(drawn, 1, 60 * median).astype(np.int64)


def _pauses(parameters: SimulatorParameters, size: int, rng: Generator) -> NDArray[np.float64]:
    drawn = rng.standard_normal(size)
    waits = rng.random(size) < parameters.wait
    median = np.where(waits, parameters.turn_gap_seconds, parameters.touch_gap_seconds)
    sigma = np.where(waits, parameters.turn_gap_sigma, parameters.touch_gap_sigma)
    return np.asarray(np.minimum(median * np.exp(sigma * drawn), DAY) + 0.002)


def _touches(
    parameters: SimulatorParameters, rng: Generator
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Times (seconds after the prompt, sorted) and agents of the touches of one turn.

    In a fan-out the main agent touches once, the subagents work side by side, and the main agent
    goes on when the last of them has ended.
    """
    count = int(_log_normal_counts(parameters.touches_median, parameters.touches_sigma, 1, rng)[0])
    main = np.cumsum(_pauses(parameters, count, rng))
    if rng.random() >= parameters.fan_out:
        return main, np.zeros(count, dtype=np.int64)
    agents = int(rng.integers(2, max(parameters.fan_out_agents, 2) + 1))
    counts = _log_normal_counts(
        parameters.fan_out_touches_median, parameters.fan_out_touches_sigma, agents, rng
    )
    side = [main[0] + np.cumsum(_pauses(parameters, int(n), rng)) for n in counts]
    main[1:] += max(t[-1] for t in side) - main[0]
    time = np.concatenate([main, *side])
    agent = np.repeat(np.arange(agents + 1), [count, *counts])
    order = np.argsort(time, kind="stable")
    return time[order], agent[order]


def _topics(
    parameters: SimulatorParameters,
    turn_start: NDArray[np.float64],
    turn_number: NDArray[np.int64],
    rng: Generator,
) -> tuple[NDArray[np.int64], int]:
    """Topic of each turn: bursts with heavy-tailed revisits.

    A session opens a new topic with probability topic_birth, else an old one in proportion to
    weight · (days since its last turn + 0.02)^−topic_recency. A later turn keeps the session's
    topic, or chooses anew with probability topic_switch.
    """
    topic = np.zeros(len(turn_start), dtype=np.int64)
    last = np.zeros(0)  # [topics so far] seconds
    size = np.zeros(0)  # [topics so far] how much they are worked on
    for turn in np.argsort(turn_start, kind="stable"):
        now = turn_start[turn]
        if turn_number[turn] > 1 and rng.random() >= parameters.topic_switch:
            topic[turn] = topic[turn - 1]
        elif len(last) == 0 or rng.random() < parameters.topic_birth:
            topic[turn] = len(last)
            last = np.append(last, now)
            size = np.append(size, np.exp(parameters.topic_weight_sigma * rng.standard_normal()))
        else:
            weight = size * ((now - last) / DAY + 0.02) ** -parameters.topic_recency
            topic[turn] = np.searchsorted(np.cumsum(weight), rng.random() * weight.sum())
        last[topic[turn]] = now
    return topic, len(last)
