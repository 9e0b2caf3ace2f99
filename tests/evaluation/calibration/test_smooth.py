"""The smoothed curve against statsmodels, and where statsmodels alone goes wrong."""

import numpy as np
import pytest
from statsmodels.nonparametric.smoothers_lowess import lowess

from hebb_lab.evaluation.calibration import (
    SmoothErrors,
    e50,
    e90,
    ici,
    smooth_curve,
    smooth_errors,
    smoothed,
)
from tests.evaluation.calibration.made import rows


@pytest.mark.parametrize("distinct", [None, 40])
def test_the_curve_is_lowess_of_the_outcomes_as_they_come(distinct):
    p, y = rows(1500, distinct=distinct)
    plain = lowess(y.astype(float), p, it=0, delta=0.01 * np.ptp(p), return_sorted=False)
    assert smoothed(p, y) == pytest.approx(plain, abs=1e-9)


def test_the_errors_are_mean_median_and_ninth_decile_of_the_distances():
    p, y = rows(1500)
    plain = lowess(y.astype(float), p, it=0, delta=0.01 * np.ptp(p), return_sorted=False)
    distance = np.abs(plain - p)
    found = smooth_errors(p, y)
    assert found.ici == pytest.approx(distance.mean(), abs=1e-9)
    assert found.e50 == pytest.approx(np.median(distance), abs=1e-9)
    assert found.e90 == pytest.approx(np.percentile(distance, 90), abs=1e-9)
    assert (found.ici, found.e50, found.e90) == (ici(p, y), e50(p, y), e90(p, y))


def test_right_probabilities_have_a_small_error_and_shifted_ones_their_shift():
    p, y = rows(50_000)
    p, y = p[p < 0.8], y[p < 0.8]
    assert ici(p, y) < 0.01
    assert ici(p + 0.2, y) == pytest.approx(0.2, abs=0.01)


def test_the_order_of_the_rows_changes_nothing():
    p, y = rows(300, distinct=5)
    order = np.random.default_rng(3).permutation(300)
    assert smoothed(p[order], y[order]) == pytest.approx(smoothed(p, y)[order], abs=1e-12)


def test_where_one_probability_holds_most_rows_its_rate_is_their_mean():
    p, _ = rows(1000)
    p[:800] = 0.1
    y = np.random.default_rng(4).random(1000) < p
    assert smoothed(p, y)[:800] == pytest.approx(y[:800].mean(), abs=1e-12)


def test_two_probabilities_have_the_means_of_their_rows():
    p, y = np.repeat([0.2, 0.7], 50), np.arange(100) % 4 == 0
    assert smoothed(p, y) == pytest.approx(np.repeat([y[:50].mean(), y[50:].mean()], 50))


def test_constant_probabilities_have_the_mean_outcome():
    y = np.arange(10) < 3
    assert smoothed(np.full(10, 0.5), y) == pytest.approx(0.3)
    assert ici(np.full(10, 0.5), y) == pytest.approx(0.2)


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 10])
def test_a_handful_of_rows_has_errors_that_are_numbers(number):
    p, y = rows(number)
    assert np.isfinite(smoothed(p, y)).all()


@pytest.mark.parametrize("outcome", [False, True])
def test_one_kind_of_outcome_is_a_flat_curve(outcome):
    p, _ = rows(200)
    assert smoothed(p, np.full(200, outcome)) == pytest.approx(float(outcome), abs=1e-9)


def test_without_rows_there_are_no_errors():
    assert str(smooth_errors([], [])) == str(SmoothErrors(np.nan, np.nan, np.nan))
    assert [len(part) for part in smooth_curve([], [])] == [0, 0]


def test_the_curve_for_a_figure_lies_on_the_smoothed_rates():
    p, y = rows(1000)
    at, rate = smooth_curve(p, y, points=50)
    assert len(at) == 50
    assert (at[0], at[-1]) == (p.min(), p.max())
    order = np.argsort(p)
    assert (np.diff(at) > 0).all()
    assert rate == pytest.approx(smoothed(p, y)[order][np.searchsorted(p[order], at)])
