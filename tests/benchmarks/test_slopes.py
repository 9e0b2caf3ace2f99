"""The slope of growth, of numbers that are known."""

import time

import pytest

from tests.benchmarks.slopes import seconds_of, slope, upper


@pytest.mark.parametrize("power", [0.5, 1.0, 1.3])
def test_the_slope_is_the_power_of_the_law(power):
    assert slope([(n, 3 * n**power) for n in (10, 100, 1000)]) == pytest.approx(power)


def test_only_the_upper_two_decades_count():
    points = [(10, 5.0), (100, 5.0), (1000, 1.0), (10_000, 10.0), (100_000, 100.0)]
    assert [work for work, _ in upper(points)] == [1000, 10_000, 100_000]
    assert slope(points) == pytest.approx(1.0)


def test_a_short_call_is_repeated_and_a_long_one_is_not():
    calls = []
    assert seconds_of(lambda: calls.append(1)) < 1e-3
    assert len(calls) > 100
    calls.clear()
    seconds_of(lambda: (calls.append(1), time.sleep(0.06)))
    assert len(calls) == 1
