"""The memory model's score over direct search: by a plain formula, and blind to what comes."""

import math
from dataclasses import replace

import numpy as np
import pytest

from hebb_lab.graph.cognitive.rules import CognitiveRules
from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.recall.cognitive.direct import SEEDERS, Collection
from hebb_lab.recall.cognitive.pipeline import Pipeline
from hebb_lab.recall.cognitive.plan import Plan
from hebb_lab.recall.cognitive.scoring.composite import CompositeScorer
from hebb_lab.recall.cognitive.searching import DirectKey
from hebb_lab.recall.cognitive.trace import first_queries
from hebb_lab.recall.embedders import HashingEmbedder
from tests.recall.cognitive import fake
from tests.recall.cognitive.asking import some_memories, some_questions

DAY_US = 86_400_000_000
RULES = {
    "documented": DOCUMENTED,
    "observed": OBSERVED,
    "factor": DOCUMENTED.change(decay_in_rank="factor", half_life_days=3.0),
    "half-life": OBSERVED.change(recency_shape="half_life", recency_days=2.0),
    "off": DOCUMENTED.change(reinforcement="off"),
}


def plainly(relevance, age, importance, recalls, rules):
    """One score by the words of the rules alone."""
    importance = 0.5 if math.isnan(importance) else importance / (1 + importance)
    n = recalls if rules.reinforcement != "off" else 0
    count = min(1, math.log2(1 + n) / math.log2(1 + rules.reinforcement_cap))
    half_life = rules.half_life_days * DAY_US * (1 + rules.half_life_gain * importance)
    decay = importance * 2 ** (-age / half_life) * (1 + count)
    age /= rules.recency_days * DAY_US
    recency = 2**-age if rules.recency_shape == "half_life" else max(0, 1 - age)
    weighed = min(decay, 1) if rules.decay_in_rank == "importance" else importance
    score = (
        rules.weight_relevance * relevance + rules.weight_recency * recency
        + rules.weight_importance * weighed + rules.weight_reinforcement * count
    )  # fmt: skip
    return score * (min(1, decay / importance) if rules.decay_in_rank == "factor" else 1)


@pytest.fixture(scope="module")
def world():
    rng = np.random.default_rng(9)
    memories = some_memories(rng)
    # close to each other in time, so that recency is not 0 for all
    memories = replace(memories, time_us=memories.time_us // 100)
    return memories, some_questions(rng, memories, 20)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seeder", ["bm25", "dense", "hybrid"])
def test_scores_are_those_of_a_plain_formula(world, seeder, rules):
    memories, asked = world
    collection = Collection(memories.texts, memories.names, HashingEmbedder())
    for row in range(len(asked)):
        rows, known = slice(row, row + 1), int(asked.known[row])
        direct = SEEDERS[seeder](collection, asked.texts[rows], known)
        scorer = CompositeScorer(memories, RULES[rules], by_cosine=seeder == "dense")
        scored = scorer.score(direct, asked, rows)
        relevance = np.maximum(direct.scores, 0) if seeder == "dense" else direct.similarity
        want = [
            plainly(
                float(relevance[0, m]), int(asked.time_us[row] - memories.time_us[m]),
                float(memories.importance[m]), int(memories.recalls[m]), RULES[rules],
            )
            for m in range(known)
        ]  # fmt: skip
        np.testing.assert_allclose(scored.similarity[0], want, rtol=1e-6)
        missing = np.isneginf(direct.scores)
        np.testing.assert_array_equal(np.isneginf(scored.scores), missing)
        np.testing.assert_array_equal(scored.scores[~missing], scored.similarity[~missing])
        assert scored.scores.dtype == scored.similarity.dtype == np.float32
        assert scored.allowed.all()
        np.testing.assert_array_equal(scored.match, direct.match)


def answered(memories, asked, plan, depth=8):
    return Pipeline(memories, HashingEmbedder(), None, fake.make).answer(asked, [plan], depth)[0]


@pytest.mark.parametrize("layers", [(), ("chain",), ("chain", "entities")])
@pytest.mark.parametrize("seeder", ["bm25", "dense"])
def test_what_is_written_later_changes_no_bit_of_an_answer(world, seeder, layers):
    memories, asked = world
    plan = Plan(seeder, layers, CognitiveRules(gate="none"), "memory")
    whole = answered(memories, asked, plan)
    for count in (1, 7, 13):
        known = int(asked.known[count - 1])
        times = memories.time_us.copy()
        times[known:] += np.arange(len(times) - known) * DAY_US
        importance = memories.importance.copy()
        importance[known:] = 10.0
        texts = (*memories.texts[:known], *memories.texts[known:][::-1])
        other = replace(memories, time_us=times, importance=importance, texts=texts)
        part = answered(other, first_queries(asked, count), plan)
        assert part.memory.tobytes() == whole.memory[:count].tobytes()
        assert part.score.tobytes() == whole.score[:count].tobytes()


def test_layers_expand_the_scored_list_as_any_other(world):
    memories, asked = world
    bare, grown = (
        answered(memories, asked, Plan("bm25", layers, CognitiveRules(gate="none"), "memory"), 60)
        for layers in ((), ("chain",))
    )
    listed = [set(row[row >= 0].tolist()) for row in bare.memory]
    more = [set(row[row >= 0].tolist()) for row in grown.memory]
    assert all(one <= other for one, other in zip(listed, more, strict=True))
    assert sum(map(len, more)) > sum(map(len, listed))


def test_a_newer_or_a_more_important_memory_comes_first_where_all_else_is_equal(world):
    memories, asked = world
    same = replace(
        memories, texts=("walk",) * 60, recalls=memories.recalls * 0,
        importance=np.ones(60, np.float32), time_us=memories.time_us * 50,
    )  # fmt: skip
    now = np.array([int(same.time_us[-1]) + 1])
    last = replace(first_queries(asked, 1), texts=("walk",), known=np.array([60]), time_us=now)
    found = answered(same, last, Plan("bm25", scoring="memory"), 60)
    assert (np.diff(same.time_us[found.memory[0]]) <= 0).all()
    marked = same.importance.copy()
    marked[3] = 10.0
    rules = DOCUMENTED.change(weight_importance=9.0, decay_in_rank="none")
    plan = Plan("bm25", scoring="memory", memory=rules)
    assert answered(replace(same, importance=marked), last, plan, 60).memory[0, 0] == 3


def test_plans_share_a_search_only_where_the_rules_of_the_score_are_the_same():
    plan = Plan("bm25", scoring="memory")
    other = replace(plan, memory=DOCUMENTED.change(recency_days=3.0))
    assert DirectKey.of(plan) == DirectKey.of(replace(plan, layers=("chain",)))
    assert DirectKey.of(plan) != DirectKey.of(other)
    plain = replace(plan, scoring="similarity")
    assert DirectKey.of(plain) == DirectKey.of(replace(other, scoring="similarity"))
    surprised = replace(plan, importance="surprise")
    assert DirectKey.of(plan) != DirectKey.of(surprised)
