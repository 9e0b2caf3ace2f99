"""The page's story end to end: each layer adds what the page says only it can, edge by edge."""

import numpy as np
import pytest

from hebb_lab.corpora.built_in.scenario import DIRECT, FOUND_BY, GATE, QUESTION, scenario
from hebb_lab.graph.cognitive.layer import Cues
from hebb_lab.graph.cognitive.rules import PARTS, CognitiveRules
from hebb_lab.recall.cognitive.pipeline import Pipeline
from hebb_lab.recall.cognitive.plan import Asked, Plan
from hebb_lab.recall.cognitive.trace import trace
from hebb_lab.records import Lists

ANSWER = {DIRECT, *(name for each in FOUND_BY.values() for name in each)}
RULES = CognitiveRules(gate_threshold=GATE)


@pytest.fixture(scope="module")
def story():
    dataset = scenario()
    memories = dataset.memories
    tag = memories.tag_names.index("latency")
    entity = [name.lower() for name in memories.entity_names].index("databaseservice")
    asked = Asked(
        (QUESTION,),
        np.array([len(memories)]),
        memories.time_us[-1:] + 1,
        Cues(Lists.of([[tag]]), Lists.of([[entity]])),
    )
    return Pipeline(memories), asked


def names(pipeline, answers):
    return [pipeline.memories.names[m] for m in answers.memory[0].tolist() if m >= 0]


def test_direct_search_finds_one_memory(story):
    pipeline, asked = story
    assert names(pipeline, pipeline.answer(asked, [Plan()], 20)[0]) == [DIRECT]


@pytest.mark.parametrize("layer", FOUND_BY)
def test_each_layer_adds_what_the_page_says(story, layer):
    pipeline, asked = story
    plan = Plan(layers=(layer,), rules=RULES)
    found = names(pipeline, pipeline.answer(asked, [plan], 20)[0])
    assert found[0] == DIRECT
    assert set(found[1:]) & ANSWER == set(FOUND_BY[layer])
    added = trace(pipeline, asked, plan, 0, 20)
    assert [each["memory"] for each in added] == found[1:]
    for each in added:
        (offer,) = each["layers"]
        assert offer["edges"][-1]["receiver"] == each["memory"]
        assert {edge["layer"] for edge in offer["edges"]} == {layer}


def test_all_layers_together_find_the_whole_answer(story):
    pipeline, asked = story
    full = Plan(layers=PARTS, rules=RULES)
    found = names(pipeline, pipeline.answer(asked, [full], 20)[0])
    assert set(found) >= ANSWER
    assert len(ANSWER) == 6
