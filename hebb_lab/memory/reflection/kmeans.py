"""Spherical k-means with k-means++ seeds and the silhouette of its clusters."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.rules import MemoryRules


def spherical_kmeans(
    vectors: NDArray[np.float32], k: int, iterations: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Clusters of directions: each vector goes to the centroid of the largest cosine.

    The first centroids are chosen by k-means++ with weight 1 − cosine to the nearest one so far
    (not its square). Centroids are unit means; an empty one becomes a vector drawn at random.
    Equal cosines go to the centroid of the lower number.

    Args:
        vectors: [n, d] unit vectors.
        k: clusters, 1 to n.
        iterations: rounds at most; it ends before when no vector moves.
        rng: where chance comes from.

    Returns:
        [n] the cluster of each, 0 to k − 1; some of them may be empty.
    """
    centroids = _first_centroids(vectors, k, rng)
    labels = np.full(len(vectors), -1)
    for _ in range(iterations):
        moved = (vectors @ centroids.T).argmax(1)
        if (moved == labels).all():
            break
        labels = moved
        centroids = _centroids(vectors, labels, k, rng)
    return labels


def _first_centroids(
    vectors: NDArray[np.float32], k: int, rng: np.random.Generator
) -> NDArray[np.float32]:
    chosen = [int(rng.integers(len(vectors)))]
    distance = 1.0 - (vectors @ vectors[chosen[0]]).astype(np.float64)
    while len(chosen) < k:
        weight = np.maximum(distance, 0.0)
        total = weight.sum()
        following = int(rng.choice(len(vectors), p=weight / total if total > 0 else None))
        chosen.append(following)
        distance = np.minimum(distance, 1.0 - vectors @ vectors[following])
    return vectors[chosen].copy()


def _centroids(
    vectors: NDArray[np.float32], labels: NDArray[np.int64], k: int, rng: np.random.Generator
) -> NDArray[np.float32]:
    member = np.zeros((k, len(vectors)), np.float32)
    member[labels, np.arange(len(vectors))] = 1.0
    sums: NDArray[np.float32] = member @ vectors
    norm = np.linalg.norm(sums, axis=1)
    empty = np.flatnonzero(norm <= 1e-9)  # no member, or members that cancel out
    sums[empty] = vectors[rng.integers(len(vectors), size=len(empty))]
    norm[empty] = 1.0
    sums /= norm[:, None]
    return sums


def silhouettes(
    distances: NDArray[np.float64], sample: NDArray[np.int64], labels: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The silhouette of some points against all: (b − a)/max(a, b).

    a is the mean distance to the others of the own cluster, b the least mean distance to another
    cluster. It is 0 for a point that is alone in its cluster, or has no distance at all.

    Args:
        distances: [s, n] of the points of the sample to all.
        sample: [s] which points they are.
        labels: [n] the cluster of each point; at least two of them differ.

    Returns:
        [s] float64.

    >>> line = np.array([[0.0, 1, 5, 6]])
    >>> silhouettes(line, np.array([0]), np.array([0, 0, 1, 1])).tolist()
    [0.8181818181818182]
    """
    _, dense, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    member = np.zeros((len(labels), len(sizes)))
    member[np.arange(len(labels)), dense] = 1.0
    sums = distances @ member  # [s, k]
    own, place = dense[sample], np.arange(len(sample))
    inside = sums[place, own] / np.maximum(sizes[own] - 1, 1)
    outside = sums / sizes
    outside[place, own] = np.inf
    nearest = outside.min(1)
    larger = np.maximum(inside, nearest)
    counts = (sizes[own] > 1) & (larger > 0)
    return np.where(counts, (nearest - inside) / np.where(counts, larger, 1.0), 0.0)


def best_kmeans(
    vectors: NDArray[np.float32], rules: MemoryRules
) -> tuple[NDArray[np.int64], float]:
    """Spherical k-means with the k of the best mean silhouette, by cosine distance.

    k runs from 2 to min(clusters_most, ⌈√n⌉), each with the seed cluster_seed + k; the smallest k
    of equal ones wins. The silhouette is the mean of a seeded sample against all. n below
    2 × cluster_least make one cluster.

    Args:
        vectors: [n, d] unit vectors.
        rules: for the switches of clustering.

    Returns:
        labels [n], and the mean silhouette (0 of one cluster).
    """
    count = len(vectors)
    one = np.zeros(count, np.int64)
    if count < 2 * rules.cluster_least or count < 2:
        return one, 0.0
    rng = np.random.default_rng(rules.cluster_seed)
    size = min(count, rules.silhouette_sample)
    sample = np.sort(rng.choice(count, size, replace=False))
    distances = np.maximum(1.0 - (vectors[sample] @ vectors.T).astype(np.float64), 0.0)
    distances[np.arange(size), sample] = 0.0
    best, score = one, -math.inf
    for k in range(2, max(2, min(rules.clusters_most, math.ceil(math.sqrt(count)))) + 1):
        seeded = np.random.default_rng(rules.cluster_seed + k)
        labels = spherical_kmeans(vectors, k, rules.cluster_iterations, seeded)
        found = float(silhouettes(distances, sample, labels).mean()) if np.ptp(labels) else -1.0
        if found > score:
            best, score = labels, found
    return best, score if np.ptp(best) else 0.0
