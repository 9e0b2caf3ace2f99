import numpy as np
import pytest

from hebb_lab.graph.cognitive.chain import ChainLayer
from hebb_lab.graph.cognitive.layer import COGNITIVE_LAYERS
from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED
from hebb_lab.graph.cognitive.sequences.links import Chains
from tests.graph.cognitive.tag_worlds import (
    asked,
    assert_same,
    best_or_sum,
    memories,
    random_asked,
    random_memories,
    rows_of,
)

RULES = (
    DOCUMENTED,
    OBSERVED,
    DOCUMENTED.change(temporal_hop_decay=0.9, paths="sum"),
    DOCUMENTED.change(temporal_hop_decay=0.9, gate="none"),
    DOCUMENTED.change(temporal_hops=1, temporal_links="across", gate="none"),
    DOCUMENTED.change(retention_days=1.0, temporal_hops=5, temporal_forward=0.4, gate="none"),
    DOCUMENTED.change(temporal_score="similarity_plus_fifth", temporal_hops=0),
)


def layer(world, known=None, rules=(DOCUMENTED,)):
    made = ChainLayer(world, rules)
    made.advance(len(world) if known is None else known)
    return made


def plainly(world, known, rules, seeds):
    """Each query's finds, a step at a time."""
    links = Chains(world, rules.temporal_links).linked(known, rules.retention_days)
    ways = ((links.following, rules.temporal_forward), (links.previous, rules.temporal_backward))
    fifth = 0.2 if rules.temporal_score == "similarity_plus_fifth" else 1.0
    found = []
    for q in range(len(seeds)):
        paths = []
        for i in range(seeds.ptr[q], seeds.ptr[q + 1]):
            seed, score = int(seeds.memory[i]), float(seeds.score[i])
            at = [seed, seed]
            for hop in range(1, rules.temporal_hops + 1):
                for way, (pointer, share) in enumerate(ways):
                    at[way] = int(pointer[at[way]]) if at[way] >= 0 else -1
                    activation = share * rules.temporal_hop_decay ** (hop - 1)
                    if at[way] >= 0 and activation >= rules.least_activation():
                        energy = score * activation * fifth
                        paths.append((at[way], energy, activation, seed, hop))
        found.append(best_or_sum(paths, rules.paths == "sum"))
    return found


def test_the_chain_is_registered():
    assert COGNITIVE_LAYERS["chain"] is ChainLayer


def test_three_hops_forward_get_08_and_three_back_get_07_of_the_seeds_score():
    seeds, cues = asked([[4]], [[2.0]])
    found = rows_of(layer(memories([[]] * 9)).expand(seeds, cues, [0])[0])[0]
    assert {m: round(v[0], 6) for m, v in found.items()} == {
        1: 1.4, 2: 1.4, 3: 1.4, 5: 1.6, 6: 1.6, 7: 1.6,
    }  # fmt: skip
    assert {m: v[3] for m, v in found.items()} == {1: 3, 2: 2, 3: 1, 5: 1, 6: 2, 7: 3}


def test_the_code_gives_016_and_014_per_unit_of_the_seed():
    seeds, cues = asked([[1]])
    rules = OBSERVED.change(temporal_hops=1)
    found = rows_of(layer(memories([[]] * 3), rules=(rules,)).expand(seeds, cues, [0])[0])[0]
    assert found[2][0] == pytest.approx(0.16)
    assert found[0][0] == pytest.approx(0.14)
    assert found[2][1] == pytest.approx(0.8)


def test_a_chain_ends_with_its_session_unless_links_go_across():
    world = memories([[]] * 4, session=[0, 0, 1, 1])
    seeds, cues = asked([[1]])
    across = DOCUMENTED.change(temporal_links="across")
    within, over = layer(world, rules=(DOCUMENTED, across)).expand(seeds, cues, [0, 1])
    assert within.memory.tolist() == [0]
    assert over.memory.tolist() == [0, 2, 3]


def test_hop_decay_can_close_the_gate_for_far_neighbours():
    seeds, cues = asked([[3]])
    decayed = DOCUMENTED.change(temporal_hop_decay=0.9)
    found = layer(memories([[]] * 7), rules=(decayed,)).expand(seeds, cues, [0])[0]
    assert found.memory.tolist() == [2, 4, 5]  # 0.8 × 0.9 is above 0.7, 0.7 × 0.9 is not


