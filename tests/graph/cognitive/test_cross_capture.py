import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from hebb_lab.graph.cognitive.cross_capture import CrossCaptureLayer
from hebb_lab.graph.cognitive.layer import COGNITIVE_LAYERS, CUE
from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED
from tests.graph.cognitive.tag_worlds import (
    asked,
    assert_same,
    best_or_sum,
    memories,
    random_asked,
    random_memories,
    rows_of,
)

OPEN = DOCUMENTED.change(gate="none")
RULES = (
    DOCUMENTED,
    OPEN,
    OBSERVED.change(gate="none"),
    OPEN.change(paths="sum", cross_gain=0.5),
    OPEN.change(cross_tag_neighbours=2, cross_memories_per_tag=3),
    OPEN.change(cross_memories_per_tag=1, tag_counts_from="recall", paths="sum"),
    DOCUMENTED.change(gate_threshold=0.3),
    OPEN.change(cross_tag_neighbours=0),
)


def layer(world, known=None, rules=(OPEN,), recalls=None):
    made = CrossCaptureLayer(world, rules)
    made.advance(len(world) if known is None else known)
    if recalls is not None:
        made.observe_recall(np.array(recalls))
    return made


def tag_lists(world, known, rules, recalls):
    tags = [world.tags.row(i).tolist() for i in range(known)]
    if rules.tag_counts_from == "ingestion":
        return tags
    return [
        list(dict.fromkeys(tag for m in results if m >= 0 for tag in tags[m]))[:10]
        for results in recalls
    ]


def plainly(world, known, rules, seeds, cues, recalls):
    """Each query's finds, a tag at a time."""
    lists = tag_lists(world, known, rules, recalls)
    together = Counter(pair for row in lists for pair in combinations(sorted(row), 2))
    held = Counter(tag for row in lists for tag in row)
    carriers = {
        t: [m for m in range(known) if t in world.tags.row(m)] for t in range(len(world.tag_names))
    }
    found = []
    for q in range(len(seeds)):
        own = [t for t in cues.tags.row(q).tolist() if carriers[t]]
        origin, best, hop = CUE, 1.0, 2
        if seeds.ptr[q] < seeds.ptr[q + 1]:
            best = float(seeds.score[seeds.ptr[q]])
            if not own:
                origin, hop = int(seeds.memory[seeds.ptr[q]]), 3
                own = world.tags.row(origin).tolist()
        paths = []
        for tag in own:
            partners = {
                b if a == tag else a: n
                for (a, b), n in together.items()
                if tag in (a, b) and not {a, b} <= set(own)
            }
            ranked = sorted(partners, key=lambda t: (-partners[t], world.tag_names[t]))
            for other in ranked[: rules.cross_tag_neighbours]:
                strength = partners[other] / min(held[tag], held[other])
                for memory in carriers[other][::-1][: rules.cross_memories_per_tag]:
                    activation = strength / math.sqrt(len(carriers[other]))
                    if activation >= rules.least_activation():
                        energy = rules.cross_gain * best * activation
                        paths.append((memory, energy, activation, origin, hop))
        found.append(best_or_sum(paths, rules.paths == "sum"))
    return found


def test_cross_capture_is_registered():
    assert COGNITIVE_LAYERS["cross_capture"] is CrossCaptureLayer


def test_a_memory_that_shares_no_tag_with_the_query_is_found_over_a_related_one():
    """The page's step 6: latency → prometheus → thresholds of alerts."""
    world = memories(
        [["latency", "p99"], ["latency", "p99"], ["p99", "alerts"], ["lunch"]], session=[0, 1, 2, 3]
    )
    seeds, cues = asked([[0]], [[2.0]], [[world.tag_names.index("latency")]])
    found = rows_of(layer(world).expand(seeds, cues, [0])[0])[0]
    activation = 1.0 / math.sqrt(3)  # latency is always with p99, which three memories carry
    assert found[2] == pytest.approx((0.25 * 2.0 * activation, activation, CUE, 2))
    assert 3 not in found


def test_the_gate_of_the_page_closes_for_tags_that_three_memories_carry():
    world = memories([["a", "b"], ["a", "b"], ["b"]])
    seeds, cues = asked([[0]], None, [[0]])
    assert len(layer(world, rules=(DOCUMENTED,)).expand(seeds, cues, [0])[0].memory) == 0
    two = memories([["a", "b"], ["b"]])  # 1/√2 passes, if the query's tag was only ever with b
    assert layer(two, rules=(DOCUMENTED,)).expand(seeds, cues, [0])[0].memory.tolist() == [0, 1]


def test_tags_of_the_query_are_no_way_to_memories():
    world = memories([["a", "b"], ["b"], ["c"]])
    seeds, cues = asked([[]], None, [[0, 1]])
    assert len(layer(world).expand(seeds, cues, [0])[0].memory) == 0


