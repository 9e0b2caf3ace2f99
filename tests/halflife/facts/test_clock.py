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
    """Time from the first recall of each day to its end, as far as a moment has come."""
    total = 0.0
    for day in sorted(set((recall_us // DAY_US).tolist())):
        first = int(recall_us[recall_us // DAY_US == day].min())
        total += max(0, min(time_us, (day + 1) * DAY_US) - first) / DAY_US
    return total


@QUIET
@given(times)
def test_active_days_leave_out_what_has_no_recall_before_it_in_the_day(recall_us):
    clock = clock_of("active_days", recall_us)
    expected = [active_days_by_hand(recall_us, int(t)) for t in recall_us]
    assert clock.read(recall_us) == pytest.approx(expected, abs=1e-9)


@QUIET
@given(times.filter(lambda t: len(t) > 2), st.sampled_from(CLOCKS))
def test_no_clock_knows_what_comes_after_a_moment(recall_us, name):
    cut = int(recall_us[len(recall_us) // 2])
    sessions = np.sort(np.concatenate([recall_us[::2], recall_us[:1] + 1, recall_us[:1] + 2]))
    moments = np.linspace(int(recall_us[0]) + 2, cut, 9).astype(np.int64)
    whole = clock_of(name, recall_us, sessions)
    part = clock_of(name, recall_us[recall_us <= cut], sessions[sessions <= cut])
    np.testing.assert_array_equal(part.read(moments), whole.read(moments))


def test_active_days_stand_through_a_silence_and_run_at_full_speed_after_a_days_first_recall():
    clock = clock_of("active_days", days(0.25, 0.75, 9.5, 10.5))
    assert clock.read(days(1, 2, 8.9, 9, 9.5)) == pytest.approx([0.75] * 5)
    assert clock.read(days(9.75)) - clock.read(days(9.5)) == pytest.approx(0.25)


def test_sessions_advance_by_one_when_one_begins():
    clock = clock_of("sessions", days(0, 1), days(30, 0, 10))  # in any order
    assert clock.read(days(0, 5, 10, 20, 30, 99)) == pytest.approx([0, 0, 1, 1, 2, 2])
    assert clock.unit == "sessions"


def test_sessions_that_begin_at_one_moment_all_count():
    clock = clock_of("sessions", days(0, 1), days(0, 10, 10, 20))
    assert clock.read(days(0, 10, 20)) == pytest.approx([0, 2, 3])


@QUIET
@given(times, st.sampled_from(CLOCKS), st.lists(st.integers(-50 * 24, 900 * 24), min_size=2))
def test_no_clock_ever_falls(recall_us, name, hours):
    moments = np.sort(np.array(hours, np.int64)) * HOUR_US
    shown = clock_of(name, recall_us, days(0, 3, 3, 200)).read(moments)
    assert (np.diff(shown) >= -1e-9).all()


def test_beyond_the_log_wall_time_goes_on_and_the_others_wait_for_work():
    for name, more in (("wall", 10.0), ("active_days", 0.0), ("sessions", 0.0)):
        clock = clock_of(name, days(0, 3.5), days(0, 3))
        later = clock.read(days(20)) - clock.read(days(10))
        assert later == pytest.approx(more)


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
