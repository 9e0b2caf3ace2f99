"""Quality after days of silence."""

import numpy as np

from hebb_lab.plots.lifecycles.series import Series
from hebb_lab.plots.lifecycles.silence import draw
from tests.plots.looking import outside, overlapping, words

DAYS = np.array([1.0, 10.0, 100.0])
ABOUT = "locomo · n = 768 questions in 10 conversations"


def line(name, values, around=None):
    y = np.array(values)
    return Series(name, DAYS, y, *(() if around is None else (y - around, y + around)))


LINES = [line("documented", [0.55, 0.53, 0.48], 0.03)] + [
    line(f"a_rather_long_name_{i}", [0.54 - 0.01 * i, 0.52 - 0.01 * i, 0.47 - 0.02 * i])
    for i in range(9)
]


def test_the_axis_has_the_days_that_were_asked_and_says_where_it_begins():
    text = words(draw(LINES, "documented", "nDCG@10", ABOUT))
    assert {"1", "10", "100"} <= set(text)
    assert any("begins at" in part and "black: documented" in part for part in text)


def test_every_arm_is_named_and_nothing_is_cut_or_covered():
    figure = draw(LINES, "documented", "nDCG@10", ABOUT)
    assert {each.name for each in LINES} <= set(words(figure))
    assert outside(figure) == []
    assert overlapping(figure) == []


def test_low_values_are_read_from_zero():
    (axes,) = draw([line("documented", [0.2, 0.1, 0.0])], "documented", "R@10", ABOUT).axes
    assert axes.get_ylim()[0] == 0


def test_an_arm_without_any_value_has_no_end_and_harms_no_other():
    lines = [*LINES[:2], line("failed", [np.nan] * 3)]
    assert "failed" not in words(draw(lines, "documented", "R@10", ABOUT))
    assert outside(draw([line("failed", [np.nan] * 3)], "documented", "R@10", ABOUT)) == []


def test_more_lines_than_colours_repeat_them_dashed():
    many = [line(f"arm_{i}", [0.5, 0.4, 0.3]) for i in range(10)]
    (axes,) = draw(many, "none", "R@10", ABOUT).axes
    looks = [(part.get_color(), part.get_linestyle()) for part in axes.lines]
    assert len(set(looks)) == len(looks)
