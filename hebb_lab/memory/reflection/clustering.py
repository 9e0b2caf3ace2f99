"""Clusters of episodes by the rules: k-means or HDBSCAN, without those that are too small."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.memory.reflection.kmeans import best_kmeans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.rules import MemoryRules


@dataclass(frozen=True)
class Clusters:
    """What clustering found in n episodes.

    Args:
        members: of each cluster its places, the nearest to the centroid first.
        centroids: [clusters, d] float32, unit length.
        too_small: episodes of clusters below cluster_least.
        noise: episodes that HDBSCAN puts in no cluster.
        silhouette: mean of the sample; NaN by HDBSCAN.
    """

    members: list[NDArray[np.int64]]
    centroids: NDArray[np.float32]
    too_small: int
    noise: int
    silhouette: float


def clustered(vectors: NDArray[np.float32], rules: MemoryRules) -> Clusters:
    """Clusters of episodes, the largest first, equal ones by their first episode.

    Args:
        vectors: [n, d] unit vectors, the oldest episode first.
        rules: for the switches of clustering.
    """
    if rules.clustering == "hdbscan":
        labels, silhouette = _density(vectors, rules.cluster_least), float("nan")
    else:
        labels, silhouette = best_kmeans(vectors, rules)
    groups = [np.flatnonzero(labels == label) for label in np.unique(labels[labels >= 0])]
    kept = [group for group in groups if len(group) >= rules.cluster_least]
    kept.sort(key=lambda group: (-len(group), int(group[0])))
    centroids = np.zeros((len(kept), vectors.shape[1]), np.float32)
    members = []
    for place, group in enumerate(kept):
        centroids[place] = unit_mean(vectors[group])
        order = np.argsort(-(vectors[group] @ centroids[place]), kind="stable")
        members.append(group[order])
    return Clusters(
        members, centroids, sum(map(len, groups)) - sum(map(len, kept)),
        int((labels < 0).sum()), silhouette,
    )  # fmt: skip


def unit_mean(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """The direction of the mean of [n, d] vectors; the first of them where they cancel out.

    >>> [round(float(part), 4) for part in unit_mean(np.array([[1, 0], [0, 1]], np.float32))]
    [0.7071, 0.7071]
    """
    mean = vectors.mean(0, dtype=np.float64)
    first: NDArray[np.float32] = vectors[0]
    norm = np.linalg.norm(mean)
    return first if norm <= 1e-9 else (mean / norm).astype(np.float32)


def _density(vectors: NDArray[np.float32], least: int) -> NDArray[np.int64]:
    """HDBSCAN on unit vectors: their chord grows with the angle, so it stands for the cosine."""
    if len(vectors) < max(2, least):
        return np.full(len(vectors), -1)
    from sklearn.cluster import HDBSCAN

    found = HDBSCAN(min_cluster_size=max(2, least), copy=True).fit(vectors)
    return np.asarray(found.labels_, np.int64)
