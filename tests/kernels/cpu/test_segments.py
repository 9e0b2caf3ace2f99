"""Segments and lists on the CPU; the rest is in test_conformance_lists."""

import numpy as np
import pytest

from hebb_lab.kernels.cpu import segments
from hebb_lab.kernels.cpu.segments import follow, intersect, pair_counts, segment_top_k
from hebb_lab.kernels.reference import segments as meaning


@pytest.fixture
def small_pieces(monkeypatch):
    monkeypatch.setattr(segments, "PIECE", 3)


def lists(rng, count, longest, below):
    sizes = rng.integers(0, longest + 1, count)
    ids = np.concatenate([np.sort(rng.choice(below, n, replace=False)) for n in sizes])
    return ids.astype(np.int32), np.cumsum([0, *sizes], dtype=np.int64)


@pytest.mark.usefixtures("small_pieces")
def test_pieces_change_nothing():
    rng = np.random.default_rng(0)
    ids, pointer = lists(rng, 20, 30, 60)
    values = rng.choice([0.1, 0.2, 0.3], (2, len(ids)))
    left, right = rng.integers(0, 20, (2, 40))
    for name, inputs in {
        "segment_top_k": (values, ids, pointer, 8),
        "pair_counts": (ids, pointer),
        "intersect": (ids, pointer, left, right),
    }.items():
        got, want = (getattr(side, name)(*inputs) for side in (segments, meaning))
        for one, other in zip(got, want, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("k", [1, 2, 999, 1000, 1001])
def test_the_best_of_a_long_segment_are_those_of_a_sort(k):
    rng = np.random.default_rng(k)
    values, ids = rng.integers(0, 50, (1, 1000)).astype(float), rng.permutation(1000)
    found = segment_top_k(values, ids.astype(np.int32), np.array([0, 1000]), k)[0, 0]
    best = np.lexsort((-ids, -values[0]))[:k]
    assert found[: len(best)].tolist() == best.tolist()
    assert (found[len(best) :] == -1).all()


def test_no_places_hold_nothing():
    assert segment_top_k(np.zeros((1, 2)), np.zeros(2, np.int32), np.array([0, 2]), 0).size == 0


def test_empty_things_are_legal():
    none, zero = np.zeros(0, np.int32), np.zeros(1, np.int64)
    assert segment_top_k(np.zeros((2, 0)), none, zero, 3).shape == (2, 0, 3)
    assert [len(part) for part in pair_counts(none, zero)] == [0, 0, 0]
    assert intersect(none, zero, zero[:0], zero[:0])[1].tolist() == [0]
    assert follow(none, none, 2).shape == (0, 2)
    assert follow(np.zeros(1, np.int32), np.zeros(1, np.int32), 0).shape == (1, 0)


def test_each_kernel_is_compiled_for_one_set_of_types():
    test_pieces_change_nothing()
    for kernel in (segments._top_k, segments._write_pairs, segments._intersect):
        assert len(kernel.signatures) == 1
