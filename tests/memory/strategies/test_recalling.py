"""Recall as a whole: held to plain Python over random small stores, and to the pinned numbers."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.memory.strategies import recall
from hebb_lab.memory.strategies.recalling import MOST
from hebb_lab.memory.values import Cues, EdgeKind, Kind
from tests.memory.strategies.plain import Plain
from tests.memory.strategies.small import (
    BARE,
    DAY_US,
    NOW_US,
    Link,
    Small,
    asked,
    cue,
    found,
    store,
    unit,
)  # fmt: skip

NAMES = ("similarity", "temporal", "causal", "analogical")
RULES = st.fixed_dictionaries({
    "index": st.sampled_from(["exact", "hnsw"]),
    "scope_filter": st.sampled_from(["before", "after"]),
    "scope_oversampling": st.sampled_from([1, 2]),
    "unscoped_shared": st.booleans(), "superseded_recalled": st.booleans(),
    "stale_recalled": st.booleans(), "temporal_needs_entity": st.booleans(),
    "causal": st.sampled_from(["walk", "offset", "both"]),
    "causal_direction": st.sampled_from(["both", "forward", "backward"]),
    "causal_depth": st.sampled_from([1, 2, 4]),
    "causal_distance": st.sampled_from(["inverse", "linear"]),
    "causal_recency": st.sampled_from([0.0, 0.2]), "edge_confidence": st.booleans(),
    "weight_caused_by": st.sampled_from([1.0, 0.5, 1.7]),
    "weight_followed_by": st.sampled_from([1.0, 0.0]),
    "offset_rate": st.sampled_from([0.1, 0.7]),
    "offset_scope": st.sampled_from(["global", "entity"]),
    "offset_order": st.sampled_from(["best", "first"]),
    "offset_untaught": st.sampled_from(["nothing", "similar"]),
    "analogy": st.sampled_from(["graph", "context"]),
    "analogy_blend": st.sampled_from([0.5, 0.8]),
    "analogy_kind_entity": st.sampled_from(["compared", "constant"]),
    "fusion": st.sampled_from(["max", "rrf", "normalised"]),
    "recency_anchor": st.sampled_from(["created", "accessed"]),
    "recency_shape": st.sampled_from(["linear", "half_life"]),
    "decay_in_rank": st.sampled_from(["none", "importance", "factor"]),
})  # fmt: skip
CONTEXTS = [{}, {"who": "x"}, {"who": 1, "where": "y"}, {"kind": "insight", "n": [1]}]


def random_store(rng, count=14):
    """A store in which all that recall looks at differs from memory to memory."""
    memories = [
        Small(
            vector=[0.0] * 4 if rng.random() < 0.1 else unit(*rng.standard_normal(4)),
            entity=[None, "a", "b"][rng.integers(3)],
            created_us=int(NOW_US - rng.integers(-3, 60) * DAY_US - rng.integers(DAY_US)),
            accessed_us=int(NOW_US - rng.integers(0, 20) * DAY_US - rng.integers(DAY_US)),
            importance=float(np.float32(rng.random())), count=int(rng.integers(0, 200)),
            kind=Kind(int(rng.integers(1, 4))), superseded=bool(rng.random() < 0.2),
            stale=bool(rng.random() < 0.2),
            context=json.dumps(CONTEXTS[rng.integers(len(CONTEXTS))]),
        )
        for _ in range(count)
    ]  # fmt: skip
    ends, kinds = rng.integers(0, count, (12, 2)), rng.integers(1, 6, 12)
    keys = {(*pair, kind) for pair, kind in zip(ends.tolist(), kinds.tolist(), strict=True)}
    links = [
        Link(source, target, EdgeKind(kind), float(np.float32(rng.random())),
             int(NOW_US + (DAY_US if rng.random() < 0.1 else 0)))
        for source, target, kind in sorted(keys) if source != target
    ]  # fmt: skip
    rng.shuffle(links)
    numbers = np.sort(rng.choice(1000, count, replace=False)).astype(np.uint64)
    if rng.random() < 0.5:
        rng.shuffle(numbers)  # rows that are not in the order of ids
    ids = Ids(np.stack([np.full(count, 7, np.uint64), numbers + np.uint64(1)], axis=1))
    return memories, links, ids


def random_questions(rng, memories, ids, count=4):
    """Some with a seed or a pair, in a scope or in none."""
    texts = [str(ids[int(rng.integers(len(ids)))]) for _ in range(3 * count)]
    numbers = {text: row for row, text in enumerate(ids)}
    named = [text if rng.random() < 0.4 else None for text in texts[:count]]
    pairs = [
        (a, b) if a != b and rng.random() < 0.4 else None
        for a, b in zip(texts[count : 2 * count], texts[2 * count :], strict=True)
    ]
    entities = [[None, "a", "b", "nobody"][rng.integers(4)] for _ in range(count)]
    contexts = [CONTEXTS[rng.integers(len(CONTEXTS))] for _ in range(count)]
    vectors = np.array([unit(*rng.standard_normal(4)) for _ in range(count)], np.float32)
    window = [(None, None), (NOW_US - 30 * DAY_US, None), (None, NOW_US - DAY_US)][rng.integers(3)]
    kinds = (Kind.EPISODE, Kind.INSIGHT) if rng.random() < 0.3 else ()
    cues = Cues(["x"] * count, vectors, entities, contexts, named, pairs, *window, kinds)
    plain = [
        {"vector": vectors[q], "entity": entities[q], "kinds": kinds, "since_us": window[0],
         "until_us": window[1], "seed": None if named[q] is None else numbers[named[q]],
         "pair": None if pairs[q] is None else tuple(numbers[text] for text in pairs[q]),
         "context": contexts[q]}
        for q in range(count)
    ]  # fmt: skip
    return cues, plain


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 2**32), switches=RULES, k=st.integers(1, 6),
    names=st.lists(st.sampled_from(NAMES), min_size=1, unique=True),
)  # fmt: skip
def test_recall_is_what_plain_python_finds_question_by_question(seed, switches, k, names):
    rng = np.random.default_rng(seed)
    memories, links, ids = random_store(rng)
    cues, plain = random_questions(rng, memories, ids)
    rules = DOCUMENTED.change(**switches)
    got = recall(*store(memories, links, ids=ids), rules, cues, NOW_US, k, names)
    numbers = [int(low) for low in ids.array[:, 1]]
    for place, question in enumerate(plain):
        expected, failed = Plain(memories, links, numbers, rules, NOW_US, k, **question).recalled(
            names
        )
        assert found(got, place) == [row for row, *_ in expected]
        hits = got.hits(place)
        assert [hit.score for hit in hits] == pytest.approx([e[1] for e in expected], abs=2e-6)
        assert [hit.relevance for hit in hits] == pytest.approx([e[2] for e in expected], abs=1e-6)
        assert [set(hit.strategies) for hit in hits] == [e[3] for e in expected]
        assert {f.strategy for f in got.failures if f.place == place} == failed


LINE = [Small(unit(1, step)) for step in range(6)]  # cosine to (1, 0) falls from row to row


def test_a_new_memory_of_importance_one_half_and_relevance_1_scores_0_80():
    made = store([Small(unit(1, 0))])
    [hit] = asked(made, "similarity", cue(1, 0)).hits()
    assert (hit.score, hit.relevance) == (pytest.approx(0.80, abs=1e-6), 1.0)


def test_decay_is_that_of_the_question_s_time_and_not_of_the_last_sweep():
    made = store([Small(unit(1, 0), created_us=NOW_US - 30 * DAY_US)])
    rules = DOCUMENTED.change(weight_relevance=0.0, weight_recency=0.0, half_life_gain=0.0)
    assert asked(made, "similarity", cue(1, 0), rules=rules).score[0, 0] == pytest.approx(0.05)


@pytest.mark.parametrize("text", ["", "x" * 65_537, "é" * 32_769])
def test_a_cue_that_is_empty_or_longer_than_65_536_bytes_is_refused(text):
    with pytest.raises(InputError, match="cue 0"):
        asked(store(LINE), "similarity", Cues([text]))


def test_a_cue_of_65_536_bytes_is_asked():
    assert len(asked(store(LINE), "similarity", Cues(["x" * 65_536])).failures) == 1


@pytest.mark.parametrize("strategies", [(), ("similarity", "similarity")])
def test_strategies_are_named_each_once_and_at_least_one(strategies):
    with pytest.raises(InputError, match="strategies"):
        asked(store(LINE), strategies, cue(1, 0))


def test_an_unknown_strategy_is_refused_with_the_near_names():
    with pytest.raises(ConfigError, match="similarity"):
        asked(store(LINE), "similarty", cue(1, 0))


@pytest.mark.parametrize("k", [0, -1, 1.5, True])
def test_k_is_a_number_from_1_up(k):
    with pytest.raises(InputError, match="k="):
        asked(store(LINE), "similarity", cue(1, 0), k=k)


def test_more_than_a_thousand_memories_are_not_asked_for():
    made = store([Small(unit(1, step)) for step in range(1100)])
    got = asked(made, "similarity", cue(1, 0), k=1100)
    assert got.rows.shape == (1, MOST)
    assert (got.rows >= 0).all()
    assert got.truncated["similarity"].tolist() == [True]


def test_what_was_written_after_the_question_is_not_found():
    later = Small(unit(1, 0), created_us=NOW_US + 1)
    made = store([later, Small(unit(1, 1))], [Link(1, 0), Link(0, 1)])
    for name in NAMES:
        assert 0 not in found(asked(made, name, cue(1, 0))), name
        assert asked(made, name, cue(1, 0), at_us=NOW_US + 1).rows[0, 0] >= 0, name


def test_a_strategy_without_a_vector_fails_and_the_others_answer():
    got = asked(store(LINE), ("similarity", "temporal", "analogical", "causal"), Cues(["what"]))
    assert [failure.strategy for failure in got.failures] == ["similarity", "analogical", "causal"]
    assert found(got) == [5, 4, 3, 2, 1, 0]
    assert {hit.strategies for hit in got.hits()} == {("temporal",)}


def test_a_cue_whose_vector_is_0_is_one_without_a_vector():
    cues = Cues(["blank", "what"], np.array([[0, 0], [1, 0]], np.float32))
    got = asked(store(LINE), "similarity", cues)
    assert [(failure.place, failure.strategy) for failure in got.failures] == [(0, "similarity")]
    assert (found(got, 0), found(got, 1)) == ([], [0, 1, 2, 3, 4, 5])


def test_two_strategies_find_what_either_finds_and_nothing_twice():
    made = store([Small(unit(1, step), created_us=NOW_US - step) for step in range(30)][::-1])
    either = {
        row for name in ("similarity", "temporal") for row in found(asked(made, name, cue(0, 1)))
    }
    both = found(asked(made, ("similarity", "temporal"), cue(0, 1), k=30))
    assert len(set(both)) == len(both)
    assert either <= set(both)


def test_truncated_says_for_each_strategy_whether_it_had_k_or_more():
    made = store([*LINE[:3], Small([0.0, 0.0])])
    got = asked(made, ("similarity", "temporal"), cue(1, 0), k=4)
    assert {name: flag.tolist() for name, flag in got.truncated.items()} == {
        "similarity": [False], "temporal": [True],
    }  # fmt: skip


def test_ids_stand_beside_their_rows_and_are_0_past_the_end():
    made = store(LINE)
    got = asked(made, "similarity", cue(1, 0), k=8)
    assert list(got.ids[:6]) == list(made[0].ids_of(got.rows[0, :6]))
    assert not got.ids.array[6:].any()
    assert np.isneginf(got.score[0, 6:]).all()
    assert not got.found_by[0, 6:].any()


def test_alike_memories_come_with_the_higher_id_first():
    assert found(asked(store([Small(unit(1, 0))] * 5), "similarity", cue(1, 0), k=3)) == [4, 3, 2]


def test_an_empty_store_answers_with_nothing():
    made = store([Small(unit(1, 0))])
    state = type(made[0])(2)
    got = recall(state, made[1], BARE, cue(1, 0), NOW_US, 5, NAMES)
    assert (found(got), got.failures) == ([], ())


def test_no_question_gets_no_answer():
    got = recall(*store(LINE), BARE, Cues(), NOW_US, 5, NAMES)
    assert (got.rows.shape, len(got), got.failures) == ((0, 5), 0, ())


def test_questions_are_answered_as_one_by_one_whatever_stands_beside_them():
    rng = np.random.default_rng(5)
    memories, links, ids = random_store(rng, 40)
    made, (cues, plain) = store(memories, links, ids=ids), random_questions(rng, memories, ids, 300)
    together = recall(*made, DOCUMENTED, cues, NOW_US, 5, NAMES)
    for place in range(0, len(plain), 37):
        alone = Cues(
            cues.texts[place : place + 1], cues.vectors[place : place + 1], [cues.entity(place)],
            [cues.contexts[place]], [cues.seeds[place]], [cues.pairs[place]], cues.since_us,
            cues.until_us, cues.kinds,
        )  # fmt: skip
        one = recall(*made, DOCUMENTED, alone, NOW_US, 5, NAMES)
        assert found(one) == found(together, place)
        assert np.array_equal(one.score[0], together.score[place])


@pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED], ids=["documented", "observed"])
@pytest.mark.parametrize("name", ["similarity", "causal", "analogical", "temporal"])
def test_in_the_scope_of_an_entity_only_its_memories_are_found(rules, name):
    memories = [
        Small(unit(1, step), entity="ab"[step % 2], created_us=NOW_US - step) for step in range(20)
    ]
    links = [Link(row, row + step) for row in range(18) for step in (1, 2)]
    got = asked(store(memories, links), name, cue(1, 0, entities="a"), rules=rules)
    assert found(got)
    assert {row % 2 for row in found(got)} == {0}


def test_a_score_lies_between_0_and_the_sum_of_the_weights():
    rng = np.random.default_rng(3)
    for _ in range(30):
        memories, links, ids = random_store(rng)
        got = recall(*store(memories, links, ids=ids), DOCUMENTED, cue(*rng.standard_normal(4)),
                     NOW_US, 10, NAMES)  # fmt: skip
        score = got.score[got.rows >= 0]
        assert (score >= 0).all()
        assert (score <= 1.01).all()
