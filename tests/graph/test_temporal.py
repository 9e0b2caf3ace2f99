"""TemporalGraph: facts in their order, as tensors."""

from collections import defaultdict
from dataclasses import fields
from itertools import combinations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.errors import InputError
from hebb_lab.graph.pairs import pointers
from hebb_lab.graph.rules import SynapseRules
from hebb_lab.graph.temporal import TemporalGraph, co_activation_graph, transition_graph
from hebb_lab.telemetry.discover import read_log
from hebb_lab.telemetry.reader import ReadOptions
from hebb_lab.telemetry.touches import touches_of
from hebb_lab.telemetry.windows import co_activations as windows_of
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


def by_sorting(nodes, spaces, directed, a, b, namespace, columns):
    """The arrays of a graph by one lexsort over (edge, time): what counting sorts must give."""
    key = (a.astype(np.int64) * nodes + b) * spaces + namespace
    order = np.lexsort((columns[0], key))
    edges, counts = np.unique(key[order], return_counts=True)
    ab, space = edges // spaces, edges % spaces
    left, right = ab // nodes, ab % nodes
    source, target, edge_id = left, right, np.arange(len(left))
    if not directed:
        source, target = np.concatenate([left, right]), np.concatenate([right, left])
        edge_id = np.concatenate([edge_id, edge_id])
    walk = np.lexsort((space[edge_id], target, source))
    row_ptr = pointers(np.bincount(source, minlength=nodes))
    index = np.stack([left, right])
    return [
        index, space, pointers(counts), *(column[order] for column in columns),
        row_ptr, target[walk], edge_id[walk],
    ]  # fmt: skip


def npmi_by_sorting(a, b, window, windows):
    """NPMI of each pair at its own window, over whole arrays in float64."""
    seen = window + 1.0
    rank, so_far = {}, np.zeros((len(windows), len(windows.nodes)))
    for w in range(len(windows)):
        so_far[w, windows.node_ids[windows.node_ptr[w] : windows.node_ptr[w + 1]]] = 1
    so_far = so_far.cumsum(axis=0)
    both = np.zeros(len(a))
    for i, pair in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        both[i] = rank[pair] = rank.get(pair, 0) + 1
    joint = np.log(both / seen)
    independent = np.log(so_far[window, a] / seen) + np.log(so_far[window, b] / seen)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = (joint - independent) / -joint
    return np.where(both == seen, 1.0, value)


def co_activations_by_sorting(windows, window_max):
    """All pairs in learning order, then one sort."""
    sizes = windows.sizes()
    rows = [
        (*pair, w)
        for w in range(len(windows))
        if window_max is None or sizes[w] <= window_max
        for members in [windows.node_ids[windows.node_ptr[w] : windows.node_ptr[w + 1]]]
        for pair in combinations(sorted(members.tolist()), 2)
    ]
    a, b, window = np.array(rows, np.int64).reshape(-1, 3).T
    columns = [
        windows.time_us[window], windows.strength[window], sizes[window],
        npmi_by_sorting(a, b, window, windows),
    ]  # fmt: skip
    return by_sorting(
        len(windows.nodes), len(windows.namespaces), False, a, b, windows.namespace[window], columns
    )


def assert_equal_arrays(graph, wanted):
    names = [part.name for part in fields(graph)][3:]
    for name, want in zip(names, wanted, strict=True):
        got = getattr(graph, name).numpy()
        np.testing.assert_array_equal(got, want.astype(got.dtype), err_msg=name, strict=True)


@settings(max_examples=150, deadline=None)
@given(
    window_lists(most=40), st.sampled_from([None, 2, 3]), st.booleans(), st.sampled_from([1, 1000])
)
def test_counting_sorts_give_the_very_arrays_of_one_sort(windows, window_max, shuffled, part):
    if shuffled:  # windows out of their order in time
        windows = windows[::2] + windows[1::2]
    made = co_activations(windows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hebb_lab.graph.pairs.PART", part)
        patch.setattr("hebb_lab.graph.temporal.PART", part)
        graph = co_activation_graph(made, window_max)
    assert_equal_arrays(graph, co_activations_by_sorting(made, window_max))


def transitions_by_sorting(touches, window):
    """(a, b, second touch, time of learning) of each step, in learning order, by whole sorts."""
    order = np.lexsort((np.arange(len(touches)), touches.session))
    node, session = touches.node[order].astype(np.int64), touches.session[order]
    step = (session[1:] == session[:-1]) & (node[1:] != node[:-1])
    second = order[1:][step]
    ends = np.zeros(int(window.max()) + 1, np.int64)
    np.maximum.at(ends, window, touches.time_us)
    learned = ends[window[second]]
    by_time = np.lexsort((second, learned))
    ordered = (node[:-1][step], node[1:][step], second, learned)
    return tuple(column[by_time] for column in ordered)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 3), st.integers(0, 5)), min_size=1))
def test_transitions_too_are_the_very_arrays_of_one_sort(steps):
    touches = touches_of(reads(" ".join(f"s{s}.{turn}:f{node}" for s, turn, node in steps)))
    window = window_of_touch(touches)
    a, b, second, learned = transitions_by_sorting(touches, window)
    count = len(a)
    columns = [learned, touches.strength[second], np.full(count, 2), np.ones(count)]
    wanted = by_sorting(
        len(touches.nodes), len(touches.namespaces), True, a, b, touches.namespace[second], columns
    )
    assert_equal_arrays(transition_graph(touches, window), wanted)


def test_a_read_only_log_is_as_good():
    made = co_activations([(0, [0, 1], 1.0, 0), (1, [1, 0], 1.0, 0)])
    for array in (made.time_us, made.node_ptr, made.node_ids, made.strength, made.namespace):
        array.flags.writeable = False
    assert co_activation_graph(made).event_ptr.tolist() == [0, 2]


def test_no_window_makes_no_edge():
    graph = co_activation_graph(co_activations([(0, [0], 1.0, 0)]), None)
    assert graph.event_count == 0


@pytest.mark.parametrize(("most", "what"), [(5, "6 directed edges"), (1, "directed edges")])
def test_more_edges_than_int32_numbers_are_refused_before_anything_is_allocated(
    monkeypatch, most, what
):
    monkeypatch.setattr("hebb_lab.graph.temporal.MOST", most)
    monkeypatch.setattr("hebb_lab.graph.temporal._sorted_pairs", None)  # would be called next
    windows = co_activations([(0, [0, 1, 2], 1.0, 0)])
    with pytest.raises(InputError, match=rf"{what}; a graph holds {most}\. Lower dataset\.win"):
        co_activation_graph(windows)
    touches = touches_of(reads("s.1:x s.1:y s.1:x s.1:y s.1:x s.1:z s.1:x"))
    if most == 1:
        with pytest.raises(InputError, match="6 directed edges; a graph holds 1"):
            transition_graph(touches, window_of_touch(touches))


def test_a_real_log_has_the_pairs_that_other_code_found(shared_data):
    log = read_log(shared_data / "telemetry/events/entire_cli.tsv", "table", ReadOptions())
    touches = touches_of(log)
    graph = co_activation_graph(windows_of(touches, window_of_touch(touches)), 50)
    assert len(set(zip(*graph.edge_index.tolist(), strict=True))) == 6_966


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
