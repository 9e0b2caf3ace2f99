"""From weights to activation, and buffers that grow."""

import numpy as np
import pytest

from hebb_lab.graph.cognitive.associations.paths import best_walk
from hebb_lab.graph.cognitive.associations.spreading import (
    Paths,
    Reading,
    by_weight,
    scaled_weights,
    spread,
)
from hebb_lab.graph.cognitive.layer import Seeds

LEAVES = 2999
STAR = Paths(
    np.concatenate([[0], np.full(LEAVES + 1, LEAVES)]),
    np.arange(1, LEAVES + 1, dtype=np.int32),
    np.linspace(1, 2, LEAVES),
)  # memory 0 leads to all others


def test_the_share_of_a_row_sums_to_one():
    offsets, weight = np.array([0, 0, 2, 2, 3, 3]), np.array([1, 3, 5], np.float32)
    assert scaled_weights(offsets, weight, "share").tolist() == [0.25, 0.75, 1.0]


def test_saturating_weights_are_the_pages_example_to_2_hundredths():
    found = scaled_weights(np.array([0, 3]), np.array([5, 3, 2], np.float32), "saturating")
    assert found == pytest.approx([0.83, 0.63, 0.47], abs=0.02)


def test_no_edges_scale_to_none():
    for scale in ("share", "raw", "saturating"):
        assert len(scaled_weights(np.zeros(3, int), np.zeros(0, np.float32), scale)) == 0


def test_rows_by_weight_have_the_older_memory_first_among_equals():
    paths = Paths(np.array([0, 3, 4]), np.array([1, 2, 3], np.int32).repeat([1, 1, 2]),
                  np.array([1.0, 2.0, 2.0, 9.0]))  # fmt: skip
    assert by_weight(paths).neighbor.tolist() == [2, 3, 1, 3]


@pytest.mark.parametrize("depth_first", [False, True])
def test_what_does_not_fit_a_buffer_makes_it_grow(depth_first):
    reading = Reading(1, 1.0, 0.0, False, False, depth_first)
    queries = 5
    seeds = Seeds(np.arange(queries + 1), np.zeros(queries, np.int32), np.ones(queries, np.float32))
    found = spread(by_weight(STAR) if depth_first else STAR, reading, seeds)
    assert np.diff(found.ptr).tolist() == [LEAVES] * queries
    assert found.memory.tolist() == list(range(1, LEAVES + 1)) * queries
    assert found.energy[:LEAVES] == pytest.approx(STAR.scaled, rel=1e-6)


def test_depth_first_emits_above_a_hundredth_alone():
    """0.015 is emitted and 0.005 is not, at the first hop and, halved by the way, at the second."""
    paths = Paths(
        np.array([0, 3, 5, 5, 5, 5, 5]), np.array([1, 2, 3, 4, 5], np.int32),
        np.array([1.0, 0.015, 0.005, 0.03, 0.01]),
    )  # fmt: skip
    reading = Reading(2, 1.0, 0.0, False, False, True)
    seeds = Seeds(np.array([0, 1]), np.zeros(1, np.int32), np.ones(1, np.float32))
    found = spread(by_weight(paths), reading, seeds)
    assert found.memory.tolist() == [1, 2, 4]
    assert found.activation == pytest.approx([1.0, 0.015, 0.015])
    assert best_walk(paths, reading, 0, 2, 1) == [0, 2]
    assert best_walk(paths, reading, 0, 3, 1) == []
    assert best_walk(paths, reading, 0, 4, 2) == [0, 1, 4]
    assert best_walk(paths, reading, 0, 5, 2) == []
    broad = spread(paths, reading._replace(depth_first=False), seeds)
    assert broad.memory.tolist() == [1, 2, 3, 4, 5]  # the page knows no such limit


def test_a_seed_of_score_0_finds_with_energy_0():
    seeds = Seeds(np.array([0, 1]), np.zeros(1, np.int32), np.zeros(1, np.float32))
    found = spread(STAR, Reading(1, 0.3, 0.0, False, False, False), seeds)
    assert len(found.memory) == LEAVES
    assert not found.energy.any()


def test_there_is_no_walk_to_what_is_not_reached():
    reading = Reading(2, 1.0, 0.0, False, False, False)
    assert best_walk(STAR, reading, 5, 0, 1) == []
    assert best_walk(STAR, reading, 0, 5, 1) == [0, 5]
    assert best_walk(STAR, reading._replace(depth_first=True), 5, 0, 1) == []


def test_of_walks_that_give_a_seed_the_same_energy_the_most_active_is_named():
    ring = Paths(np.array([0, 2, 3, 3]), np.array([1, 2, 2], np.int32), np.array([3.0, 6.0, 3.0]))
    seeds = Seeds(np.array([0, 1]), np.zeros(1, np.int32), np.ones(1, np.float32))
    found = spread(ring, Reading(2, 1.0, 0.0, True, False, False), seeds)
    assert found.memory.tolist() == [1, 2]
    assert found.energy.tolist() == pytest.approx([0.6, 1.0])  # min(6/5, 1) and min(9/5, 1)
    assert (found.activation[1], found.hop[1]) == (9.0, 2)
