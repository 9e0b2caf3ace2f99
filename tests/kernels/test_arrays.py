"""The arrays that pass into the kernels."""

import numpy as np
import torch

from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.kernels.arrays import (
    GraphArrays,
    as_numpy,
    graph_arrays,
    nothing_found,
    on_host,
    query_arrays,
)
from tests.kernels.logs import asked, co_activations, queries_at

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


def test_a_part_of_queries_is_a_query_list_of_its_own():
    queries = asked((5, [(3, 1.0), (1, 0.6)], [4]), (6, [], []), (9, [(2, 0.5)], [0, 1]))
    part = queries.part(1, 3)
    assert part.time.tolist() == [6, 9]
    assert (part.seed_ptr.tolist(), part.seed_ids.tolist()) == ([0, 0, 1], [2])
    assert part.seed_energy.tolist() == [0.5]
    assert (part.exclude_ptr.tolist(), part.exclude_ids.tolist()) == ([0, 0, 2], [0, 1])
    for piece, whole in zip(queries.part(0, 3), queries, strict=True):
        np.testing.assert_array_equal(piece, whole)
    assert [len(piece) for piece in queries.part(2, 2)] == [0, 1, 0, 0, 1, 0]


def test_nothing_found_is_no_node_of_no_score():
    found = nothing_found(2, 3, 4)
    assert found.ids.shape == found.scores.shape == (2, 3, 4)
    assert (found.ids == -1).all()
    assert (found.scores == -np.inf).all()
    assert found.edges.tolist() == [[0, 0, 0]] * 2


def test_what_is_held_elsewhere_comes_to_the_host_and_nothing_else_is_copied():
    graph = graph_arrays(co_activation_graph(co_activations(WINDOWS)))
    held = GraphArrays(*(torch.from_numpy(part) for part in graph))
    for part, whole in zip(on_host(held), graph, strict=True):
        assert isinstance(part, np.ndarray)
        np.testing.assert_array_equal(part, whole)
    assert all(part is whole for part, whole in zip(on_host(graph), graph, strict=True))
    assert as_numpy(torch.ones(2, requires_grad=True)).tolist() == [1.0, 1.0]
