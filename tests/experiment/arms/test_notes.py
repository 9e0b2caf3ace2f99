"""What a log says of fitted half-lives."""

import logging

import pytest

from hebb_lab.experiment.arms import Arm
from hebb_lab.experiment.arms.entries import FITTED
from hebb_lab.experiment.arms.notes import log_notes
from tests.experiment.arms.test_answerable import FIXED, arm, dataset

TITLE = "frailty of halflife/0123"


@pytest.fixture
def told(caplog):
    def tell(arms, log):
        with caplog.at_level(logging.INFO, "hebb_lab"):
            log_notes(arms, log)
        return caplog.text

    return tell


def test_without_fitted_half_lives_nothing_is_said(told):
    assert told([Arm("a", "spread", "g", None, FIXED)], None) == ""


def test_on_the_log_that_was_fitted_it_says_that_queries_are_answered_part_by_part(told):
    text = told([arm()], dataset("own"))
    assert f"{TITLE} was fitted to this log: each query is answered by the newest of 2 fits" in text
    assert "WARNING" not in text


def test_on_another_log_it_says_that_the_final_half_lives_answer_everything(told):
    text = told([arm()], dataset("other"))
    assert f"{TITLE} was fitted to another log (table:log): its final half-lives answer" in text
    assert "WARNING" not in text


def test_a_log_of_the_same_name_and_other_content_is_a_warning(told):
    text = told([arm()], dataset("table:log"))
    assert "WARNING" in text
    assert "fitted to some of these very queries: fit again before you compare" in text


def test_an_added_arm_is_named_with_the_base_that_keeps_its_own(told):
    text = told([arm(name=FITTED, base="half_life_30d")], dataset("own"))
    assert f"arm {FITTED} was added: half_life_30d with the half-lives of {TITLE}" in text


def test_arms_that_have_the_fit_from_the_base_are_named(told):
    text = told([arm(name="half_life_180d"), arm(name="b")], dataset("own"))
    assert "whatever their names say, its half-lives hold in half_life_180d, b" in text


def test_arms_whose_weights_are_made_otherwise_are_named_with_the_switch(told):
    other = arm(name="b")
    object.__setattr__(other, "rules", other.rules.change(learning_rate=0.5))
    text = told([arm(), other], dataset("own"))
    assert f"{TITLE}: other rules in b: learning_rate=0.5 (fitted under 0.3)" in text
