"""The calibration curve: bins that keep ties together, Wilson intervals as statsmodels has them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve as oracle
from statsmodels.stats.proportion import proportion_confint

from hebb_lab.errors import ConfigError
from hebb_lab.evaluation.calibration import calibration_curve, wilson_interval
from tests.evaluation.calibration.made import rows


def test_without_ties_the_bins_are_those_of_scikit_learn():
    p, y = rows(1000)
    curve = calibration_curve(p, y)
    observed, predicted = oracle(y, p, n_bins=10, strategy="quantile")
    assert curve.observed == pytest.approx(observed, abs=1e-12)
    assert curve.predicted == pytest.approx(predicted, abs=1e-12)
    assert curve.count.tolist() == [100] * 10


def test_the_interval_is_wilsons():
    happened, count = np.array([0, 1, 7, 10, 500]), np.array([10, 10, 10, 10, 2000])
    for confidence in (0.95, 0.99):
        low, high = proportion_confint(happened, count, alpha=1 - confidence, method="wilson")
        ours = wilson_interval(happened, count, confidence)
        assert ours == pytest.approx(np.stack([low, high], axis=1), abs=1e-12)


def test_a_bin_without_rows_has_no_interval():
    assert np.isnan(wilson_interval([0], [0])).all()


@given(
    st.lists(st.tuples(st.integers(0, 6).map(lambda n: n / 6), st.booleans()), min_size=1),
    st.integers(1, 12),
)
def test_equal_probabilities_share_a_bin_and_no_row_is_lost(pairs, bins):
    p, y = np.array([p for p, _ in pairs]), np.array([y for _, y in pairs])
    curve = calibration_curve(p, y, bins)
    assert curve.count.sum() == len(p)
    assert (curve.count > 0).all()
    assert len(curve.count) <= bins
    assert (np.diff(curve.predicted) > 0).all()
    assert curve.count @ curve.observed == pytest.approx(y.sum())
    assert curve.count @ curve.predicted == pytest.approx(p.sum())
    ends = np.cumsum(np.unique(p, return_counts=True)[1])
    assert set(np.cumsum(curve.count)) <= set(ends)


def test_constant_probabilities_are_one_bin():
    curve = calibration_curve([0.4] * 8, [True] * 2 + [False] * 6)
    assert curve.predicted == pytest.approx([0.4])
    assert curve.observed.tolist() == [0.25]


def test_without_rows_there_are_no_bins():
    curve = calibration_curve([], [])
    assert (len(curve.count), curve.interval.shape) == (0, (0, 2))


@pytest.mark.parametrize(("bins", "confidence"), [(0, 0.95), (10, 95), (10, 0)])
def test_sizes_that_make_no_sense_are_refused(bins, confidence):
    with pytest.raises(ConfigError):
        calibration_curve([0.5], [True], bins, confidence)
