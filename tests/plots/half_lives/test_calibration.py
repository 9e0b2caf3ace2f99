"""Predicted against observed: log axes where they are wide, a panel each where there are many."""

import numpy as np
import pytest
from matplotlib.text import Annotation

from hebb_lab.plots.half_lives.calibration import Calibration, draw
from hebb_lab.plots.half_lives.models import look_of
from tests.plots.half_lives.made import ABOUT, MODELS, of_colour
from tests.plots.looking import outside, overlapping, words

EDGES = np.geomspace(1e-4, 1, 21)


def curve(model, predicted=(0.004, 0.02, 0.1, 0.4), observed=(0.006, 0.01, 0.12, 0.3), ici=0.012):
    p, y = np.array(predicted), np.array(observed)
    rows = np.arange(20) * 1000
    return Calibration(model, p, y, y * 0.8, y * 1.2 + 0.002, EDGES, rows, ici)


NAN = np.full(4, np.nan)
EMPTY = Calibration("stability", NAN, NAN, NAN, NAN, EDGES, np.zeros(20, dtype=np.int64))
ONE = curve("constant", [0.05], [0.052], None)
NONE_SEEN = curve("rate", observed=(0.0, 0.0, 0.12, 0.3))
HOLES = curve("frailty", predicted=(0.004, np.nan, 0.1, 0.4), observed=(0.0, 0.3, np.nan, 0.3))
CASES = {
    "none": [],
    "one point": [ONE],
    "no rows": [EMPTY],
    "two": [curve("rate"), NONE_SEEN],
    "four": [curve(model) for model in MODELS[7:11]],
    "five": [EMPTY, ONE, NONE_SEEN, HOLES, curve("oracle")],
    "all": [curve(model) for model in MODELS],
}


CLOCKED = tuple(
    f"{m}_{c}" for m in ("hierarchical", "frailty") for c in ("active_days", "sessions")
)


def test_long_names_do_not_meet_and_the_distance_stands_off_the_data():
    figure = draw([curve(model) for model in (*MODELS, *CLOCKED)], 1, ABOUT)
    assert overlapping(figure) == []
    assert "Is it calibrated? Re-activated within 1 day" in words(figure)
    below = [t for t in figure.findobj(Annotation) if t.get_text() == "ICI 0.012"]
    assert len(below) == len(MODELS) + len(CLOCKED)
    assert {t.xy[1] for t in below} == {1}


@pytest.mark.parametrize("case", CASES)
def test_no_text_is_cut_or_covers_another(case):
    figure = draw(CASES[case], 7, ABOUT)
    assert outside(figure) == []
    assert overlapping(figure) == []


@pytest.mark.parametrize(
    ("predicted", "scale"), [((0.02, 0.1, 0.15, 0.5), "log"), ((0.2, 0.3, 0.4, 0.7), "linear")]
)
def test_axes_are_logs_where_probabilities_span_more_than_a_decade(predicted, scale):
    ax, strip = draw([curve("rate", predicted, predicted)], 7, ABOUT).axes
    assert [ax.get_xscale(), ax.get_yscale(), strip.get_xscale()] == [scale] * 3
    assert ax.get_xlim() == ax.get_ylim() == strip.get_xlim()


@pytest.mark.parametrize("count", [1, 4, 5, 17])
def test_more_than_four_models_have_a_panel_each_with_a_strip_below(count):
    figure = draw([curve(model) for model in MODELS[:count]], 7, ABOUT)
    assert len(figure.axes) == 2 * (count if count > 4 else 1)
    assert {model for model in MODELS[:count] if any(model in t for t in words(figure))} == set(
        MODELS[:count]
    )


def test_the_points_drawn_are_the_points_given_and_the_diagonal_is_there():
    ax = draw([curve("rate")], 7, ABOUT).axes[0]
    line = next(line for line in of_colour(ax.lines, look_of("rate").colour))
    assert line.get_xdata().tolist() == [0.004, 0.02, 0.1, 0.4]
    assert line.get_ydata().tolist() == [0.006, 0.01, 0.12, 0.3]
    assert any(np.array_equal(line.get_xdata(), line.get_ydata()) for line in ax.lines)


def test_bins_without_an_outcome_stand_hollow_at_the_foot_of_a_log_axis():
    ax = draw([NONE_SEEN], 7, ABOUT).axes[0]
    hollow = next(line for line in ax.lines if line.get_marker() == "v")
    assert hollow.get_xdata().tolist() == [0.004, 0.02]
    assert set(hollow.get_ydata()) == {ax.get_ylim()[0]}
    assert any("hollow: none observed" in t for t in words(ax.figure))


def test_the_strip_counts_the_rows():
    strip = draw([curve("rate")], 7, ABOUT).axes[1]
    values, edges, _ = strip.patches[0].get_data()
    assert values.tolist() == (np.arange(20) * 1000).tolist()
    assert edges.tolist() == EDGES.tolist()
    assert "19,000" in words(strip.figure)


def test_a_model_without_rows_says_so():
    assert any("no row was" in t for t in words(draw(CASES["five"], 7, ABOUT)))
    assert "no row was predicted" in words(draw([], 7, ABOUT))


def test_the_scale_leaves_a_handful_of_far_rows_aside():
    far = curve("rate")
    far.rows[:3] = [1, 0, 0]
    assert draw([far], 7, ABOUT).axes[0].get_xlim()[0] > EDGES[2]
