from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from hebb_lab.graph.cognitive.entities import EntityLayer
from hebb_lab.graph.cognitive.layer import COGNITIVE_LAYERS, CUE, Cues, Seeds, Step
from hebb_lab.graph.cognitive.published import DOCUMENTED
from hebb_lab.records import Lists
from tests.graph.cognitive.directory.made_worlds import asked, memories, random_memories

OPEN = replace(DOCUMENTED, gate="none")
WORLD = memories(
    [["Ada"], ["Ada", "Engine"], ["Babbage"], ["Babbage", "Babbage"], []],
    ["Ada", "Babbage", "Engine"],
    relations=[("Ada", "Babbage", "KNOWS", 2)],
)


def seeds_of(*rows):
    memory = Lists.of([[m for m, _ in row] for row in rows])
    score = np.array([s for row in rows for _, s in row], np.float32)
    return Seeds(memory.ptr, memory.ids, score)


def cues_of(*rows):
    return Cues(Lists.of([[] for _ in rows]), Lists.of([list(row) for row in rows]))


def learned(*rules, known=5, world=WORLD):
    layer = EntityLayer(world, rules)
    layer.advance(known)
    return layer


def test_the_layer_is_registered():
    assert COGNITIVE_LAYERS["entities"] is EntityLayer


def test_hop_one_are_the_memories_of_the_entity_and_hop_two_those_of_related_ones():
    (found,) = learned(OPEN).expand(seeds_of([(4, 0.8)]), cues_of([0]), [0])
    fan = 2**-0.5
    assert found.memory.tolist() == [0, 1, 2, 3]
    assert found.hop.tolist() == [1, 1, 2, 2]
    assert found.activation == pytest.approx([fan, fan, fan * 0.25, fan * 0.25])
    assert found.energy == pytest.approx(0.25 * 0.8 * found.activation)
    assert set(found.origin) == {CUE}


def test_links_of_subjects_alone_lead_to_memories_that_name_the_entity_first():
    first_named = replace(OPEN, entity_links="subject", entity_hops=1)
    both = learned(OPEN, first_named)
    assert [both.edge_count(c) for c in range(2)] == [6, 5]  # with one relation each
    _, found = both.expand(seeds_of([], []), cues_of([0], [1]), [0, 1])
    assert [found.memory[a:b].tolist() for a, b in pairwise(found.ptr)] == [[0, 1], [2, 3]]
    _, engine = both.expand(seeds_of([]), cues_of([2]), [0, 1])
    assert engine.memory.tolist() == []


def test_gain_once_leaves_the_second_hop_as_strong_as_the_first_by_the_fan_of_the_query():
    (found,) = learned(replace(OPEN, entity_attenuation="once")).expand(
        seeds_of([]), cues_of([0]), [0]
    )
    assert found.activation == pytest.approx([2**-0.5] * 4)
    assert found.energy == pytest.approx(0.25 * found.activation)  # no seed: a score of 1


def test_the_entities_of_the_best_hit_can_stand_for_those_of_the_query():
    rules = replace(OPEN, query_entities="top_result", entity_hops=1)
    (found,) = learned(rules).expand(
        seeds_of([(1, 0.5), (3, 0.4)], [(4, 0.5)], []), cues_of([1], [1], [1]), [0]
    )
    assert found.ptr.tolist() == [0, 2, 2, 2]
    assert found.memory.tolist() == [0, 1]
    assert found.origin.tolist() == [1, 1]


def test_the_gate_of_the_page_lets_no_more_than_two_memories_of_an_entity_through():
    layer = learned(DOCUMENTED)
    (found,) = layer.expand(seeds_of([]), cues_of([0]), [0])
    assert found.memory.tolist() == [0, 1]  # 1/√2 ≥ 0.7; 1/√3 is not
    (more,) = learned(DOCUMENTED, world=memories([["Ada"]] * 3, ["Ada"]), known=3).expand(
        seeds_of([]), cues_of([0]), [0]
    )
    assert len(more.memory) == 0


def test_an_entity_that_is_not_written_yet_is_unknown():
    layer = learned(OPEN, known=2)
    (found,) = layer.expand(seeds_of([]), cues_of([1]), [0])
    assert len(found.memory) == 0
    assert layer.directory(0).find("babbage") is None


def test_nothing_learned_finds_nothing():
    layer = learned(OPEN, known=0)
    (found,) = layer.expand(seeds_of([], []), cues_of([0], [1]), [0])
    assert found.ptr.tolist() == [0, 0, 0]
    assert layer.explain(0, seeds_of([]), cues_of([0]), 0, 0) == ()
    assert layer.edge_count(0) == 0


def test_it_cannot_forget():
    with pytest.raises(ValueError, match="cannot go back to 3"):
        learned(OPEN).advance(3)


def test_the_trace_names_each_edge():
    layer = learned(OPEN)
    seeds, cues = seeds_of([], [(4, 1.0)]), cues_of([2], [0])
    assert layer.explain(0, seeds, cues, 1, 3) == (
        Step("entities", 1, "Ada", "Babbage", "KNOWS", 1.0),
        Step("entities", 2, "Babbage", "m3", "mentions", pytest.approx(1.2)),
    )
    assert layer.explain(0, seeds, cues, 1, 0) == (
        Step("entities", 1, "Ada", "m0", "mentions", 1.0),
    )
    assert layer.explain(0, seeds, cues, 1, 4) == ()


def test_what_is_found_can_be_explained_with_as_many_steps_as_hops():
    for seed in range(6):
        rng = np.random.default_rng(seed)
        world = random_memories(rng)
        layer = learned(replace(OPEN, entity_hops=3), known=30, world=world)
        seeds, cues = asked(world, rng, 30)
        (found,) = layer.expand(seeds, cues, [0])
        for q in range(len(seeds)):
            own = slice(found.ptr[q], found.ptr[q + 1])
            for memory, hop in zip(found.memory[own].tolist(), found.hop[own], strict=True):
                steps = layer.explain(0, seeds, cues, q, memory)
                assert [step.hop for step in steps] == list(range(1, hop + 1))
                assert steps[-1].receiver == f"m{memory}"
                assert all(a.receiver == b.sender for a, b in pairwise(steps))


def test_rule_sets_that_the_layer_cannot_tell_apart_share_a_result():
    layer = learned(OPEN, replace(OPEN, hebbian_gain=0.9), replace(OPEN, entity_gain=0.5))
    first, second, third = layer.expand(seeds_of([]), cues_of([0]), [0, 1, 2])
    assert first is second
    assert third.energy[0] == pytest.approx(2 * first.energy[0])
    assert len(layer.directories) == 1


def test_entities_without_a_name_are_left_out():
    world = memories([["", "Ada"], ["Ada"]], ["", "Ada"], relations=[("", "Ada", "KNOWS", 1)])
    layer = learned(OPEN, known=2, world=world)
    (found,) = layer.expand(seeds_of([]), cues_of([0, 1]), [0])
    assert found.memory.tolist() == [0, 1]
    assert layer.edge_count(0) == 2


def test_an_entity_of_ten_thousand_memories_costs_its_links_alone():
    world = memories([["hub"]] * 10_000, ["hub"])
    keep = replace(OPEN, mention_decay=1.0)
    layer = learned(keep, known=10_000, world=world)
    (found,) = layer.expand(seeds_of([]), cues_of([0]), [0])
    assert len(found.memory) == 10_000
    assert found.activation[0] == pytest.approx(0.01)
    assert layer.byte_count(0) < 64 + 8 * 10_000
