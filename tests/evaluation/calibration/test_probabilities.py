"""Log loss, Brier score and AUC against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as oracle

from hebb_lab.errors import InputError
from hebb_lab.evaluation.calibration import auc, brier, log_loss, log_losses
from tests.evaluation.calibration.made import rows

ROWS = st.lists(st.tuples(st.integers(0, 8).map(lambda n: n / 8), st.booleans()), min_size=2)


@given(ROWS)
def test_the_scores_are_those_of_scikit_learn(pairs):
    p, y = np.array([p for p, _ in pairs]), np.array([y for _, y in pairs])
    inside = np.clip(p, 1e-12, 1 - 1e-12)
    assert log_loss(p, y) == pytest.approx(oracle.log_loss(y, inside, labels=[0, 1]), abs=1e-12)
    assert brier(p, y) == pytest.approx(oracle.brier_score_loss(y, p, pos_label=True), abs=1e-12)
    if len(set(y)) == 2:
        assert auc(p, y) == pytest.approx(oracle.roc_auc_score(y, p), abs=1e-12)
    else:
        assert np.isnan(auc(p, y))


def test_the_loss_of_rows_averages_to_the_loss():
    p, y = rows()
    assert log_losses(p, y).mean() == log_loss(p, y)
    assert log_losses(p, y).shape == p.shape


def test_a_certain_error_costs_what_the_clip_allows_and_no_more():
    assert log_losses([1.0, 0.0], [False, True]) == pytest.approx(-np.log(1e-12), abs=1e-4)


def test_the_truth_has_a_lower_loss_than_any_other_forecast():
    p, y = rows(20_000)
    for wrong in (np.full_like(p, y.mean()), p**0.5, p**2):
        assert log_loss(p, y) < log_loss(wrong, y)
        assert brier(p, y) < brier(wrong, y)


def test_constant_probabilities_order_nothing():
    assert auc(np.full(10, 0.3), np.arange(10) < 4) == 0.5


@pytest.mark.parametrize("score", [log_loss, brier, auc])
def test_without_rows_there_is_no_score(score):
    assert np.isnan(score([], []))


@pytest.mark.parametrize("wrong", [np.nan, -0.1, 1.1, np.inf])
@pytest.mark.parametrize("score", [log_losses, log_loss, brier, auc])
def test_a_number_that_is_no_probability_is_named_with_its_row(score, wrong):
    with pytest.raises(InputError, match=r"probability of row 1 is .*fallback"):
        score([0.5, wrong], [True, False])


def test_an_outcome_that_is_neither_is_named_with_its_row():
    with pytest.raises(InputError, match=r"outcome of row 2 is 0\.5"):
        log_loss([0.5, 0.5, 0.5], [0, 1, 0.5])


def test_rows_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match="do not fit"):
        brier([0.5, 0.5], [True])
    with pytest.raises(InputError, match="do not fit"):
        brier([[0.5]], [[True]])
