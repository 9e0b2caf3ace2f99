"""Every arm has a row, in order, and says when it failed or changed nothing."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.plots.effects import Effect, Reading
from hebb_lab.plots.forest import draw
from hebb_lab.plots.style import BLUE, QUIET, VERMILION
from tests.plots.looking import outside, overlapping, words

ABOUT = "simulated · first_touch · n = 160 queries, 40 sessions"
EFFECTS = [
    Effect("random", "floor", 0.12, -0.64, (-0.66, -0.62), 0.001),
    Effect("dense", "floor", status="failed"),
    Effect("bm25", "floor", 0.64, -0.12, (-0.15, -0.09), 0.001),
    Effect("half_life_3d", "half_life", 0.75, -0.01, (-0.03, 0.01), 0.4),
    Effect("half_life_30d", "half_life", 0.8, 0.04, (0.02, 0.06), 0.01),
    Effect("potentiation_off", "synapse", 0.76, 0.0, (0.0, 0.0), 1.0, inert=True),
    Effect("oracle", "ceiling", 0.93, 0.17, (0.14, 0.19), 0.001),
]


def forest(effects=EFFECTS, base_value=0.76):
    return draw(effects, "half_life_7d", base_value, "any@10", ABOUT)


def rows(figure):
    """Arm names from top to bottom."""
    ax = figure.axes[0]
    names = [t for t in ax.texts if t.get_position()[0] == -0.02]
    return [t.get_text() for t in sorted(names, key=lambda t: t.get_position()[1])]


def test_the_best_of_a_group_comes_first_and_the_failed_last():
    assert rows(forest()) == [
        "bm25", "random", "dense", "half_life_30d", "half_life_3d", "potentiation_off", "oracle",
    ]  # fmt: skip


def test_failed_and_inert_arms_say_so_and_get_no_interval():
    text = words(forest())
    assert "failed: see its traceback" in text
    assert "inert: ranks as the base does" in text
    failed, inert = (draw([e], "b", 0.5, "any@10", ABOUT) for e in (EFFECTS[1], EFFECTS[5]))
    assert not [line for line in failed.axes[0].lines if line.get_linewidth() == 2.0]
    assert not [line for line in inert.axes[0].lines if line.get_linewidth() == 2.0]


@pytest.mark.parametrize(
    ("delta", "p", "colour"),
    [(0.1, 0.049, BLUE), (-0.1, 0.049, VERMILION), (0.1, 0.05, QUIET), (0.1, None, QUIET)],
)
def test_only_what_holds_after_correction_has_a_colour(delta, p, colour):
    assert Reading().colour(Effect("a", "x", 0.5, delta, (delta, delta), p)) == colour


def test_numbers_stand_beside_the_intervals_with_a_true_minus():
    text = words(forest())
    assert {"0.640", "−0.120", "+0.040", "0"} <= set(text)
    assert any("half_life_7d (0.760)" in t for t in text)


def test_far_floors_are_cut_with_an_arrow_so_that_the_rest_can_be_seen():
    figure = forest()
    ax = figure.axes[0]
    assert ax.get_xlim()[0] > -0.64
    assert [line.get_marker() for line in ax.lines].count("<") == 1
    assert any("arrows: beyond the axis" in t for t in words(figure))
    assert not any("arrows" in t for t in words(forest(EFFECTS[3:5])))


def test_no_text_is_cut_or_covers_another():
    many = [
        Effect(f"{e.arm}_with_a_long_name_{i}", e.group, e.value, e.delta, e.interval, e.p)
        for i in range(5)
        for e in EFFECTS
        if e.status == "ok"
    ]
    for effects in (EFFECTS, many):
        assert outside(forest(effects)) == []
        assert overlapping(forest(effects)) == []


@pytest.mark.parametrize("low", [-0.125, -0.082, -0.0031, 0.0])
@pytest.mark.parametrize(
    "arm", ["a", "an_arm_with_a_very_long_name_indeed_that_leaves_little_room"]
)
def test_tick_labels_keep_apart_and_are_more_than_one(low, arm):
    figure = forest([Effect(arm, "x", 0.5, low, (low * 1.1, -low * 0.4), 0.5)])
    figure.canvas.draw()
    axis = figure.axes[0].xaxis
    first, last = axis.get_view_interval()
    labels = [t.label1 for t in axis.get_major_ticks() if first <= t.get_loc() <= last]
    boxes = [label.get_window_extent() for label in labels]
    assert 2 <= len(boxes) <= 6
    assert all(b.x0 - a.x1 > 4 for a, b in pairwise(boxes))


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(0, 0.2)), max_size=5))
def test_any_effects_can_be_drawn_around_a_zero_that_is_in_view(pairs):
    effects = [Effect(f"a{i}", "x", 0.5, d, (d - w, d + w), 0.5) for i, (d, w) in enumerate(pairs)]
    low, high = forest(effects).axes[0].get_xlim()
    assert low < 0 < high


def test_an_arm_with_one_cluster_has_a_mark_without_an_interval():
    figure = forest([Effect("a", "x", 0.5, 0.1, None, None)], base_value=None)
    assert "+0.100" in words(figure)
    assert [line.get_marker() for line in figure.axes[0].lines].count("o") == 1
