"""A graph at one moment, as the matrices of other libraries."""

import importlib.util

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.errors import MissingExtraError
from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.graph.snapshot import snapshot, snapshots, to_cupy, to_pyg, to_scipy
from hebb_lab.graph.store import SynapseStore
from hebb_lab.graph.synapse import SynapseLayer
from hebb_lab.graph.temporal import co_activation_graph, transition_graph
from hebb_lab.kernels.reference.walk import adjacency_as_of
from hebb_lab.telemetry.touches import touches_of
from hebb_lab.telemetry.windows import window_of_touch
from tests.kernels.logs import DAY_US, NAMESPACES, co_activations, rule_sets, window_lists
from tests.made_logs import reads

WINDOWS = [
    (20_000 * DAY_US, [0, 1, 2], 1.0, 0),
    (20_001 * DAY_US, [0, 2], 1.0, 1),
    (20_001 * DAY_US, [0, 2], 2.0, 0),
    (20_004 * DAY_US, [5, 6], 0.5, 0),
]
NOW = 20_010 * DAY_US


def layer_of(windows, rules=DOCUMENTED):
    return SynapseLayer.learn(co_activation_graph(co_activations(windows)), [rules])


def dense_of(rows, count=7):
    dense = np.zeros((count, count))
    for node, row in rows.items():
        for neighbour, weight in row.items():
            dense[node, neighbour] = weight
    return dense


@settings(max_examples=40, deadline=None)
@given(window_lists())
def test_the_sparse_tensor_is_the_adjacency_as_of_that_time(windows):
    now = windows[-1][0] + 3 * DAY_US
    layer = layer_of(windows)
    matrix = snapshot(layer, now, dtype=torch.float64)
    assert matrix.layout == torch.sparse_csr
    np.testing.assert_array_equal(matrix.to_dense().numpy(), dense_of(layer.adjacency(0, now)))


@settings(max_examples=60, deadline=None)
@given(window_lists(), st.lists(rule_sets(), min_size=1, max_size=3), st.sampled_from([0, 3]))
def test_every_rule_set_has_the_weights_that_a_walk_reads(windows, rules, later):
    rules = [*rules, DOCUMENTED.change(half_life="fixed", decay_shape="power_law")]
    now = windows[-1][0] + later * DAY_US
    graph = co_activation_graph(co_activations(windows))
    layer = SynapseLayer.learn(graph, rules, branch="branch:a")
    arrays, traces = layer._arrays, layer._traces
    matrices = snapshots(layer, now, dtype=torch.float64)
    assert len(matrices) == len(rules)
    for config, matrix in enumerate(matrices):
        want = adjacency_as_of(config, now, arrays, layer._state, traces, layer._reads)
        got = layer.adjacency(config, now)
        assert {node: list(row) for node, row in got.items()} == {
            node: sorted(row) for node, row in want.items()
        }
        np.testing.assert_allclose(dense_of(got), dense_of(want), rtol=1e-12)
        np.testing.assert_array_equal(matrix.to_dense().numpy(), dense_of(got))


def test_some_rule_sets_can_be_chosen_in_any_order():
    graph = co_activation_graph(co_activations(WINDOWS))
    rates = [DOCUMENTED.change(learning_rate=rate) for rate in (0.1, 0.2, 0.3)]
    layer = SynapseLayer.learn(graph, rates)
    chosen = snapshots(layer, NOW, [2, 0])
    for matrix, config in zip(chosen, (2, 0), strict=True):
        assert torch.equal(matrix.to_dense(), snapshot(layer, NOW, config).to_dense())


def test_the_weights_are_those_of_the_store():
    graph = co_activation_graph(co_activations(WINDOWS))
    layer = SynapseLayer.learn(graph, [DOCUMENTED], branch="branch:a")
    matrix = snapshot(layer, NOW, dtype=torch.float64).to_dense()
    store = SynapseStore(DOCUMENTED, active="branch:a")
    for time, nodes, strength, space in WINDOWS:
        store.reinforce([f"n{n}" for n in nodes], time, strength, NAMESPACES[space])
    assert matrix.count_nonzero() == 8
    for a in range(7):
        for b in range(7):
            if a != b:
                want = store.weight_of(f"n{a}", f"n{b}", NOW)
                assert float(matrix[a, b]) == pytest.approx(want, rel=1e-9)


