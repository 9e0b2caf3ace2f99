"""Quality after days of silence."""

import numpy as np

from hebb_lab.plots.lifecycles.series import Series
from hebb_lab.plots.lifecycles.silence import draw
from tests.plots.looking import outside, overlapping, words

DAYS = np.array([1.0, 10.0, 100.0])
TITLE = "nDCG@10 after days of silence, by strategy and system"
ABOUT = "locomo · n = 768 questions in 10 conversations"


def line(name, values, around=None):
    y = np.array(values)
    return Series(name, DAYS, y, *(() if around is None else (y - around, y + around)))


LINES = [line("documented", [0.55, 0.53, 0.48], 0.03)] + [
    line(f"a_rather_long_name_{i}", [0.54 - 0.01 * i, 0.52 - 0.01 * i, 0.47 - 0.02 * i])
    for i in range(9)
]


def test_the_axis_has_the_days_that_were_asked_and_says_where_it_begins():
    text = words(draw(LINES, "documented", "nDCG@10", TITLE, ABOUT))
    assert {"1", "10", "100"} <= set(text)
    assert any("begins at" in part and "black: documented" in part for part in text)


def test_every_arm_is_named_and_nothing_is_cut_or_covered():
    figure = draw(LINES, "documented", "nDCG@10", TITLE, ABOUT)
    assert {each.name for each in LINES} <= set(words(figure))
    assert outside(figure) == []
    assert overlapping(figure) == []


def test_low_values_are_read_from_zero():
    (axes,) = draw([line("documented", [0.2, 0.1, 0.0])], "documented", "R@10", TITLE, ABOUT).axes
    assert axes.get_ylim()[0] == 0


def test_an_arm_without_any_value_has_no_end_and_harms_no_other():
    lines = [*LINES[:2], line("failed", [np.nan] * 3)]
    assert "failed" not in words(draw(lines, "documented", "R@10", TITLE, ABOUT))
    assert outside(draw([line("failed", [np.nan] * 3)], "documented", "R@10", TITLE, ABOUT)) == []


def test_more_lines_than_colours_repeat_them_dashed():
    many = [line(f"arm_{i}", [0.5, 0.4, 0.3]) for i in range(10)]
    (axes,) = draw(many, "none", "R@10", TITLE, ABOUT).axes
    looks = [(part.get_color(), part.get_linestyle()) for part in axes.lines]
    assert len(set(looks)) == len(looks)


def test_the_base_has_a_band_where_it_has_an_interval_and_the_key_says_so():
    figure = draw(LINES, "documented", "nDCG@10", TITLE, ABOUT)
    assert len(figure.axes[0].collections) == 1
    bare = draw([line("documented", [0.5, 0.4, 0.3])], "documented", "R@10", TITLE, ABOUT)
    assert len(bare.axes[0].collections) == 0
    assert not any("band" in part for part in words(bare))


def test_a_third_line_of_the_heading_does_not_run_into_the_axes():
    figure = draw(LINES, "documented", "nDCG@10", TITLE, f"{ABOUT}\nthe same values: off, on")
    assert outside(figure) == []
    assert overlapping(figure) == []
