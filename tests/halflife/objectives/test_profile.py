"""Intervals from likelihoods: exact where the answer is known, honest where there is none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.halflife.objectives.partial import Curve, PartialFit, half_life_curve
from hebb_lab.halflife.objectives.profile import (
    CHI2,
    GRID,
    identified,
    inflation,
    likelihood_interval,
    refined,
)
from tests.halflife.made import QUIET, estimate_of

PLACE = np.log(GRID)


@pytest.mark.parametrize("level", [0.90, 0.95, 0.99])
@QUIET
@given(centre=st.floats(0.0, 4.0), spread=st.floats(0.01, 1.2))
def test_the_interval_of_a_bell_is_the_one_of_the_normal(level, centre, spread):
    values = -0.5 * ((PLACE - centre) / spread) ** 2 - 7.0
    value, low, high = likelihood_interval(GRID, values, level)
    reach = np.sqrt(CHI2[level]) * spread
    # also where all of it lies between two points of the grid
    assert np.log(value) == pytest.approx(centre, abs=0.02 * spread + 1e-6)
    assert np.log(low) == pytest.approx(centre - reach, abs=0.02 * reach)
    assert np.log(high) == pytest.approx(centre + reach, abs=0.02 * reach)


def test_a_finer_grid_holds_the_points_of_the_coarse_one_and_a_bell_between_them():
    bells = np.stack([-0.5 * ((PLACE - centre) / 0.02) ** 2 for centre in (1.0, 3.3)])
    fine, values = refined(GRID, bells)
    assert len(fine) == 8 * (len(GRID) - 1) + 1
    np.testing.assert_allclose(fine[::8], GRID)
    np.testing.assert_allclose(values[:, ::8], bells, rtol=1e-9)
    expected = -0.5 * ((np.log(fine) - 3.3) / 0.02) ** 2
    np.testing.assert_allclose(values[1], expected, rtol=1e-6, atol=1e-6)
    flat = refined(GRID, np.zeros(len(GRID)))[1]
    assert flat.tolist() == [0.0] * len(fine)


def test_the_quantiles_are_those_of_chi_squared():
    from scipy.stats import chi2

    for level, quantile in CHI2.items():
        assert quantile == pytest.approx(chi2(1).ppf(level), abs=1e-4)


def test_an_end_that_the_likelihood_does_not_bound_is_open():
    rising = np.minimum(PLACE - 2.0, 0.0) * 10
    value, low, high = likelihood_interval(GRID, rising)
    assert high == np.inf
    assert np.log(low) == pytest.approx(2.0, abs=0.4)
    falling = np.minimum(1.0 - PLACE, 0.0) * 10
    value, low, high = likelihood_interval(GRID, falling)
    assert low == 0.0
    assert np.log(high) == pytest.approx(1.0, abs=0.4)
    assert value <= high
    assert likelihood_interval(GRID, np.zeros(len(GRID)))[1:] == (0.0, np.inf)


def test_a_maximum_at_the_end_of_the_grid_is_open_there():
    value, low, high = likelihood_interval(GRID, PLACE * 50)
    assert value == pytest.approx(GRID[-1])
    assert high == np.inf
    assert GRID[-2] < low < GRID[-1]


def test_an_interval_with_two_peaks_holds_both():
    bell = lambda centre: -0.5 * ((PLACE - centre) / 0.3) ** 2  # noqa: E731
    values = np.maximum(bell(0.0), bell(4.0) - 0.5)
    _, low, high = likelihood_interval(GRID, values)
    assert low < np.exp(-0.4)
    assert high > np.exp(4.3)


def test_an_interval_always_holds_its_estimate():
    rng = np.random.default_rng(0)
    for _ in range(300):
        values = np.cumsum(rng.normal(size=len(GRID))) * rng.choice([0.1, 1, 30, 1000])
        value, low, high = likelihood_interval(GRID, values)
        assert low <= value * (1 + 1e-9)
        assert value <= high * (1 + 1e-9)


def made_curve(scores, recall, true=6.0, spread=0.8):
    """A curve whose cases each say ln h = score, with one spread."""
    place = (PLACE[:, None] - scores[None, :]) / spread
    fits = [PartialFit(np.ones(2), row, True) for row in -0.5 * place**2]
    return Curve(GRID, fits, recall)


def test_independent_cases_are_taken_as_they_are():
    rng = np.random.default_rng(1)
    found = [inflation(made_curve(rng.normal(2, 0.8, 400), np.arange(400))) for _ in range(40)]
    assert np.mean(found) == pytest.approx(1.03, abs=0.05)  # it is at least 1


@pytest.mark.parametrize("copies", [2, 5])
def test_saying_everything_twice_in_a_recall_does_not_shrink_the_interval(copies):
    scores = np.random.default_rng(2).normal(2, 1.2, 300)  # wider than the cases claim
    once = estimate_of(made_curve(scores, np.arange(300)), 300)
    again = estimate_of(
        made_curve(np.repeat(scores, copies), np.repeat(np.arange(300), copies)), 300 * copies
    )
    assert again.value == pytest.approx(once.value)
    assert again.low == pytest.approx(once.low, rel=1e-6)
    assert again.high == pytest.approx(once.high, rel=1e-6)


def test_saying_everything_twice_in_other_recalls_does():
    scores = np.random.default_rng(2).normal(2, 1.2, 300)
    once = estimate_of(made_curve(scores, np.arange(300)), 300)
    again = estimate_of(made_curve(np.repeat(scores, 4), np.arange(1200)), 1200)
    assert np.log(again.high / again.low) == pytest.approx(
        np.log(once.high / once.low) / 2, rel=0.05
    )


def simulated(rng, true=5.0, count=300, clusters=None):
    """A curve of cases that follow a weight with a true half-life, in sets of 21."""
    grid = GRID[::4]
    age = rng.exponential(8.0, (count, 21))
    rates = 1.0 + 8.0 * 2 ** (-age / true)
    rates /= rates.sum(axis=1, keepdims=True)
    case = (rates.cumsum(axis=1) > rng.random((count, 1))).argmax(axis=1)
    weights = 2 ** (-age[:, :, None] / grid)
    chosen = weights[np.arange(count), case], weights.sum(axis=1)
    others = np.ones((count, 1)), np.full((count, 1), 21.0)
    return half_life_curve(grid, others, chosen, np.arange(count))


def test_intervals_hold_the_truth_as_often_as_they_say():
    # six seeds of 80 runs each gave .975 to 1.0: the bound μ ≥ 0 makes them a little wide
    rng = np.random.default_rng(10)
    held = []
    for _ in range(40):
        estimate = estimate_of(simulated(rng), 300)
        held.append(estimate.low <= 5.0 <= estimate.high)
    assert 0.88 <= np.mean(held) <= 1.0


def test_one_recall_alone_says_nothing_of_the_spread_between_recalls():
    curve = made_curve(np.random.default_rng(0).normal(2, 1, 50), np.zeros(50, int))
    assert np.isfinite(inflation(curve))
    assert inflation(curve) >= 1


def test_a_flat_likelihood_is_a_verdict():
    fits = [PartialFit(np.ones(2), np.zeros(40), True) for _ in GRID]
    estimate = estimate_of(Curve(GRID, fits, np.arange(40)), 40, "sessions")
    assert "no half-life is better than another" in estimate.verdict


def test_open_ends_are_named_in_the_units_of_the_clock():
    assert identified(0.5, 9.0) == ""
    assert identified(2.5, np.inf, "sessions") == "not identifiable above 2.5 sessions on this log"
    assert identified(0.0, 9.25) == "not identifiable below 9.25 days on this log"
