"""The arrays that pass into the kernels."""

import numpy as np

from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.kernels.arrays import graph_arrays, query_arrays
from tests.kernels.logs import co_activations, queries_at

WINDOWS = [(30, [1, 2], 1.0, 0), (30, [0, 2], 1.0, 0), (50, [1, 2, 0], 0.5, 0)]


def test_events_are_listed_earliest_first_with_their_edges():
    arrays = graph_arrays(co_activation_graph(co_activations(WINDOWS)))
    assert (np.diff(arrays.time[arrays.by_time]) >= 0).all()
    assert sorted(arrays.by_time.tolist()) == list(range(5))
    assert arrays.edge_of.tolist() == [0, 1, 1, 2, 2]  # 0-1, 0-2, 1-2


def test_the_graph_is_not_copied():
    graph = co_activation_graph(co_activations(WINDOWS))
    assert np.shares_memory(graph_arrays(graph).time, graph.event_time.numpy())


def test_a_query_is_what_the_kernels_read():
    queries = queries_at([5, 9], [(3, 1.0), (1, 0.6)], exclude=[3])
    arrays = query_arrays(queries)
    assert arrays.time.tolist() == [5, 9]
    assert arrays.seed_ids[arrays.seed_ptr[1] : arrays.seed_ptr[2]].tolist() == [3, 1]
    assert arrays.exclude_ids[arrays.exclude_ptr[0] : arrays.exclude_ptr[1]].tolist() == [3]
