"""The reference walk, held to numbers worked out by hand."""

from collections import defaultdict

import pytest

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.graph.synapse import SynapseLayer
from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.kernels.choose import backend_named
from hebb_lab.kernels.reference.walk import adjacency_as_of, stationary
from tests.kernels.logs import DAY_US, co_activations, queries_at

START = 20_000 * DAY_US
CHAIN = [(START, [0, 1], 1.0, 0), (START, [1, 2], 2.0, 0)]
RULES = DOCUMENTED.change(half_life="none", read_personal=1.0)


def layer(windows, rules=RULES):
    return SynapseLayer.learn(
        co_activation_graph(co_activations(windows)), [rules], backend_named("reference")
    )


def test_the_adjacency_holds_both_directions_of_each_edge():
    made = layer(CHAIN)
    rows = adjacency_as_of(
        0, START + 1, made._arrays, made._state, made._traces, made._reads.some([0])
    )
    assert {a: dict(row) for a, row in rows.items()} == {
        0: {1: pytest.approx(0.3)}, 1: {0: pytest.approx(0.3), 2: pytest.approx(0.6)},
        2: {1: pytest.approx(0.6)},
    }  # fmt: skip


def test_two_hops_along_a_chain():
    ranking, edges = layer(CHAIN).spread(0, queries_at([START + 1], [(0, 1.0)]), 3)
    first = 0.6 * 0.3
    got = dict(zip(ranking.ids[0].tolist(), ranking.scores[0].tolist(), strict=True))
    assert got == {
        1: pytest.approx(first),
        2: pytest.approx(first * 0.6 * 0.6),
        0: pytest.approx(first * 0.6 * 0.3),  # no visited set: energy walks back
    }
    assert edges.tolist() == [3]


def test_a_walker_between_two_nodes():
    # p0 = r + (1 − r) p1, p1 = (1 − r) p0
    rank = stationary({0: 2.0}, {0: {1: 0.3}, 1: {0: 0.3}}, 0.5)
    assert rank == {0: pytest.approx(2 / 3), 1: pytest.approx(1 / 3)}


def test_a_walker_without_a_way_stays_at_home():
    assert stationary({0: 1.0, 1: 3.0}, defaultdict(dict), 0.15) == {
        0: pytest.approx(0.25),
        1: pytest.approx(0.75),
    }
