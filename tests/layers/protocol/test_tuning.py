"""A fold takes what is best on the others, and never sees its own questions."""

import numpy as np

from hebb_lab.layers.arms.arm import changed_plan
from hebb_lab.layers.protocol.folds import Folds
from hebb_lab.layers.protocol.tuning import Search, difference
from hebb_lab.recall.cognitive.plan import Plan

FOLDS = Folds(("a", "b", "c"), np.array([0, 0, 1, 1, 2, 2]))
GRID = {"merge": ["max", "sum"], "temporal_hops": [1, 2, 3], "seeder": ["bm25", "dense"]}


class Judge:
    """Scores plans by a function of (plan, question), and keeps what it was asked."""

    def __init__(self, score):
        self.score, self.asked = score, []

    def __call__(self, plans):
        self.asked += plans
        return np.array([[self.score(plan, q) for q in range(6)] for plan in plans])


def search(score, grid=GRID, rounds=2, seed=0, start=None):
    judge = Judge(score)
    made = Search(start or Plan(), grid, FOLDS, judge, rounds, np.random.default_rng(seed))
    return made.picks(), judge


def hops(plan, q):
    return plan.rules.temporal_hops + (plan.rules.merge == "sum")


def test_the_best_of_each_setting_is_taken_in_turn():
    picks, _ = search(lambda plan, q: hops(plan, q) + (plan.seeder == "dense"))
    assert {tuple(sorted(pick.changed.items())) for pick in picks} == {
        (("merge", "sum"), ("seeder", "dense"))  # three hops are what it starts with
    }
    assert picks[0].plan.seeder == "dense"
    assert (picks[0].start, picks[0].chosen) == (3.0, 5.0)


def test_a_fold_does_not_see_its_own_questions():
    # dense is good for the questions of fold a alone
    picks, _ = search(lambda plan, q: float(plan.seeder == "dense" and q < 2), rounds=1)
    assert [dict(pick.changed) for pick in picks] == [{}, {"seeder": "dense"}, {"seeder": "dense"}]
    assert (picks[0].start, picks[0].chosen) == (0.0, 0.0)


def test_what_is_no_better_changes_nothing():
    picks, judge = search(lambda plan, q: 1.0)
    assert all(pick.plan == Plan() and not pick.changed for pick in picks)
    assert len(judge.asked) == 1 + 1 + 2 + 1  # the start, and each other value once


def test_no_plan_is_evaluated_twice():
    _, judge = search(lambda plan, q: hops(plan, q) * (1 + q), rounds=5)
    assert len(set(judge.asked)) == len(judge.asked)


def test_a_setting_that_comes_back_to_its_start_is_no_change():
    # sum pays only until dense is taken
    def score(plan, q):
        return 3.0 * (plan.seeder == "dense") + (plan.rules.merge == "sum") * (
            1 if plan.seeder == "bm25" else -1
        )

    for seed in range(4):
        picks, _ = search(score, seed=seed)
        assert dict(picks[0].changed) == {"seeder": "dense"}


def test_questions_that_are_not_asked_count_nothing():
    picks, _ = search(lambda plan, q: np.nan if q % 2 else hops(plan, q))
    assert picks[0].chosen == 4.0


def test_each_fold_takes_the_best_of_several_tops():
    # a valley lies between: summing pays only with one hop, and one hop only with summing
    def score(plan, q):
        both = plan.rules.merge == "sum" and plan.rules.temporal_hops == 1
        either = plan.rules.merge == "sum" or plan.rules.temporal_hops == 1
        return 2.0 if both else 0.0 if either else 1.0

    grid = {"merge": ["max", "sum"], "temporal_hops": [1, 3]}
    alone, _ = search(score, grid)
    assert all(not pick.changed for pick in alone)
    starts = {"start": {}, "summed": {"merge": "sum", "temporal_hops": 1}}
    made = Search(Plan(), grid, FOLDS, Judge(score), 1, np.random.default_rng(0), starts=starts)
    for pick in made.picks():
        assert dict(pick.changed) == {"merge": "sum", "temporal_hops": 1}
        assert (pick.start, pick.chosen) == (1.0, 2.0)


def test_the_order_of_the_search_depends_on_the_seed_alone():
    ones = [search(lambda plan, q: hops(plan, q) * (q + 1), seed=3)[0] for _ in range(2)]
    assert ones[0] == ones[1]


def test_each_step_is_told():
    told = []
    Search(Plan(), GRID, FOLDS, Judge(hops), 1, np.random.default_rng(0),
           lambda *what: told.append(what)).picks()  # fmt: skip
    assert [(done, total) for _, done, total in told] == [(0, 3), (1, 3), (2, 3)]
    assert {what for what, _, _ in told} == {f"tuning {name}" for name in GRID}


def test_what_each_start_reached_is_kept_with_the_score_on_the_folds_own_questions():
    # from the start alone nothing is better; dense is found on the hill of `summed` only
    def score(plan, q):
        if plan.rules.merge == "max":
            return 1.0 - (plan.seeder == "dense")
        return float(plan.seeder == "dense") * (2.0 + (q < 2))

    starts = {"start": {}, "summed": {"merge": "sum"}}
    grid = {"seeder": ["bm25", "dense"]}
    made = Search(Plan(), grid, FOLDS, Judge(score), 1, np.random.default_rng(0), starts=starts)
    first = made.picks()[0]
    assert (first.begin, dict(first.changed)) == ("summed", {"seeder": "dense", "merge": "sum"})
    assert [(top.begin, top.others, top.own) for top in first.tops] == [
        ("start", 1.0, 1.0), ("summed", 2.0, 3.0),
    ]  # fmt: skip
    alone = first.of_first()
    assert (alone.plan, alone.chosen, alone.begin) == (Plan(), 1.0, "start")
    assert not alone.changed


def test_where_nothing_beats_the_runs_plan_no_start_has_won():
    starts = {"summed": {"merge": "sum"}}
    made = Search(Plan(), {"seeder": ["bm25"]}, FOLDS,
                  Judge(lambda plan, q: float(plan.rules.merge == "max")), 1,
                  np.random.default_rng(0), starts=starts)  # fmt: skip
    assert {pick.begin for pick in made.picks()} == {""}
    assert {pick.plan for pick in made.picks()} == {Plan()}


def test_rules_of_the_memory_model_are_told_as_the_switches_that_were_turned():
    start = Plan(scoring="memory")
    turned = {"memory": {"recency_days": 3.0, "decay_in_rank": "none"}, "merge": "sum"}
    plan = changed_plan(start, turned)
    assert difference(start, plan) == turned
    assert changed_plan(start, difference(start, plan)) == plan
