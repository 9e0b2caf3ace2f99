"""Some edges of a graph: their events, their neighbours, and nothing else."""

from dataclasses import fields, replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.graph.subgraph import subgraph
from hebb_lab.graph.temporal import TemporalGraph, adjacency_rows, co_activation_graph
from tests.graph.test_temporal import events_of
from tests.kernels.logs import co_activations, window_lists


@pytest.mark.parametrize("directed", [False, True])
@settings(max_examples=40, deadline=None)
@given(windows=window_lists(), seed=st.integers(0, 99))
def test_some_edges_keep_their_events_and_their_neighbours(directed, windows, seed):
    graph = co_activation_graph(co_activations(windows))
    if directed:  # every pair is as good a transition
        rows = adjacency_rows(graph.edge_index.numpy(), graph.node_count, directed=True)
        tensors = dict(zip(("row_ptr", "col", "edge_id"), map(torch.from_numpy, rows), strict=True))
        graph = replace(graph, directed=True, **tensors)
    chosen = torch.from_numpy(np.random.default_rng(seed).random(graph.edge_count) < 0.5)
    some = subgraph(graph, chosen)
    kept = {key for key, own in zip(events_of(graph), chosen.tolist(), strict=True) if own}
    assert events_of(some) == {key: rows for key, rows in events_of(graph).items() if key in kept}
    number = torch.cumsum(chosen, 0) - 1
    for node in range(graph.node_count):
        whole, part = (slice(*g.row_ptr[node : node + 2].tolist()) for g in (graph, some))
        own = chosen[graph.edge_id[whole].long()]
        assert some.col[part].tolist() == graph.col[whole][own].tolist()
        assert some.edge_id[part].tolist() == number[graph.edge_id[whole][own].long()].tolist()
    for part in fields(TemporalGraph):
        old, new = getattr(graph, part.name), getattr(some, part.name)
        assert not isinstance(old, torch.Tensor) or (old.dtype == new.dtype and new.is_contiguous())
