"""Rows of namespaces: bars, arrows, words and counts."""

import numpy as np
import pytest

from hebb_lab.plots.half_lives import lanes
from hebb_lab.plots.half_lives.axes import log_axis
from hebb_lab.plots.style import place, sheet
from tests.plots.half_lives.made import EIGHT, NEVER, OPEN, OPEN_ABOVE, OPEN_BELOW, SURE
from tests.plots.looking import outside, overlapping, words


def row(*estimates):
    figure = sheet(4)
    ax = place(figure, lanes.left_of(estimates), 1, lanes.width_of(estimates), 2)
    log_axis(ax, "x", 0.25, 2000, most=7)
    ax.set_ylim(len(estimates) - 0.5, -0.5)
    ax.set_yticks([])
    for number, estimate in enumerate(estimates):
        lanes.mark(ax, number, estimate, "black", thick=5)
        lanes.tell(ax, number, estimate, "black")
    return figure


@pytest.mark.parametrize(
    ("estimate", "arrows"), [(SURE, ""), (OPEN_ABOVE, ">"), (OPEN_BELOW, "<"), (OPEN, "<>")]
)
def test_an_open_end_has_an_arrow_and_a_bar_to_the_edge(estimate, arrows):
    ax = row(estimate).axes[0]
    assert {line.get_marker() for line in ax.lines} & {"<", ">"} == set(arrows)
    bar = next(line for line in ax.lines if len(line.get_xdata()) == 2)
    low = 0.25 if "<" in arrows else estimate.interval[0]
    high = 2000 if ">" in arrows else estimate.interval[1]
    assert list(bar.get_xdata()) == [low, high]


def test_where_nothing_came_back_nothing_is_drawn_and_words_say_so():
    figure = row(NEVER)
    assert not figure.axes[0].lines
    assert {"no re-activation", "0", "empty"} <= set(words(figure))


def test_words_and_counts_stand_beside_each_row():
    assert {"19.5 d [14, 28]", "1,204", "not identifiable above 23 days"} <= set(
        words(row(SURE, OPEN_ABOVE))
    )


def test_no_text_is_cut_or_covers_another():
    figure = row(*EIGHT)
    assert outside(figure) == []
    assert overlapping(figure) == []


def test_lines_are_told_apart_by_colour_and_then_by_dashes():
    looks = lanes.strokes(24)
    assert len(set(looks)) == 24
    assert len({colour for colour, _ in looks[:8]}) == 8
    assert len(lanes.strokes(40)) == 40


def test_an_estimate_beyond_the_axis_has_no_dot():
    dots = [line for line in row(EIGHT[5]).axes[0].lines if line.get_marker() == "o"]
    assert dots == []
    assert np.isinf(EIGHT[5].days)
