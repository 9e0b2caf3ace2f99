"""The Hebbian layer against a model of plain loops, and what the rules pin down."""

from dataclasses import replace

import numpy as np
import pytest

from hebb_lab.graph.cognitive.hebbian import LEARNING, READING, HebbianLayer
from hebb_lab.graph.cognitive.layer import COGNITIVE_LAYERS, Cues, Seeds
from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED
from hebb_lab.graph.cognitive.rules import CognitiveRules
from hebb_lab.records import Hints, Lists, Memories
from tests.graph.cognitive.associations.plain import PlainHebbian, world
from tests.graph.cognitive.associations.plain_walks import expand as plain_expand

QUICK = CognitiveRules(cycle_memories=7, degree_cap=5, session_window=6)
LEARNERS = {
    "documented": DOCUMENTED.change(cycle_memories=10),
    "observed": OBSERVED.change(cycle_memories=10, degree_cap=4),
    "quick": QUICK,
    "whole sessions": QUICK.change(session_window=None),
    "previous in session": QUICK.change(co_ingestion="previous_in_session"),
    "previous": QUICK.change(co_ingestion="previous", cycle_memories=5),
    "insertion": QUICK.change(eviction_at="insertion"),
    "insertion, nine": QUICK.change(eviction_at="insertion", eviction_signals="nine"),
    "structural": QUICK.change(eviction_signals="structural"),
    "nine": QUICK.change(eviction_signals="nine"),
    "trees": QUICK.change(bridge_score="trees", bridge_trees=6),
    "heuristic": QUICK.change(bridge_score="heuristic"),
    "clamped": QUICK.change(decay_modulator="clamped"),
    "unclamped": QUICK.change(decay_modulator="unclamped"),
    "fast decay": QUICK.change(hebbian_decay=0.4, bridge_protect=120, cycle_memories=4),
    "fast decay, trees": QUICK.change(
        hebbian_decay=0.4, bridge_protect=200, cycle_memories=4, bridge_score="trees",
        eviction_at="insertion", decay_modulator="clamped",
    ),
    "increment": QUICK.change(hebbian_increment=0.37, hebbian_prune_below=0.3),
}  # fmt: skip
OPEN = DOCUMENTED.change(gate="none", cycle_memories=10, session_window=4)
READERS = {
    "page": OPEN.change(gate="neighbour", gate_threshold=0.3),
    "no gate": OPEN,
    "three hops": OPEN.change(hebbian_depth=3, weight_scale="raw"),
    "sum": OPEN.change(paths="sum", hebbian_depth=3),
    "sum behind the gate": OPEN.change(paths="sum", gate="neighbour", gate_threshold=0.1),
    "share": OPEN.change(weight_scale="share"),
    "five": OPEN.change(hebbian_score="similarity_plus", weight_scale="raw"),
    "code": OPEN.change(walk="dfs", weight_scale="raw", hebbian_score="similarity_plus"),
    "code, sum": OPEN.change(walk="dfs", weight_scale="raw", paths="sum", hebbian_depth=3),
    "code, behind the gate": OPEN.change(walk="dfs", gate="neighbour", gate_threshold=0.2),
}


def plain_memories(count, session=None, hints=()):
    session = np.zeros(count, np.int32) if session is None else np.array(session, np.int32)
    memories = Memories.plain(
        tuple(f"m{i}" for i in range(count)), ("",) * count, np.arange(count) * 1000, session,
        tuple(f"s{i}" for i in range(int(session.max()) + 1)),
    )  # fmt: skip
    columns = list(zip(*hints, strict=True)) if hints else [(), (), ()]
    return replace(
        memories,
        hints=Hints(
            np.array(columns[0], np.int32), np.array(columns[1], np.int32),
            np.array(columns[2], np.float32),
        ),
    )  # fmt: skip


def stated(count, hints, **switches):
    """A layer of nothing but stated edges: every memory is a session of its own."""
    rules = DOCUMENTED.change(gate="none", **switches)
    layer = HebbianLayer(plain_memories(count, range(count), hints), [rules])
    layer.advance(count)
    return layer


def edges_of(layer, config):
    graph = layer.graph(config)
    sender = np.repeat(np.arange(len(graph.offsets) - 1), np.diff(graph.offsets))
    return list(zip(
        sender.tolist(), graph.neighbor.tolist(), graph.weight.tolist(),
        graph.last_cycle.tolist(), graph.bridge.tolist(), graph.flags.tolist(), strict=True,
    ))  # fmt: skip


