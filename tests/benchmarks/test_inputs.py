"""The made inputs have the shapes that the benchmarks say, and the peers do the same work."""

import numpy as np
import pytest

from hebb_lab.graph.rules import SynapseRules
from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.kernels.arrays import Rows
from hebb_lab.kernels.checks.graphs import check_graph
from hebb_lab.kernels.choose import backend_named
from hebb_lab.kernels.parameters import rule_arrays
from tests.benchmarks import spread_peers
from tests.benchmarks.inputs import (
    _made_rows,
    counts_of,
    log_arrays,
    made_windows,
    some_edges,
    standing_queries,
)


@pytest.mark.parametrize(("tail", "low", "high"), [("light", 10, 25), ("heavy", 500, 1500)])
def test_the_tails_of_logs_are_light_and_heavy(tail, low, high):
    counts = counts_of(tail, 100_000, 20_000, np.random.default_rng(0))
    assert counts.sum() == 100_000
    assert counts.min() >= 1
    assert low <= counts.max() <= high


@pytest.mark.parametrize("tail", ["light", "heavy"])
def test_a_made_log_is_a_valid_graph_and_so_is_a_share_of_it(tail):
    graph = log_arrays(tail, 5000, 1000)
    check_graph(graph)
    assert (len(graph.time), len(graph.namespace), len(graph.col)) == (5000, 1000, 2000)
    assert (np.diff(graph.time[graph.by_time]) >= 0).all()
    share, events = some_edges(graph, np.array([3, 500]))
    check_graph(share)
    np.testing.assert_array_equal(graph.time[events], share.time)
    np.testing.assert_array_equal(np.unique(graph.edge_of[events]), [3, 500])


def test_a_power_law_graph_has_the_degrees_of_the_report():
    row_ptr, col, weight = _made_rows(20_000)
    degree = np.diff(row_ptr)
    assert np.median(degree) == pytest.approx(7, abs=1)
    assert degree.mean() == pytest.approx(12, abs=1)
    assert degree.max() > 500
    sender = np.repeat(np.arange(20_000), degree)
    forth, back = (np.lexsort(ends) for ends in ((col, sender), (sender, col)))
    np.testing.assert_array_equal(sender[forth], col[back])  # undirected
    np.testing.assert_array_equal(weight[forth], weight[back])
    assert (sender != col).all()


def test_made_windows_give_the_reinforcements_that_were_asked_for():
    graph = co_activation_graph(made_windows(10_000))
    assert graph.event_count == 10_000
    assert 3 <= graph.event_count / graph.edge_count <= 8


@pytest.mark.filterwarnings("ignore:Sparse", "ignore:.*torch.jit")
def test_every_peer_of_spreading_gives_the_energies_of_the_reference():
    row_ptr, col, weight = _made_rows(500)
    rows, rules = Rows(row_ptr, col, weight[:, None]), SynapseRules(hub_degree=8)
    queries, reads = standing_queries(500, 6), rule_arrays([rules], ("personal",))[1]
    want = backend_named("reference").spread_rows(rows, reads, queries, 12).scores[0]
    made = {
        name: getattr(spread_peers, name)(rows, rules, queries)
        for name in ("ScipySparse", "GraphBlas", "ScipyDense", "PygSpmm", "PygMessages")
    }
    answers = {name: peer.spread() for name, peer in made.items()}
    answers["GraphBlas"] = made["GraphBlas"].as_scipy(answers["GraphBlas"])
    for name, answer in answers.items():
        best = spread_peers.best_scores(answer, queries, 12)
        np.testing.assert_allclose(np.maximum(want, 0), best, rtol=1e-5, err_msg=name)
    for q, (ids, values) in enumerate(spread_peers.top_k(answers["ScipySparse"], 5)):
        row = answers["ScipySparse"][[q]].toarray()[0]
        np.testing.assert_array_equal(ids, np.argsort(row, kind="stable")[::-1][:5])
        np.testing.assert_array_equal(values, row[ids])
