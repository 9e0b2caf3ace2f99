"""Losses and hits of cases by hand; what is no probability is refused."""

from types import SimpleNamespace

import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.halflife.facts.cases import Cases
from hebb_lab.halflife.protocol.score import (
    case_hits,
    case_losses,
    probabilities,
    score_cases,
    surviving,
)

TWO = Cases(
    np.array([0, 1]), None, np.array([[True, True, True, True], [True, True, False, False]]), 0
)


def fit(values):
    return SimpleNamespace(
        intensity=lambda moments: np.asarray(values, float),
        predict=lambda moments, days: np.asarray(values, float),
    )


def test_the_loss_is_minus_the_log_of_the_share_among_the_live():
    losses = case_losses(TWO, np.array([2.0, 1, 1, 4, 1, 3, 99, 99]))
    assert losses.tolist() == pytest.approx([np.log(4), np.log(4)])


def test_where_nothing_can_come_the_loss_is_that_of_a_guess_and_never_infinite():
    assert case_losses(TWO, np.zeros(8)).tolist() == pytest.approx([np.log(4), np.log(2)])
    assert np.isfinite(case_losses(TWO, np.array([0.0, 1, 1, 1, 0, 1, 1, 1]))).all()


def test_a_case_is_among_the_first_by_chance_where_intensities_are_equal():
    hits = case_hits(TWO, np.ones(8))
    assert hits.tolist() == [[0.25, 1.0], [0.5, 1.0]]
    hits = case_hits(TWO, np.array([2.0, 1, 1, 4, 1, 3, 99, 99]))
    assert hits.tolist() == [[0.0, 1.0], [0.0, 1.0]]


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -0.1, 1.1])
def test_what_is_no_probability_is_refused(wrong):
    with pytest.raises(InputError, match="the model predicts a probability of"):
        probabilities(fit([0.5, wrong]), None, 7.0)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -0.1])
def test_what_is_no_intensity_is_refused(wrong):
    with pytest.raises(InputError, match="the model predicts an intensity of"):
        score_cases(fit([1.0] * 7 + [wrong]), TWO)


def test_a_rounding_error_beyond_one_is_one():
    assert probabilities(fit([1 + 1e-12, -1e-12]), None, 7.0).tolist() == [1.0, 0.0]


def test_a_model_without_a_prediction_for_a_time_has_a_gap_in_its_survival():
    def predict(moments, days):
        if days > 5:
            raise InputError("no such horizon", "Give a shorter one")
        return np.array([0.25, 0.5])

    found = surviving(SimpleNamespace(predict=predict), None, [1.0, 10.0])
    assert found[0] == 1.25
    assert np.isnan(found[1])


def test_a_fit_that_is_made_for_each_horizon_is_not_asked_for_many():
    asked = SimpleNamespace(any_horizon=False, predict=lambda *_: pytest.fail("it was asked"))
    assert np.isnan(surviving(asked, None, [1.0, 10.0])).all()
