"""Kaplan–Meier and models: steps, bands, names and numbers at risk."""

import numpy as np
import pytest

from hebb_lab.plots.half_lives.models import LEADING
from hebb_lab.plots.half_lives.survival import Observed, Predicted, draw
from hebb_lab.plots.style import BLACK, FAINT
from tests.plots.half_lives.made import ABOUT, MODELS, of_colour
from tests.plots.looking import outside, overlapping, words


def seen(
    days=(2.0, 5.0, 20.0, 90.0),
    survival=(0.9, 0.7, 0.5, 0.4),
    at_risk=(4000, 3100, 900, 7),
    watched=None,
):
    share = np.array(survival, dtype=float)
    return Observed(
        np.array(days, dtype=float),
        share,
        share - 0.05,
        share + 0.05,
        np.array(at_risk, dtype=np.int64),
        (days[-1] if days else np.nan) if watched is None else watched,
    )


def models(names, last=90.0, level=0.4):
    days = np.linspace(0, last, 50)
    return [
        Predicted(name, days, 1 - (1 - level - 0.005 * i) * days / last)
        for i, name in enumerate(names)
    ]


NOTHING = seen((), (), ())
LONG = seen((0.001, 0.1, 5.0, 400.0), at_risk=(1_234_567, 1_100_000, 90_000, 5))
HOLES = Predicted("basis", np.linspace(0, 90, 10), np.array([1, 0.9] + [np.nan] * 6 + [0.5, 0.4]))
CASES = {
    "nothing": (NOTHING, []),
    "nobody came back": (seen((), (), (), 60.0), models(["rate"], 60, 0.9)),
    "models alone": (NOTHING, models(["frailty"])),
    "observed alone": (seen(), []),
    "one time": (seen((3.0,), (0.0,), (1,)), models(["rate"])),
    "at once": (seen((0.0,), (0.5,), (1,)), models(["rate"])),
    "four": (seen(), models(MODELS[7:11])),
    "holes": (seen(), [HOLES, Predicted("rate", np.arange(9.0), np.full(9, np.nan))]),
    "all, together at the end": (LONG, models(MODELS, 400)),
    "hardly any": (seen(survival=(0.999, 0.998, 0.997, 0.996)), models(MODELS[:3], level=0.99)),
}


@pytest.mark.parametrize("case", CASES)
def test_no_text_is_cut_or_covers_another(case):
    figure = draw(*CASES[case], ABOUT)
    assert outside(figure) == []
    assert overlapping(figure) == []


def test_the_curve_steps_down_from_one_at_the_times_given():
    ax = draw(seen(), [], ABOUT).axes[0]
    (line,) = of_colour(ax.lines, BLACK)
    assert line.get_drawstyle() == "steps-post"
    assert line.get_ydata().tolist() == [1.0, 0.9, 0.7, 0.5, 0.4, 0.4]
    assert line.get_xdata()[1:].tolist() == [2, 5, 20, 90, 90]


def test_the_curve_goes_on_level_while_pairs_are_watched():
    (line,) = of_colour(draw(seen(watched=120.0), [], ABOUT).axes[0].lines, BLACK)
    assert (line.get_xdata()[-1], line.get_ydata()[-1]) == (120, 0.4)
    (line,) = of_colour(draw(*CASES["nobody came back"], ABOUT).axes[0].lines, BLACK)
    assert set(line.get_ydata()) == {1}


@pytest.mark.parametrize(("days", "scale"), [((1, 5, 20, 90), "linear"), ((0.1, 1, 5, 90), "log")])
def test_the_axis_is_a_log_one_beyond_two_decades(days, scale):
    assert draw(seen(days), [], ABOUT).axes[0].get_xscale() == scale


def test_numbers_at_risk_are_those_of_the_next_re_activation():
    ax = draw(seen(), [], ABOUT).axes[0]
    below = {t.xy[0]: t.get_text() for t in ax.texts if t.get_text().replace(",", "").isdigit()}
    assert below[0] == "4,000"
    assert below[20] == "900"
    assert below[40] == below[80] == "7"


def test_every_model_is_named_and_of_many_only_the_leading_are_in_colour():
    figure = draw(LONG, models(MODELS, 400), ABOUT)
    assert set(MODELS) <= set(words(figure))
    pale = of_colour(figure.axes[0].lines, FAINT)
    assert len(pale) == len(MODELS) - len(LEADING)


def test_where_most_survive_the_axis_is_cut_and_says_so():
    figure = draw(*CASES["hardly any"], ABOUT)
    assert figure.axes[0].get_ylim()[0] > 0.8
    assert any("the axis of shares begins at" in t for t in words(figure))
    assert draw(*CASES["four"], ABOUT).axes[0].get_ylim()[0] == 0


def test_what_comes_back_at_the_same_moment_does_not_stretch_the_axis():
    ties = seen((1e-11, 1e-10, 0.5, 400.0), (0.96, 0.95, 0.8, 0.4), (9000, 8000, 700, 5))
    figure = draw(ties, models(["frailty"], 400), ABOUT)
    assert figure.axes[0].get_xlim()[0] == 0.001
    assert overlapping(figure) == []
    assert outside(figure) == []
