"""Exact nearest vectors from an index that rounds; more in tests/recall/test_dense.py."""

import numpy as np
import pytest

from hebb_lab.kernels import nearest
from hebb_lab.kernels.nearest import (
    NumpyIndex,
    exact_products,
    none_better_outside,
    rounding_of,
    search_until_settled,
    vector_index,
    write_best,
)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def filled(vectors, kind="numpy"):
    index = vector_index(kind, *vectors.shape)
    index.add(vectors[:3])
    index.add(vectors[3:])
    return index


@pytest.mark.parametrize("kind", ["numpy", "auto"])
def test_an_index_finds_the_largest_products(rng, kind):
    vectors, asked = (rng.normal(size=(n, 8)).astype(np.float32) for n in (50, 4))
    products, positions = filled(vectors, kind).search(asked, 5)
    for q in range(4):
        best = np.argsort(vectors @ asked[q])[-5:]
        assert set(positions[q].tolist()) == set(best.tolist())
        assert sorted(products[q]) == pytest.approx(sorted(vectors[best] @ asked[q]), rel=1e-5)


def test_without_faiss_few_products_are_in_memory_at_once(rng, monkeypatch):
    vectors, asked = (rng.normal(size=(n, 8)).astype(np.float32) for n in (50, 7))
    whole = filled(vectors).search(asked, 5)
    monkeypatch.setattr(nearest, "_PRODUCTS", 120)  # two queries at a time
    for one, other in zip(filled(vectors).search(asked, 5), whole, strict=True):
        assert one.shape == other.shape
    assert [set(row) for row in filled(vectors).search(asked, 5)[1].tolist()] == [
        set(row) for row in whole[1].tolist()
    ]


def test_a_search_widens_for_those_that_are_not_sure_and_ends_with_all(rng):
    vectors = rng.normal(size=(30, 4)).astype(np.float32)
    seen = []

    def settle(q, positions, lowest):
        seen.append((q, len(positions), lowest is None))
        return q == 0

    search_until_settled(filled(vectors), 30, vectors[:2], 10, settle)
    assert seen == [(0, 10, False), (1, 10, False), (1, 20, False), (1, 30, True)]


@pytest.mark.parametrize("dimensions", [1, 7, 384])
def test_rounding_bounds_what_float32_products_are_off(rng, dimensions):
    vectors, asked = (rng.normal(size=(n, dimensions)).astype(np.float32) for n in (2000, 1))
    vectors *= np.float32(1e3)
    lengths = np.linalg.norm(vectors, axis=1).max() * np.linalg.norm(asked[0])
    off = np.abs(vectors @ asked[0] - exact_products(vectors, asked[0])).max()
    assert off <= rounding_of(dimensions, float(lengths))
    tiny = vectors * np.float32(1e-25)  # products below what float32 can hold
    off = np.abs((tiny @ (asked[0] * np.float32(1e-22))) - 0.0).max()
    assert off <= rounding_of(dimensions, 0.0)


def test_the_best_are_written_from_the_front_ties_by_id():
    ids, scores = np.full(3, -1, np.int32), np.full(3, -np.inf, np.float32)
    assert write_best(np.array([4, 9, 6]), np.float32([1, 1, -2]), ids, scores) == 3
    assert (ids.tolist(), scores.tolist()) == ([9, 4, 6], [1, 1, -2])
    assert write_best(np.arange(50), np.zeros(50, np.float32), ids, scores) == 3
    assert ids.tolist() == [49, 48, 47]


@pytest.mark.parametrize(
    ("written", "lowest", "sure"),
    [(2, 0.4, True), (2, 0.5, False), (2, 0.4999, False), (1, 0.4, False), (1, None, True)],
)
def test_an_outsider_is_ruled_out_by_more_than_rounding(written, lowest, sure):
    assert none_better_outside(written, np.float32([0.9, 0.5]), lowest, 1e-3) is sure


def test_a_numpy_index_has_room_for_what_it_was_made_for():
    index = vector_index("numpy", 5, 2)
    assert isinstance(index, NumpyIndex)
    index.add(np.ones((2, 2), np.float32))
    assert index.search(np.ones((1, 2), np.float32), 2)[0].tolist() == [[2.0, 2.0]]
