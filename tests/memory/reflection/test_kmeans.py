import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import silhouette_samples

from hebb_lab.memory.published import DOCUMENTED
from hebb_lab.memory.reflection.kmeans import best_kmeans, silhouettes, spherical_kmeans
from tests.memory.reflection.made import around


def directions(count, dimensions, seed):
    made = np.random.default_rng(seed).standard_normal((count, dimensions))
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


def plain_kmeans(vectors, k, iterations, rng):
    """The same, one vector at a time, in float64."""
    points = vectors.astype(np.float64)
    chosen = [int(rng.integers(len(points)))]
    while len(chosen) < k:
        weight = np.array([max(0, min(1 - p @ points[c] for c in chosen)) for p in points])
        share = weight / weight.sum() if weight.sum() > 0 else None
        chosen.append(int(rng.choice(len(points), p=share)))
    centroids = [points[c] for c in chosen]
    labels = None
    for _ in range(iterations):
        moved = [max(range(k), key=lambda c: (p @ centroids[c], -c)) for p in points]
        if moved == labels:
            break
        labels = moved
        groups = [[p for p, at in zip(points, labels, strict=True) if at == c] for c in range(k)]
        empty = [c for c in range(k) if not groups[c]]
        drawn = rng.integers(len(points), size=len(empty))
        for c in range(k):
            mean = points[drawn[empty.index(c)]] if c in empty else np.mean(groups[c], 0)
            centroids[c] = mean / np.linalg.norm(mean)
    return labels


@pytest.mark.parametrize("seed", range(12))
def test_kmeans_does_what_the_plain_algorithm_does(seed):
    vectors = directions(40, 6, seed)
    found = spherical_kmeans(vectors, 5, 50, np.random.default_rng(seed))
    assert found.tolist() == plain_kmeans(vectors, 5, 50, np.random.default_rng(seed))


def test_an_empty_centroid_is_seeded_anew():
    # Three equal points and a fourth: of three centroids two fall on equal points at the start.
    vectors = np.array([[1, 0], [1, 0], [1, 0], [0, 1]], np.float32)
    for seed in range(10):
        labels = spherical_kmeans(vectors, 3, 20, np.random.default_rng(seed))
        assert labels[0] == labels[1] == labels[2] != labels[3]


def test_equal_points_are_one_cluster():
    vectors = np.tile(np.array([[0, 1]], np.float32), (20, 1))
    labels, silhouette = best_kmeans(vectors, DOCUMENTED)
    assert set(labels.tolist()) == {0}
    assert silhouette == 0


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(4, 40), st.integers(2, 6))
def test_silhouettes_are_those_of_scikit_learn(seed, count, k):
    vectors = directions(count, 5, seed)
    labels = np.random.default_rng(seed).integers(0, k, count)
    labels[:2] = 0, 1
    distances = 1 - vectors.astype(np.float64) @ vectors.T.astype(np.float64)
    np.fill_diagonal(distances, 0)
    distances = np.maximum(distances, 0)
    if len(np.unique(labels)) == count:
        return  # scikit-learn wants fewer clusters than points
    oracle = silhouette_samples(distances, labels, metric="precomputed")
    sample = np.arange(0, count, 2)
    np.testing.assert_allclose(silhouettes(distances[sample], sample, labels), oracle[sample])


def test_the_best_k_is_that_of_the_best_mean_silhouette():
    vectors = around(4, 12, spread=0.2, seed=3)
    labels, silhouette = best_kmeans(vectors, DOCUMENTED)
    distances = np.maximum(1 - vectors.astype(float) @ vectors.T.astype(float), 0)
    np.fill_diagonal(distances, 0)
    tried = {}
    for k in range(2, 8):  # ⌈√48⌉ = 7
        found = spherical_kmeans(vectors, k, 50, np.random.default_rng(42 + k))
        tried[k] = silhouette_samples(distances, found, metric="precomputed").mean()
    assert silhouette == pytest.approx(max(tried.values()), abs=1e-6)
    assert len(np.unique(labels)) == max(tried, key=tried.get)


def test_k_is_at_most_clusters_most():
    labels, _ = best_kmeans(around(6, 10), DOCUMENTED.change(clusters_most=3))
    assert len(np.unique(labels)) <= 3
    assert len(np.unique(best_kmeans(around(6, 10), DOCUMENTED)[0])) == 6


def test_a_sample_of_the_silhouette_chooses_by_its_points_alone():
    vectors = directions(60, 6, 1)
    full = best_kmeans(vectors, DOCUMENTED)[1]
    part = best_kmeans(vectors, DOCUMENTED.change(silhouette_sample=5))[1]
    assert full != part
    assert part == best_kmeans(vectors, DOCUMENTED.change(silhouette_sample=5))[1]


def test_rounds_are_at_most_cluster_iterations():
    vectors = directions(200, 16, 2)
    one, many = (
        spherical_kmeans(vectors, 8, rounds, np.random.default_rng(0)) for rounds in (1, 50)
    )
    assert (one != many).any()
    short = best_kmeans(vectors, DOCUMENTED.change(cluster_iterations=1))
    assert short[1] < best_kmeans(vectors, DOCUMENTED)[1]


def test_the_same_seed_gives_the_same_clusters_and_another_one_others():
    vectors = directions(120, 16, 4)
    first, again = best_kmeans(vectors, DOCUMENTED)[0], best_kmeans(vectors, DOCUMENTED)[0]
    other = best_kmeans(vectors, DOCUMENTED.change(cluster_seed=7))[0]
    assert (first == again).all()
    assert (first != other).any()
