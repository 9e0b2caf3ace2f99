import math
from itertools import pairwise

import numpy as np
import pytest

from hebb_lab.graph.cognitive.layer import COGNITIVE_LAYERS, CUE
from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED
from hebb_lab.graph.cognitive.stdp import StdpLayer
from tests.graph.cognitive.tag_worlds import (
    asked,
    assert_same,
    memories,
    random_asked,
    random_memories,
    rows_of,
)

RULES = (
    DOCUMENTED,
    OBSERVED,
    DOCUMENTED.change(stdp_plus=0.4, stdp_minus=0.3, stdp_tau_seconds=5.0),
    DOCUMENTED.change(stdp_gain=0.7),
    DOCUMENTED.change(tag_counts_from="recall", stdp_minus=0.0, gate="none"),
)


def layer(world, known=None, rules=(DOCUMENTED,), recalls=None):
    made = StdpLayer(world, rules)
    made.advance(len(world) if known is None else known)
    if recalls is not None:
        made.observe_recall(np.array(recalls))
    return made


def change(table, rules, before, after, gap_s):
    near = math.exp(-gap_s / rules.stdp_tau_seconds)
    for edge, by in (
        ((before, after), rules.stdp_plus * near), ((after, before), -rules.stdp_minus * near),
    ):  # fmt: skip
        table[edge] = min(max(table.get(edge, 0.0) + by, 0.0), 1.0)


def plain_edges(world, known, rules, recalls):
    """Weights by (earlier tag, later tag), learned one pair after another."""
    table, tags = {}, world.tags
    if rules.tag_counts_from == "recall":
        for results in recalls:
            seen = {}
            for rank, memory in enumerate(results[:5]):
                for tag in tags.row(memory).tolist() if memory >= 0 else ():
                    if tag not in seen and len(seen) < 8:
                        seen[tag] = rank
            ordered = list(seen)
            for a, b in pairwise(ordered):
                change(table, rules, a, b, seen[b] - seen[a])
        return table
    last = {}
    for j in range(known):
        i = last.get(int(world.session[j]))
        last[int(world.session[j])] = j
        for a in [] if i is None else tags.row(i).tolist():
            for b in tags.row(j).tolist():
                if a != b:
                    gap = (int(world.time_us[j]) - int(world.time_us[i])) / 1e6
                    change(table, rules, a, b, gap)
    return table


def plainly(world, table, rules, seeds, cues):
    found = []
    for q in range(len(seeds)):
        own = range(seeds.ptr[q], seeds.ptr[q + 1])
        context = [(tag, CUE) for tag in cues.tags.row(q).tolist()]
        for i in list(own)[:3]:
            memory = int(seeds.memory[i])
            context += [(tag, memory) for tag in world.tags.row(memory).tolist()]
        row = {}
        for i in own:
            best, origin = 0.0, None
            for tag, owner in context:
                for other in world.tags.row(int(seeds.memory[i])).tolist():
                    if table.get((tag, other), 0.0) > best + 1e-7:
                        best, origin = table[tag, other], owner
            if best > 1e-7:
                energy = rules.stdp_gain * float(seeds.score[i]) * best
                row[int(seeds.memory[i])] = (energy, best, origin, 1)
        found.append(row)
    return found


def test_stdp_is_registered():
    assert COGNITIVE_LAYERS["stdp"] is StdpLayer


def test_a_result_that_the_querys_tag_foretells_is_raised_by_03_of_the_strength():
    world = memories([["a"], ["b"], ["c"]], session=[0, 0, 1], seconds=[0, 20, 21])
    seeds, cues = asked([[1, 2]], [[2.0, 1.0]], [[0]])
    found = rows_of(layer(world).expand(seeds, cues, [0])[0])[0]
    weight = 0.1 * math.exp(-20 / 30)
    assert found == {1: pytest.approx((0.3 * 2.0 * weight, weight, CUE, 1))}


def test_context_are_the_tags_of_the_first_three_seeds_too():
    world = memories([["a"], ["b"], ["x"], ["x"]], session=[0, 0, 1, 1])
    first, _ = asked([[2, 3, 0, 1]])
    late, cues = asked([[2, 3, 1, 0]])
    made = layer(world)
    assert list(rows_of(made.expand(first, cues, [0])[0])[0]) == [1]
    assert rows_of(made.expand(first, cues, [0])[0])[0][1][2] == 0  # a's memory is the origin
    assert rows_of(made.expand(late, cues, [0])[0])[0] == {}


