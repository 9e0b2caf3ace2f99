"""Answers of several scopes are put together by the question they belong to."""

import numpy as np

from hebb_lab.layers.protocol.bench import Bench, by_fold
from hebb_lab.layers.protocol.scopes import Exam
from hebb_lab.recall.cognitive.plan import Plan
from tests.layers.made import DEPTH, ByNeighbour, scope

FULL = Plan(layers=("chain", "stdp"))


def bench():
    exam = Exam(("q0", "q1", "q2"), np.arange(3), np.zeros(3, np.int64))
    scopes = [scope("a", 3, ["1", "2"], [0, 2]), scope("b", 2, ["0"], [1], first_node=3)]
    return Bench(exam, scopes, lambda s: ByNeighbour(s.memories), DEPTH)


def test_each_question_gets_the_nodes_of_its_own_scope():
    (found,) = bench().answer([FULL])
    assert found.ranking.ids.tolist() == [[1, 2, -1, -1], [3, 4, -1, -1], [2, -1, -1, -1]]
    assert found.ranking.scores[0, :2].tolist() == [1.0, np.float32(0.8)]
    assert bench().scope_of.tolist() == [0, 1, 0]


def test_what_a_layer_did_is_added_up_over_scopes():
    (found,) = bench().answer([FULL])
    chain, stdp = found.uses
    assert chain.learning_seconds == 0.5
    assert (chain.layer, chain.found.tolist(), chain.bytes, chain.edges) == (
        "chain", [1, 1, 0], 200, 14
    )  # fmt: skip
    assert (dict(chain.failures), dict(stdp.failures)) == ({}, {"empty": 2})
    assert found.expanded.tolist() == [True] * 3


def test_a_pipeline_is_made_once_and_gets_all_plans_at_once():
    made, told = bench(), []
    made.answer([FULL, Plan()], told.append)
    made.answer([Plan()])
    assert [len(p.calls) for p in made._pipelines.values()] == [2, 2]
    assert told == [1, 2]


def test_a_floor_ranks_the_known_memories_of_each_scope_in_falling_order():
    found = bench().floor("recency").ranking
    assert found.ids.tolist() == [[2, 1, 0, -1], [4, 3, -1, -1], [2, 1, 0, -1]]
    drawn, again = (bench().floor("random").ranking for _ in range(2))
    assert drawn.sha256() == again.sha256()
    assert sorted(drawn.ids[0].tolist()) == [-1, 0, 1, 2]


def test_each_question_is_answered_by_the_part_of_its_fold():
    one, other = bench().answer([FULL, Plan()])
    mixed = by_fold([one, other], np.array([0, 1, 1]))
    assert mixed.ranking.ids.tolist() == [[1, 2, -1, -1], [3, -1, -1, -1], [2, -1, -1, -1]]
    assert mixed.expanded.tolist() == [True, False, False]
    (chain, _) = mixed.uses
    assert chain.found.tolist() == [1, 0, 0]
