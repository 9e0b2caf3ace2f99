from dataclasses import replace

import numpy as np
import pytest

from hebb_lab.graph.cognitive.rules import CognitiveRules
from hebb_lab.recall.cognitive.pipeline import Pipeline
from hebb_lab.recall.cognitive.plan import Plan
from hebb_lab.recall.cognitive.trace import first_queries, trace
from tests.recall.cognitive import fake
from tests.recall.cognitive.asking import some_memories, some_questions

PLAN = Plan("bm25", ("chain", "entities"), CognitiveRules(gate="none"))


@pytest.fixture
def world():
    rng = np.random.default_rng(5)
    memories = some_memories(rng)
    return Pipeline(memories, None, None, fake.make), some_questions(rng, memories, 24)


def test_every_added_candidate_is_traced_to_its_edges(world):
    pipeline, asked = world
    answers = pipeline.answer(asked, [PLAN], 20)[0]
    names, total = pipeline.memories.names, 0
    for query in range(len(asked)):
        added = trace(pipeline, asked, PLAN, query, 20)
        total += len(added)
        assert len(added) == answers.uses[0].listed[query]
        for each in added:
            assert names[answers.memory[query, each["rank"] - 1]] == each["memory"]
            assert each["score"] == answers.score[query, each["rank"] - 1]
            (layer,) = each["layers"]
            (edge,) = layer["edges"]
            assert layer["layer"] == edge["layer"] == "chain"
            assert edge["receiver"] == each["memory"]
            assert layer["energy"] == pytest.approx(layer["activation"] * layer["seed_score"])
            assert layer["energy"] == pytest.approx(each["score"])
            assert names.index(each["memory"]) - names.index(layer["seed"]) == layer["hop"]
    assert total > 0


def test_metadata_names_the_layer_and_the_seed_alone(world):
    pipeline, asked = world
    plan = replace(PLAN, rules=PLAN.rules.change(trace="metadata"))
    edges = [each for q in range(24) for each in trace(pipeline, asked, PLAN, q, 20)]
    metadata = [each for q in range(24) for each in trace(pipeline, asked, plan, q, 20)]
    assert [e["memory"] for e in edges] == [m["memory"] for m in metadata]
    for edge, known in zip(edges, metadata, strict=True):
        (layer,) = edge["layers"]
        assert known["layers"] == [
            {
                "graph_source": "chain",
                "graph_seed_id": layer["seed"],
                "graph_seed_score": layer["seed_score"],
            }
        ]


def test_a_traced_query_meets_what_it_met_among_the_others(world):
    pipeline, asked = world
    plan = Plan(
        "bm25", ("stdp", "chain"), PLAN.rules.change(tag_counts_from="recall"), habituation=True
    )
    answers = pipeline.answer(asked, [plan], 20)[0]
    for query in (0, 9, 23):
        for each in trace(pipeline, asked, plan, query, 20):
            assert answers.score[query, each["rank"] - 1] == each["score"]


def test_a_cue_is_no_seed(world):
    pipeline, asked = world
    pipeline = Pipeline(
        pipeline.memories, None, None, lambda _, *rest: fake.Neighbours("cross_capture", *rest)
    )
    plan = Plan("bm25", ("cross_capture",), PLAN.rules.change(tag_counts_from="recall"))
    entries = [
        layer
        for query in range(24)
        for each in trace(pipeline, asked, plan, query, 60)
        for layer in each["layers"]
    ]
    by_cue = [entry for entry in entries if entry["seed"] is None]
    assert by_cue
    assert {entry["seed_score"] for entry in by_cue} == {None}


def test_the_first_queries_are_queries(world):
    _, asked = world
    some = first_queries(asked, 3)
    assert len(some) == 3
    assert len(some.cues.tags.ptr) == len(some.filter_tags.ptr) == 4
    assert some.profile == asked.profile[:3]
