"""What a log says of fitted half-lives."""

import logging
from dataclasses import replace

import pytest

from hebb_lab.experiment.arms import Arm
from hebb_lab.experiment.arms.entries import FITTED
from hebb_lab.experiment.arms.notes import log_notes, unidentified
from hebb_lab.experiment.arms.references import Doubt
from tests.experiment.arms.made import DAYS
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


def test_on_another_log_it_says_which_and_that_the_final_half_lives_answer_everything(told):
    text = told([arm()], dataset("other"))
    assert "WARNING" in text
    assert f"{TITLE} was fitted to another log (table:log) than this one (other): its final" in text


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


OTHERS = ("basis", "log_linear")
SWITCH = DAYS.format("personal")


def doubt(until_us, days=868.0, others=OTHERS, end="above 4.4"):
    return Doubt(SWITCH, "personal", days, f"not identifiable {end} days", until_us, others)


def doubted(*doubts):
    one = arm()  # without a schedule where the fit is of another log
    schedule = one.schedule if any(each.until_us for each in doubts) else ()
    return replace(one, schedule=schedule, fit=replace(one.fit, doubts=doubts))


def test_a_half_life_that_the_log_does_not_tell_is_a_warning_once_a_group_with_the_cure(told):
    text = told([doubted(doubt(None)), doubted(doubt(None))], dataset("other"))
    (line,) = [line for line in text.splitlines() if "does not identify" in line]
    assert line.startswith("WARNING")
    assert f"{TITLE}: a half-life that the fitted log does not identify is used: personal," in line
    assert "personal, 868 days: not identifiable above 4.4 days. Name a model" in line
    assert "(@PATH#basis or #log_linear), or use a fixed half-life (rules.half_life=fixed)" in line


def test_where_no_other_model_has_one_the_cure_is_a_fixed_half_life(told):
    text = told([doubted(doubt(None, others=()))], dataset("other"))
    assert "days. Use a fixed half-life (rules.half_life=fixed)" in text
    assert "Name a model" not in text


def test_on_the_fitted_log_the_fits_that_answer_are_warned_of_and_not_the_final_one(told):
    on_own = doubted(doubt(None), doubt(10, 3.0), doubt(20, 4.0, ("basis",), "below 5"))
    said = "personal, 3 to 4 days in 2 of 2 fits, the newest of which says: not identifiable below"
    text = told([on_own], dataset("own"))
    assert said in text
    assert "868" not in text
    assert "(@PATH#basis), or" in text  # the other model has none in the second fit


def test_what_an_arm_has_of_its_own_is_not_doubted():
    one = doubted(doubt(None), doubt(10))
    other = replace(one, schedule=(), fit=replace(one.fit, final={}, splits=()))
    assert unidentified(replace(one, schedule=())) == ["personal, 868 days: " + doubt(None).verdict]
    assert (unidentified(other), unidentified(replace(one, fit=None))) == ([], [])
