"""Intervals from whole clusters drawn with replacement.

Queries of one session are alike, so sessions (commits, conversations) are resampled, not queries:
intervals from single queries are too short. The mean of a resample is a ratio, sum of the scores
over number of queries, because clusters differ in size (Davison & Hinkley 1997, §2.4 and §3.8).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

Method = Literal["percentile", "bca"]
_CHUNK = 1 << 22  # entries of a block of the weights matrix: 32 MiB of float64


@dataclass(frozen=True)
class Resampling:
    """Sizes of the resampling and kind of the intervals.

    Args:
        resamples: of the bootstrap.
        flips: of the sign-flip test; after Holm over m tests, p is never below m / (flips + 1).
        confidence: coverage that intervals aim at.
        method: of the intervals, "percentile" or "bca".
    """

    resamples: int = 2000
    flips: int = 10_000
    confidence: float = 0.95
    method: Method = "percentile"


@dataclass(frozen=True)
class ClusterSums:
    """Scores of A arms added up in each of C clusters.

    Args:
        sums: [A, C] float64.
        counts: [C] float64, queries in each cluster, > 0.
    """

    sums: NDArray[np.float64]
    counts: NDArray[np.float64]

    def means(self) -> NDArray[np.float64]:
        """Mean over the queries, [A]; NaN without queries."""
        total = self.counts.sum()
        if total == 0:
            return np.full(len(self.sums), np.nan)
        return np.asarray(self.sums.sum(axis=1) / total)


def cluster_sums(scores: ArrayLike, cluster: ArrayLike) -> ClusterSums:
    """Add up [A, Q] scores in the clusters that [Q] names.

    Raises:
        ValueError: for a NaN, or when the two do not have the same number of queries.

    >>> cluster_sums([[1, 0, 1]], [7, 7, 3]).sums.tolist()
    [[1.0, 1.0]]
    """
    values = np.asarray(scores, dtype=np.float64)
    names, place = np.unique(np.asarray(cluster), return_inverse=True)
    if values.ndim != 2 or values.shape[1] != len(place):
        raise ValueError(f"scores {values.shape} do not fit {len(place)} queries")
    if np.isnan(values).any():
        raise ValueError("a score is NaN")
    order = np.argsort(place, kind="stable")
    counts = np.bincount(place, minlength=len(names))
    starts = np.cumsum(counts) - counts
    if len(names) == 0:
        return ClusterSums(np.zeros((len(values), 0)), np.zeros(0))
    sums = np.add.reduceat(values[:, order], starts, axis=1)
    return ClusterSums(sums, counts.astype(np.float64))


@dataclass(frozen=True)
class Replicates:
    """Means of A arms in B resamples, the same resamples for all arms.

    Args:
        strata: the clusters that were resampled, one entry per data set.
        values: [B, A], mean over the strata of the mean over the queries.
    """

    strata: tuple[ClusterSums, ...]
    values: NDArray[np.float64]

    def estimate(self) -> NDArray[np.float64]:
        """The means of the data themselves, [A]."""
        return np.asarray(np.mean([stratum.means() for stratum in self.strata], axis=0))

    def contrast(self, matrix: ArrayLike) -> Replicates:
        """Linear combinations of the arms, e.g. differences, on the same resamples.

        Args:
            matrix: [A', A]; row i gives the weights of combination i.
        """
        weights = np.asarray(matrix, dtype=np.float64)
        strata = tuple(ClusterSums(weights @ s.sums, s.counts) for s in self.strata)
        return Replicates(strata, self.values @ weights.T)

    def interval(
        self, confidence: float = 0.95, method: Method = "percentile"
    ) -> NDArray[np.float64]:
        """Interval of each arm, [A, 2].

        It is NaN when a stratum has fewer than two clusters: one cluster says nothing about how
        much clusters differ.
        """
        if min(len(stratum.counts) for stratum in self.strata) < 2:
            return np.full((self.values.shape[1], 2), np.nan)
        tails = np.array([(1 - confidence) / 2, (1 + confidence) / 2])
        if method == "percentile":
            return np.asarray(np.quantile(self.values, tails, axis=0)).T
        levels = _bca_levels(self, tails)
        columns = (np.quantile(v, level) for v, level in zip(self.values.T, levels, strict=True))
        return np.array(list(columns)).reshape(-1, 2)


def resample(sums: ClusterSums, rng: np.random.Generator, resamples: int = 2000) -> Replicates:
    """Draw C of the C clusters with replacement, B times, and take every arm's mean.

    All arms share the draws: one matrix product of weights [B, C] and sums [C, A], in blocks of
    constant size.

    Args:
        sums: of one data set.
        rng: source of the draws; the same state gives the same replicates.
        resamples: B.
    """
    columns = np.vstack([sums.sums, sums.counts]).T  # [C, A + 1]
    if len(columns) == 0:
        return Replicates((sums,), np.full((resamples, len(sums.sums)), np.nan))
    blocks = [weights @ columns for weights in _draws(len(columns), rng, resamples)]
    totals = np.concatenate(blocks)
    return Replicates((sums,), totals[:, :-1] / totals[:, -1:])


def _draws(
    clusters: int, rng: np.random.Generator, resamples: int
) -> Iterator[NDArray[np.float64]]:
    """How often each cluster was drawn, in blocks [b, C]."""
    height = max(1, _CHUNK // clusters)
    for start in range(0, resamples, height):
        rows = min(height, resamples - start)
        drawn = rng.integers(0, clusters, size=(rows, clusters))
        drawn += np.arange(rows)[:, None] * clusters
        counts = np.bincount(drawn.ravel(), minlength=rows * clusters)
        yield counts.reshape(rows, clusters).astype(np.float64)


def stratified(parts: Sequence[Replicates]) -> Replicates:
    """Mean over data sets of their means; clusters were resampled inside each data set.

    Raises:
        ValueError: when the parts differ in the number of arms or resamples, or there are none.
    """
    if not parts or len({part.values.shape for part in parts}) > 1:
        raise ValueError("replicates of different shapes cannot be averaged")
    strata = tuple(stratum for part in parts for stratum in part.strata)
    return Replicates(strata, np.asarray(np.mean([part.values for part in parts], axis=0)))


def clustered_bootstrap(
    scores: ArrayLike,
    cluster: ArrayLike,
    rng: np.random.Generator,
    resamples: int = 2000,
    confidence: float = 0.95,
    method: Method = "percentile",
) -> NDArray[np.float64]:
    """Intervals of the means of A arms, [A, 2], resampling clusters; deltas are scores too.

    Args:
        scores: [A, Q] per-query scores, or differences of two arms.
        cluster: [Q] integers.
        rng: source of the draws.
        resamples: B.
        confidence: coverage aimed at.
        method: "percentile", or "bca" (bias-corrected and accelerated, Efron 1987).

    Returns:
        Lower and upper end; NaN when there are fewer than two clusters.

    Raises:
        ValueError: for a NaN among the scores.

    >>> rng = np.random.default_rng(1)
    >>> clustered_bootstrap([[0, 1, 1, 1]], [1, 1, 2, 3], rng).round(2).tolist()
    [[0.5, 1.0]]
    """
    replicates = resample(cluster_sums(scores, cluster), rng, resamples)
    return replicates.interval(confidence, method)


def _bca_levels(replicates: Replicates, tails: NDArray[np.float64]) -> NDArray[np.float64]:
    """The quantile levels that BCa reads off, [A, 2] (Efron 1987, §3; Davison & Hinkley §5.3).

    z0 is the normal score of the share of replicates below the estimate (ties count half), a the
    skewness of the jackknife influences u: a = Σu³ / (6 (Σu²)^1.5).
    """
    from scipy.special import ndtr, ndtri

    estimate = replicates.estimate()
    below = (replicates.values < estimate).mean(axis=0)
    share = (below + (replicates.values <= estimate).mean(axis=0)) / 2
    influence = np.concatenate([_influence(stratum) for stratum in replicates.strata], axis=1)
    spread = (influence**2).sum(axis=1) ** 1.5
    skew = np.zeros(len(spread))
    np.divide((influence**3).sum(axis=1), 6 * spread, out=skew, where=spread > 0)
    bias, points = ndtri(share)[:, None], ndtri(tails)[None, :]
    shifted = bias + (bias + points) / (1 - skew[:, None] * (bias + points))
    # Replicates all on one side of the estimate leave no finite z0; the plain tails remain.
    return np.where(np.isfinite(bias), ndtr(shifted), tails)


def _influence(stratum: ClusterSums) -> NDArray[np.float64]:
    """Jackknife influence of each cluster on the mean, over the number of clusters, [A, C]."""
    clusters = len(stratum.counts)
    total = stratum.sums.sum(axis=1, keepdims=True)
    without = (total - stratum.sums) / (stratum.counts.sum() - stratum.counts)
    centre = without.mean(axis=1, keepdims=True)
    return np.asarray((clusters - 1) * (centre - without) / clusters)
