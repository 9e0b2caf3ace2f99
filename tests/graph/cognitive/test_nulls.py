"""Null models: what stays of a layer, and what does not."""

import numpy as np
import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.graph.cognitive.hebbian import HebbianLayer
from hebb_lab.graph.cognitive.layer import CUE, Cues, Expansion, Seeds
from hebb_lab.graph.cognitive.nulls import (
    NullLayer,
    constant,
    learned_layer,
    permutation,
    shuffled,
    shuffled_among,
    with_null,
)
from hebb_lab.graph.cognitive.published import DOCUMENTED
from hebb_lab.graph.cognitive.rules import PARTS
from hebb_lab.records import Lists
from tests.graph.cognitive.associations.plain import world

OPEN = DOCUMENTED.change(gate="none")
KINDS = ("", "shuffled", "constant", "empty")
NOTHING = Lists.of([[], [], []])
CUES = Cues(NOTHING, NOTHING)
SEEDS = Seeds(
    np.array([0, 2, 2, 5]), np.array([3, 20, 40, 1, 8], np.int32),
    np.array([0.9, 0.4, 0.8, 0.7, 0.0], np.float32),
)  # fmt: skip


@pytest.fixture
def layer():
    rules = [OPEN.change(nulls=[f"hebbian={kind}"] if kind else []) for kind in KINDS]
    made = learned_layer("hebbian", world(np.random.default_rng(0)), rules)
    made.advance(50)
    return made


@pytest.fixture
def found(layer):
    return dict(zip(KINDS, layer.expand(SEEDS, CUES, range(4)), strict=True))


def rows(expansion, column):
    return [part.tolist() for part in np.split(getattr(expansion, column), expansion.ptr[1:-1])]


@pytest.mark.parametrize("name", PARTS)
def test_every_layer_of_the_rules_is_made_by_its_name(name):
    made = learned_layer(name, world(np.random.default_rng(0)), [DOCUMENTED])
    assert made.name == name


def test_an_unknown_layer_is_an_error_that_lists_the_known():
    with pytest.raises(ConfigError, match="unknown layer of the cognitive graph 'hebian'"):
        learned_layer("hebian", world(np.random.default_rng(0)), [DOCUMENTED])


def test_a_layer_for_which_no_null_is_named_is_itself():
    rules = [OPEN.change(nulls=["chain=empty"])]
    memories = world(np.random.default_rng(0))
    assert isinstance(learned_layer("hebbian", memories, rules), HebbianLayer)
    layer = HebbianLayer(memories, rules)
    assert with_null(layer, memories, rules) is layer


def test_an_unknown_null_is_refused():
    memories = world(np.random.default_rng(0))
    with pytest.raises(ConfigError, match="unknown null model 'noise'"):
        NullLayer(HebbianLayer(memories, [OPEN]), memories, ["noise"])


def test_beside_a_null_the_layer_itself_finds_what_it_finds_alone(found):
    alone = HebbianLayer(world(np.random.default_rng(0)), [OPEN])
    alone.advance(50)
    for mine, its in zip(found[""], alone.expand(SEEDS, CUES, [0])[0], strict=True):
        assert (mine == its).all()


def test_empty_finds_and_holds_nothing(layer, found):
    assert len(found["empty"]) == 3
    assert len(found["empty"].memory) == 0
    assert (layer.byte_count(3), layer.edge_count(3)) == (0, 0)
    assert layer.explain(3, SEEDS, CUES, 0, int(found[""].memory[0])) == ()
    assert layer.edge_count(0) == layer.edge_count(1) > 0
    assert layer.byte_count(0) == layer.byte_count(2) > 0


def test_shuffled_keeps_how_many_with_how_much_and_changes_who(found):
    true, null = found[""], found["shuffled"]
    assert (true.ptr == null.ptr).all()
    stands_for = permutation(50)
    for q in range(3):
        assert sorted(rows(null, "energy")[q]) == sorted(rows(true, "energy")[q])
        memories = rows(null, "memory")[q]
        assert memories == sorted(stands_for[rows(true, "memory")[q]].tolist())
    assert rows(null, "memory") != rows(true, "memory")


def test_shuffled_gives_each_energy_to_one_stand_in(found):
    true, null, stands_for = found[""], found["shuffled"], permutation(50)
    for q in range(3):
        energy = dict(zip(rows(null, "memory")[q], rows(null, "energy")[q], strict=True))
        for memory, value in zip(rows(true, "memory")[q], rows(true, "energy")[q], strict=True):
            assert energy[int(stands_for[memory])] == value


def test_the_permutation_is_of_the_known_and_always_the_same():
    assert sorted(permutation(50).tolist()) == list(range(50))
    assert (permutation(50) == permutation(50)).all()
    assert (permutation(50) != permutation(51)[:50]).any()


