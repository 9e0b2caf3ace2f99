"""Round numbers on log axes, and half-lives in words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.plots.half_lives.axes import (
    half_life_words,
    log_axis,
    log_places,
    nothing,
    number,
    reach,
)
from hebb_lab.plots.style import canvas, place, sheet, styled
from tests.plots.looking import overlapping, words

POSITIVE = st.floats(1e-7, 1e7)


@given(POSITIVE, st.floats(2, 1e9), st.integers(2, 12))
def test_ticks_lie_inside_are_few_and_there_is_at_least_one(low, times, most):
    ticks = log_places(low, low * times, most)
    assert 1 <= len(ticks) <= most
    assert ticks == sorted(ticks)
    assert ticks[0] >= low * (1 - 1e-6)
    assert ticks[-1] <= low * times * (1 + 1e-6)


@pytest.mark.parametrize("high", [0.002, 1.0, 3000.0])
def test_ticks_of_a_log_axis_do_not_cover_each_other(high):
    figure, ax = canvas(2.0, None, width=5.0)
    log_axis(ax, "x", 0.001, high, most=7)
    assert overlapping(figure) == []


@given(st.lists(st.one_of(POSITIVE, st.just(np.nan), st.just(0.0), st.just(np.inf)), max_size=6))
def test_an_axis_reaches_over_all_that_can_be_drawn_and_is_never_empty(values):
    low, high = reach([np.array(values)], least=10)
    assert high >= 9.99 * low > 0
    shown = [value for value in values if 0 < value < np.inf]
    assert all(low * (1 - 1e-9) <= value <= high * (1 + 1e-9) for value in shown)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.000123, "0.000123"), (1000, "1,000"), (123456, "123,456"), (7.0, "7"), (0, "0")],
)
def test_numbers_have_three_digits_and_no_powers_of_ten(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("best", "interval", "text"),
    [
        (19.5, (14, 28), "19.5 d [14, 28]"),
        (61, (23, np.inf), "not identifiable above 23 days"),
        (np.inf, (23, np.inf), "not identifiable above 23 days"),
        (0.4, (0, 1.1), "not identifiable below 1.1 days"),
        (20, (0, np.inf), "not identifiable"),
        (np.nan, (0, np.inf), "not identifiable"),
        (np.nan, (np.nan, np.nan), "not identifiable"),
        (7, (np.nan, np.nan), "7 d, no interval"),
    ],
)
def test_what_the_log_cannot_tell_is_said_in_place_of_a_number(best, interval, text):
    assert half_life_words(best, interval) == text


def test_empty_axes_say_why():
    figure, ax = canvas(2.0, None)
    nothing(ax, "no pair was observed")
    assert "no pair was observed" in words(figure)


@pytest.mark.parametrize("low", [1e-11, 1e-6, 1e-3, 0.5])
@pytest.mark.parametrize("inches", [1.0, 2.0, 4.0])
def test_labels_of_a_log_axis_do_not_meet_however_many_decades_it_has(low, inches):
    with styled():
        figure = sheet(2.0)
        log_axis(place(figure, 1.0, 0.8, inches, 1.0), "x", low, 5000, most=9)
    assert overlapping(figure) == []
