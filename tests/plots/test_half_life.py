"""Half-lives on a log axis, no decay at infinity."""

import pytest

from hebb_lab.plots.half_life import Point, draw
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
