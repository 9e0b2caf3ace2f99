"""What is kept, day by day."""

import numpy as np

from hebb_lab.plots.lifecycles.retention import Retained, draw
from tests.plots.looking import outside, overlapping, words

DAYS = np.arange(0, 366.0)
ABOUT = "locomo · 5,882 memories, threshold 0.01"


def kept(days, needed=True):
    share = np.clip(1.5 - DAYS / (5 * days), 0, 1)
    return Retained(f"half_life_{days}d", DAYS, share, share if needed else None)


def test_what_is_needed_later_has_a_panel_of_its_own():
    figure = draw([kept(7), kept(30), kept(90)], "half_life_30d", ABOUT)
    assert len(figure.axes) == 2
    assert outside(figure) == []
    assert overlapping(figure) == []


def test_without_anything_needed_there_is_one_panel():
    figure = draw([kept(30, needed=False)], None, ABOUT)
    assert len(figure.axes) == 1
    assert words(figure).count("half_life_30d") == 1
    assert outside(figure) == []


def test_nothing_kept_and_no_rule_set_are_drawn_too():
    nothing = Retained("all gone", DAYS, np.zeros(366), np.zeros(366))
    assert outside(draw([nothing], None, ABOUT)) == []
    assert outside(draw([], None, ABOUT)) == []
