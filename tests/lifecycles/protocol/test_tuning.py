"""Settings chosen on practice questions."""

import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.lifecycles.arms import Start
from hebb_lab.lifecycles.arms.standard import core
from hebb_lab.lifecycles.protocol.tuning import candidates, number, picked
from hebb_lab.memory.published import DOCUMENTED

BASE = core(Start(DOCUMENTED, ("similarity",)))[0]
GRID = {"weight_recency": [0.2, 0.4], "strategies": [["similarity"], ["similarity", "causal"]]}


def test_the_arm_as_it_stands_comes_first_and_no_combination_twice():
    tried = candidates(BASE, GRID)
    assert tried[0].changed == {}
    assert len(tried) == 4
    assert tried[-1].changed == {"weight_recency": 0.4, "strategies": ["similarity", "causal"]}
    assert tried[-1].arm.strategies == ("similarity", "causal")


def test_the_best_over_all_is_chosen_and_each_fold_by_the_others():
    tried = candidates(BASE, {"weight_recency": [0.2, 0.4]})
    groups = ["a", "a", "b", "b"]
    scores = np.array([[0.5, 0.5, 0.5, 0.5], [1.0, 1.0, 0.2, 0.2]])
    pick = picked(tried, scores, groups, 5, np.random.default_rng(0))
    assert pick.changed == {"weight_recency": 0.4}
    assert (pick.start, pick.chosen) == pytest.approx((0.5, 0.6))
    # a is answered by what b chose (the start), b by what a chose: worse than the start
    assert pick.held_out == pytest.approx((0.5 + 0.5 + 0.2 + 0.2) / 4)
    told = pick.told("nDCG@10")
    assert {fold["own"] for fold in told["folds"]} == {0.5, 0.2}
    assert told["held_out"] < told["start"] < told["chosen"]


def test_equal_candidates_leave_the_arm_as_it_stands():
    tried = candidates(BASE, GRID)
    pick = picked(tried, np.full((4, 4), 0.5), list("abcd"), 2, np.random.default_rng(0))
    assert pick.arm == tried[0].arm
    assert pick.changed == {}


def test_one_cluster_has_nothing_to_choose_on():
    with pytest.raises(InputError, match="all questions are of one"):
        picked(candidates(BASE, GRID), np.zeros((4, 2)), ["a", "a"], 5, np.random.default_rng(0))


def test_what_is_no_number_is_none():
    assert (number(float("nan")), number(1 / 3)) == (None, 0.333333)
