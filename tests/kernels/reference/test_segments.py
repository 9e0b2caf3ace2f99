"""The reference kernels over segments and lists, held to lists written by hand."""

import numpy as np

from hebb_lab.kernels.reference.segments import follow, intersect, pair_counts, segment_top_k

IDS = np.array([4, 7, 9, 1, 7, 9, 2], np.int32)
POINTER = np.array([0, 3, 3, 6, 7], np.int64)  # [4 7 9] [] [1 7 9] [2]


def test_the_best_of_each_segment_by_value_then_id():
    values = np.array([[0.5, 0.5, 0.1, -3, -2, -1, 0], [1, 2, 3, 4, 4, 4, 4.0]])
    assert segment_top_k(values, IDS, POINTER, 2).tolist() == [
        [[1, 0], [-1, -1], [5, 4], [6, -1]],
        [[2, 1], [-1, -1], [5, 4], [6, -1]],
    ]


def test_a_pair_is_counted_once_a_list():
    a, b, count = pair_counts(np.array([9, 7, 4, 7, 1, 9, 2], np.int32), POINTER)
    assert list(zip(a.tolist(), b.tolist(), count.tolist(), strict=True)) == [
        (1, 7, 1), (1, 9, 1), (4, 7, 1), (4, 9, 1), (7, 9, 2),
    ]  # fmt: skip


def test_what_two_lists_share():
    ids, pointer = intersect(IDS, POINTER, np.array([0, 1, 3, 2]), np.array([2, 0, 0, 2]))
    assert ids.tolist() == [7, 9, 1, 7, 9]
    assert pointer.tolist() == [0, 2, 2, 2, 5]


def test_a_chain_ends_and_a_ring_goes_round():
    after = np.array([1, 2, -1, 4, 3], np.int32)
    assert follow(after, np.array([0, 2, 3], np.int32), 3).tolist() == [
        [1, 2, -1], [-1, -1, -1], [4, 3, 4],
    ]  # fmt: skip


def test_empty_things_are_legal():
    none, zero = np.zeros(0, np.int32), np.zeros(1, np.int64)
    assert segment_top_k(np.zeros((2, 0)), none, zero, 3).shape == (2, 0, 3)
    assert [len(part) for part in pair_counts(none, zero)] == [0, 0, 0]
    assert intersect(none, zero, zero[:0], zero[:0])[1].tolist() == [0]
    assert follow(none, none, 2).shape == (0, 2)
