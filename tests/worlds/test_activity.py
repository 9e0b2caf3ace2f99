"""When the agent is at work, and the clock that runs with it."""

import numpy as np
import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.worlds import parameters_from
from hebb_lab.worlds.activity import DAY_US, HOUR_US, active_clock

ACTIVITIES = ["flat", "sessions", "vacations"]


def clock(activity, days=180.0, seed=0):
    parameters = parameters_from("half_lives", activity=activity, days=days)
    return active_clock(parameters, np.random.default_rng(seed)), parameters


def sessions(made, parameters):
    """[S, 2] starts and ends, µs from the start of the log."""
    start, level = made.activity
    busy = np.flatnonzero(level > 0)
    return np.stack([start[busy], start[busy + 1]], axis=1) - parameters.start_us


@pytest.mark.parametrize("days", [7.0, 30.5, 180.0])
@pytest.mark.parametrize("activity", ACTIVITIES)
def test_the_mean_activity_is_one_over_the_whole_log(activity, days):
    made, parameters = clock(activity, days)
    start, level = made.activity
    assert start[0] == parameters.start_us
    assert made.end_us() == start[-1] == parameters.start_us + round(days * DAY_US)
    assert (np.diff(start) > 0).all()
    assert np.sum(level * np.diff(start)) / DAY_US == pytest.approx(days)
    assert made.total_days() == pytest.approx(days)


@pytest.mark.parametrize("activity", ACTIVITIES)
def test_moments_and_work_done_are_each_others_inverse(activity):
    made, _ = clock(activity)
    done = np.sort(np.random.default_rng(1).random(2000)) * made.total_days()
    moments = made.moment(done)
    assert (np.diff(moments) >= 0).all()
    start, level = made.activity
    span = np.searchsorted(start, moments, side="right") - 1
    assert (level[span] > 0).all()
    assert made.done(moments) == pytest.approx(done, abs=level.max() / DAY_US)
    assert made.done(start) == pytest.approx(made.done_days)


def test_a_session_is_one_to_two_hours_of_a_work_day():
    made, parameters = clock("sessions")
    spans = sessions(made, parameters)
    length = np.diff(spans, axis=1) / HOUR_US
    assert 1.0 <= length.min() < 1.1
    assert 1.9 < length.max() <= 2.0
    day, hour = spans // DAY_US, spans % DAY_US / HOUR_US
    assert (day % 7 < 5).all()
    assert (day[:, 0] == day[:, 1]).all()
    assert hour.min() >= 9.0
    assert hour.max() <= 18.0 + 1e-9
    assert (spans[1:, 0] >= spans[:-1, 1]).all()
    per_day = np.bincount(day[:, 0])
    assert set(per_day[per_day > 0].tolist()) == {1, 2, 3, 4}
    assert (made.session_us == spans[:, 0] + parameters.start_us).all()


def test_vacations_are_whole_weeks_of_silence_three_in_each_eight():
    made, parameters = clock("vacations", days=6 * 56)
    busy = np.bincount(sessions(made, parameters)[:, 0] // (7 * DAY_US), minlength=48) > 0
    for period in busy.reshape(6, 8):
        assert period[0]
        silent = np.flatnonzero(~period)
        assert silent.tolist() == [silent[0], silent[0] + 1, silent[0] + 2]


def test_vacations_have_the_sessions_that_the_same_seed_has_without_them():
    all_of_them, _ = clock("sessions")
    kept, _ = clock("vacations")
    assert set(kept.session_us.tolist()) < set(all_of_them.session_us.tolist())


def test_a_longer_log_has_the_sessions_of_a_shorter_one():
    (short, parameters), (long, _) = clock("sessions", 60.0), clock("sessions", 120.0)
    ours, theirs = (sessions(made, parameters) for made in (short, long))
    np.testing.assert_array_equal(ours, theirs[theirs[:, 0] < 60 * DAY_US])


def test_a_session_at_the_end_is_cut():
    whole, parameters = clock("sessions", 12.0)
    begin, end = sessions(whole, parameters)[-1]
    days = (begin + (end - begin) / 2) / DAY_US
    cut, _ = clock("sessions", days)
    assert sessions(cut, parameters)[-1].tolist() == [begin, round(days * DAY_US)]


def test_a_moment_belongs_to_its_session_and_in_a_flat_log_to_its_day():
    made, _ = clock("sessions")
    middle = (made.session_us + HOUR_US // 2)[[0, 5, 9]]
    assert made.session(middle).tolist() == [0, 5, 9]
    flat, parameters = clock("flat")
    days = np.array([0, 1, 1.5, 179.99])
    moments = parameters.start_us + (days * DAY_US).astype(np.int64)
    assert flat.session(moments).tolist() == [0, 1, 1, 179]


@pytest.mark.parametrize("activity", ["sessions", "vacations"])
def test_a_log_in_whose_first_share_nobody_works_is_an_error(activity):
    with pytest.raises(ConfigError, match=rf"activity={activity} falls in the first 0\.1 days"):
        clock(activity, days=0.2)
