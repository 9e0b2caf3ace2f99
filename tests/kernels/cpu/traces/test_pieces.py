"""A graph in pieces of edges."""

import numpy as np
import pytest

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.kernels.cpu.traces import pieces
from hebb_lab.kernels.cpu.traces.pieces import edge_pieces, facts_of
from tests.kernels.logs import START_US, busy_edge, case_of


def test_pieces_have_few_states_and_an_edge_with_many_is_alone(monkeypatch):
    monkeypatch.setattr(pieces, "STATES", 10)
    graph = case_of(busy_edge(50), [DOCUMENTED]).graph
    cut = edge_pieces(graph, 2)  # 5 events a piece
    events = [int(graph.event_ptr[b] - graph.event_ptr[a]) for a, b in cut]
    assert events[0] == 50
    assert cut[0] == (0, 1)
    assert max(events[1:]) <= 5
    assert [stop for _, stop in cut[:-1]] == [first for first, _ in cut[1:]]
    assert cut[-1][1] == len(graph.namespace)


@pytest.mark.parametrize("traces", [0, 1, 10**9])
def test_any_number_of_traces_has_pieces(traces):
    graph = case_of(busy_edge(3), [DOCUMENTED]).graph
    assert edge_pieces(graph, traces)[-1][1] == len(graph.namespace)


def test_a_graph_without_edges_has_no_piece():
    assert edge_pieces(case_of([(START_US, [0], 1.0, 0)], [DOCUMENTED]).graph, 3) == []


def test_the_facts_of_a_piece_are_views_of_the_whole():
    graph = case_of(busy_edge(9), [DOCUMENTED]).graph
    piece = facts_of(graph, 1, 3)
    begin, end = graph.event_ptr[1], graph.event_ptr[3]
    assert piece.event_ptr.tolist() == (graph.event_ptr[1:4] - begin).tolist()
    np.testing.assert_array_equal(piece.time, graph.time[begin:end])
    assert np.shares_memory(piece.strength, graph.strength)
    assert len(piece.namespace) == 2