def asked(queries):
    """Seeds of [[(memory, score)]], and cues that say nothing."""
    memory = np.array([m for query in queries for m, _ in query], np.int32)
    score = np.array([s for query in queries for _, s in query], np.float32)
    ptr = np.concatenate([[0], np.cumsum([len(query) for query in queries])]).astype(np.int64)
    nothing = Lists.of([[] for _ in queries])
    return Seeds(ptr, memory, score), Cues(nothing, nothing)


def found_by(expansion, query):
    row = slice(int(expansion.ptr[query]), int(expansion.ptr[query + 1]))
    columns = (column[row].tolist() for column in expansion[1:])
    return {memory: rest for memory, *rest in zip(*columns, strict=True)}


@pytest.mark.parametrize("seed", range(6))
def test_all_rule_sets_at_once_learn_what_plain_loops_learn(seed):
    rng = np.random.default_rng(seed)
    memories = world(rng, count=70, interleaved=seed % 2 == 1, hints=25)
    layer = HebbianLayer(memories, list(LEARNERS.values()))
    for known in (23, 24, 70):
        layer.advance(known)
        for config, (name, rules) in enumerate(LEARNERS.items()):
            plain = PlainHebbian(memories, rules).learn(known)
            assert edges_of(layer, config) == plain.edges(), (name, known)


@pytest.mark.parametrize("seed", range(4))
def test_walks_find_what_plain_walks_find(seed):
    rng = np.random.default_rng(seed)
    memories = world(rng, count=50, hints=40)
    layer = HebbianLayer(memories, list(READERS.values()))
    layer.advance(50)
    queries = [
        [(int(m), float(np.float32(s))) for m, s in zip(
            rng.choice(50, size, replace=False), np.sort(rng.random(size))[::-1], strict=True
        )]
        for size in (1, 3, 0, 8, 2)
    ]  # fmt: skip
    seeds, cues = asked(queries)
    for config, expansion in enumerate(layer.expand(seeds, cues, range(len(READERS)))):
        rules = list(READERS.values())[config]
        rows = [{} for _ in range(50)]
        for a, b, weight, *_ in edges_of(layer, config):
            rows[a][b] = weight
        for q, query in enumerate(queries):
            expected = plain_expand(rows, rules, query)
            found = found_by(expansion, q)
            name = list(READERS)[config]
            assert found.keys() == expected.keys(), name
            for memory, (energy, activation, origin, hop) in expected.items():
                assert found[memory][:2] == pytest.approx([energy, activation], rel=1e-5), name
                assert found[memory][2:] == [origin, hop], name


def test_found_memories_ascend_and_are_distinct():
    layer = HebbianLayer(world(np.random.default_rng(0)), [OPEN])
    layer.advance(60)
    seeds, cues = asked([[(m, 1.0) for m in range(0, 60, 5)]] * 200)
    expansion = layer.expand(seeds, cues, [0])[0]
    for q in range(200):
        row = expansion.memory[expansion.ptr[q] : expansion.ptr[q + 1]]
        assert (np.diff(row) > 0).all()
        assert len(row) == len(expansion.memory) // 200


@pytest.mark.parametrize("name", LEARNERS)
def test_the_state_is_a_function_of_what_is_known_alone(name):
    memories = world(np.random.default_rng(11), count=64)
    at_once = HebbianLayer(memories, [LEARNERS[name]])
    at_once.advance(53)
    in_steps = HebbianLayer(memories, [LEARNERS[name], QUICK])
    for known in (0, 1, 13, 14, 30, 52, 53):
        in_steps.advance(known)
    later = replace(memories, importance=np.where(np.arange(64) < 53, memories.importance, 9.0))
    other_future = HebbianLayer(later, [LEARNERS[name]])
    other_future.advance(53)
    assert edges_of(at_once, 0) == edges_of(in_steps, 0) == edges_of(other_future, 0)


def test_a_layer_cannot_forget():
    layer = HebbianLayer(plain_memories(4), [DOCUMENTED])
    layer.advance(3)
    with pytest.raises(ValueError, match="cannot advance to 2"):
        layer.advance(2)
    with pytest.raises(ValueError, match="cannot advance to 5"):
        layer.advance(5)


def test_a_seed_must_be_known():
    layer = HebbianLayer(plain_memories(4), [DOCUMENTED])
    layer.advance(2)
    seeds, cues = asked([[(2, 1.0)]])
    with pytest.raises(ValueError, match="none of the 2 memories"):
        layer.expand(seeds, cues, [0])


