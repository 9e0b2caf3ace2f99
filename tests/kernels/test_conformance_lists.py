"""Every back end is held to `reference`: batched recall, segments and lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.kernels.arrays import Found, nothing_found
from tests.kernels.backends import FAST, REFERENCE, made
from tests.kernels.comparing import assert_same_found
from tests.kernels.logs import asked

QUIET = settings(max_examples=40, deadline=None)
MEANING = made(REFERENCE)


def some_energies(rng, configs, queries, nodes, depth) -> Found:
    """A few nodes a query, some lists shorter than others."""
    found = nothing_found(configs, queries, depth)
    for c, q in np.ndindex(configs, queries):
        count = int(rng.integers(0, min(depth, nodes) + 1))
        found.ids[c, q, :count] = rng.choice(nodes, count, replace=False)
        found.scores[c, q, :count] = np.sort(rng.random(count))[::-1]
    return found


def barring(rng, queries, nodes, most):
    counts = rng.integers(0, most + 1, queries)
    return asked(*((9, [], rng.integers(0, nodes, count).tolist()) for count in counts))


def assert_recalls_alike(name, vectors, wanted, energies, boost, queries, k):
    want = MEANING.recall(vectors, wanted, energies, boost, queries, k)
    got = made(name).recall(vectors, wanted, energies, boost, queries, k)
    assert_same_found(got, want, "float64")  # sums are of float64 under any precision
    return got, want


@pytest.mark.parametrize("name", FAST)
@QUIET
@given(st.integers(0, 10**6), st.integers(1, 40), st.integers(0, 6), st.integers(1, 50))
def test_recall_is_the_reference_one(name, seed, nodes, queries, k):
    """Vectors of few values, so that many similarities tie; of any length and sign."""
    rng = np.random.default_rng(seed)
    vectors = rng.choice(np.float32([-1, 0, 0.5, 2]), (nodes, 4))
    wanted = rng.choice(np.float32([-1, 0, 1]), (queries, 4))
    energies = some_energies(rng, 3, queries, nodes, 5)
    boost, barred = np.array([0.3, 0.0, -2.0]), barring(rng, queries, nodes, 4)
    got, want = assert_recalls_alike(name, vectors, wanted, energies, boost, barred, k)
    np.testing.assert_array_equal(got.ids[1], want.ids[1])  # small integers: no rounding, no doubt


@pytest.mark.parametrize("name", FAST)
def test_recall_among_thousands_of_near_ties(name):
    """Cosines within float32's rounding of each other, and energies that decide."""
    rng = np.random.default_rng(0)
    vectors = np.ones((3000, 24), np.float32) + np.float32(2e-7) * rng.integers(-1, 2, (3000, 24))
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    wanted = vectors[:3]
    energies = some_energies(rng, 2, 3, 3000, 60)
    assert_recalls_alike(
        name, vectors, wanted, energies, np.array([1e-7, 0.3]), barring(rng, 3, 3000, 30), 10
    )


@pytest.mark.parametrize("name", FAST)
def test_an_energy_lifts_the_most_distant_node_to_the_top(name):
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(500, 16)).astype(np.float32)
    wanted = rng.normal(size=(2, 16)).astype(np.float32)
    energies = nothing_found(1, 2, 4)
    worst = (vectors @ wanted.T).argmin(axis=0)
    energies.ids[0, :, 0], energies.scores[0, :, 0] = worst, 1.0
    got, _ = assert_recalls_alike(
        name, vectors, wanted, energies, np.array([1e4]), asked((9, [], []), (9, [], [])), 3
    )
    assert got.ids[0, :, 0].tolist() == worst.tolist()


@pytest.mark.parametrize("name", FAST)
def test_64_boosts_at_once(name):
    rng = np.random.default_rng(2)
    vectors = rng.normal(size=(60, 8)).astype(np.float32)
    wanted = rng.normal(size=(5, 8)).astype(np.float32)
    energies = some_energies(rng, 64, 5, 60, 20)
    queries = barring(rng, 5, 60, 9)
    assert_recalls_alike(name, vectors, wanted, energies, np.linspace(0, 4, 64), queries, 7)


@pytest.mark.parametrize("name", FAST)
@QUIET
@given(st.integers(0, 10**6), st.integers(0, 6), st.integers(0, 9), st.integers(1, 12))
def test_the_best_of_each_segment_are_the_reference_ones(name, seed, segments, longest, k):
    """Values tie often; segments may be empty, and shorter than k."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(0, longest + 1, segments)
    pointer = np.cumsum([0, *sizes], dtype=np.int64)
    ids = [rng.choice(99, size, replace=False) for size in sizes]
    ids = np.concatenate([*ids, []]).astype(np.int32)
    values = rng.choice([-1.5, 0.0, 0.25, 0.25 + 2.0**-53, 7.0], (2, len(ids)))
    got = made(name).segment_top_k(values, ids, pointer, k)
    np.testing.assert_array_equal(got, MEANING.segment_top_k(values, ids, pointer, k))


def some_lists(rng, lists, longest, below, in_order):
    sizes = rng.integers(0, longest + 1, lists)
    drawn = [rng.choice(below, size, replace=False) for size in sizes]
    drawn = [np.sort(ids) if in_order else ids for ids in drawn]
    return np.concatenate([*drawn, []]).astype(np.int32), np.cumsum([0, *sizes], dtype=np.int64)


@pytest.mark.parametrize("name", FAST)
@QUIET
@given(st.integers(0, 10**6), st.integers(0, 9), st.integers(0, 7))
def test_pairs_are_counted_as_the_reference_counts_them(name, seed, lists, longest):
    ids, pointer = some_lists(np.random.default_rng(seed), lists, longest, 9, in_order=False)
    for got, want in zip(
        made(name).pair_counts(ids, pointer), MEANING.pair_counts(ids, pointer), strict=True
    ):
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("name", FAST)
def test_pairs_of_the_largest_ids_are_told_apart(name):
    ids = np.array([2**31 - 1, 2**31 - 2, 0, 2**31 - 1, 2**31 - 2], np.int32)
    a, b, count = made(name).pair_counts(ids, np.array([0, 3, 5], np.int64))
    assert list(zip(a.tolist(), b.tolist(), count.tolist(), strict=True)) == [
        (0, 2**31 - 2, 1), (0, 2**31 - 1, 1), (2**31 - 2, 2**31 - 1, 2),
    ]  # fmt: skip


@pytest.mark.parametrize("name", FAST)
@QUIET
@given(st.integers(0, 10**6), st.integers(1, 8), st.integers(0, 12), st.integers(0, 9))
def test_intersections_are_the_reference_ones(name, seed, lists, longest, pairs):
    rng = np.random.default_rng(seed)
    ids, pointer = some_lists(rng, lists, longest, 20, in_order=True)
    left, right = rng.integers(0, lists, (2, pairs))
    got, want = (b.intersect(ids, pointer, left, right) for b in (made(name), MEANING))
    for one, other in zip(got, want, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", FAST)
@QUIET
@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(0, 6), st.integers(0, 30))
def test_chains_end_and_rings_go_round_as_in_the_reference(name, seed, nodes, starts, steps):
    rng = np.random.default_rng(seed)
    after = rng.integers(-1, nodes, nodes).astype(np.int32)
    start = rng.integers(0, nodes, starts).astype(np.int32)
    got, want = (b.follow(after, start, steps) for b in (made(name), MEANING))
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)
