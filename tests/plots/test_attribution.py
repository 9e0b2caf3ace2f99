"""Contributions as bars; a ladder's bars stand on each other."""

import pytest

from hebb_lab.plots.attribution import Part, draw
from tests.plots.looking import outside, overlapping, words

ABOUT = "simulated · first_touch · n = 160 queries, 40 sessions"
PARTS = [
    Part("decay", 0.031, (0.02, 0.043)),
    Part("two_hops", -0.018, (-0.03, -0.006)),
    Part("event_weight", 0.045, (0.03, 0.06)),
    Part("hub_factor", 0.004, (-0.004, 0.012)),
    Part("transitions", 0.0),
]


def bars(figure):
    return [(bar.get_x(), bar.get_width()) for bar in figure.axes[0].patches]


def names(figure):
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


@pytest.mark.parametrize("method", ["shapley", "leave_one_out"])
def test_the_largest_contribution_comes_first_from_zero(method):
    figure = draw(PARTS, method, "any@10", ABOUT)
    assert names(figure) == ["event_weight", "decay", "hub_factor", "transitions", "two_hops"]
    assert [start for start, _ in bars(figure)] == [0] * 5


def test_a_ladder_keeps_its_order_and_climbs_from_its_start():
    figure = draw(PARTS, "ladder", "any@10", ABOUT, start=0.3)
    assert names(figure) == [part.name for part in PARTS]
    assert [round(start, 3) for start, _ in bars(figure)] == [0.3, 0.331, 0.313, 0.358, 0.362]
    assert any("starts at 0.300" in t for t in words(figure))


def test_a_contribution_that_may_be_none_is_pale():
    figure = draw(PARTS, "shapley", "any@10", ABOUT)
    pale = [bar.get_alpha() < 1 for bar in figure.axes[0].patches]
    assert pale == [False, False, True, False, False]


@pytest.mark.parametrize("method", ["shapley", "leave_one_out", "ladder", "one_change"])
def test_no_text_is_cut_or_covers_another(method):
    figure = draw(PARTS, method, "any@10", ABOUT, start=0.3)
    assert outside(figure) == []
    assert overlapping(figure) == []
