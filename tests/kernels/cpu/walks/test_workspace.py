"""How much a walk may hold."""

import numpy as np

from hebb_lab.kernels.cpu.walks.workspace import (
    HEADS,
    arena_lines,
    configurations_at_once,
    workspace,
)

ROWS = np.array([0, 3, 3, 10])


def test_the_arena_holds_all_rows_where_they_fit_and_the_longest_in_any_case():
    assert arena_lines(ROWS, 4, 10**9) == 10 + 3 * HEADS
    assert arena_lines(ROWS, 4, 0) == 7 + HEADS
    assert arena_lines(ROWS, 1, 12 * 12) == 12


def test_as_many_configurations_as_fit_and_at_least_one():
    assert configurations_at_once(1000, 2000, 64, 10**9) == 64
    assert configurations_at_once(1000, 2000, 64, 48_001 * 5) == 5
    assert configurations_at_once(1000, 2000, 64, 0) == 1


def test_the_lines_of_all_edges_are_there_only_where_asked_for():
    for whole in (False, True):
        space = workspace(3, np.zeros(5, np.int16), 20, 2, 2, whole)
        assert space.edge_lines.shape == (5 * whole, 2)
        assert space.present[:, 0].tolist() == [-1] * 5
