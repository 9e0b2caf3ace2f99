"""Sampled spanning trees, and the edges that each of them holds."""

import numpy as np
import pytest

from hebb_lab.graph.cognitive.associations.trees import (
    Undirected,
    cut_edges,
    tree_shares,
    without,
)
from tests.graph.cognitive.associations.plain import resistances


def graph_of(edges, vertices=None):
    a, b = np.array(edges).reshape(-1, 2).T
    return Undirected.of(a, b, vertices or int(max(a.max(), b.max())) + 1)


def test_each_row_ascends_and_names_its_edges():
    graph = graph_of([(2, 7), (2, 3), (3, 7)])
    assert graph.name.tolist() == [2, 3, 7]
    assert graph.vertex.tolist() == [1, 2, 0, 2, 0, 1]
    assert graph.edge.tolist() == [1, 0, 1, 2, 0, 2]


@pytest.mark.parametrize("seed", range(20))
def test_cut_edges_are_those_of_resistance_1(seed):
    rng = np.random.default_rng(seed)
    pairs = {tuple(sorted(p)) for p in rng.integers(0, 30, (35, 2)).tolist() if p[0] != p[1]}
    edges = sorted(pairs)
    expected = [r > 1 - 1e-9 for r in resistances(edges, 30).values()]
    assert cut_edges(graph_of(edges, 30)).tolist() == expected


def test_a_path_of_100000_is_cut_everywhere():
    path = np.stack([np.arange(99_999), np.arange(1, 100_000)], 1)
    assert cut_edges(graph_of(path)).all()


def test_without_its_cut_edges_a_graph_keeps_its_vertices():
    graph = graph_of([(0, 1), (1, 2), (2, 0), (2, 3)])
    inner = without(graph, cut_edges(graph))
    assert inner.name.tolist() == [0, 1, 2, 3]
    assert np.diff(inner.ptr).tolist() == [2, 2, 2, 0]


def test_a_tree_of_a_ring_leaves_one_edge_out():
    ring = graph_of([(0, 1), (1, 2), (2, 3), (0, 3)])
    share = tree_shares(ring, 4, np.array([7]), np.array([2]))
    assert share.sum() == pytest.approx(3)
    assert share * 7 == pytest.approx((share * 7).round())
    one = tree_shares(ring, 4, np.array([1]), np.array([2]))
    assert sorted(one.tolist()) == [0, 1, 1, 1]


def test_a_rule_set_has_as_many_trees_as_it_says_and_draws_as_if_alone():
    triangle = [(0, 1), (0, 2), (1, 2)]
    both = graph_of([*triangle, *((a + 3, b + 3) for a, b in triangle)])
    share = tree_shares(both, 3, np.array([5, 9]), np.array([4, 4]))
    alone = [tree_shares(graph_of(triangle), 3, np.array([k]), np.array([4])) for k in (5, 9)]
    assert share.tolist() == np.concatenate(alone).tolist()
