"""TemporalGraph: facts in their order, as tensors."""

from collections import defaultdict
from dataclasses import fields
from itertools import combinations

import numpy as np
import torch
from hypothesis import given, settings

from hebb_lab.graph.rules import SynapseRules
from hebb_lab.graph.temporal import TemporalGraph, co_activation_graph, transition_graph
from hebb_lab.telemetry.touches import touches_of
from hebb_lab.telemetry.windows import window_of_touch
from tests.kernels.logs import co_activations, window_lists
from tests.made_logs import reads


def events_by_hand(windows):
    """(a, b, namespace) → [(time, strength, size)] in log order."""
    events = defaultdict(list)
    for time, members, strength, space in windows:
        for a, b in combinations(sorted(members), 2):
            events[a, b, space].append((time, np.float32(strength), len(members)))
    return dict(events)


def events_of(graph):
    pointer = graph.event_ptr.tolist()
    columns = (graph.event_time, graph.event_strength, graph.event_size)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    keys = zip(*graph.edge_index.tolist(), graph.edge_namespace.tolist(), strict=True)
    return {
        key: rows[start:stop]
        for key, start, stop in zip(keys, pointer[:-1], pointer[1:], strict=True)
    }


@settings(max_examples=60, deadline=None)
@given(window_lists())
def test_the_graph_holds_each_pair_of_each_window_as_an_event_of_its_edge(windows):
    graph = co_activation_graph(co_activations(windows))
    assert events_of(graph) == events_by_hand(windows)
    assert graph.event_count == sum(map(len, events_by_hand(windows).values()))
    assert graph.edge_count == len(events_by_hand(windows))


@settings(max_examples=60, deadline=None)
@given(window_lists())
def test_the_adjacency_lists_each_edge_at_both_ends_by_neighbour(windows):
    graph = co_activation_graph(co_activations(windows))
    pointer, seen = graph.row_ptr.tolist(), defaultdict(list)
    for node in range(graph.node_count):
        row = slice(pointer[node], pointer[node + 1])
        neighbours = list(zip(graph.col[row].tolist(), graph.edge_id[row].tolist(), strict=True))
        spaces = [(n, int(graph.edge_namespace[e])) for n, e in neighbours]
        assert spaces == sorted(spaces)
        for neighbour, edge in neighbours:
            seen[edge].append((node, neighbour))
    for edge, (a, b) in enumerate(graph.edge_index.T.tolist()):
        assert sorted(seen[edge]) == [(a, b), (b, a)]


def test_a_larger_window_than_the_graph_takes_is_no_fact():
    windows = [(0, [0, 1, 2], 1.0, 0), (1, [0, 1], 1.0, 0)]
    graph = co_activation_graph(co_activations(windows), window_max=2)
    assert events_of(graph) == {(0, 1, 0): [(1, 1.0, 2)]}


def test_types_are_those_that_are_promised():
    graph = co_activation_graph(co_activations([(0, [0, 1], 1.0, 0)]))
    kinds = {
        part.name: value.dtype
        for part in fields(graph)
        if isinstance(value := getattr(graph, part.name), torch.Tensor)
    }
    assert kinds == {
        "edge_index": torch.int32, "edge_namespace": torch.int16, "event_ptr": torch.int64,
        "event_time": torch.int64, "event_strength": torch.float32, "event_size": torch.int32,
        "event_npmi": torch.float32, "row_ptr": torch.int64, "col": torch.int32,
        "edge_id": torch.int32,
    }  # fmt: skip


def test_a_log_without_a_pair_is_a_graph_without_edges():
    graph = co_activation_graph(co_activations([(0, [0], 1.0, 0), (1, [1], 1.0, 0)]))
    assert (graph.node_count, graph.edge_count, graph.event_count) == (7, 0, 0)
    assert graph.row_ptr.tolist() == [0] * 8
    assert not graph.directed


def test_the_directed_twin_keeps_both_directions_apart():
    touches = touches_of(reads("s.1:x s.1:y s.1:x s.2:y"))
    graph = transition_graph(touches, window_of_touch(touches))
    assert graph.directed
    assert graph.edge_index.T.tolist() == [[0, 1], [1, 0]]
    assert graph.event_ptr.tolist() == [0, 2, 3]
    assert graph.event_time.tolist() == [touches.time_us[i] for i in (2, 3, 2)]
    assert graph.col.tolist() == [1, 0]  # an edge leaves its first node only


def test_facts_do_not_depend_on_rules():
    names = {part.name for part in fields(TemporalGraph)}
    assert names & {part.name for part in fields(SynapseRules)} == set()


def test_a_graph_moves_as_a_whole_and_knows_its_size():
    graph = co_activation_graph(co_activations([(0, [0, 1], 1.0, 0)]))
    moved = graph.to("meta")
    assert moved.event_time.device.type == "meta"
    assert moved.nodes == graph.nodes
    # edge 2·4 + 2, pointers 2·8, event 8 + 4 + 4 + 4, rows 8·8, adjacency 2·(4 + 4)
    assert graph.byte_count() == 10 + 16 + 20 + 64 + 16
