"""Labels keep apart, files repeat, and nobody's settings are touched."""

import warnings

import matplotlib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.plots.style import canvas, heading, save, signed, spread, styled

PLACES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(PLACES)
def test_labels_stand_apart_in_order_and_inside(places):
    moved = spread(places, gap=0.05, low=0, high=1)
    assert moved.min() >= -1e-9
    assert moved.max() <= 1 + 1e-9
    order = np.argsort(places, kind="stable")
    assert (np.diff(moved[order]) >= 0.05 - 1e-9).all()


@given(PLACES)
def test_labels_with_room_enough_stay_where_they_are(places):
    apart = [i * 0.08 + p * 0.01 for i, p in enumerate(places)]
    assert spread(apart, gap=0.05, low=0, high=1) == pytest.approx(apart)


def test_more_labels_than_room_share_what_there_is():
    moved = spread([0.5] * 11, gap=0.5, low=0, high=1)
    assert moved == pytest.approx(np.linspace(0, 1, 11))


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_same_figure_gives_the_same_bytes(tmp_path, ending):
    def draw(name):
        with styled():
            figure, ax = canvas(2, None)
            ax.plot([1, 2], [1, 2])
            ax.fill_between([1, 2], [0, 1], [2, 3])
            heading(figure, "title", "below")
        return save(figure, tmp_path / name / "figure", [ending])[0].read_bytes()

    assert draw("a") == draw("b")


def test_a_letter_that_the_font_lacks_is_no_warning_and_others_are_kept(tmp_path):
    with styled():
        figure, ax = canvas(2, None)
        heading(figure, "日本", "below")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        save(figure, tmp_path / "letters", ["png"])
        warnings.warn("another", UserWarning, stacklevel=1)
    assert [str(warning.message) for warning in caught] == ["another"]
    assert ax.figure is figure


def test_the_settings_of_the_user_are_left_alone():
    with matplotlib.rc_context({"font.size": 33}):
        with styled():
            assert matplotlib.rcParams["font.size"] == 10
        assert matplotlib.rcParams["font.size"] == 33


def test_zero_has_no_sign_and_what_is_no_zero_a_decimal_more():
    assert [signed(number) for number in (0.0004, -1e-9)] == ["+0.0004", "0"]
    assert [signed(number) for number in (0.0, -0.0, -0.0214)] == ["0", "0", "−0.021"]
