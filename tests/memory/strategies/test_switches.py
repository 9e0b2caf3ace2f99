"""Every switch of recall moves an answer: none is inert by accident."""

from dataclasses import fields
from functools import cache

import numpy as np
import pytest

from hebb_lab.memory.published import DOCUMENTED
from hebb_lab.memory.rules.recalling import RecallRules
from hebb_lab.memory.strategies import recall, reinforced
from hebb_lab.memory.values import EdgeKind
from tests.memory.strategies.small import NOW_US, Link, Small, cue, store, unit
from tests.memory.strategies.test_recalling import NAMES, random_questions, random_store

BY_CONTEXT = {"analogy": "context"}
OFFSET = {"causal": "offset"}
GRAPH = {"index": "hnsw", "hnsw_neighbours": 4, "hnsw_construction": 8, "hnsw_search": 10}
LINKING = {"co_recall": "all_pairs"}

# switch → (another value, what else is set, so that it can be seen)
RECALLED = {
    "scope_filter": ("after", {}), "scope_oversampling": (1, {"scope_filter": "after"}),
    "unscoped_shared": (False, {}), "superseded_recalled": (True, {}),
    "stale_recalled": (False, {}), "temporal_needs_entity": (True, {}), "causal": ("offset", {}),
    "causal_direction": ("forward", {}), "causal_depth": (1, {}), "causal_distance": ("linear", {}),
    "causal_recency": (0.7, {}), "edge_confidence": (False, {}), "weight_caused_by": (0.3, {}),
    "weight_related_to": (0.3, {}), "weight_followed_by": (0.3, {}),
    "weight_revised_from": (0.3, {}), "weight_insight_from": (0.3, {}),
    "offset_rate": (0.9, OFFSET), "offset_scope": ("entity", OFFSET),
    "offset_order": ("first", OFFSET),
    "analogy": ("context", {}), "analogy_blend": (0.9, {}),
    "analogy_candidates": (5, {"analogy_blend": 0.0}),
    "analogy_kind_entity": ("constant", BY_CONTEXT), "analogy_empty": (0.9, BY_CONTEXT),
    "fusion": ("rrf", {}), "fusion_rrf_k": (1.0, {"fusion": "rrf"}), "weight_relevance": (0.1, {}),
    "weight_recency": (0.9, {}), "weight_importance": (0.9, {}), "weight_reinforcement": (0.9, {}),
    "recency_anchor": ("accessed", {}), "recency_shape": ("half_life", {}),
    "recency_days": (3.0, {}), "decay_in_rank": ("factor", {}), "reinforcement_cap": (5, {}),
}  # fmt: skip
INDEXED = {
    "index": ("exact", GRAPH), "hnsw_neighbours": (32, GRAPH), "hnsw_construction": (200, GRAPH),
    "hnsw_search": (300, GRAPH),
}  # fmt: skip
ACCESSED = {
    "count_gain": (False, {}), "access_moves_clock": (False, {}), "importance_boost": (0.5, {}),
    "co_recall": ("all_pairs", {}), "co_recall_first": (2, LINKING),
    "co_recall_rate": (0.7, LINKING),
}  # fmt: skip
UNTAUGHT = {"offset_untaught": ("similar", OFFSET)}
OF_THE_STORE = {"reinforcement"}  # which accesses count at all: tests/memory/operations


@cache
def world():
    rng = np.random.default_rng(11)
    memories, links, ids = random_store(rng, 150)
    ends = rng.integers(0, 150, (300, 2))
    links += [
        Link(a, b, EdgeKind(1 + place % 5), float(np.float32(rng.random())))
        for place, (a, b) in enumerate(ends.tolist())
        if a != b
    ]
    return store(memories, links, ids=ids), random_questions(rng, memories, ids, 40)[0]


def recalled(**switches):
    made, cues = world()
    rules = DOCUMENTED.change(**switches)
    found = [recall(*made, rules, cues, NOW_US, 10, names) for names in (*NAMES, NAMES)]
    return [(*each.ids, *each.score.ravel().tolist(), *each.failures) for each in found]


@cache
def crowd():
    rng = np.random.default_rng(0)
    return store([Small(unit(*rng.standard_normal(24))) for _ in range(2048)])


def indexed(**switches):
    questions = np.random.default_rng(1).standard_normal((20, 24))
    rules = DOCUMENTED.change(**switches)
    return [
        recall(*crowd(), rules, cue(*question), NOW_US, 10).rows.tolist() for question in questions
    ]


def untaught(**switches):
    made = store([Small(unit(1, step)) for step in range(4)])
    return recall(
        *made, DOCUMENTED.change(**switches), cue(1, 0), NOW_US, 3, "causal"
    ).rows.tolist()


def accessed(**switches):
    links = [Link(1, 0, EdgeKind.RELATED_TO, 0.5)]
    state, _ = store([Small(unit(1, step)) for step in range(4)], links)
    rules = DOCUMENTED.change(**switches)
    change = reinforced(state, rules, np.array([0, 1, 1]), NOW_US + 1, [np.array([0, 1, 2])])
    edges = change.edges
    return (
        {name: column.tolist() for name, column in change.updated[0].scalars.items()},
        edges and (list(edges.source), list(edges.target), edges.confidence.tolist()),
    )


TABLES = {recalled: RECALLED, indexed: INDEXED, untaught: UNTAUGHT, accessed: ACCESSED}


@pytest.mark.parametrize(
    ("answer", "switch", "value", "others"),
    [
        pytest.param(answer, switch, *change, id=switch)
        for answer, table in TABLES.items()
        for switch, change in table.items()
    ],
)
def test_each_switch_moves_the_answer(answer, switch, value, others):
    assert answer(**others) != answer(**{**others, switch: value})


def test_no_switch_of_recall_is_left_out():
    tested = OF_THE_STORE.union(*TABLES.values())
    assert {part.name for part in fields(RecallRules)} | {"stale_recalled"} == tested
