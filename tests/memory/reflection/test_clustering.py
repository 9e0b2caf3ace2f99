import numpy as np
import pytest
from sklearn.cluster import HDBSCAN

from hebb_lab.memory.published import DOCUMENTED
from hebb_lab.memory.reflection.clustering import clustered, unit_mean
from tests.memory.reflection.made import around


def test_three_centres_of_fifteen_give_two_to_five_clusters_of_three_or_more():
    clusters = clustered(around(3, 15), DOCUMENTED)
    assert 2 <= len(clusters.members) <= 5
    assert min(map(len, clusters.members)) >= 3


def test_three_plain_centres_are_found_as_they_are():
    clusters = clustered(around(3, 15), DOCUMENTED)
    assert [sorted(set((members % 3).tolist())) for members in clusters.members] == [[0], [1], [2]]


def test_four_points_with_a_least_of_three_are_one_cluster():
    clusters = clustered(around(2, 2), DOCUMENTED.change(cluster_least=3))
    assert [sorted(members.tolist()) for members in clusters.members] == [[0, 1, 2, 3]]


def test_the_same_seed_gives_the_same_clusters():
    vectors = around(5, 12, spread=0.4)
    first, again = clustered(vectors, DOCUMENTED), clustered(vectors, DOCUMENTED)
    assert all((a == b).all() for a, b in zip(first.members, again.members, strict=True))
    assert (first.centroids == again.centroids).all()


def test_centroids_are_unit_vectors():
    norms = np.linalg.norm(clustered(around(4, 9, spread=0.5), DOCUMENTED).centroids, axis=1)
    assert norms == pytest.approx(1, abs=0.01)


def test_members_stand_in_the_order_of_their_nearness_to_the_centroid():
    vectors = around(2, 20, spread=0.3)
    clusters = clustered(vectors, DOCUMENTED)
    for members, centroid in zip(clusters.members, clusters.centroids, strict=True):
        cosines = vectors[members] @ centroid
        assert (np.diff(cosines) <= 0).all()


def test_small_clusters_are_dropped_and_counted():
    vectors = np.concatenate([around(2, 10), np.eye(8, dtype=np.float32)[5:7]])
    clusters = clustered(vectors, DOCUMENTED)
    assert clusters.too_small == 2
    assert sum(map(len, clusters.members)) == 20
    kept = clustered(vectors, DOCUMENTED.change(cluster_least=1))
    assert (kept.too_small, sum(map(len, kept.members))) == (0, 22)


def test_hdbscan_counts_noise_and_finds_the_clusters_of_the_library():
    rng = np.random.default_rng(1)
    far = rng.standard_normal((5, 8))
    far = (far / np.linalg.norm(far, axis=1, keepdims=True)).astype(np.float32)
    vectors = np.concatenate([around(3, 15), far])
    clusters = clustered(vectors, DOCUMENTED.change(clustering="hdbscan"))
    labels = HDBSCAN(min_cluster_size=3, copy=True).fit(vectors).labels_
    assert clusters.noise == (labels < 0).sum() > 0
    found = {frozenset(members.tolist()) for members in clusters.members}
    assert found == {
        frozenset(np.flatnonzero(labels == label)) for label in range(labels.max() + 1)
    }
    assert np.isnan(clusters.silhouette)


def test_hdbscan_of_fewer_than_a_cluster_is_noise():
    clusters = clustered(around(2, 1), DOCUMENTED.change(clustering="hdbscan"))
    assert (clusters.noise, clusters.members) == (2, [])


def test_vectors_that_cancel_out_have_the_first_as_their_mean():
    assert unit_mean(np.array([[0, 1], [0, -1]], np.float32)).tolist() == [0, 1]
