"""Calibration slope and intercept against statsmodels and scikit-learn."""

import warnings

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression

from hebb_lab.evaluation.calibration import (
    calibration_intercept,
    calibration_slope,
    recalibration,
)
from tests.evaluation.calibration.made import rows


def line(p, y):
    found = recalibration(p, y)
    return found.intercept, found.slope


@pytest.mark.parametrize("seed", range(3))
def test_the_line_is_that_of_statsmodels_and_scikit_learn(seed):
    p, y = rows(seed=seed)
    p = expit(0.4 + 1.7 * logit(p))
    fit = sm.Logit(y.astype(float), sm.add_constant(logit(p))).fit(disp=0, tol=1e-12)
    assert line(p, y) == pytest.approx(tuple(fit.params), abs=1e-8)
    unpenalised = LogisticRegression(C=np.inf, tol=1e-10).fit(logit(p)[:, None], y)
    assert line(p, y) == pytest.approx(
        (unpenalised.intercept_[0], unpenalised.coef_[0, 0]), abs=1e-5
    )


def test_right_probabilities_need_no_line_and_stretched_ones_the_inverse():
    p, y = rows(100_000)
    assert line(p, y) == pytest.approx((0, 1), abs=0.03)
    assert line(expit(-0.5 + 2 * logit(p)), y) == pytest.approx((0.25, 0.5), abs=0.03)
    assert (calibration_intercept(p, y), calibration_slope(p, y)) == line(p, y)


@given(st.lists(st.tuples(st.sampled_from([0, 1e-9, 0.1, 0.5, 0.9, 1]), st.booleans()), min_size=1))
def test_the_line_is_a_maximum_or_nan_and_never_a_warning(pairs):
    p, y = np.array([p for p, _ in pairs], dtype=float), np.array([y for _, y in pairs])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        intercept, slope = line(p, y)
    if np.isnan(slope):
        assert np.isnan(intercept)
        return
    x = logit(np.clip(p, 1e-12, 1 - 1e-12))
    gap = y - expit(intercept + slope * x)
    assert abs(gap.sum()) < 1e-6 * len(y)
    assert abs(gap @ x) < 1e-5 * np.abs(x).sum()


@pytest.mark.parametrize(
    ("p", "y"),
    [
        ([], []),
        ([0.3], [True]),
        ([0.3, 0.3, 0.3], [True, False, True]),
        ([0.1, 0.4, 0.8], [True, True, True]),
        ([0.1, 0.4, 0.8], [False, False, False]),
        ([0.1, 0.2, 0.8, 0.9], [False, False, True, True]),
        ([0.1, 0.2, 0.8, 0.9], [True, True, False, False]),
        ([0.1, 0.5, 0.5, 0.9], [False, False, True, True]),
    ],
    ids=["no rows", "one row", "constant", "all", "none", "parted", "parted wrongly", "touching"],
)
def test_where_no_line_is_the_best_there_is_none(p, y):
    assert np.isnan(line(p, y)).all()
