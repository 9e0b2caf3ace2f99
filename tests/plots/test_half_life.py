"""Half-lives on a log axis, no decay at infinity."""

import pytest

from hebb_lab.plots.half_life import Level, Point, draw
from tests.plots.looking import outside, overlapping, words

ABOUT = "simulated · first_touch · n = 160 queries, 40 sessions"
POINTS = [
    Point("half_life_30d", 30, 0.769, (0.74, 0.80)),
    Point("half_life_none", None, 0.738, (0.71, 0.77)),
    Point("half_life_1d", 1, 0.669, (0.64, 0.70)),
    Point("half_life_7d", 7, 0.762, (0.73, 0.79)),
]


def marks(figure):
    """(x, y) of every arm's mark from left to right."""
    lines = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    return sorted((line.get_xdata()[0], line.get_ydata()[0]) for line in lines)


def test_arms_stand_at_their_half_life_and_no_decay_to_the_right_of_all():
    found = dict(marks(draw(POINTS, "half_life_7d", "any@10", ABOUT)))
    assert {1: 0.669, 7: 0.762, 30: 0.769}.items() <= found.items()
    assert found[max(found)] == 0.738
    assert max(found) > 30


def test_the_line_joins_half_lives_in_order_and_leaves_no_decay_out():
    figure = draw(POINTS, "half_life_7d", "any@10", ABOUT)
    assert any(list(line.get_xdata()) == [1, 7, 30] for line in figure.axes[0].lines)


def test_the_base_is_ringed_once():
    text = words(draw(POINTS, "half_life_7d", "any@10", ABOUT))
    assert sum("base" in t for t in text) == 1


@pytest.mark.parametrize("points", [POINTS, POINTS[:1], POINTS[1:2], POINTS[:2]])
def test_no_text_is_cut_or_covers_another(points):
    figure = draw(points, "half_life_7d", "any@10", ABOUT)
    assert outside(figure) == []
    assert overlapping(figure) == []


LEVELS = [
    Level("half_life_fitted", 0.70, (0.66, 0.73)),
    Level("mine,\nother\n(not identifiable)", 0.702, (0.66, 0.79)),
]


def test_an_arm_with_fitted_half_lives_is_a_line_across_with_its_interval_and_name():
    figure = draw(POINTS, "half_life_7d", "any@10", ABOUT, levels=LEVELS[:1])
    lines = figure.axes[0].lines
    assert any(list(line.get_ydata()) == [0.70, 0.70] for line in lines)
    assert any(tuple(line.get_ydata()) == (0.66, 0.73) for line in lines)
    text = words(figure)
    assert "0.700\nhalf_life_fitted" in text
    assert any("dotted: fitted half-lives" in each for each in text)


@pytest.mark.parametrize("count", [1, 2])
def test_no_text_of_a_line_across_is_cut_or_covers_another(count):
    figure = draw(POINTS, "half_life_7d", "any@10", ABOUT, levels=LEVELS[:count])
    assert outside(figure) == []
    assert overlapping(figure) == []


def test_the_axis_has_room_for_the_interval_of_a_line_across():
    far = Level("far", 0.2, (0.15, 0.25))
    low, high = draw(POINTS, "half_life_7d", "any@10", ABOUT, levels=[far]).axes[0].get_ylim()
    assert low <= 0.15 < 0.8 <= high
