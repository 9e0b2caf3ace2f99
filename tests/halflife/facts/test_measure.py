"""Exposure: tails and harmonic sums against sums written out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.errors import ConfigError
from hebb_lab.halflife.facts.measure import measure_of
from hebb_lab.halflife.facts.sums import tails_of
from tests.halflife.made import QUIET

gaps = st.lists(
    st.sampled_from([0.0, 0.0, 1e-5, 0.01, 0.5, 3.0, 40.0, 900.0]), min_size=0, max_size=25
)
half_lives = st.sampled_from([1e-15, 1e-3, 0.02, 0.7, 20.0, 2000.0, 1e9, np.inf])


def readings(steps):
    return np.concatenate([[0.0], np.cumsum(steps)])


@QUIET
@given(gaps, half_lives)
def test_a_tail_is_the_sum_over_all_later_recalls(steps, half_life):
    reading = readings(steps)
    found = tails_of(reading, half_life)
    expected = [
        np.exp2(-(reading[a + 1 :] - reading[a]) / half_life).sum() for a in range(len(reading))
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-200)


def test_a_tail_over_a_long_log_neither_overflows_nor_loses_digits():
    rng = np.random.default_rng(0)
    reading = np.cumsum(rng.exponential(0.3, 4000) * (1 + 300 * (rng.random(4000) < 0.01)))
    at = rng.choice(4000, 60)
    for half_life in (1e-3, 0.02, 1.0, 30.0, 2000.0):
        found = tails_of(reading, half_life)[at]
        expected = [np.exp2((reading[a] - reading[a + 1 :]) / half_life).sum() for a in at]
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-200)


def test_what_fades_over_time_is_the_integral():
    from scipy.integrate import quad

    measure = measure_of("none", np.array([0.0, 5.0]))
    for half_life in (0.3, 7.0):
        area = quad(lambda s, h=half_life: 2 ** (-s / h), 0, 60 * half_life)[0]
        whole = measure.faded(half_life)(np.array([2.0]), np.array([2.0 + 60 * half_life]))
        assert whole == pytest.approx(area)
        assert measure.steady() is measure


def test_the_recalls_that_count_begin_after_birth_or_with_entry_and_end_before_until():
    reading = np.array([0.0, 1.0, 4.0, 4.0, 9.0])
    measure = measure_of("recalls", reading)
    assert measure.stop(4) - measure.position(np.array([1])) == 2  # recalls 2 and 3
    assert measure.stop(4) - measure.entry(1) == 3  # 1, 2 and 3
    assert measure.moment(np.array([2]), np.array([3.5])) == 1  # the last before it
    assert measure.position_at(np.array([3.9, 4.0, 50.0, -1.0])).tolist() == [1, 3, 4, -1]
    assert measure.time(np.array([2.0])) == 4


def test_time_that_counts_runs_from_moment_to_moment():
    measure = measure_of("none", np.array([0.0, 1.0, 4.0]))
    assert measure.stop(2) == 4.0
    assert measure.stop(3) == 4.0  # the log ends with its last recall
    assert measure.entry(1) == 1.0
    assert measure.position(np.array([2])) == 4.0
    assert measure.moment(np.array([2]), np.array([3.5])) == 3.5
    assert measure.time(measure.position_at(np.array([2.5]))) == 2.5


@QUIET
@given(st.floats(0.01, 1e4), st.integers(0, 300))
def test_harmonic_sums_over_recalls_are_sums_of_reciprocals(first, count):
    measure = measure_of("recalls", np.array([0.0]))
    found = measure.harmonic(np.array([first]), np.array([first + count]))
    expected = sum(1 / (first + k) for k in range(count))
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_the_harmonic_integral_over_time_is_a_logarithm():
    measure = measure_of("none", np.array([0.0]))
    assert measure.harmonic(np.array([2.0]), np.array([5.0])) == pytest.approx(np.log(2.5))


def test_an_unknown_activity_is_refused():
    with pytest.raises(ConfigError, match="recalls, none"):
        measure_of("steps", np.array([0.0]))


@QUIET
@given(gaps, half_lives, st.integers(0, 25), st.integers(0, 25))
def test_a_sum_between_two_recalls_is_the_sum_written_out(steps, half_life, one, other):
    reading = readings(steps)
    start, stop = sorted((one % len(reading), other % len(reading)))
    expected = np.exp2(-(reading[start + 1 : stop + 1] - reading[start]) / half_life).sum()
    measure = measure_of("recalls", reading)
    for each in (measure, measure.steady()):
        found = each.faded(half_life)(np.array([float(start)]), np.array([float(stop)]))
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_a_steady_sum_does_not_know_what_comes_after_it():
    rng = np.random.default_rng(1)
    reading = np.cumsum(rng.exponential(0.3, 1000))
    start = rng.integers(0, 400, 200).astype(float)
    stop = start + rng.integers(0, 100, 200)
    for half_life in (0.02, 3.0, 2000.0):
        whole = measure_of("recalls", reading).steady().faded(half_life)(start, stop)
        part = measure_of("recalls", reading[:500]).steady().faded(half_life)(start, stop)
        assert (whole == part).all()


@pytest.mark.parametrize("half_life", [3.0, 30.0, 300.0])
@pytest.mark.parametrize("activity", ["recalls", "none"])
@pytest.mark.parametrize("length", [0, 3, 8, 9, 60, 5_000])
def test_strata_tile_an_exposure_and_sum_what_fades_within_a_per_cent(activity, length, half_life):
    measure = measure_of(activity, np.arange(6_000.0))
    start, stop = np.array([4.0]), np.array([4.0 + length])
    total = faded = 0.0
    for position, share in measure.strata(start, stop):
        assert (position >= start).all()
        assert (position <= stop).all()
        total += share[0]
        faded += share[0] * 2.0 ** (-(position[0] - 4.0) / half_life)
    assert total == pytest.approx(length)
    if activity == "recalls":
        expected = (2.0 ** (-np.arange(1, length + 1) / half_life)).sum()
    else:
        expected = half_life / np.log(2) * (1 - 2.0 ** (-length / half_life))
    assert faded == pytest.approx(expected, rel=0.01, abs=1e-9)
