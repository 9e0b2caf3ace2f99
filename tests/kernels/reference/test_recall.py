"""The reference recall, held to numbers worked out by hand."""

import numpy as np
import pytest

from hebb_lab.kernels.arrays import Found, query_arrays
from hebb_lab.kernels.reference.recall import recall
from tests.kernels.logs import queries_at

VECTORS = np.array([[1, 0], [0, 1], [0.6, 0.8], [1, 0]], np.float32)
NORTH = np.array([[0, 1]], np.float32)


def found(ids, scores, boost, asked=NORTH, k=4, exclude=()):
    energies = Found(
        np.array([[ids]], np.int32), np.array([[scores]], np.float32), np.zeros((1, 1), np.int64)
    )
    queries = query_arrays(queries_at([9] * len(asked), [], exclude=exclude))
    return recall(VECTORS, asked, energies, np.array([boost]), queries, k)


def test_energy_lifts_a_node_above_a_nearer_one():
    best = found([0, -1], [2.0, -np.inf], 0.6)
    assert best.ids.tolist() == [[[0, 1, 2, 3]]]
    assert best.scores[0, 0].tolist() == pytest.approx([1.2, 1.0, 0.8, 0.0])


def test_ties_go_to_the_higher_id_and_all_signs_rank():
    best = found([-1], [-np.inf], 0.6, asked=-NORTH)
    assert best.ids.tolist() == [[[3, 0, 2, 1]]]
    assert best.scores[0, 0, 3] == -1.0


def test_an_excluded_node_does_not_rank():
    best = found([1], [1.0], 1.0, exclude=[1])
    assert best.ids.tolist() == [[[2, 3, 0, -1]]]
    assert best.scores[0, 0, 3] == -np.inf


def test_a_sum_that_cancels_in_float32_is_exact():
    vectors = np.array([[1e8, 1, -1e8]], np.float32)
    nothing = Found(
        np.full((1, 1, 1), -1, np.int32), np.zeros((1, 1, 1), np.float32), np.zeros((1, 1), int)
    )
    queries = query_arrays(queries_at([9], []))
    best = recall(vectors, np.ones((1, 3), np.float32), nothing, np.ones(1), queries, 1)
    assert best.scores.item() == 1.0