def test_a_query_without_known_tags_takes_those_of_its_best_seed():
    world = memories([["a"], ["b", "a"], ["b"], ["d"]])
    seeds, cues = asked([[0, 2]], [[1.0, 0.5]], [[world.tag_names.index("d")]])
    unknown = rows_of(layer(world, known=3).expand(seeds, cues, [0])[0])[0]
    assert {m: v[2:] for m, v in unknown.items()} == {1: (0, 3), 2: (0, 3)}
    assert rows_of(layer(world, known=4).expand(seeds, cues, [0])[0])[0] == {}


def test_a_query_without_seeds_takes_1_as_its_best_score():
    world = memories([["a", "b"]])
    seeds, cues = asked([[]], None, [[0]])
    assert rows_of(layer(world).expand(seeds, cues, [0])[0])[0] == {0: (0.25, 1.0, CUE, 2)}


def test_the_newest_memories_of_a_tag_are_taken():
    world = memories([["a", "b"], ["b"], ["b"], ["b"]])
    seeds, cues = asked([[]], None, [[0]])
    rules = OPEN.change(cross_memories_per_tag=2)
    assert layer(world, 3, (rules,)).expand(seeds, cues, [0])[0].memory.tolist() == [1, 2]


def test_recalls_teach_only_where_the_rules_say_so():
    world = memories([["a"], ["b"], ["c"]])
    seeds, cues = asked([[]], None, [[0]])
    deaf, hears = layer(world, recalls=[[0, 1]]), layer(world, None, (RULES[5],), [[0, 1]])
    assert not deaf.learns_from_recall
    assert hears.learns_from_recall
    assert len(deaf.expand(seeds, cues, [0])[0].memory) == 0
    assert hears.expand(seeds, cues, [0])[0].memory.tolist() == [1]


@pytest.mark.parametrize("seed", range(25))
def test_what_is_found_is_what_a_walk_tag_by_tag_finds(seed):
    rng = np.random.default_rng(seed)
    world = random_memories(rng)
    known = int(rng.integers(1, 41))
    recalls = rng.integers(-1, known, size=(10, 4)).tolist()
    seeds, cues = random_asked(rng, world, known)
    made = layer(world, known, RULES, recalls)
    for found, rules in zip(made.expand(seeds, cues, range(len(RULES))), RULES, strict=True):
        assert_same(rows_of(found), plainly(world, known, rules, seeds, cues, recalls))


def test_to_learn_in_two_steps_is_to_learn_at_once():
    world = random_memories(np.random.default_rng(5))
    seeds, cues = random_asked(np.random.default_rng(6), world, 31)
    slowly, at_once = layer(world, 12, RULES), layer(world, 31, RULES)
    slowly.advance(31)
    for config in range(len(RULES)):
        for one, other in zip(slowly.pairs(config), at_once.pairs(config), strict=True):
            assert one.tobytes() == other.tobytes()
        one, other = (each.expand(seeds, cues, [config])[0] for each in (slowly, at_once))
        assert [part.tolist() for part in one] == [part.tolist() for part in other]


def test_to_forget_is_refused():
    with pytest.raises(ValueError, match="cannot go back to 1"):
        layer(memories([["a"], ["b"]])).advance(1)


def test_rule_sets_that_are_alike_share_one_result():
    rules = (OPEN, OPEN.change(stdp_gain=0.1), OPEN.change(cross_gain=0.1))
    seeds, cues = asked([[]], None, [[0]])
    found = layer(memories([["a", "b"]]), rules=rules).expand(seeds, cues, [0, 1, 2])
    assert found[0] is found[1]
    assert found[2].energy.tolist() == pytest.approx([0.1])


def test_a_candidate_is_explained_by_steps_that_multiply_to_its_activation():
    world = memories([["a", "b"], ["b"], ["a"], ["b"]])
    made = layer(world)
    seeds, cues = asked([[], [2]], None, [[0], []])
    steps = made.explain(0, seeds, cues, 0, 3)
    assert [step[:5] for step in steps] == [
        ("cross_capture", 1, "a", "b", "together"), ("cross_capture", 2, "b", "m3", "tagged"),
    ]  # fmt: skip
    found = rows_of(made.expand(seeds, cues, [0])[0])
    assert np.prod([step.weight for step in steps]) == pytest.approx(found[0][3][1])
    from_seed = made.explain(0, seeds, cues, 1, 3)
    assert from_seed[0][:5] == ("cross_capture", 1, "m2", "a", "tagged")
    assert len(from_seed) == found[1][3][3] == 3
    assert made.explain(0, seeds, cues, 0, 2) == ()


def test_bytes_and_pairs_are_counted():
    world = memories([["a", "b"], ["b", "c"]])
    made, empty = layer(world), layer(world, known=0)
    assert made.edge_count(0) == 2
    assert made.byte_count(0) - empty.byte_count(0) == 2 * 16 + 4 * 4


def test_nothing_known_and_nothing_asked_find_nothing():
    seeds, cues = asked([[], []])
    for world in (memories([["a"], ["b"]]), memories([[], []])):
        assert len(layer(world).expand(seeds, cues, [0])[0].memory) == 0
    none, no_cues = asked([])
    assert len(layer(memories([])).expand(none, no_cues, [0])[0]) == 0
