"""Each table is a family of its own; what cannot be rejected is no part of it."""

import numpy as np
import pytest

from hebb_lab.evaluation.leaderboard import Settings
from hebb_lab.evaluation.paired import holm
from hebb_lab.layers.report.stored import Stored
from hebb_lab.pages.families import (
    Standing,
    _standings,
    shapley_standings,
    smallest_p,
    standings,
    too_few,
    turned,
)
from hebb_lab.runs.boards import board_of, settings_of

TASK = "question_to_evidence"
SETTINGS = Settings(resamples=200, flips=500)


@pytest.fixture(scope="module")
def stored(stored_run):
    return Stored(stored_run, board_of(stored_run))


def test_an_arm_is_compared_with_its_own_base(stored):
    found = standings(stored, SETTINGS, TASK, ["add_chain", "without_chain"], "R@10")
    assert (found["add_chain"].value, found["without_chain"].value) == (0.5, -0.5)
    assert found["add_chain"].interval == (0.5, 0.5)


def test_an_arm_that_changes_no_score_is_not_tested(stored):
    found = standings(stored, SETTINGS, TASK, ["add_chain", "add_stdp", "add_entities"], "R@10")
    assert (found["add_stdp"].verdict, found["add_stdp"].p) == ("no change", None)
    alone = standings(stored, SETTINGS, TASK, ["add_chain"], "R@10")
    assert found["add_chain"].p == pytest.approx(alone["add_chain"].p, abs=0.1)  # not times three


def test_what_gave_no_result_says_why(stored):
    found = standings(stored, SETTINGS, TASK, ["hybrid", "dense", "base", "nobody"], "R@10")
    verdicts = [found[arm].verdict for arm in ("hybrid", "dense", "base", "nobody")]
    assert verdicts == ["failed", "skipped", "no base", "not measured"]


def test_a_verdict_needs_the_interval_and_the_corrected_test():
    value = np.array([0.1, -0.1, 0.1, 0.1, 0.0])
    ends = np.array([[0.05, 0.2], [-0.2, -0.05], [-0.01, 0.2], [0.05, 0.2], [0.0, 0.0]])
    p = np.array([0.001, 0.002, 0.003, 0.04, 1.0])
    same = np.array([False, False, False, False, True])
    found = _standings(value, ends, p, same)
    assert [each.verdict for each in found] == [
        "better", "worse", "not shown", "better", "no change",
    ]  # fmt: skip
    assert [each.p for each in found[:4]] == holm(p[:4]).tolist()


def test_one_cluster_has_no_verdict():
    nan = np.array([[np.nan, np.nan]])
    (found,) = _standings(np.array([0.1]), nan, np.array([np.nan]), np.array([False]))
    assert found == Standing(0.1, None, None, "one cluster: no interval and no test")


def test_turning_the_sign_turns_the_verdict():
    assert turned(Standing(-0.1, (-0.2, -0.05), 0.01, "worse")) == Standing(
        0.1, (0.05, 0.2), 0.01, "better"
    )
    assert turned(Standing(verdict="failed")) == Standing(verdict="failed")
    assert str(turned(Standing(0.0, (0.0, 0.0), None, "no change")).value) == "0.0"


def test_the_shapley_values_are_those_of_the_attribution(stored, stored_run):
    found = shapley_standings(stored, settings_of(stored_run), TASK, "R@10")
    assert found["chain"].value == 0.5
    assert found["stdp"] == Standing(0.0, (0.0, 0.0), None, "no change")
    total = sum(each.value for each in found.values())
    assert total == pytest.approx(stored.row(TASK, "full", "R@10")["delta"])


def test_without_all_sets_there_is_no_shapley_value(stored, stored_run):
    result = {**stored_run.result, "attribution": None}
    other = Stored(type(stored_run)(stored_run.folder, result), stored.board)
    assert shapley_standings(other, SETTINGS, TASK, "R@10") == {}


def test_below_six_clusters_no_test_can_tell_anything_from_chance():
    assert [clusters for clusters in range(1, 12) if too_few(clusters)] == [1, 2, 3, 4, 5]
    assert smallest_p(5) == 0.0625
    assert too_few(1) == "1 cluster: no test can tell anything from chance here (smallest p 1)"
