"""Δ loss in two panels: to the heuristic and to the rate baseline."""

import numpy as np
import pytest

from hebb_lab.plots.half_lives.forest import Difference, Score, draw
from hebb_lab.plots.style import BLUE, VERMILION
from tests.plots.half_lives.made import ABOUT, GROUPS, MODELS
from tests.plots.looking import outside, overlapping, words


def difference(value, half=0.0015):
    return Difference(value, value - half, value + half)


def score(model, value, **more):
    return Score(
        model, GROUPS.get(model, "mine"), 0.3733 + value, difference(value),
        difference(value - 0.003), **more,
    )  # fmt: skip


VALUES = dict(zip(MODELS, np.linspace(0.02, -0.008, len(MODELS)), strict=True))
ALL = [score(model, value) for model, value in VALUES.items()]
ODD = [
    score("constant", 0.9),
    score("heuristic_deployed", 0.0),
    score("frailty", -0.1, failed=True),
    Score("basis", "learned"),
    Score("hierarchical", "learned", np.nan, difference(np.nan), None),
    Score("logistic", "learned", 0.36, difference(np.nan), Difference(-0.01, np.nan, np.nan)),
    Score("of another kind", "mine", 0.36, difference(-0.01, 0.1), None),
]
CASES = {"none": [], "all": ALL, "odd": ODD, "one": ODD[3:4], "no rivals": ALL[-2:]}


def drawn(scores):
    return draw(scores, "7-day log loss", ABOUT)


def rows(figure, panel=0):
    names = [t for t in figure.axes[panel].texts if t.get_position()[0] == -0.02]
    return [t.get_text() for t in sorted(names, key=lambda t: t.get_position()[1])]


@pytest.mark.parametrize("case", CASES)
def test_no_text_is_cut_or_covers_another(case):
    figure = drawn(CASES[case])
    assert outside(figure) == []
    assert overlapping(figure) == []


def test_groups_come_in_their_order_and_the_lowest_loss_first():
    names = [name.split()[0] for name in rows(drawn(ALL[::-1]))]
    assert names[:5] == ["oracle", "recency", "moving_average", "rate", "constant"]
    assert names[-1] == "hierarchical"
    assert set(names) == set(MODELS)


def test_names_stand_once_and_both_panels_have_the_same_rows():
    figure = drawn(ALL)
    assert rows(figure, 1) == []
    left, right = figure.axes
    assert left.get_ylim() == right.get_ylim()
    marks = [
        sorted(line.get_ydata()[0] for line in ax.lines if line.get_marker() in ("o", "x"))
        for ax in (left, right)
    ]
    assert marks[0] == marks[1]


def test_better_is_blue_worse_vermilion_and_a_rival_is_the_reference_in_its_panel():
    figure = drawn([score("rate", 0.01), score("heuristic_deployed", 0.0), score("frailty", -0.01)])
    left, right = figure.axes
    colours = [line.get_color() for line in left.lines if line.get_linewidth() == 2.0]
    assert colours == [VERMILION, BLUE]
    assert words(figure).count("reference") == 2
    assert [line.get_marker() for line in right.lines].count("x") == 1


@pytest.mark.parametrize(
    ("made", "starred"),
    [
        (score("frailty", -0.01), True),
        (score("frailty", -0.001), False),
        (score("frailty", -0.01, failed=True), False),
        (score("oracle", -0.01), False),
        (Score("frailty", "learned", 0.3, difference(-0.01), difference(0.01)), False),
        (Score("frailty", "learned", 0.3, difference(-0.01), None), False),
        (Score("frailty", "learned", 0.3, difference(-0.01), Difference(-1, -2, np.nan)), False),
    ],
)
def test_a_star_needs_a_learned_model_below_zero_in_both_panels(made, starred):
    assert rows(drawn([made]))[0].endswith("★") == starred


def test_models_without_a_score_and_failed_ones_come_last_and_say_so():
    figure = drawn(ODD)
    text = words(figure)
    assert text.count("failed") == 2
    assert text.count("no score") == 4
    assert any("failed: scored as namespace_defaults" in t for t in text)
    assert not any("failed" in t for t in words(drawn(ALL)))


def test_numbers_have_four_decimals_and_the_level_is_told():
    text = words(draw([score("basis", -0.0042)], "7-day log loss", ABOUT, level=95))
    assert {"0.3691", "−0.0042", "−0.0072"} <= set(text)
    assert any("95 % interval" in t for t in text)


def test_without_any_model_it_says_so():
    assert "no model was scored" in words(drawn([]))


def test_without_intervals_the_heading_says_why_and_no_star_is_explained():
    bare = [Score("frailty", "learned", 0.3, *[Difference(-0.1, np.nan, np.nan)] * 2)]
    figure = draw(bare, "7-day log loss", ABOUT, silent="3 projects, and an interval needs 8")
    text = "\n".join(words(figure))
    assert "no interval: 3 projects" in text
    assert "★" not in text
    assert "% interval" not in text


def test_a_rival_that_nothing_is_compared_with_has_no_panel():
    alone = [Score("frailty", "learned", 0.3, None, difference(-0.01))]
    figure = drawn(alone)
    assert [ax.get_xlabel() for ax in figure.axes] == ["Δ to rate"]
    assert rows(figure) == ["frailty"]
    assert outside(figure) == []


@pytest.mark.parametrize("size", [1e-1, 1e-3, 3e-5, 2e-6])
def test_tick_labels_do_not_meet_on_an_axis_however_small(size):
    made = [
        Score(m, "learned", size, Difference(-size, -2 * size, -size / 2), difference(0.01))
        for m in ("frailty_active_days", "basis")
    ]
    figure = draw(made, "7-day log loss", ABOUT, decimals=6)
    assert overlapping(figure) == []
    assert outside(figure) == []


@pytest.mark.parametrize("decimals", [4, 5, 7])
def test_more_digits_make_the_figure_wider_and_cover_nothing(decimals):
    figure = draw(ALL, "1-day log loss", ABOUT, decimals=decimals)
    assert outside(figure) == []
    assert overlapping(figure) == []
