import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.graph.cognitive.directory.hypergraph import Hypergraph
from hebb_lab.graph.cognitive.rules import CognitiveRules


def graph_of(*weights, **switches):
    """Hyperedges {0, 1, 2} of some weights."""
    graph = Hypergraph(CognitiveRules(**switches))
    for weight in weights:
        graph.add([0, 1, 2], weight=weight)
    return graph


@pytest.mark.parametrize("entities", [[1], [1, 2], list(range(9)), []])
def test_a_hyperedge_has_three_to_eight_entities(entities):
    with pytest.raises(InputError, match=f"a hyperedge of {len(entities)} entities. Give 3 to 8"):
        Hypergraph().add(entities)


def test_under_the_rules_of_the_code_two_are_enough_and_one_is_not():
    graph = Hypergraph(CognitiveRules(hyperedge_min=2))
    assert graph.add([3, 4]) == 0
    with pytest.raises(InputError):
        graph.add([3])


@pytest.mark.parametrize(
    "wrong",
    [
        {"entities": [1, 1, 2]}, {"entities": [0, 1, -2]},
        {"entities": [0, 1, 2], "roles": ["AGENT"]},
        {"entities": [0, 1, 2], "weight": 0.0}, {"entities": [0, 1, 2], "weight": float("nan")},
    ],
)  # fmt: skip
def test_what_is_no_hyperedge_is_refused(wrong):
    graph = Hypergraph()
    with pytest.raises(InputError):
        graph.add(**wrong)
    assert len(graph) == 0


def test_hyperedges_of_an_entity_stand_the_heaviest_first():
    assert graph_of(2.0, 5.0, 3.0).of_entity(1) == [(1, 5.0), (2, 3.0), (0, 2.0)]
    assert graph_of(1.0).of_entity(99) == []


def test_entities_that_occur_together():
    graph = Hypergraph()
    graph.add([0, 1, 2])
    graph.add([3, 0, 1])
    assert graph.co_occurring(0) == [1, 2, 3]
    assert graph.co_occurring(2) == [0, 1]


def test_strengthening_adds_to_the_weight():
    graph = graph_of(1.0)
    assert graph.strengthen(0, 2.5) == 3.5
    with pytest.raises(InputError, match="no hyperedge 7"):
        graph.strengthen(7, 1.0)


def test_what_has_decayed_below_the_least_weight_goes():
    graph = graph_of(1.0, 10.0)
    assert graph.decay(0.05, 0.1) == 1
    assert graph.of_entity(0) == [(1, 0.5)]


@pytest.mark.parametrize(("least", "cycle"), [(0.5, 14), (0.2, 32)])
def test_a_hyperedge_of_weight_one_goes_at_cycle(least, cycle):
    graph = graph_of(1.0)
    gone = [graph.decay(0.95, least) for _ in range(cycle)]
    assert gone == [0] * (cycle - 1) + [1]


def test_incidence_counts_the_hyperedges_of_each_entity():
    graph = Hypergraph(CognitiveRules(hyperedge_min=2))
    for entities in ([0, 1], [0, 1, 2], [0, 3]):
        graph.add(entities)
    ptr, rows = graph.atoms.incidence()
    assert np.diff(ptr).tolist() == [3, 2, 1, 1]
    assert rows.tolist() == [0, 1, 2, 0, 1, 1, 2]


def test_an_entity_leaves_its_least_recently_used_hyperedge():
    graph = Hypergraph(CognitiveRules(hyperedge_cap=2))
    for memory, (entities, weight) in enumerate(
        (([0, 1, 2], 9.0), ([0, 3, 4], 1.0), ([0, 5, 6], 1.0))
    ):
        graph.add(entities, weight=weight, memory=memory)
    assert graph.of_entity(0) == [(1, 1.0), (2, 1.0)]
    assert graph.of_entity(1) == [(0, 9.0)]  # the others stay, and it is still named there
    assert graph.co_occurring(1) == [0, 2]


def test_under_the_rules_of_the_code_it_leaves_the_weakest():
    graph = Hypergraph(CognitiveRules(hyperedge_cap=2, hyperedge_eviction="weakest"))
    for entities, weight in (([0, 1, 2], 9.0), ([0, 3, 4], 1.0), ([0, 5, 6], 1.0)):
        graph.add(entities, weight=weight)
    assert graph.of_entity(0) == [(0, 9.0), (2, 1.0)]


def test_a_hyperedge_that_all_have_left_is_gone_and_its_id_is_not_given_again():
    graph = graph_of(1.0, 1.0, 1.0, hyperedge_cap=2)
    assert graph.atoms.number.tolist() == [1, 2]
    graph.decay(0.1, 0.5)
    assert graph.add([0, 1, 2]) == 3


def test_roles_and_types_are_open():
    graph = Hypergraph()
    graph.add([0, 1, 2], ["AGENT", "OBJECT", "spectator"], kind="manages_at", memory=7)
    assert [graph.roles.name_of(int(r)) for r in graph.atoms.role] == [
        "AGENT", "OBJECT", "SPECTATOR",
    ]  # fmt: skip
    assert graph.kinds.name_of(int(graph.atoms.kind[0])) == "MANAGES_AT"
    assert graph.atoms.memory.tolist() == [7]


def test_two_entities_that_become_one_leave_a_hyperedge_too_small():
    graph = Hypergraph()
    graph.add([0, 1, 2])
    graph.add([0, 1, 2, 3], ["AGENT", "OBJECT", "CONTEXT", "LOCATION"])
    graph.cycle(np.array([0, 0, 2, 3], np.int32))
    assert graph.atoms.number.tolist() == [1]
    assert graph.atoms.entity.tolist() == [0, 2, 3]
    assert graph.roles.name_of(int(graph.atoms.role[0])) == "AGENT"


def test_a_hyperedge_takes_no_more_than_on_the_page():
    rng = np.random.default_rng(0)
    graph = Hypergraph()
    for _ in range(300):
        graph.add(rng.choice(200, 4, replace=False).tolist())
    assert graph.atoms.byte_count() <= 300 * (32 + 4 * 8 + 4 * 4) + 200 * 4


def test_more_roles_than_a_byte_tells_apart_are_refused():
    graph = Hypergraph()
    for i in range(255):
        graph.roles.intern(f"role {i}")
    with pytest.raises(InputError, match="more than 256 roles"):
        graph.add([0, 1, 2], ["a new one", "AGENT", "OBJECT"])
    assert len(graph) == 0
