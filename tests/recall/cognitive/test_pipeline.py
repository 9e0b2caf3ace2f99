"""The pipeline as a whole: sharing, time, gates, failures, and that expansion only adds."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.graph.cognitive.published import OBSERVED
from hebb_lab.graph.cognitive.rules import CognitiveRules
from hebb_lab.recall.cognitive import session as sessions
from hebb_lab.recall.cognitive.direct import SEEDERS
from hebb_lab.recall.cognitive.pipeline import Pipeline
from hebb_lab.recall.cognitive.plan import Plan
from hebb_lab.recall.cognitive.trace import first_queries
from hebb_lab.recall.embedders import HashingEmbedder
from tests.recall.cognitive import fake
from tests.recall.cognitive.asking import some_memories, some_questions

OPEN = CognitiveRules(gate="none")
PLANS = [
    Plan(seeder, layers, rules, scoring, profile, habituation, importance)
    for seeder, layers, (rules, scoring, profile, habituation, importance) in itertools.product(
        ("bm25", "hybrid"),
        ((), ("chain",), ("chain", "stdp", "hebbian", "entities")),
        (
            (OPEN, "similarity", None, False, "given"),
            (OPEN.change(merge="sum", existing="raised"), "similarity", None, True, "given"),
            (OPEN.change(seed_count=2, seed_order="written"), "phases", "own", False, "surprise"),
            (OPEN.change(text_fusion="after", temporal_hops=7), "phases", None, False, "given"),
            (OPEN.change(tag_counts_from="recall"), "similarity", None, False, "given"),
            (OBSERVED.change(gate_threshold=0.5), "phases", "CRITICAL", True, "given"),
            (OPEN, "memory", None, True, "surprise"),
        ),
    )
]


@pytest.fixture
def world():
    fake.Neighbours.calls.clear()
    rng = np.random.default_rng(5)
    memories = some_memories(rng)
    return memories, some_questions(rng, memories, 24)


def pipeline(memories):
    return Pipeline(memories, HashingEmbedder(), None, fake.make)


def same(a, b):
    return all(
        x.tobytes() == y.tobytes() and x.dtype == y.dtype for x, y in zip(a[:3], b[:3], strict=True)
    )


def test_arms_together_answer_as_each_alone(world):
    memories, asked = world
    together = pipeline(memories).answer(asked, PLANS, 8)
    for plan, answers in zip(PLANS, together, strict=True):
        alone = pipeline(memories).answer(asked, [plan], 8)[0]
        assert same(answers, alone), plan
        for a, b in zip(answers.uses, alone.uses, strict=True):
            assert a.layer == b.layer
            assert np.array_equal(a.found, b.found)
            assert np.array_equal(a.listed, b.listed)
            assert (a.bytes, a.edges, a.failure) == (b.bytes, b.edges, b.failure)


def test_asking_again_answers_the_same(world):
    memories, asked = world
    recall = pipeline(memories)
    first = recall.answer(asked, PLANS, 8)
    assert all(map(same, first, recall.answer(asked, PLANS, 8)))
    assert all(map(same, first[::-1], recall.answer(asked, PLANS[::-1], 8)))
    other = first_queries(asked, 11)
    assert all(
        map(same, recall.answer(other, PLANS, 8), pipeline(memories).answer(other, PLANS, 8))
    )


def test_what_is_let_go_is_found_again(world, monkeypatch):
    memories, asked = world
    whole = pipeline(memories).answer(asked, PLANS, 8)
    monkeypatch.setattr(sessions, "KEPT_BYTES", 0)
    monkeypatch.setattr("hebb_lab.recall.cognitive.learning.KEPT_RULE_SETS", 0)
    recall = pipeline(memories)
    for _ in range(2):
        for plan, answers in zip(PLANS, whole, strict=True):
            assert same(recall.answer(asked, [plan], 8)[0], answers)


def test_groups_of_any_size_answer_the_same(world, monkeypatch):
    memories, asked = world
    whole = pipeline(memories).answer(asked, PLANS, 8)
    monkeypatch.setattr(sessions, "GROUP_CELLS", 1)
    monkeypatch.setattr("hebb_lab.recall.cognitive.pipeline.KEPT_CELLS", 0)
    assert all(map(same, whole, pipeline(memories).answer(asked, PLANS, 8)))


def test_answers_know_nothing_of_what_comes_later(world):
    memories, asked = world
    whole = pipeline(memories).answer(asked, PLANS, 8)
    for count in (3, 14):
        known = int(asked.known[count - 1])
        past = replace(
            memories.within(0)[0], texts=(*memories.texts[:known], *("x",) * (60 - known))
        )
        shuffled = past.importance.copy()
        shuffled[known:] = 9.0
        past = replace(past, importance=shuffled)
        answers = pipeline(past).answer(first_queries(asked, count), PLANS, 8)
        for plan, then, now in zip(PLANS, answers, whole, strict=True):
            for a, b in zip(then[:3], now[:3], strict=True):
                assert np.array_equal(a, b[:count]), plan


def test_no_answer_is_later_than_its_query_and_lists_are_in_order(world):
    memories, asked = world
    name_rank = pipeline(memories).collection.name_rank
    for answers in pipeline(memories).answer(asked, PLANS, 8):
        assert (answers.memory < asked.known[:, None]).all()
        assert ((answers.memory < 0) == np.isneginf(answers.score)).all()
        for ids, scores in zip(answers.memory, answers.score, strict=True):
            held = ids[ids >= 0]
            assert len(set(held.tolist())) == len(held)
            keys = list(zip(scores[: len(held)].tolist(), name_rank[held].tolist(), strict=True))
            assert keys == sorted(keys, reverse=True)


def test_without_layers_the_list_is_that_of_direct_search(world):
    memories, asked = world
    recall = pipeline(memories)
    for seeder in SEEDERS:
        answers = recall.answer(asked, [Plan(seeder, rules=OPEN)], 8)[0]
        for q in range(len(asked)):
            known = int(asked.known[q])
            scores = SEEDERS[seeder](recall.collection, [asked.texts[q]], known).scores[0]
            order = np.lexsort((-recall.collection.name_rank[:known], -scores))
            expected = [m for m in order.tolist() if np.isfinite(scores[m])][:8]
            assert [m for m in answers.memory[q].tolist() if m >= 0] == expected


def test_layers_that_are_empty_or_fail_change_no_byte_and_are_reported(world):
    memories, asked = world
    for plan in PLANS:
        fails = plan.rules.change(hebbian_depth=13)
        bare, nothing = pipeline(memories).answer(
            asked,
            [replace(plan, layers=(), rules=fails),
             replace(plan, layers=("entities", "hebbian", "hyperedges"), rules=fails)], 8,
        )  # fmt: skip
        assert same(bare, nothing)
        assert [use.failure for use in nothing.uses] == [
            "empty", "RuntimeError: thirteen hops", "KeyError: 'hyperedges'",
        ]  # fmt: skip
        assert not any(use.found.any() or use.listed.any() for use in nothing.uses)


def test_expansion_only_adds_before_the_cut(world):
    memories, asked = world
    for plan in PLANS:
        if plan.rules.text_fusion == "after":
            continue
        bare = pipeline(memories).answer(asked, [replace(plan, layers=())], 8)[0]
        wide = pipeline(memories).answer(asked, [plan], 8)[0]
        for q in range(len(asked)):
            lost = set(bare.memory[q].tolist()) - set(wide.memory[q].tolist())
            new = [m for m in wide.memory[q].tolist() if m not in bare.memory[q].tolist()]
            assert len(lost) <= len(new)  # what went was pushed out of a full list


def test_a_layer_is_learned_once_for_all_arms_that_share_it(world):
    memories, asked = world
    late = replace(asked, known=np.full(24, 60), time_us=np.full(24, memories.time_us[-1] + 1))
    plans = [
        Plan("bm25", layers, OPEN.change(merge=merge, merge_chain=weight))
        for layers in (("chain",), ("chain", "stdp"), ("stdp",))
        for merge in ("max", "sum")
        for weight in (0.5, 1.0)
    ]
    recall = pipeline(memories)
    recall.answer(late, plans, 8)
    assert fake.Neighbours.calls == {"made": 2, "rules": 2, "expanded": 2}
    recall.answer(late, [Plan("bm25", ("chain",), OPEN.change(merge_chain=3.0))], 8)
    assert fake.Neighbours.calls == {"made": 2, "rules": 2, "expanded": 2}
    recall.answer(late, [Plan("bm25", ("chain",), OPEN.change(seed_count=2))], 8)
    assert fake.Neighbours.calls == {"made": 2, "rules": 2, "expanded": 3}


def test_a_shut_gate_leaves_the_list_and_is_reported(world):
    memories, asked = world
    shut = CognitiveRules(gate="direct_match", gate_threshold=0.0)
    recall = pipeline(memories)
    bare, closed, opened = recall.answer(
        asked,
        [Plan("hybrid"), Plan("hybrid", ("chain",), shut), Plan("hybrid", ("chain",), OPEN)],
        8,
    )
    assert same((bare.memory, bare.score, closed.expanded), closed)
    assert not closed.expanded.any()
    assert opened.expanded.all()
    assert not closed.uses[0].found.any()
    assert opened.uses[0].found.any()


def test_a_profile_brings_its_own_threshold(world):
    memories, asked = world
    rules = CognitiveRules(gate="direct_match", gate_threshold=0.9)
    plans = [
        Plan("dense", ("chain",), rules, "phases", p) for p in (None, "HYPERFOCUS", "DIVERGENT")
    ]
    rates = [a.expanded.mean() for a in pipeline(memories).answer(asked, plans, 8)]
    assert rates[0] > 0
    assert rates[1] == 0.0
    assert 0 < rates[2] <= rates[0]


def test_a_candidate_counts_what_its_layer_offers_times_its_weight(world):
    memories, _ = world
    asked = some_questions(np.random.default_rng(0), memories, 6, known=60)
    plans = [
        Plan("bm25", ("chain",), OPEN.change(merge_chain=weight, seed_count=1)) for weight in (1, 2)
    ]
    one, two = pipeline(memories).answer(asked, plans, 60)
    bare = pipeline(memories).answer(asked, [Plan("bm25")], 60)[0]
    for q in range(6):
        if bare.memory[q, 0] < 0:
            continue
        seed, score = int(bare.memory[q, 0]), float(bare.score[q, 0])
        listed = set(bare.memory[q].tolist())
        for hop, share in ((1, 0.5), (2, 0.25)):
            if seed + hop in listed or seed + hop >= 60:
                continue
            for answers, weight in ((one, 1), (two, 2)):
                place = answers.memory[q].tolist().index(seed + hop)
                assert answers.score[q, place] == pytest.approx(share * score * weight)


def test_what_was_just_given_is_held_back(world):
    memories, _ = world
    asked = some_questions(np.random.default_rng(0), memories, 2, known=60)
    now = int(memories.time_us[-1]) + 1
    twice = replace(asked, texts=("blue sky", "blue sky"), time_us=np.array([now, now + 1]))
    plain, tired = pipeline(memories).answer(
        twice, [Plan("bm25"), Plan("bm25", habituation=True)], 60
    )
    assert same((tired.memory[:1], tired.score[:1], plain.expanded), plain._replace(
        memory=plain.memory[:1], score=plain.score[:1]
    ))  # fmt: skip
    given = set(plain.memory[0, :10].tolist())
    assert set(tired.memory[1, :10].tolist()) != given
    at_once = replace(twice, time_us=np.array([now, now]))
    first, second = (
        pipeline(memories).answer(at_once, [Plan("bm25", habituation=True)], 60)[0].memory
    )
    assert np.array_equal(first, second)


def test_layers_learn_from_the_direct_lists_of_earlier_queries(world):
    memories, _ = world
    asked = some_questions(np.random.default_rng(0), memories, 3, known=60)
    now = int(memories.time_us[-1]) + 1
    asked = replace(asked, texts=("blue", "sky", "walk"), time_us=np.array([now, now, now + 1]))
    rules = OPEN.change(tag_counts_from="recall", existing="raised")
    plan = Plan("bm25", ("cross_capture",), rules)
    recall = Pipeline(memories, None, None, lambda _, *rest: fake.Neighbours("cross", *rest))
    answers = recall.answer(asked, [plan], 60)[0]
    bare = recall.answer(asked, [Plan("bm25")], 10)[0]
    last_given = [m for m in bare.memory[1].tolist() if m >= 0][-1]
    assert answers.memory[2, 0] == last_given
    assert answers.score[2, 0] == 9.0
    assert answers.score[1].max() < 9.0  # the first query was asked at the same time


def test_bm25_may_join_after_expansion(world):
    memories, _ = world
    asked = some_questions(np.random.default_rng(3), memories, 10, known=60)
    after = OPEN.change(text_fusion="after")
    recall = pipeline(memories)
    dense, bm25, late, early = recall.answer(
        asked,
        [Plan("dense"), Plan("bm25"), Plan("hybrid", rules=after), Plan("hybrid", rules=OPEN)], 8,
    )  # fmt: skip
    for q in range(10):
        both = {*dense.memory[q].tolist(), *bm25.memory[q].tolist()}
        assert set(late.memory[q].tolist()) <= both
    assert late.score.max() <= np.float32(2 / 61)
    assert not np.array_equal(late.memory, early.memory)
    same_words = recall.answer(asked, [Plan("bm25", rules=after)], 8)[0]
    assert same(same_words, bm25)  # there is nothing to join


def test_surprise_fills_in_importance(world):
    memories, _ = world
    recall = pipeline(memories)
    assert np.isnan(recall.memories_with("given").importance).any()
    assert np.isfinite(recall.memories_with("surprise").importance).all()
    without = Pipeline(memories, None, None, fake.make).memories_with("surprise")
    assert np.array_equal(without.importance, recall.memories_with("surprise").importance)


def test_queries_out_of_order_and_dense_without_vectors_are_refused(world):
    memories, asked = world
    with pytest.raises(ValueError, match="time order"):
        pipeline(memories).answer(replace(asked, known=asked.known[::-1]), [Plan()], 8)
    with pytest.raises(ValueError, match="more memories"):
        pipeline(memories).answer(replace(asked, known=asked.known + 60), [Plan()], 8)
    with pytest.raises(ConfigError, match="embedder"):
        Pipeline(memories).answer(asked, [Plan("dense")], 8)
    with pytest.raises(ConfigError, match="bm25"):
        pipeline(memories).answer(asked, [Plan("bm52")], 8)


def test_no_queries_and_no_plans(world):
    memories, asked = world
    assert pipeline(memories).answer(asked, [], 8) == []
    nobody = first_queries(asked, 0)
    answers = pipeline(memories).answer(nobody, PLANS[:5], 8)
    assert [a.memory.shape for a in answers] == [(0, 8)] * 5
