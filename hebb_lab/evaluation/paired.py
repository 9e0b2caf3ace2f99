"""Paired comparison of arms on the same queries: difference, interval, p-value, effect size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.evaluation.bootstrap import Resampling, cluster_sums, resample, stratified

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from hebb_lab.evaluation.bootstrap import ClusterSums

_DEFAULT = Resampling()
_CHUNK = 1 << 22  # entries of a block of the signs matrix


def sign_flip_test(
    differences: ArrayLike, cluster: ArrayLike, rng: np.random.Generator, flips: int = 10_000
) -> NDArray[np.float64]:
    """Two-sided randomisation test of a mean difference of 0, [A]; whole clusters change sign.

    p = (1 + b) / (1 + B), b of B flips having a mean at least as far from 0 as the data. Under the
    null hypothesis arm and base could be exchanged in any session, not in any single query.

    Args:
        differences: [A, Q] arm minus base.
        cluster: [Q] integers.
        rng: source of the signs; all arms share them.
        flips: B.

    Returns:
        p-values; 1 where all differences are 0, NaN where there is only one cluster.

    >>> rng = np.random.default_rng(0)
    >>> sign_flip_test([[0.0, 0.0], [1.0, 1.0]], [1, 2], rng, flips=999).round(1).tolist()
    [1.0, 0.5]
    """
    return flip_strata([cluster_sums(differences, cluster)], rng, flips)


def flip_strata(
    strata: Sequence[ClusterSums], rng: np.random.Generator, flips: int
) -> NDArray[np.float64]:
    """The sign-flip test of the mean over data sets of their mean differences, [A]."""
    parts = [s.sums / max(s.counts.sum(), 1) / len(strata) for s in strata]
    shares = np.concatenate(parts, axis=1)  # [A, C], their sum is the statistic
    changed = (shares != 0).any(axis=1)
    p = np.ones(len(shares))
    if min(len(s.counts) for s in strata) < 2:
        return np.where(changed, np.nan, p)
    # Sums of the same numbers in another order differ in their last bits: they count as equal.
    slack = 1e-12 * np.abs(shares).sum(axis=1)
    extreme = np.zeros(len(shares))
    height = max(1, _CHUNK // shares.shape[1])
    for start in range(0, flips, height):
        size = (min(height, flips - start), shares.shape[1])
        signs = rng.integers(0, 2, size=size, dtype=np.int8) * 2.0 - 1.0
        flipped = np.abs(signs @ shares.T)  # [b, A]
        extreme += (flipped >= np.abs(shares.sum(axis=1)) - slack).sum(axis=0)
    return np.where(changed, (1 + extreme) / (1 + flips), p)


def holm(p: ArrayLike) -> NDArray[np.float64]:
    """p-values adjusted for a family by Holm's step-down method (Holm 1979); NaN stays outside.

    The i-th smallest of m is multiplied by m − i + 1; the result never falls and is at most 1.

    >>> holm([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    return _adjust(p, lambda ordered, m: np.maximum.accumulate(ordered * np.arange(m, 0, -1)))


def benjamini_hochberg(p: ArrayLike) -> NDArray[np.float64]:
    """p-values adjusted for the false discovery rate (Benjamini & Hochberg 1995).

    The i-th smallest of m is multiplied by m / i; the result never falls and is at most 1.

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.04, 0.04]
    """

    def step_up(ordered: NDArray[np.float64], m: int) -> NDArray[np.float64]:
        raised = ordered * m / np.arange(1, m + 1)
        return np.asarray(np.minimum.accumulate(raised[::-1])[::-1])

    return _adjust(p, step_up)


def _adjust(p: ArrayLike, step: Callable[..., NDArray[np.float64]]) -> NDArray[np.float64]:
    """Apply a step method to the sorted p-values that are not NaN."""
    values = np.asarray(p, dtype=np.float64)
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.argsort(values[known], kind="stable")]
    adjusted = np.full(len(values), np.nan)
    if len(order):
        adjusted[order] = np.minimum(step(values[order], len(order)), 1.0)
    return adjusted


def cohens_dz(strata: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Mean difference over the standard deviation of the differences, [A] (Cohen 1988, §2.3.5).

    Args:
        strata: [A, Q] differences per query, one entry per data set. Over several, both the mean
            and the variance (of one degree of freedom less) are averaged.

    Returns:
        0 where all differences are 0, NaN where they do not vary or there are fewer than two.

    >>> cohens_dz([np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 0.0]])]).tolist()
    [1.0, 0.0]
    """
    if min(part.shape[1] for part in strata) < 2:
        return np.full(len(strata[0]), np.nan)
    mean = np.mean([part.mean(axis=1) for part in strata], axis=0)
    deviation = np.sqrt(np.mean([part.var(axis=1, ddof=1) for part in strata], axis=0))
    dz = np.full(len(mean), np.nan)
    np.divide(mean, deviation, out=dz, where=deviation > 1e-12 * np.abs(mean))
    dz[(mean == 0) & (deviation == 0)] = 0.0
    return dz


def win_tie_loss(differences: NDArray[np.float64]) -> NDArray[np.int64]:
    """Queries on which the arm is better, equal and worse, [A, 3].

    >>> win_tie_loss(np.array([[0.5, 0.0, -0.5, 1.0]])).tolist()
    [[2, 1, 1]]
    """
    signs = np.sign(differences)
    return np.stack([(signs == sign).sum(axis=1) for sign in (1, 0, -1)], axis=1)


@dataclass(frozen=True)
class Comparison:
    """A arms, each with its mean and its difference to a base; NaN where there is no base.

    Args:
        value: [A] mean over the queries (over data sets: the mean of the means).
        interval: [A, 2] of the value.
        delta: [A] value of the arm minus value of its base.
        delta_interval: [A, 2].
        p: [A] of the sign-flip test, not adjusted.
        dz: [A].
        wins: [A, 3] queries won, tied, lost; −1 without a base.
        queries: number of queries.
        clusters: number of clusters; of the data set that has fewest.
    """

    value: NDArray[np.float64]
    interval: NDArray[np.float64]
    delta: NDArray[np.float64]
    delta_interval: NDArray[np.float64]
    p: NDArray[np.float64]
    dz: NDArray[np.float64]
    wins: NDArray[np.int64]
    queries: int
    clusters: int

    def verdicts(self, level: float = 0.05) -> tuple[str, ...]:
        """What may be said of each arm: better, worse, not shown, no change, one cluster, no base.

        Better and worse need p < level and an interval that leaves out 0.
        """
        return tuple(map(self._verdict, range(len(self.value)), [level] * len(self.value)))

    def _verdict(self, arm: int, level: float) -> str:
        if np.isnan(self.delta[arm]):
            return "no base"
        if self.wins[arm, 1] == self.queries:
            return "no change"
        if self.clusters < 2:
            return "one cluster: no interval and no test"
        low, high = self.delta_interval[arm]
        if self.p[arm] < level and (low > 0 or high < 0):
            return "better" if low > 0 else "worse"
        return "not shown"


def compare(
    strata: Sequence[tuple[ArrayLike, ArrayLike]],
    base: ArrayLike,
    rng: np.random.Generator,
    sizes: Resampling = _DEFAULT,
) -> Comparison:
    """Compare arms with their bases on the same queries; see bootstrap and sign-flip test.

    Args:
        strata: (scores [A, Q], cluster [Q]) per data set; the arms are the same in all.
        base: [A] index of the arm that each is compared with; −1 for none.
        rng: source of draws and signs; means and differences share the draws.
        sizes: number of draws and flips, kind of the intervals.

    >>> scores, cluster = [[0, 0, 0, 0], [1, 1, 1, 0]], [1, 2, 3, 4]
    >>> found = compare([(scores, cluster)], [-1, 0], np.random.default_rng(0))
    >>> found.delta.tolist(), found.wins.tolist(), found.verdicts()
    ([nan, 0.75], [[-1, -1, -1], [3, 1, 0]], ('no base', 'not shown'))
    """
    against = np.asarray(base, dtype=np.int64)
    arms = np.flatnonzero(against >= 0)
    tables = [(np.asarray(scores, dtype=np.float64), cluster) for scores, cluster in strata]
    means = stratified([resample(cluster_sums(*table), rng, sizes.resamples) for table in tables])
    unit = np.eye(len(against))
    deltas = means.contrast(unit[arms] - unit[against[arms]])
    differences = [scores[arms] - scores[against[arms]] for scores, _ in tables]
    groups = [cluster for _, cluster in tables]
    p = flip_strata(list(map(cluster_sums, differences, groups)), rng, sizes.flips)
    size = len(against)
    return Comparison(
        value=means.estimate(),
        interval=means.interval(sizes.confidence, sizes.method),
        delta=_spread(deltas.estimate(), arms, size),
        delta_interval=_spread(deltas.interval(sizes.confidence, sizes.method), arms, size),
        p=_spread(p, arms, size),
        dz=_spread(cohens_dz(differences), arms, size),
        wins=_spread(win_tie_loss(np.concatenate(differences, axis=1)), arms, size, -1),
        queries=sum(scores.shape[1] for scores, _ in tables),
        clusters=min(len(stratum.counts) for stratum in means.strata),
    )


def _spread(values: NDArray[Any], arms: NDArray[Any], size: int, gap: float = np.nan) -> Any:
    """Put the values of some arms at their places among all; ``gap`` elsewhere."""
    full = np.full((size, *values.shape[1:]), gap, dtype=values.dtype)
    full[arms] = values
    return full