def test_what_came_later_does_not_foretell_what_came_before():
    world = memories([["a"], ["b"]])
    seeds, cues = asked([[0]], [[1.0]], [[1]])
    assert rows_of(layer(world).expand(seeds, cues, [0])[0])[0] == {}


def test_no_gate_closes_a_re_ranker():
    world = memories([["a"], ["b"]])
    seeds, cues = asked([[1]], None, [[0]])
    strict = DOCUMENTED.change(gate_threshold=0.99)
    assert list(rows_of(layer(world, rules=(strict,)).expand(seeds, cues, [0])[0])[0]) == [1]


def test_under_ingestion_recalls_teach_nothing():
    world = memories([["a"], ["b"]], session=[0, 1])
    made = layer(world, recalls=[[0, 1]])
    assert not made.learns_from_recall
    assert made.edge_count(0) == 0


def test_under_recall_results_teach_and_writing_does_not():
    world = memories([["a"], ["b"]])
    made = layer(world, rules=(OBSERVED,))
    assert made.learns_from_recall
    assert made.edge_count(0) == 0
    made.observe_recall(np.array([[0, 1]]), np.array([5_000_000]))
    table = made.edges(0)
    assert table.weight.tolist() == pytest.approx([0.09672, 0.0], abs=5e-6)
    assert table.last_ms.tolist() == [6000, 6000]


@pytest.mark.parametrize("seed", range(25))
def test_what_is_found_is_what_a_plain_table_foretells(seed):
    rng = np.random.default_rng(seed)
    world = random_memories(rng)
    known = int(rng.integers(1, 41))
    recalls = rng.integers(-1, known, size=(10, 7)).tolist()
    seeds, cues = random_asked(rng, world, known)
    made = layer(world, known, RULES, recalls)
    for found, rules, config in zip(
        made.expand(seeds, cues, range(len(RULES))), RULES, range(len(RULES)), strict=True
    ):
        table = plain_edges(world, known, rules, recalls)
        edges = made.edges(config)
        pairs = zip(edges.source.tolist(), edges.target.tolist(), strict=True)
        weights = dict(zip(pairs, edges.weight.tolist(), strict=True))
        assert weights == pytest.approx(table, abs=1e-6)
        assert made.edge_count(config) == len(table)
        # origins are compared where float32 cannot make a tie of two weights or break one
        expected = plainly(world, weights, rules, seeds, cues)
        assert_same(rows_of(found), expected)


def test_to_learn_in_two_steps_is_to_learn_at_once():
    world = random_memories(np.random.default_rng(1))
    slowly, at_once = layer(world, 13, RULES), layer(world, 33, RULES)
    slowly.advance(33)
    for config in range(len(RULES)):
        for one, other in zip(slowly.edges(config), at_once.edges(config), strict=True):
            assert one.tobytes() == other.tobytes()


def test_to_forget_is_refused():
    with pytest.raises(ValueError, match="cannot go back to 1"):
        layer(memories([["a"], ["b"]])).advance(1)


def test_rule_sets_that_are_alike_share_one_result():
    rules = (DOCUMENTED, DOCUMENTED.change(temporal_hops=1), DOCUMENTED.change(stdp_gain=0.1))
    seeds, cues = asked([[1]], None, [[0]])
    found = layer(memories([["a"], ["b"]]), rules=rules).expand(seeds, cues, [0, 1, 2])
    assert found[0] is found[1]
    assert found[2].energy[0] < found[0].energy[0]


def test_a_raised_result_is_explained_by_the_edge_between_two_tags():
    world = memories([["a"], ["b"], ["c"]], session=[0, 0, 1])
    seeds, cues = asked([[2], [2, 1]], None, [[], [0]])
    made = layer(world)
    (step,) = made.explain(0, seeds, cues, 1, 1)
    assert step[:5] == ("stdp", 1, "a", "b", "foretells")
    assert step.weight == pytest.approx(0.09672, abs=5e-6)
    assert made.explain(0, seeds, cues, 1, 2) == ()
    assert made.explain(0, seeds, cues, 0, 1) == ()


def test_bytes_and_edges_are_counted():
    made, empty = layer(memories([["a"], ["b"]])), layer(memories([["a"], ["b"]]), known=0)
    assert made.edge_count(0) == 2
    assert made.byte_count(0) - empty.byte_count(0) == 40


def test_nothing_known_and_nothing_asked_find_nothing():
    seeds, cues = asked([[], []])
    for world in (memories([["a"], ["b"]]), memories([[], []])):
        assert len(layer(world).expand(seeds, cues, [0])[0].memory) == 0
    none, no_cues = asked([])
    assert len(layer(memories([])).expand(none, no_cues, [0])[0]) == 0