def test_of_two_seeds_that_reach_a_memory_the_better_is_its_origin():
    seeds, cues = asked([[3, 1]], [[1.0, 0.95]])
    world = memories([[]] * 5)
    assert rows_of(layer(world).expand(seeds, cues, [0])[0])[0][2] == (
        pytest.approx(0.76), pytest.approx(0.8), 1, 1,
    )  # fmt: skip
    summed = layer(world, rules=(DOCUMENTED.change(paths="sum"),)).expand(seeds, cues, [0])[0]
    assert rows_of(summed)[0][2][0] == pytest.approx(0.76 + 0.7)


@pytest.mark.parametrize("stated", [False, True])
def test_what_is_found_is_what_single_steps_find(stated):
    for seed in range(25):
        rng = np.random.default_rng(seed)
        world = random_memories(rng, chains=stated)
        known = int(rng.integers(1, 41))
        seeds, cues = random_asked(rng, world, known)
        found = layer(world, known, RULES).expand(seeds, cues, range(len(RULES)))
        for each, rules in zip(found, RULES, strict=True):
            assert_same(rows_of(each), plainly(world, known, rules, seeds))


def test_to_learn_in_two_steps_is_to_learn_at_once():
    world = random_memories(np.random.default_rng(3), chains=True)
    seeds, cues = random_asked(np.random.default_rng(4), world, 30)
    slowly = layer(world, 11, RULES)
    slowly.expand(asked([[2]])[0], asked([[2]])[1], range(len(RULES)))
    slowly.advance(30)
    at_once = layer(world, 30, RULES)
    for config in range(len(RULES)):
        for one, other in zip(
            slowly.expand(seeds, cues, [config])[0], at_once.expand(seeds, cues, [config])[0],
            strict=True,
        ):  # fmt: skip
            assert one.tolist() == other.tolist()
        assert slowly.edge_count(config) == at_once.edge_count(config)


def test_what_is_not_written_yet_is_not_found():
    seeds, cues = asked([[1]])
    assert layer(memories([[]] * 5), known=3).expand(seeds, cues, [0])[0].memory.tolist() == [0, 2]


def test_to_forget_is_refused():
    with pytest.raises(ValueError, match="cannot go back to 2"):
        layer(memories([[]] * 3)).advance(2)


def test_rule_sets_that_are_alike_share_one_result():
    rules = (DOCUMENTED, DOCUMENTED.change(hebbian_gain=0.5), DOCUMENTED.change(temporal_hops=1))
    seeds, cues = asked([[1]])
    found = layer(memories([[]] * 5), rules=rules).expand(seeds, cues, [2, 0, 1])
    assert found[1] is found[2]
    assert found[0].memory.tolist() == [0, 2]


def test_a_candidate_is_explained_by_steps_that_multiply_to_its_activation():
    rules = DOCUMENTED.change(temporal_hop_decay=0.95)
    made = layer(memories([[]] * 5), rules=(rules,))
    seeds, cues = asked([[0], [2]])
    steps = made.explain(0, seeds, cues, 1, 4)
    assert [step[:5] for step in steps] == [
        ("chain", 1, "m2", "m3", "next"), ("chain", 2, "m3", "m4", "next"),
    ]  # fmt: skip
    found = rows_of(made.expand(seeds, cues, [0])[0])[1][4]
    assert np.prod([step.weight for step in steps]) == pytest.approx(found[1])
    assert made.explain(0, seeds, cues, 1, 1)[0].relation == "previous"
    assert made.explain(0, seeds, cues, 0, 4) == ()


def test_a_chain_is_counted_and_handed_out():
    made = layer(memories([[]] * 4, session=[0, 0, 1, 1]), rules=(DOCUMENTED, OBSERVED))
    assert [made.edge_count(c) for c in (0, 1)] == [2, 3]
    assert made.byte_count(0) == 64
    assert made.nodes(0).following.tolist() == [1, -1, 3, -1]


def test_nothing_known_and_nothing_asked_find_nothing():
    seeds, cues = asked([[], []])
    assert len(ChainLayer(memories([[]] * 3), [DOCUMENTED]).expand(seeds, cues, [0])[0].memory) == 0
    none, no_cues = asked([])
    assert len(layer(memories([])).expand(none, no_cues, [0])[0]) == 0
