"""The graph of one rule set as arrays, sparse matrices and bytes."""

import numpy as np
import pytest

from hebb_lab.graph.cognitive.associations.table import EdgeTable, graph_of
from hebb_lab.graph.cognitive.hebbian import HebbianLayer
from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED
from tests.graph.cognitive.associations.plain import world


@pytest.fixture
def layer():
    made = HebbianLayer(world(np.random.default_rng(0)), [OBSERVED, DOCUMENTED])
    made.advance(50)
    return made


@pytest.mark.parametrize("config", [0, 1])
def test_an_edge_takes_12_bytes_and_a_memory_4(layer, config):
    graph = layer.graph(config)
    edge = sum(column.itemsize for column in graph[1:-1])
    assert (edge, graph.offsets.itemsize) == (12, 4)
    assert graph.byte_count == layer.byte_count(config) == 12 * layer.edge_count(config) + 4 * 51


def test_it_takes_80_percent_less_than_rows_of_fixed_width():
    made = HebbianLayer(world(np.random.default_rng(0), count=1000, hints=0), [OBSERVED])
    made.advance(1000)
    assert made.byte_count(0) < 0.2 * 292 * 1000


def test_scipy_and_torch_have_the_same_weights(layer):
    graph = layer.graph(1)
    dense = np.zeros((50, 50), np.float32)
    sender = np.repeat(np.arange(50), np.diff(graph.offsets))
    dense[sender, graph.neighbor] = graph.weight
    assert (graph.to_scipy().toarray() == dense).all()
    assert (graph.to_torch().to_dense().numpy() == dense).all()
    assert dense.any()
    assert (dense == dense.T).all()


def test_a_graph_is_a_copy_that_later_learning_leaves_alone(layer):
    before = layer.graph(0)
    kept = before.weight.copy()
    layer.advance(60)
    assert (before.weight == kept).all()
    assert layer.edge_count(0) > len(kept)


def test_a_table_without_edges_has_a_graph_without_edges():
    graph = graph_of(EdgeTable.with_room(np.zeros(6, np.int64)), 3, 1, 2, 5)
    assert (graph.offsets.tolist(), len(graph.neighbor), graph.cycle) == ([0, 0, 0], 0, 5)
