"""Settings chosen on practice questions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.lifecycles.arms import Start
from hebb_lab.lifecycles.arms.standard import core
from hebb_lab.lifecycles.protocol.parts import Part
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


def parts(*practice):
    """One part a pattern of who may choose for it; each answers one test question."""
    every = np.eye(len(practice), dtype=bool)
    return [Part(f"part {i}", every[i], np.array(may, bool)) for i, may in enumerate(practice)]


def test_each_part_is_answered_by_what_those_chose_that_may():
    tried = candidates(BASE, {"weight_recency": [0.2, 0.4]})
    scores = np.array([[0.5, 0.5, 0.5, 0.5], [1.0, 1.0, 0.2, 0.2]])
    pick = picked(tried, scores, parts([0, 0, 1, 1], [1, 1, 0, 0], [0] * 4), "clusters")
    assert [each.changed for each in pick.parts] == [{}, {"weight_recency": 0.4}, {}]
    assert [each.arm for each in pick.parts] == [tried[0].arm, tried[1].arm, tried[0].arm]
    told = pick.told("nDCG@10")
    assert (told["by"], told["questions"]) == ("clusters", 4)
    # over all questions it would be this, which answers nothing
    assert told["changed"] == {"weight_recency": 0.4}
    assert (told["start"], told["chosen"]) == pytest.approx((0.5, 0.6))
    assert told["parts"][1] == {
        "part": "part 1", "changed": {"weight_recency": 0.4}, "practice": 2, "test": 1,
        "start": 0.5, "chosen": 1.0,
    }  # fmt: skip
    assert [told["parts"][2][key] for key in ("start", "chosen")] == [None, None]


@given(st.data())
def test_what_may_not_choose_for_a_part_changes_no_choice_of_it(data):
    tried = candidates(BASE, GRID)
    rng = np.random.default_rng(data.draw(st.integers(0, 999)))
    may = rng.random((1, 6)) < 0.5
    scores = rng.random((len(tried), 6))
    altered = np.where(may, scores, rng.random(scores.shape))
    (one,), (other,) = (picked(tried, s, parts(*may), "time").parts for s in (scores, altered))
    assert (one.arm, one.chosen) == (other.arm, other.chosen)


def test_equal_candidates_leave_the_arm_as_it_stands():
    tried = candidates(BASE, GRID)
    pick = picked(tried, np.full((4, 4), 0.5), parts([1] * 4), "time")
    assert pick.parts[0].arm == tried[0].arm
    assert pick.changed == {}


def test_without_practice_questions_the_start_answers():
    pick = picked(candidates(BASE, GRID), np.zeros((4, 0)), parts([]), "time")
    assert pick.parts[0].changed == {}
    assert pick.told("nDCG@10")["start"] is None


def test_what_is_no_number_is_none():
    assert (number(float("nan")), number(1 / 3)) == (None, 0.333333)
