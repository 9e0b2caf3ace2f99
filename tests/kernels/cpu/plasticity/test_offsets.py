import numpy as np
import pytest

from hebb_lab.kernels.cpu.plasticity.offsets import teach


def test_an_edge_moves_its_offset_towards_the_way_from_source_to_target():
    table = np.array([[0.0, 0.0], [1.0, 0.0]])
    source = np.array([[1, 0], [1, 0], [0, 1]], np.float32)
    target = np.array([[0, 1], [1, 0], [0, 0]], np.float32)
    teach(table, np.array([0, 0, 1]), source, target, 0.5)
    half = np.sqrt(0.5)
    assert table[0] == pytest.approx([-half, half])
    assert table[1] == pytest.approx(np.array([1, -0.5]) / np.hypot(1, 0.5))


def test_a_sum_of_length_0_leaves_the_offset_as_it_was():
    table = np.array([[0.0, 0.0], [1.0, 0.0]])
    zero = np.zeros((2, 2), np.float32)
    teach(table, np.array([0, 1]), np.array([[0, 0], [1, 0]], np.float32), zero, 1.0)
    assert table.tolist() == [[0.0, 0.0], [1.0, 0.0]]
