"""Loss against half-life: relative to the best, bold where it cannot be told from it."""

import numpy as np
import pytest

from hebb_lab.plots.half_lives.loss_half_life import Profile, draw
from hebb_lab.plots.style import BLUE
from tests.plots.half_lives.made import ABOUT, DAYS, EIGHT, NEVER, OPEN, SURE, of_colour
from tests.plots.looking import outside, overlapping, words


def profile(estimate, curve=0.004):
    centre = estimate.days if np.isfinite(estimate.days) else 20
    return Profile(estimate, DAYS, 2.7 + curve * np.log(DAYS / centre) ** 2)


HOLES = profile(SURE)
HOLES.loss[5:9] = np.nan
UNKNOWN = Profile(NEVER, DAYS, np.full(40, np.nan))
CASES = {
    "none": [],
    "one": [profile(SURE)],
    "never": [UNKNOWN],
    "open": [profile(OPEN, 0.0)],
    "holes": [HOLES, UNKNOWN],
    "eight": [profile(estimate) for estimate in EIGHT],
    "runs away": [profile(EIGHT[7], 5.0), profile(SURE), profile(OPEN, 0.0)],
    "seventeen": [profile(SURE)] * 17,
}


def drawn(profiles):
    return draw(profiles, "partial-likelihood loss", ABOUT)


@pytest.mark.parametrize("case", CASES)
def test_no_text_is_cut_or_covers_another(case):
    figure = drawn(CASES[case])
    assert outside(figure) == []
    assert overlapping(figure) == []


def test_the_line_is_the_loss_above_its_least():
    ax = drawn([HOLES]).axes[0]
    line = next(line for line in of_colour(ax.lines, BLUE) if len(line.get_xdata()) == 40)
    assert np.nanmin(line.get_ydata()) == 0
    assert line.get_ydata() == pytest.approx(HOLES.loss - np.nanmin(HOLES.loss), nan_ok=True)


def test_the_bold_part_is_the_interval():
    ax = drawn([profile(SURE), profile(OPEN)]).axes[0]
    bold = [line.get_xdata() for line in ax.lines if line.get_linewidth() > 3]
    assert [(x[0], x[-1]) for x in bold] == [pytest.approx((14, 28)), pytest.approx((0.25, 2000))]


def test_the_least_is_told_with_its_interval_and_an_open_one_in_words():
    text = words(drawn([profile(estimate) for estimate in EIGHT]))
    assert {"19.5 d [14, 28]", "not identifiable above 23 days", "not identifiable"} <= set(text)
    assert {"1,204", "310", "no re-activation"} <= set(text)


def test_a_single_namespace_has_its_band_behind_the_line():
    assert len(drawn([profile(SURE)]).axes[0].patches) == 1
    assert not drawn([profile(SURE), profile(OPEN)]).axes[0].patches


def test_a_namespace_that_runs_away_does_not_flatten_the_others():
    assert drawn(CASES["runs away"]).axes[0].get_ylim()[1] < 1


def test_both_parts_have_the_same_days():
    upper, lower = drawn(CASES["eight"]).axes
    assert upper.get_xlim() == lower.get_xlim()
    assert upper.get_xscale() == "log"