def test_a_moment_sees_nothing_of_its_own_time():
    layer = layer_of(WINDOWS)
    assert snapshot(layer, WINDOWS[0][0])._nnz() == 0
    assert snapshot(layer, WINDOWS[0][0] + 1)._nnz() == 6


def test_each_rule_set_has_its_own_matrix():
    graph = co_activation_graph(co_activations(WINDOWS))
    layer = SynapseLayer.learn(graph, [DOCUMENTED, DOCUMENTED.change(half_life="none")])
    fading, lasting = (snapshot(layer, NOW, config).to_dense() for config in (0, 1))
    assert (fading < lasting)[lasting > 0].all()


def test_scipy_has_the_same_numbers_in_the_same_memory():
    matrix = snapshot(layer_of(WINDOWS), NOW)
    there = to_scipy(matrix)
    np.testing.assert_array_equal(there.toarray(), matrix.to_dense().numpy())
    assert np.shares_memory(there.data, matrix.values().numpy())


def test_columns_ascend_in_every_row():
    there = to_scipy(snapshot(layer_of(WINDOWS), NOW))
    rows = [there.indices[a:b] for a, b in zip(there.indptr[:-1], there.indptr[1:], strict=True)]
    assert max(map(len, rows)) > 1
    assert all((np.diff(row) > 0).all() for row in rows)


def test_scipy_and_torch_multiply_alike():
    matrix = snapshot(layer_of(WINDOWS), NOW, dtype=torch.float64)
    energy = np.arange(7.0)
    want = (matrix @ torch.from_numpy(energy)).numpy()
    np.testing.assert_allclose(to_scipy(matrix) @ energy, want)


def test_pyg_has_the_same_edges():
    layer = layer_of(WINDOWS)
    matrix = snapshot(layer, NOW)
    data = to_pyg(matrix, layer.graph.nodes)
    edges = data["node", "synapse", "node"]
    assert data["node"].num_nodes == 7
    assert data["node"].name == [f"n{i}" for i in range(7)]
    assert edges.edge_index.dtype == torch.int64
    dense = torch.zeros(7, 7)
    dense[edges.edge_index[0], edges.edge_index[1]] = edges.edge_weight
    assert torch.equal(dense, matrix.to_dense())
    assert data.validate()


def test_an_undirected_graph_is_symmetric_and_a_directed_one_points_from_sender_to_receiver():
    matrix = snapshot(layer_of(WINDOWS), NOW).to_dense()
    assert torch.equal(matrix, matrix.T)
    touches = touches_of(reads("s.1:x s.1:y s.2:z"))
    graph = transition_graph(touches, window_of_touch(touches))
    directed = snapshot(SynapseLayer.learn(graph, [DOCUMENTED]), touches.time_us[-1] + 1)
    assert directed.to_dense().bool().tolist() == [
        [False, True, False], [False, False, True], [False, False, False],
    ]  # fmt: skip


def test_an_empty_graph_is_an_empty_matrix():
    matrix = snapshot(layer_of([(20_000 * DAY_US, [0], 1.0, 0)]), NOW)
    assert tuple(matrix.shape) == (7, 7)
    assert matrix._nnz() == 0
    assert to_scipy(matrix).nnz == 0
    assert to_pyg(matrix, tuple("abcdefg"))["node", "synapse", "node"].edge_index.shape == (2, 0)


@pytest.mark.skipif(
    importlib.util.find_spec("cupy") is not None, reason="CuPy is installed: nothing is missing"
)
def test_without_cupy_the_error_names_the_extra():
    with pytest.raises(MissingExtraError, match=r"hebb_lab\[gpu\]"):
        to_cupy(snapshot(layer_of(WINDOWS), NOW))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
def test_cupy_has_the_same_numbers():
    pytest.importorskip("cupy")
    matrix = snapshot(layer_of(WINDOWS), NOW).cuda()
    np.testing.assert_array_equal(to_cupy(matrix).toarray().get(), matrix.cpu().to_dense().numpy())