def test_the_trace_of_a_stand_in_ends_in_its_name(layer, found):
    memory = int(found["shuffled"].memory[0])
    true = int(np.flatnonzero(permutation(50) == memory)[0])
    steps = layer.explain(1, SEEDS, CUES, 0, memory)
    expected = layer.explain(0, SEEDS, CUES, 0, true)
    assert steps[-1] == expected[-1]._replace(receiver=f"m{memory}")
    assert steps[:-1] == expected[:-1]
    assert layer.explain(2, SEEDS, CUES, 0, true) == expected


def test_constant_finds_the_same_with_one_activation_a_query(found):
    true, null = found[""], found["constant"]
    for column in ("ptr", "memory", "origin", "hop"):
        assert (getattr(true, column) == getattr(null, column)).all()
    for q, mean in ((0, np.mean(rows(true, "activation")[0])), (2, None)):
        values = rows(null, "activation")[q]
        assert len(set(values)) == 1
        assert mean is None or values[0] == pytest.approx(mean)


def test_constant_leaves_energy_to_the_seed_alone(found):
    null = found["constant"]
    score = dict(zip(SEEDS.memory.tolist(), SEEDS.score.tolist(), strict=True))
    for q in (0, 2):
        shares = {
            round(energy / score[origin], 6)
            for energy, origin in zip(rows(null, "energy")[q], rows(null, "origin")[q], strict=True)
            if score[origin] > 0
        }
        assert len(shares) == 1


def test_constant_shares_are_the_mean_of_the_true_ones(found):
    score = dict(zip(SEEDS.memory.tolist(), SEEDS.score.tolist(), strict=True))
    true = [
        e / score[o]
        for e, o in zip(rows(found[""], "energy")[0], rows(found[""], "origin")[0], strict=True)
    ]
    null = rows(found["constant"], "energy")[0][0] / score[rows(found["constant"], "origin")[0][0]]
    assert null == pytest.approx(np.mean(true))


def test_constant_measures_what_cues_found_against_the_best_seed_or_1():
    expansion = Expansion(
        np.array([0, 2, 3]), np.array([1, 2, 1], np.int32), np.array([0.2, 0.6, 0.3], np.float32),
        np.array([0.5, 0.7, 0.1], np.float32), np.full(3, CUE, np.int32), np.ones(3, np.int8),
    )  # fmt: skip
    seeds = Seeds(np.array([0, 1, 1]), np.array([5], np.int32), np.array([0.5], np.float32))
    null = constant(expansion, seeds)
    assert null.energy.tolist() == pytest.approx([0.4, 0.4, 0.3])
    assert null.activation.tolist() == pytest.approx([0.6, 0.6, 0.1])


def test_nothing_found_is_nothing_under_every_null():
    empty = Expansion(*(np.zeros(n, t) for n, t in (
        (4, np.int64), (0, np.int32), (0, np.float32), (0, np.float32), (0, np.int32), (0, np.int8)
    )))  # fmt: skip
    assert len(constant(empty, SEEDS).memory) == len(shuffled(empty, permutation(9)).memory) == 0


def test_rule_sets_that_cannot_be_told_apart_share_one_result_under_nulls_too():
    rules = [OPEN.change(nulls=["hebbian=shuffled"], temporal_hops=h) for h in (1, 2)]
    layer = learned_layer("hebbian", world(np.random.default_rng(0)), rules)
    layer.advance(30)
    seeds = Seeds(np.array([0, 1]), np.array([7], np.int32), np.ones(1, np.float32))
    one, other = layer.expand(seeds, Cues(Lists.of([[]]), Lists.of([[]])), [0, 1])
    assert one is other


def test_a_shuffled_re_ranker_deals_its_shares_out_among_the_seeds_of_each_query():
    inner = Expansion(
        np.array([0, 1, 1, 3]), np.array([20, 1, 8], np.int32),
        np.array([0.2, 0.08, 0.0], np.float32), np.array([0.5, 0.1, 0.3], np.float32),
        np.array([20, 1, 8], np.int32), np.ones(3, np.int8),
    )  # fmt: skip
    dealt = shuffled_among(inner, SEEDS, permutation(50))
    seeds = np.split(SEEDS.memory, SEEDS.ptr[1:-1])
    for got, own in zip(rows(dealt, "memory"), seeds, strict=True):
        assert set(got) <= set(own.tolist())
        assert got == sorted(set(got))
    share = dealt.energy[0] / dict(zip([3, 20], [0.9, 0.4], strict=True))[int(dealt.memory[0])]
    assert share == pytest.approx(0.2 / 0.4)
    assert sorted(dealt.activation.tolist()) == sorted(inner.activation.tolist())


def test_what_is_recalled_teaches_a_layer_behind_its_null_model():
    taught = []

    class Listening:
        name = "stdp"

        def observe_recall(self, recalled, time_us=None):
            taught.append((recalled, time_us))

    NullLayer(Listening(), None, ["constant"]).observe_recall("lists", "times")
    assert taught == [("lists", "times")]
