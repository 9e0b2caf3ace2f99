from dataclasses import replace

import numpy as np
import pytest

from hebb_lab.graph.cognitive.hyperedges import HyperedgeLayer
from hebb_lab.graph.cognitive.layer import COGNITIVE_LAYERS, CUE, Step
from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED
from tests.graph.cognitive.directory.made_worlds import asked, memories, random_memories
from tests.graph.cognitive.test_entities import cues_of, seeds_of

OPEN = replace(DOCUMENTED, gate="none")
NAMES = ["Alice", "Project Alpha", "DatabaseService", "Bob", "Carol", "Dave"]
ALICE, ALPHA, DATABASE, BOB, CAROL, DAVE = range(6)
WORLD = memories(
    [NAMES[:3], ["Bob", "Carol"], ["DatabaseService", "Bob", "Carol"], ["Bob", "Carol", "Dave"]],
    NAMES,
)


def learned(*rules, world=WORLD, known=4):
    layer = HyperedgeLayer(world, rules)
    layer.advance(known)
    return layer


def found_by(layer, *entities, seeds=()):
    return layer.expand(seeds_of(list(seeds)), cues_of(list(entities)), [0])[0]


def test_the_layer_is_registered():
    assert COGNITIVE_LAYERS["hyperedges"] is HyperedgeLayer


def test_a_memory_of_three_entities_is_a_hyperedge_and_one_of_two_is_none():
    layer = learned(OPEN)
    graph = layer.graph(0)
    assert graph.atoms.memory.tolist() == [0, 2, 3]
    assert [graph.roles.name_of(int(r)) for r in graph.atoms.role[:3]] == [
        "SUBJECT", "CONTEXT", "CONTEXT",
    ]  # fmt: skip
    assert layer.edge_count(0) == 3


def test_of_nine_entities_the_first_eight_are_held():
    names = [f"entity number {i * 1111}" for i in range(9)]
    layer = learned(OPEN, world=memories([names], names), known=1)
    assert layer.graph(0).atoms.entity.tolist() == list(range(8))


def test_the_service_leads_to_the_event_of_who_changed_it():
    """The page's scenario, step 5: {Alice, Project Alpha, DatabaseService}."""
    found = found_by(learned(OPEN), DATABASE, seeds=[(1, 0.8)])
    fan = 2**-0.5
    assert found.memory.tolist() == [0, 2, 3]
    assert found.hop.tolist() == [1, 1, 2]
    beyond = fan * 3**-0.5 * 0.25  # by Bob, of three memories
    assert found.activation == pytest.approx([fan, fan, beyond])
    assert found.energy == pytest.approx(0.25 * 0.8 * found.activation)
    assert set(found.origin) == {CUE}


def test_the_more_of_the_query_a_hyperedge_holds_the_more_active_it_is():
    found = found_by(learned(replace(OPEN, entity_hops=1)), BOB, CAROL, DAVE)
    third = 3**-0.5
    assert found.memory.tolist() == [2, 3]
    assert found.activation == pytest.approx([2 / 3 * third, (2 * third + 1) / 3])


def test_the_gate_of_the_page_is_closed_for_a_single_entity_of_three_memories():
    layer = learned(DOCUMENTED)
    assert len(found_by(layer, BOB).memory) == 0
    assert found_by(layer, DATABASE).memory.tolist() == [0, 2]
    assert found_by(layer, DAVE).memory.tolist() == [3]


def test_the_union_of_the_code_takes_every_hyperedge_around():
    rules = replace(OPEN, traversal="union", entity_attenuation="once")
    found = found_by(learned(rules), ALICE)
    assert found.memory.tolist() == [0, 2]
    assert found.activation == pytest.approx([1.0, 1.0])


def test_under_the_rules_of_the_code_relations_are_hyperedges_of_two():
    world = memories([["Alice"], ["Bob"]], NAMES[:4], relations=[("Alice", "Bob", "KNOWS", 1)])
    layer = learned(OBSERVED, OPEN, world=world, known=2)
    graph = layer.graph(0)
    assert graph.kinds.name_of(int(graph.atoms.kind[0])) == "KNOWS"
    assert graph.atoms.role.tolist() == [1, 2]
    assert len(layer.graph(1)) == 0


def test_an_entity_that_is_not_written_yet_does_not_share_the_query():
    layer = learned(OPEN, known=1)
    assert found_by(layer, ALICE, BOB).activation == pytest.approx(
        found_by(layer, ALICE).activation
    )


def test_the_trace_names_the_entities_that_meet():
    layer = learned(OPEN)
    both = seeds_of([]), cues_of([ALICE, DATABASE])
    assert layer.explain(0, *both, 0, 0) == (
        Step("hyperedges", 1, "Alice + DatabaseService", "m0", "RELATED_TO", 1.0),
    )
    assert layer.explain(0, *both, 0, 1) == ()
    assert layer.explain(0, seeds_of([]), cues_of([ALICE]), 0, 2) == (
        Step("hyperedges", 1, "Alice", "m0", "RELATED_TO", 1.0),
        Step("hyperedges", 2, "DatabaseService", "m2", "RELATED_TO", 1.0),
    )


@pytest.mark.parametrize("traversal", ["intersection", "union"])
def test_what_is_found_can_be_explained(traversal):
    rules = replace(OPEN, entity_hops=3, traversal=traversal)
    for seed in range(6):
        rng = np.random.default_rng(seed)
        world = random_memories(rng)
        layer = learned(rules, known=30, world=world)
        seeds, cues = asked(world, rng, 30)
        (found,) = layer.expand(seeds, cues, [0])
        for q in range(len(seeds)):
            own = slice(found.ptr[q], found.ptr[q + 1])
            for memory, hop in zip(found.memory[own].tolist(), found.hop[own], strict=True):
                steps = layer.explain(0, seeds, cues, q, memory)
                assert [step.hop for step in steps] == list(range(1, len(steps) + 1))
                assert 1 <= len(steps) <= hop
                assert traversal == "union" or len(steps) == hop
                assert steps[-1].receiver == f"m{memory}"


def test_it_cannot_forget():
    with pytest.raises(ValueError, match="cannot go back to 1"):
        learned(OPEN).advance(1)


def test_rule_sets_share_what_they_do_not_change():
    layer = learned(OPEN, replace(OPEN, hyperedge_cap=5), replace(OPEN, merge_distance=0))
    assert (len(layer.graphs), len(layer.directories)) == (3, 2)
    assert layer.directory(0) is layer.directory(1)
    own, companion = layer.graph(0).atoms.byte_count(), layer.directory(0).byte_count()
    assert layer.byte_count(0) == own + companion


def test_a_hub_keeps_sixty_four_hyperedges_and_the_others_keep_theirs():
    names = ["hub", *(f"entity number {i * 7919:x}" for i in range(300))]
    rows = [["hub", names[1 + 2 * i], names[2 + 2 * i]] for i in range(150)]
    world = memories(rows, names)
    layer = learned(replace(OPEN, merge_distance=0, entity_hops=1), world=world, known=150)
    assert len(layer.graph(0).of_entity(0)) == 64
    assert len(layer.graph(0)) == 150
    assert found_by(layer, 1).memory.tolist() == [0]
