"""Effective resistance, by the pseudo-inverse and by the trees that it counts."""

import itertools

import numpy as np
import pytest

from hebb_lab.graph.cognitive.associations.resistance import effective_resistance
from hebb_lab.graph.cognitive.associations.trees import Undirected, cut_edges, tree_shares
from tests.graph.cognitive.associations.plain import resistances


def random_edges(rng, vertices, most):
    pairs = np.array(list(itertools.combinations(range(vertices), 2)))
    return pairs[np.sort(rng.permutation(len(pairs))[:most])]


@pytest.mark.parametrize("seed", range(20))
def test_it_is_what_the_pseudo_inverse_says(seed):
    rng = np.random.default_rng(seed)
    vertices = int(rng.integers(2, 60))
    edges = random_edges(rng, vertices, int(rng.integers(1, 4 * vertices)))
    found = effective_resistance(edges[:, 0], edges[:, 1], vertices)
    expected = resistances([tuple(e) for e in edges.tolist()], vertices)
    assert found == pytest.approx(list(expected.values()), abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_it_sums_to_vertices_less_components(seed):  # Foster
    rng = np.random.default_rng(seed)
    edges = random_edges(rng, 300, 500)
    graph = Undirected.of(edges[:, 0], edges[:, 1], 300)
    root = {int(v): int(v) for v in graph.name}

    def find(v):
        while root[v] != v:
            v = root[v]
        return v

    for a, b in edges.tolist():
        root[find(a)] = find(b)
    components = len({find(v) for v in root})
    total = effective_resistance(edges[:, 0], edges[:, 1], 300).sum()
    assert total == pytest.approx(len(graph.name) - components)


def test_a_long_ring_has_one_less_than_its_length_over_its_length():
    a = np.arange(5000)
    b = (a + 1) % 5000
    low, high = np.minimum(a, b), np.maximum(a, b)
    assert effective_resistance(low, high, 5000) == pytest.approx(4999 / 5000)


def test_it_is_the_share_of_spanning_trees_that_hold_the_edge():
    edges = np.array([(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (3, 4)])
    trees = [
        chosen
        for chosen in itertools.combinations(range(6), 4)
        if effective_resistance(*edges[list(chosen)].T, 5).size == 4
        and cut_edges(Undirected.of(*edges[list(chosen)].T, 5)).all()
        and len(set(edges[list(chosen)].ravel().tolist())) == 5
    ]
    counted = [sum(e in tree for tree in trees) / len(trees) for e in range(6)]
    assert effective_resistance(*edges.T, 5) == pytest.approx(counted)


def test_many_sampled_trees_come_near_it():
    edges = random_edges(np.random.default_rng(1), 20, 40)
    a, b = edges[:, 0], edges[:, 1]
    exact = effective_resistance(a, b, 20)
    graph = Undirected.of(a, b, 20)
    sampled = tree_shares(graph, 20, np.array([20_000]), np.array([1]))
    assert sampled == pytest.approx(exact, abs=4 * 0.5 / np.sqrt(20_000))
