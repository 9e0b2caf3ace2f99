"""Spreading, compiled: pieces, engines, budgets, frontiers; the rest is in test_conformance."""

import numpy as np
import pytest

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.graph.synapse import SynapseLayer
from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.kernels.arrays import graph_arrays, query_arrays
from hebb_lab.kernels.choose import backend_named
from hebb_lab.kernels.cpu.traces.replay import replay
from hebb_lab.kernels.cpu.walks import spread as spreading
from hebb_lab.kernels.cpu.walks.walker import PreparedWalker
from hebb_lab.kernels.parameters import rule_arrays
from tests.kernels.logs import DAY_US, co_activations, queries_at

START = 20_000 * DAY_US
MANY = 512  # queries: several pieces for each thread


def layers(windows, rules, nodes=7):
    graph = co_activation_graph(co_activations(windows, nodes))
    return [
        SynapseLayer.learn(graph, [rules], backend_named(name), "branch:a")
        for name in ("cpu", "reference")
    ]


def test_more_queries_than_one_task_takes_are_answered_alike():
    windows = [(START + i * DAY_US, [i % 7, (i + 1) % 7], 1.0, 0) for i in range(20)]
    fast, slow = layers(windows, DOCUMENTED)
    times = np.linspace(START, START + 21 * DAY_US, MANY + 30).astype(np.int64).tolist()
    asked = queries_at(times, [(0, 1.0)])
    whole, _ = fast.spread(0, asked, 4)
    for q in (0, MANY - 1, MANY, MANY + 29):
        alone = queries_at([times[q]], [(0, 1.0)])
        assert whole.ids[q].tolist() == fast.spread(0, alone, 4)[0].ids[0].tolist()
        assert whole.ids[q].tolist() == slow.spread(0, alone, 4)[0].ids[0].tolist()


def test_the_threads_change_nothing():
    import numba

    windows = [(START + i * DAY_US, [i % 7, (i + 2) % 7], 1.0, 0) for i in range(30)]
    times = [START + i * DAY_US // 40 for i in range(3 * MANY)]
    before, hashes = numba.get_num_threads(), set()
    try:
        for threads in {1, numba.config.NUMBA_NUM_THREADS}:
            numba.set_num_threads(threads)
            fast, _ = layers(windows, DOCUMENTED)
            hashes.add(fast.spread(0, queries_at(times, [(0, 1.0), (3, 0.6)]), 5)[0].sha256())
    finally:
        numba.set_num_threads(before)
    assert len(hashes) == 1


@pytest.mark.parametrize(("frontier", "reached"), [(None, {2, 3, 5, 6}), (1, {2, 3, 6})])
def test_only_the_best_of_the_first_hop_send_on(frontier, reached):
    # 0 reaches 2 twice as strongly as 3; 2 leads to 6, 3 to 5
    windows = [
        (START, [0, 2], 2.0, 0), (START, [0, 3], 1.0, 0), (START, [3, 5], 1.0, 0),
        (START, [2, 6], 1.0, 0),
    ]  # fmt: skip
    rules = DOCUMENTED.change(frontier=frontier)
    for layer in layers(windows, rules):
        ranking, _ = layer.spread(0, queries_at([START + 1], [(0, 1.0)], exclude=[0]), 7)
        assert set(ranking.ids[0][ranking.ids[0] >= 0].tolist()) == reached


def test_rows_divided_by_their_sums_send_no_more_than_they_have():
    windows = [(START, [0, n], 2.0, 0) for n in range(1, 7)]
    rules = DOCUMENTED.change(normalisation="source_row", hops=1, spread_decay=1.0)
    for layer in layers(windows, rules):
        ranking, _ = layer.spread(0, queries_at([START + 1], [(0, 1.0)]), 7)
        assert ranking.scores[0, :6].sum() == pytest.approx(1.0)


def test_weights_are_read_per_namespace_and_summed():
    windows = [(START, [0, 1], 1.0, space) for space in range(4)]
    rules = DOCUMENTED.change(hops=1)
    for layer in layers(windows, rules):  # branch 1.0, personal 0.8, shared 0.5, ephemeral unseen
        ranking, edges = layer.spread(0, queries_at([START + 1], [(0, 1.0)]), 1)
        assert ranking.scores[0, 0] == pytest.approx(0.3 * (1.0 + 0.8 + 0.5) * 0.6)
        assert edges[0] == 1  # one neighbour, whatever the number of namespaces


def many_edges(nodes=40):
    """Cliques of eight on a ring: two hops reach most of it."""
    return [
        (START + i * DAY_US // 4, [(i + j * j) % nodes for j in range(5)], 1.0, i % 2)
        for i in range(120)
    ]


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_both_engines_give_the_same(hops, monkeypatch):
    kinds = [DOCUMENTED, DOCUMENTED.change(half_life="fixed"), OBSERVED]
    graph = co_activation_graph(co_activations(many_edges(), 40))
    layer = SynapseLayer.learn(graph, [r.change(hops=hops) for r in kinds], backend_named("cpu"))
    asked = queries_at([START + i * DAY_US for i in range(1, 31)], [(0, 1.0), (7, 0.5)], 40)
    configs, answers = [[0], [1], [2], [0, 1, 2]], []
    for visits in (0, 10**9):  # from rows, from the lines of all edges
        monkeypatch.setattr(
            spreading,
            "expected_visits",
            lambda e, q, v=visits: (np.full(len(q.time), v), len(q.time), v),
        )
        answers.append([layer.spread_all(each, asked, 9) for each in configs])
    for sparse, dense in zip(*answers, strict=True):
        for (one, edges), (other, others) in zip(sparse, dense, strict=True):
            np.testing.assert_array_equal(one.ids, other.ids)
            np.testing.assert_allclose(one.scores, other.scores, rtol=1e-6)
            np.testing.assert_array_equal(edges, others)


def test_the_visits_expected_are_the_sums_of_degrees_of_a_moment():
    graph = graph_arrays(co_activation_graph(co_activations([(START, [0, 1, 2], 1.0, 0)])))
    asked = query_arrays(queries_at([START + 1, START + 1, START + 2], [(0, 1.0), (1, 1.0)]))
    for hops, visits in ((1, [8, 8, 4]), (2, [24, 24, 12])):
        found, moments, total = spreading.expected_visits(spreading.edges_from(graph, hops), asked)
        assert found.tolist() == visits
        assert (moments, total) == (2, visits[0] + visits[2])


def test_a_small_budget_changes_nothing_but_memory():
    graph = co_activation_graph(co_activations(many_edges(), 40))
    rules = [DOCUMENTED.change(half_life_personal_days=d) for d in range(1, 9)]
    asked = queries_at([START + 30 * DAY_US] * 20, [(0, 1.0), (7, 0.5)], 40)
    arrays, (traces, reads) = graph_arrays(graph), rule_arrays(rules, graph.namespaces)
    state = replay(arrays, traces, before=False)
    one, other = (
        PreparedWalker(arrays, state, traces, reads, memory).spread(query_arrays(asked), 5)
        for memory in (20_000, 10**9)
    )
    for got, want in zip(one, other, strict=True):
        np.testing.assert_array_equal(got, want)
