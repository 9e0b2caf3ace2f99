"""The team's clock, sessions, turns and fan-outs."""

import numpy as np
import pytest

from hebb_lab.simulator import parameters_from
from hebb_lab.simulator.sessions import DAY, HOUR, Schedule, schedule, working_clock


@pytest.fixture(scope="module")
def plan() -> Schedule:
    return schedule(parameters_from("team", sessions=600), np.random.default_rng(3))


def test_the_clock_and_its_inverse_agree():
    clock = working_clock(parameters_from("team"), np.random.default_rng(0))
    seconds = np.linspace(0, 40 * DAY, 999)
    assert clock.at(clock.done(seconds)) == pytest.approx(seconds, abs=1e-3)


def test_nights_and_weekends_are_quiet(plan: Schedule):
    starts = plan.turn_start[plan.turn_number == 1]
    hour = starts % DAY / HOUR
    afternoon = ((hour >= 13) & (hour < 17)).sum()
    night = ((hour >= 1) & (hour < 5)).sum()
    assert afternoon > 2.5 * night > 0
    weekend = (starts // DAY % 7 >= 5).mean()
    assert 0.02 < weekend < 2 / 7


def test_touches_lie_in_time_order_and_their_turns_in_session_order(plan: Schedule):
    assert np.all(np.diff(plan.touch_time) >= 0)
    assert np.array_equal(np.unique(plan.touch_turn), np.arange(len(plan.turn_session)))
    first = np.full(len(plan.turn_session), np.inf)
    last = np.zeros(len(plan.turn_session))
    np.minimum.at(first, plan.touch_turn, plan.touch_time)
    np.maximum.at(last, plan.touch_turn, plan.touch_time)
    assert np.all(first > plan.turn_start)
    later = plan.turn_number[1:] > 1
    assert np.all(plan.turn_start[1:][later] >= last[:-1][later])


def test_subagents_work_side_by_side_while_the_main_agent_waits(plan: Schedule):
    fan_outs = np.unique(plan.touch_turn[plan.touch_agent > 0])
    assert 0.015 < len(fan_outs) / len(plan.turn_session) < 0.06
    overlapping = 0
    for turn in fan_outs:
        here = plan.touch_turn == turn
        agent, time = plan.touch_agent[here], plan.touch_time[here]
        main, side = time[agent == 0], time[agent > 0]
        assert main[0] < side.min()
        assert not len(main[1:]) or main[1] > side.max()
        assert 2 <= agent.max() <= 4
        overlapping += time[agent == 2].min() < time[agent == 1].max()
    assert overlapping > 0.9 * len(fan_outs)


def test_topics_are_numbered_in_the_order_of_their_birth_and_come_in_bursts(plan: Schedule):
    order = np.argsort(plan.turn_start, kind="stable")
    topics = plan.turn_topic[order]
    first = [int(np.argmax(topics == k)) for k in range(plan.topics)]
    assert first == sorted(first)
    gaps = np.concatenate(
        [np.diff(plan.turn_start[order][topics == k]) for k in range(plan.topics)]
    )
    assert np.quantile(gaps, 0.99) > 50 * np.median(gaps)  # most revisits soon, some very late
