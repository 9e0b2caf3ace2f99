"""The memory model's score over a log: as of before each question, and nothing of what comes."""

import math

import numpy as np
import pytest

from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.recall import memory
from hebb_lab.recall.bm25 import Bm25
from hebb_lab.recall.dense import Dense
from hebb_lab.recall.embedders import HashingEmbedder
from hebb_lab.recall.known import excluded
from hebb_lab.recall.memory import (
    Lives,
    MemoryModel,
    composite_scores,
    cosine_relevance,
    word_relevance,
)  # fmt: skip
from tests.recall.asking import (
    assert_answers_are_allowed,
    assert_blind_to_the_future,
    queries_at,
    some_queries,
    some_touches,
    touches_from,
)

DAY_US = 86_400_000_000
RULES = {
    "documented": DOCUMENTED,
    "observed": OBSERVED,
    "from the last access": DOCUMENTED.change(recency_anchor="accessed", recency_shape="half_life"),
    "decay as a factor": DOCUMENTED.change(decay_in_rank="factor", decay_anchor="created"),
    "nothing reinforced": DOCUMENTED.change(reinforcement="off"),
    "no count, no clock": DOCUMENTED.change(count_gain=False, access_moves_clock=False),
    "boosted": OBSERVED.change(importance_boost=0.3, reinforcement_cap=5, weight_importance=0.9),
}


def words(touches):
    return word_relevance(Bm25(touches.nodes, {}, touches.born_us()))


def vectors(touches):
    return cosine_relevance(Dense(HashingEmbedder(), touches.nodes, {}, touches.born_us()))


def nothing(touches):
    return None