def test_a_layer_that_knows_nothing_finds_nothing():
    layer = HebbianLayer(plain_memories(3), [DOCUMENTED, OBSERVED])
    seeds, cues = asked([[], []])
    assert [len(e.memory) for e in layer.expand(seeds, cues, [0, 1])] == [0, 0]
    assert len(layer.expand(seeds, cues, [0])[0]) == 2
    assert layer.edge_count(0) == 0


def test_no_memories_at_all_are_no_error():
    nothing = Memories.plain((), (), np.zeros(0, np.int64), np.zeros(0, np.int32), ())
    layer = HebbianLayer(nothing, [DOCUMENTED])
    layer.advance(0)
    assert layer.byte_count(0) == 4


def test_rule_sets_that_cannot_be_told_apart_share_one_result():
    rules = [OPEN, OPEN.change(temporal_hops=1), OPEN.change(hebbian_depth=1)]
    layer = HebbianLayer(world(np.random.default_rng(1)), rules)
    layer.advance(60)
    one, same, other = layer.expand(*asked([[(5, 1.0)]]), [0, 1, 2])
    assert one is same
    assert one is not other


def test_every_switch_of_the_layer_is_read_as_learning_or_as_reading():
    names = {
        name for name in DOCUMENTED.__dataclass_fields__
        if name.startswith(("hebbian", "bridge", "eviction", "co_ing", "session_w", "degree"))
    }  # fmt: skip
    assert names <= {*LEARNING, *READING}


def test_the_layer_is_registered():
    assert COGNITIVE_LAYERS["hebbian"] is HebbianLayer


# spector.md §5, pinned


def test_neighbours_carry_the_weights_that_were_stated():
    layer = stated(3, [(0, 1, 1.0), (0, 2, 2.0)])
    row = layer.graph(0)
    assert dict(zip(row.neighbor[:2].tolist(), row.weight[:2].tolist(), strict=True)) == {
        1: 1.0, 2: 2.0,
    }  # fmt: skip
    assert np.diff(row.offsets).tolist() == [2, 1, 1]


def test_two_disjoint_edges_are_four_directed_ones():
    assert stated(4, [(0, 1, 1.0), (2, 3, 1.0)]).edge_count(0) == 4


def test_a_second_co_activation_adds_to_the_weight():
    assert edges_of(stated(2, [(0, 1, 1.0), (1, 0, 0.5)]), 0)[0][:3] == (0, 1, 1.5)


def test_a_strong_decay_leaves_the_strong_edge_alone():
    hints = [(0, 1, 1.0), (1, 2, 1.0), (0, 2, 1.0), (3, 4, 10.0), (4, 5, 10.0), (3, 5, 10.0)]
    layer = stated(6, hints, hebbian_decay=0.05, cycle_memories=6)
    assert {(a, b) for a, b, *_ in edges_of(layer, 0)} == {
        (a, b) for a in (3, 4, 5) for b in (3, 4, 5) if a != b
    }


@pytest.mark.parametrize("walk", ["bfs", "dfs"])
def test_along_a_chain_each_hop_finds_one_more(walk):
    for depth, expected in ((1, {1}), (2, {1, 2})):
        layer = stated(3, [(0, 1, 1.0), (1, 2, 1.0)], hebbian_depth=depth, walk=walk)
        found = layer.expand(*asked([[(0, 1.0)]]), [0])[0]
        assert set(found.memory.tolist()) == expected
        assert found.hop.tolist() == sorted(expected)


def test_a_memory_is_not_associated_with_itself():
    assert stated(3, [(1, 1, 5.0)]).edge_count(0) == 0


def test_with_24_neighbours_a_25th_of_weight_10_comes_in_and_the_degree_stays_24():
    hints = [(0, i, 1.0) for i in range(1, 25)] + [(0, 25, 10.0)]
    layer = stated(26, hints, eviction_at="insertion", eviction_signals="structural")
    graph = layer.graph(0)
    assert np.diff(graph.offsets)[0] == 24
    assert graph.weight[:24].max() == 10.0


def test_eviction_at_insertion_leaves_edges_of_one_way():
    hints = [(0, i, 1.0) for i in range(1, 25)] + [(0, 25, 10.0)]
    layer = stated(26, hints, eviction_at="insertion", eviction_signals="structural")
    there = {(a, b) for a, b, *_ in edges_of(layer, 0)}
    assert (0, 1) not in there
    assert (1, 0) in there


