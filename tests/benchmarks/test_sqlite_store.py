"""The SQLite store of the benchmarks follows the published rules, and answers as the layer does."""

import math

import numpy as np
import pytest

from hebb_lab.graph.rules import SynapseRules
from hebb_lab.graph.synapse import SynapseLayer
from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.kernels.choose import backend_named
from tests.benchmarks.sqlite_store import SqliteStore
from tests.benchmarks.store_log import asked_of, compare, learn, made_store_log

DAY = 86_400_000_000


@pytest.fixture
def store(tmp_path):
    made = SqliteStore(tmp_path / "synapses.db", SynapseRules(half_life="fixed"))
    yield made
    made.close()


def weight_of(store):
    (weight,) = store.edges().values()
    return weight


def test_weights_grow_by_the_rate_to_the_cap(store):
    grown = []
    for _ in range(5):
        store.reinforce([2, 1], 0)
        grown.append(weight_of(store))
    assert grown == pytest.approx([0.3, 0.6, 0.9, 1.0, 1.0])


def test_a_weight_is_halved_after_its_half_life_however_often_decay_runs(store):
    store.reinforce([1, 2], 0)
    for day in (3, 11, 30):
        store.decay(day * DAY)
    assert weight_of(store) == pytest.approx(0.15)


def test_a_proven_edge_keeps_the_floor_and_a_weak_one_goes(store):
    for _ in range(5):
        store.reinforce([1, 2], 0)
    store.reinforce([3, 4], 0)
    store.decay(1000 * DAY)
    assert store.edges() == {(1, 2, "personal"): 0.2}


def test_energy_walks_back_and_seeds_are_no_answers(store):
    for a, b in ((1, 2), (2, 3)):
        for _ in range(3):
            store.reinforce([a, b], 0)
    merged = 0.9 * 0.8
    assert store.spread({1: 1.0}) == [
        (2, pytest.approx(0.6 * merged)), (3, pytest.approx((0.6 * merged) ** 2)),
    ]  # fmt: skip


def test_a_hub_sends_less(store):
    for other in range(1, 201):
        store.reinforce([0, other], 0)
    (_, energy), *_ = store.spread({0: 1.0}, 12)
    assert energy == pytest.approx(0.6 * 0.3 * 0.8 * math.sqrt(50 / 200))


def test_neighbours_are_found_by_the_indices_of_the_nodes(store):
    for node in range(60):
        store.reinforce([node, node + 1, node + 2], 0)
    store.decay(DAY)
    assert "node_a=?" in store.plan()
    assert "node_b=?" in store.plan()
    assert "SCAN" not in store.plan()


@pytest.mark.parametrize("hubs", [False, True])
@pytest.mark.parametrize("half_life", ["learned", "fixed"])
def test_the_store_answers_as_the_layer_does(tmp_path, half_life, hubs):
    windows = made_store_log(60, 400, hubs, seed=3)
    rules = SynapseRules(half_life=half_life, hub_degree=5)
    store = learn(tmp_path / "synapses.db", windows, rules)
    queries = asked_of(windows, 20)
    layer = SynapseLayer.learn(
        co_activation_graph(windows), [rules], backend_named("cpu"), "branch:a"
    )
    got, _ = layer.spread(0, queries, 12)
    assert np.isfinite(got.scores).all()
    compare(store, queries, got)
    store.close()
