from __future__ import annotations

import numpy as np
import pytest

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.graph.synapse import Carried, SynapseLayer
from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.recall.injection_batch import inject_batch
from hebb_lab.recall.trace import edges_towards, trace_injection
from hebb_lab.records import Ranking
from tests.kernels.logs import DAY_US, co_activations, queries_at

WINDOWS = [(20_000 * DAY_US, [0, 1], 1.0, 0), (20_001 * DAY_US, [1, 2], 1.0, 0)]
NOW = 20_002 * DAY_US
NODES = [f"n{i}" for i in range(7)]


@pytest.fixture
def setting():
    layer = SynapseLayer.learn(co_activation_graph(co_activations(WINDOWS)), [DOCUMENTED])
    queries = queries_at([NOW], [(0, 1.0)])
    host = Ranking(np.array([[5, 4, 3]], np.int32), np.array([[1.0, 0.5, 0.2]], np.float32))
    energies, _ = layer.spread(0, queries, 7)
    rules = DOCUMENTED.change(displace_energy=0.001)
    return layer, queries, host, inject_batch(host, energies, rules, "budget_neutral", 3)


def test_an_added_candidate_names_the_edges_that_brought_it(setting):
    layer, queries, host, mixed = setting
    trace = trace_injection({"synapse": layer}, 0, queries, 0, host, mixed, NODES)
    assert trace.seeds == ("n0",)
    assert trace.displaced == ("n4", "n3")
    first = next(added for added in trace.added if added.node == "n1")
    edges = first.edges["synapse"]
    assert [(edge.hop, edge.sender) for edge in edges if edge.receiver == "n1"] == [(1, "n0")]
    assert first.score == pytest.approx(0.3 * edges[0].energy, rel=1e-6)


def test_a_candidate_two_hops_away_names_both_edges(setting):
    layer, queries, host, mixed = setting
    trace = trace_injection({"synapse": layer}, 0, queries, 0, host, mixed, NODES)
    far = next(added for added in trace.added if added.node == "n2")
    path = [(edge.hop, edge.sender, edge.receiver) for edge in far.edges["synapse"]]
    assert path == [(1, "n0", "n1"), (2, "n1", "n2")]


def test_a_list_that_nothing_changed_has_an_empty_trace(setting):
    layer, queries, host, _ = setting
    trace = trace_injection({"synapse": layer}, 0, queries, 0, host, host, NODES)
    assert (trace.added, trace.displaced) == ((), ())


def test_edges_that_lead_elsewhere_are_left_out():
    carried = [
        Carried(1, "a", "b", 1.0, 0.6),
        Carried(1, "a", "c", 1.0, 0.6),
        Carried(2, "b", "d", 1.0, 0.36),
        Carried(2, "c", "e", 1.0, 0.36),
    ]
    assert edges_towards("d", carried) == (carried[0], carried[2])