def test_a_new_edge_of_the_same_worth_does_not_come_in():
    hints = [(0, i, 1.0) for i in range(1, 26)]
    layer = stated(26, hints, eviction_at="insertion", eviction_signals="structural")
    assert 25 not in layer.graph(0).neighbor[:24]


def test_the_cap_at_a_cycle_takes_both_directions():
    hints = [(0, i, float(i)) for i in range(1, 31)]
    layer = stated(31, hints, cycle_memories=31, bridge_protect=300)
    there = {(a, b) for a, b, *_ in edges_of(layer, 0)}
    assert there == {e for i in range(7, 31) for e in ((0, i), (i, 0))}


def test_a_weight_of_1_dies_on_cycle_22():
    clique = [(a, b, 1.0) for a in range(4) for b in range(a)]
    layer = HebbianLayer(
        plain_memories(400, range(400), clique), [DOCUMENTED.change(cycle_memories=4)]
    )
    layer.advance(4 * 21)
    assert layer.edge_count(0) == 12
    layer.advance(4 * 22)
    assert layer.edge_count(0) == 0


def test_a_bridge_is_floored_and_not_forgotten():
    layer = HebbianLayer(
        plain_memories(400, range(400), [(0, 1, 1.0)]), [DOCUMENTED.change(cycle_memories=4)]
    )
    layer.advance(400)
    a, b, weight, last, bridge, flags = edges_of(layer, 0)[0]
    assert (a, b, last, bridge) == (0, 1, 0, 255)
    assert weight == np.float32(0.1)
    assert flags == 1 + 4  # floored, stated


def test_unclamped_modulation_makes_weights_grow():
    rules = DOCUMENTED.change(decay_modulator="unclamped", cycle_memories=2)
    layer = HebbianLayer(plain_memories(20, range(20), [(0, 1, 1.0)]), [rules])
    layer.advance(2)
    assert edges_of(layer, 0)[0][2] == pytest.approx(0.9 * 1.3)


def test_the_trace_names_the_edges_of_the_best_walk():
    layer = stated(4, [(0, 1, 3.0), (1, 2, 6.0), (0, 2, 0.1), (0, 3, 1.0)])
    seeds, cues = asked([[(3, 0.1)], [(0, 1.0), (3, 0.5)]])
    steps = layer.explain(0, seeds, cues, 1, 2)
    assert [(s.hop, s.sender, s.receiver, s.relation, s.weight) for s in steps] == [
        (1, "m0", "m1", "stated", 3.0), (2, "m1", "m2", "stated", 6.0),
    ]  # fmt: skip
    assert {s.layer for s in steps} == {"hebbian"}


@pytest.mark.parametrize("name", READERS)
def test_the_trace_multiplies_to_the_activation(name):
    rules = READERS[name]
    layer = HebbianLayer(world(np.random.default_rng(3), hints=40), [rules])
    layer.advance(60)
    seeds, cues = asked([[(4, 0.9), (30, 0.7), (55, 0.2)]])
    expansion = layer.expand(seeds, cues, [0])[0]
    rows = [{} for _ in range(60)]
    for a, b, weight, *_ in edges_of(layer, 0):
        rows[a][b] = weight
    for i, memory in enumerate(expansion.memory.tolist()):
        steps = layer.explain(0, seeds, cues, 0, memory)
        assert len(steps) == expansion.hop[i]
        assert steps[0].sender == f"m{expansion.origin[i]}"
        assert steps[-1].receiver == f"m{memory}"
        product = 0.5 ** (len(steps) - 1) if rules.walk == "dfs" else 1.0
        for step in steps:
            weight, total = step.weight, sum(rows[int(step.sender[1:])].values())
            product *= {
                "raw": weight, "saturating": 1 - np.exp(-weight / 3), "share": weight / total,
            }[rules.weight_scale]  # fmt: skip
        assert product == pytest.approx(expansion.activation[i], rel=1e-5)
    assert layer.explain(0, seeds, cues, 0, 4) == () or 4 in expansion.memory


def test_co_ingestion_has_its_own_name_in_the_trace():
    layer = HebbianLayer(plain_memories(3), [OPEN])
    layer.advance(3)
    seeds, cues = asked([[(0, 1.0)]])
    assert layer.explain(0, seeds, cues, 0, 1)[0].relation == "co_ingested"


def test_saturating_activation_is_the_pages_example():
    layer = stated(2, [(0, 1, 5.0)])
    found = layer.expand(*asked([[(0, 1.0)]]), [0])[0]
    assert found.activation[0] == pytest.approx(0.83, abs=0.02)
    assert found.energy[0] == pytest.approx(0.3 * found.activation[0])
