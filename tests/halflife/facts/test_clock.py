"""Clocks: against counting by hand, and as laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.errors import ConfigError
from hebb_lab.halflife.facts.clock import CLOCKS, clock_of
from tests.halflife.made import QUIET

DAY_US = 86_400_000_000
HOUR_US = DAY_US // 24
times = st.lists(st.integers(0, 400 * 24), min_size=1, max_size=30).map(
    lambda hours: np.unique(np.array(hours, np.int64) * HOUR_US)
)


def days(*numbers):
    return np.round(np.array(numbers) * DAY_US).astype(np.int64)


def test_wall_time_counts_days_from_the_first_recall_and_goes_on_beyond_the_last():
    clock = clock_of("wall", days(3.5, 7, 100))
    assert clock.read(days(3.5, 4, 100, 1000.25)) == pytest.approx([0, 0.5, 96.5, 996.75])
    assert clock.unit == "days"


def test_wall_time_is_exact_to_the_microsecond_after_three_years():
    first = 1_767_571_200_000_123
    clock = clock_of("wall", np.array([first]))
    later = first + 1000 * DAY_US + 1
    assert (clock.read(np.array([later]))[0] - 1000.0) * DAY_US == pytest.approx(1, abs=0.01)


def active_days_by_hand(recall_us, time_us):
    """Whole and partial days with a recall in them between the first recall and a moment."""
    total = 0.0
    for day in sorted(set((recall_us // DAY_US).tolist())):
        first = max(day * DAY_US, int(recall_us[0]))
        total += max(0, min(time_us, (day + 1) * DAY_US) - first) / DAY_US
    return total


@QUIET
@given(times)
def test_active_days_leave_out_the_days_without_a_recall(recall_us):
    clock = clock_of("active_days", recall_us)
    expected = [active_days_by_hand(recall_us, int(t)) for t in recall_us]
    assert clock.read(recall_us) == pytest.approx(expected, abs=1e-9)


def test_active_days_stand_through_a_silence_and_run_at_full_speed_in_a_day_of_work():
    clock = clock_of("active_days", days(0.25, 0.75, 9.5, 10.5))
    assert clock.read(days(1, 2, 8.9, 9)) == pytest.approx([0.75] * 4)
    assert clock.read(days(9.5)) - clock.read(days(9.25)) == pytest.approx(0.25)


def test_sessions_advance_by_one_from_the_start_of_one_to_the_start_of_the_next():
    clock = clock_of("sessions", days(0, 1), days(30, 0, 10))  # in any order
    assert clock.read(days(0, 5, 10, 20, 30)) == pytest.approx([0, 0.5, 1, 1.5, 2])
    assert clock.unit == "sessions"


def test_sessions_that_begin_at_one_moment_all_count():
    clock = clock_of("sessions", days(0, 1), days(0, 10, 10, 20))
    assert clock.read(days(0, 10, 20)) == pytest.approx([0, 1, 3])


@QUIET
@given(times, st.sampled_from(CLOCKS), st.lists(st.integers(-50 * 24, 900 * 24), min_size=2))
def test_no_clock_ever_falls(recall_us, name, hours):
    moments = np.sort(np.array(hours, np.int64)) * HOUR_US
    shown = clock_of(name, recall_us, days(0, 3, 3, 200)).read(moments)
    assert (np.diff(shown) >= -1e-9).all()


@QUIET
@given(times.filter(lambda t: len(t) > 1), st.sampled_from(CLOCKS))
def test_every_clock_goes_on_beyond_the_log_at_its_mean_speed(recall_us, name):
    clock = clock_of(name, recall_us, days(0, 3, 200))
    last = int(clock.knots_us[-1])
    mean = (clock.readings[-1] - clock.readings[0]) / ((last - int(clock.knots_us[0])) / DAY_US)
    ahead = clock.read(np.array([last + 10 * DAY_US])) - clock.read(np.array([last]))
    assert ahead[0] == pytest.approx(10 * mean)


def test_before_the_log_every_clock_stands():
    for name in CLOCKS:
        clock = clock_of(name, days(100, 101), days(100, 101))
        assert len(set(clock.read(days(0, 50, 99)).tolist())) == 1


def test_an_unknown_clock_is_refused_with_the_names_of_the_others():
    with pytest.raises(ConfigError, match="wall, active_days, sessions"):
        clock_of("lunar", days(0))


@pytest.mark.parametrize("sessions", [None, days(4), days(4, 4)])
def test_one_session_makes_no_clock(sessions):
    with pytest.raises(ConfigError, match="fewer than two sessions"):
        clock_of("sessions", days(0, 1), sessions)