def over_days(touches, span_days=90):
    """The same touches over some months, so that ages count."""
    step = span_days * DAY_US // len(touches)
    return touches_from(touches.nodes, touches.node, 20_000 * DAY_US + touches.time_us // 10 * step)


@pytest.fixture(scope="module")
def log():
    rng = np.random.default_rng(0)
    touches = over_days(some_touches(rng))
    return touches, some_queries(touches, rng)


@pytest.mark.parametrize("relevance", [words, vectors, nothing])
@pytest.mark.parametrize("rules", RULES)
def test_it_sees_nothing_of_the_future_bit_by_bit(rules, relevance, log):
    assert_blind_to_the_future(
        lambda touches, queries: MemoryModel(touches, RULES[rules], relevance(touches)).rank(
            queries, 7
        ),
        *log,
    )


@pytest.mark.parametrize("relevance", [words, vectors, nothing])
def test_it_answers_with_known_nodes_that_are_not_excluded(relevance, log):
    touches, queries = log
    ranking = MemoryModel(touches, DOCUMENTED, relevance(touches)).rank(queries, 50)
    assert_answers_are_allowed(ranking, queries, touches.born_us())
    known = (touches.born_us() < queries.time_us[:, None]).sum(axis=1)
    barred = [len(set(excluded(queries, q).tolist())) for q in range(len(queries))]
    assert ((ranking.ids >= 0).sum(axis=1) == np.minimum(known - barred, 50)).all()


def plainly(touches, now, relevance, rules):
    """Node → score, by the words of the rules alone."""
    scores = {}
    for node in range(len(touches.nodes)):
        times = touches.time_us[(touches.node == node) & (touches.time_us < now)].tolist()
        if not times:
            continue
        created, accessed, n, importance = times[0], times[0], 0, 0.5
        for time in times[1:] if rules.reinforcement != "off" else []:
            n += rules.count_gain
            accessed = time if rules.access_moves_clock else accessed
            importance += rules.importance_boost * (1 - importance)
        count = math.log2(1 + n) / math.log2(1 + rules.reinforcement_cap)
        anchor = created if rules.decay_anchor == "created" else accessed
        half_life = rules.half_life_days * DAY_US * (1 + rules.half_life_gain * importance)
        decay = importance * 2 ** (-(now - anchor) / half_life) * (1 + min(count, 1))
        anchor = created if rules.recency_anchor == "created" else accessed
        age = (now - anchor) / (rules.recency_days * DAY_US)
        recency = 2**-age if rules.recency_shape == "half_life" else max(0, 1 - age)
        weighed = min(decay, 1) if rules.decay_in_rank == "importance" else importance
        score = (
            rules.weight_relevance * float(relevance[node]) + rules.weight_recency * recency
            + rules.weight_importance * weighed + rules.weight_reinforcement * min(count, 1)
        )  # fmt: skip
        left = min(1, decay / importance) if rules.decay_in_rank == "factor" else 1
        scores[node] = score * left
    return scores


@pytest.mark.parametrize("relevance", [words, vectors, nothing])
@pytest.mark.parametrize("rules", RULES)
def test_scores_are_those_of_a_plain_walk_through_the_log(rules, relevance, log):
    touches, queries = log
    relevant = relevance(touches)
    shares = np.zeros((len(queries), len(touches.nodes))) if relevant is None else relevant(queries)
    ranking = MemoryModel(touches, RULES[rules], relevant).rank(queries, 60)
    for q in range(0, len(queries), 7):
        want = plainly(touches, int(queries.time_us[q]), shares[q], RULES[rules])
        barred = excluded(queries, q)
        got = {n: float(s) for n, s in zip(ranking.ids[q], ranking.scores[q], strict=True)
               if n >= 0}  # fmt: skip
        assert got == pytest.approx({n: s for n, s in want.items() if n not in barred}, rel=1e-6)


def test_pieces_of_any_size_give_the_same_bits(log, monkeypatch):
    touches, queries = log
    model = MemoryModel(touches, DOCUMENTED, vectors(touches))
    whole = model.rank(queries, 9).sha256()
    for cells in (1, 100, 5000):
        monkeypatch.setattr(memory, "_CELLS", cells)
        assert model.rank(queries, 9).sha256() == whole


def test_equal_scores_are_settled_by_the_higher_id():
    touches = touches_from(["a", "b", "c"], [2, 0, 1], [10, 10, 10])
    ranking = MemoryModel(touches, DOCUMENTED).rank(queries_at([11]), 3)
    assert ranking.ids.tolist() == [[2, 1, 0]]


def test_before_the_first_touch_and_without_queries_there_is_no_answer():
    touches = touches_from(["a"], [0], [10])
    model = MemoryModel(touches, DOCUMENTED, words(touches))
    assert model.rank(queries_at([5, 10, 11]), 2).ids.tolist() == [[-1, -1], [-1, -1], [0, -1]]
    assert model.rank(queries_at([]), 2).ids.shape == (0, 2)
    assert model.rank(queries_at([11]), 0).ids.shape == (1, 0)


def test_queries_that_go_back_in_time_are_refused(log):
    with pytest.raises(ValueError, match="earlier"):
        MemoryModel(log[0], DOCUMENTED).rank(queries_at([9, 8]), 3)


def test_times_before_1970_are_only_ages():
    touches = touches_from(["a", "b"], [0, 1], [-5 * DAY_US, -DAY_US])
    ranking = MemoryModel(touches, DOCUMENTED).rank(queries_at([0]), 2)
    assert ranking.ids.tolist() == [[1, 0]]
    assert np.isfinite(ranking.scores).all()


def test_relevance_alone_ranks_as_its_seeder_does(log):
    touches, queries = log
    only = DOCUMENTED.change(weight_recency=0, weight_importance=0, weight_reinforcement=0)
    dense = Dense(HashingEmbedder(), touches.nodes, {}, touches.born_us())
    got = MemoryModel(touches, only, cosine_relevance(dense)).rank(queries, 5)
    want = dense.rank(queries, 5)
    positive = want.scores > 1e-3
    assert (got.ids[positive] == want.ids[positive]).all()
    lexical = Bm25(touches.nodes, {}, touches.born_us())
    got, want = (
        MemoryModel(touches, only, words(touches)).rank(queries, 5),
        lexical.rank(queries, 5),
    )
    told = want.ids >= 0
    assert (got.ids[told] == want.ids[told]).mean() > 0.9  # a share may tie where scores do not


def test_words_of_nobody_are_relevant_to_nothing():
    touches = touches_from(["a.py", "b.py"], [0, 1], [1, 2])
    queries = queries_at([5], texts=["zebra"])
    assert words(touches)(queries).tolist() == [[0.0, 0.0]]
    assert MemoryModel(touches, DOCUMENTED, words(touches)).rank(queries, 2).ids.tolist() == [
        [1, 0]
    ]


def test_the_worked_example_of_the_documentation():
    """New, importance ½, relevance 1, no access: 0.80 (hebbs.md §6)."""
    none = np.zeros((1, 1), np.int64)
    lives = Lives(none, none, np.full((1, 1), 0.5), none)
    for rules in (DOCUMENTED, OBSERVED):
        assert composite_scores(np.ones((1, 1), np.float32), lives, rules) == np.float32(0.8)


def test_bytes_are_what_is_kept_of_each_node():
    touches = touches_from(["a", "b"], [0, 1], [1, 2])
    assert MemoryModel(touches, DOCUMENTED).byte_count() == 2 * 28
