"""Ridges: what is believed before and after the log."""

import numpy as np
import pytest

from hebb_lab.plots.half_lives.posteriors import TALL, Posterior, draw
from tests.plots.half_lives.made import ABOUT, DAYS, EIGHT, NEVER, SURE
from tests.plots.looking import outside, overlapping, words

PRIOR = np.exp(-0.5 * (np.log(DAYS / 21) / 0.9) ** 2) / 0.9


def posterior(estimate, raw=None, width=0.3):
    centre = estimate.days if np.isfinite(estimate.days) else 21
    density = np.exp(-0.5 * (np.log(DAYS / centre) / width) ** 2) / width
    return Posterior(estimate, DAYS, density, PRIOR, raw)


NAN = np.full(40, np.nan)
RAW = [18.2, np.inf, 0.01, None]
CASES = {
    "none": [],
    "one": [posterior(SURE, 18.2)],
    "unknown": [Posterior(NEVER, DAYS, NAN, NAN, np.nan)],
    "eight": [posterior(e, raw) for e, raw in zip(EIGHT, RAW * 2, strict=True)],
}


@pytest.mark.parametrize("case", CASES)
def test_no_text_is_cut_or_covers_another(case):
    figure = draw(CASES[case], ABOUT)
    assert outside(figure) == []
    assert overlapping(figure) == []


def test_posterior_and_prior_of_a_ridge_have_one_scale_and_ridges_the_same_height():
    ax = draw([posterior(SURE), posterior(SURE, width=0.05)], ABOUT).axes[0]
    lines = [line.get_ydata() for line in ax.lines if len(line.get_xdata()) == 40]
    after_one, before_one, after_two, before_two = lines
    assert after_one.min() == pytest.approx(-TALL)
    assert after_two.min() == pytest.approx(1 - TALL)
    ratio = (1 - before_two.min()) / (1 - after_two.min())
    assert ratio == pytest.approx(PRIOR.max() / posterior(SURE, width=0.05).density.max())
    assert before_one.min() < 0


@pytest.mark.parametrize(
    ("raw", "marker", "x"),
    [(18.2, "o", 18.2), (np.inf, ">", 2000), (0.01, "<", 0.25), (None, None, 0), (np.nan, None, 0)],
)
def test_the_estimate_of_the_namespace_alone_is_hollow_and_at_the_edge_when_beyond(raw, marker, x):
    ax = draw([posterior(SURE, raw)], ABOUT).axes[0]
    hollow = [line for line in ax.lines if line.get_markerfacecolor() == "none"]
    found = [(line.get_marker(), pytest.approx(line.get_xdata()[0])) for line in hollow]
    assert found == ([] if marker is None else [(marker, x)])


def test_without_any_namespace_it_says_so():
    assert "no namespace was fitted" in words(draw([], ABOUT))
