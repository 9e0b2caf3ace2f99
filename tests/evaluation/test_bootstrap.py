"""Clustered intervals against plain loops and scipy, and what must never look like a number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from hebb_lab.evaluation import bootstrap
from hebb_lab.evaluation.bootstrap import (
    ClusterSums,
    Replicates,
    cluster_sums,
    clustered_bootstrap,
    resample,
    stratified,
)

BOTH = pytest.mark.parametrize("method", ["percentile", "bca"])


def clustered_scores(seed=0, arms=3, clusters=40):
    """Scores that depend on their cluster; clusters of 1 to 9 queries with arbitrary names."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 10, clusters)
    cluster = np.repeat(rng.permutation(1000)[:clusters], sizes)
    level = np.repeat(rng.normal(size=(arms, clusters)), sizes, axis=1)
    order = rng.permutation(len(cluster))
    return (level + rng.normal(size=level.shape))[:, order], cluster[order]


def test_replicates_are_those_of_drawing_clusters_one_by_one():
    scores, cluster = clustered_scores()
    fast = resample(cluster_sums(scores, cluster), np.random.default_rng(5), 50)
    names = np.unique(cluster)
    drawn = np.random.default_rng(5).integers(0, len(names), size=(50, len(names)))
    for row, replicate in zip(drawn, fast.values, strict=True):
        queries = np.concatenate([np.flatnonzero(cluster == names[c]) for c in row])
        assert replicate == pytest.approx(scores[:, queries].mean(axis=1), abs=1e-12)


def test_the_size_of_a_block_changes_no_draw(monkeypatch):
    sums = cluster_sums(*clustered_scores())
    whole = resample(sums, np.random.default_rng(5), 101).values
    monkeypatch.setattr(bootstrap, "_CHUNK", 120)
    pieces = resample(sums, np.random.default_rng(5), 101).values
    assert np.abs(whole - pieces).max() < 1e-12


def test_percentile_and_bca_ends_are_those_of_scipy_on_the_same_replicates():
    scores, _ = clustered_scores(arms=1)
    sample = np.exp(scores[0])  # skewed, so that BCa differs from the percentiles
    ours = resample(cluster_sums(sample[None], np.arange(len(sample))), np.random.default_rng(3))
    for method in ("percentile", "bca"):
        oracle = stats.bootstrap(
            (sample,),
            np.mean,
            n_resamples=0,
            method=method,
            bootstrap_result=type("Done", (), {"bootstrap_distribution": ours.values[:, 0]})(),
        ).confidence_interval
        assert ours.interval(method=method)[0] == pytest.approx([oracle.low, oracle.high], rel=1e-9)


def test_a_contrast_is_the_bootstrap_of_the_difference_itself():
    scores, cluster = clustered_scores()
    means = resample(cluster_sums(scores, cluster), np.random.default_rng(1))
    contrast = means.contrast([[-1, 1, 0], [0, 0, 2]])
    direct = np.stack([scores[1] - scores[0], 2 * scores[2]])
    for method in ("percentile", "bca"):
        expected = clustered_bootstrap(direct, cluster, np.random.default_rng(1), method=method)
        assert np.abs(contrast.interval(method=method) - expected).max() < 1e-12
    assert contrast.estimate() == pytest.approx(direct.mean(axis=1))


@BOTH
def test_about_95_of_100_intervals_hold_the_true_mean_of_clustered_data(method):
    held = 0
    for seed in range(300):
        scores, cluster = clustered_scores(seed, arms=1, clusters=50)
        rng = np.random.default_rng(seed)
        low, high = clustered_bootstrap(scores, cluster, rng, resamples=400, method=method)[0]
        held += low <= 0 <= high
    assert 270 <= held <= 294  # intervals from single queries hold it in about 210


@BOTH
def test_one_cluster_gives_no_interval(method):
    rng = np.random.default_rng(0)
    assert np.isnan(clustered_bootstrap([[0, 1, 1]], [4, 4, 4], rng, method=method)).all()


@BOTH
def test_scores_that_do_not_vary_have_an_interval_without_width(method):
    rng = np.random.default_rng(0)
    found = clustered_bootstrap([[0.25] * 4], [1, 1, 2, 3], rng, method=method)
    assert found.tolist() == [[0.25, 0.25]]


def test_the_mean_weighs_queries_and_not_clusters():
    sums = cluster_sums([[1, 1, 1, 0]], [5, 5, 5, 6])
    assert sums.means().tolist() == [0.75]


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 5)), min_size=1), st.randoms())
def test_the_order_of_the_queries_changes_no_sum(rows, random):
    shuffled = random.sample(rows, len(rows))
    one, two = (cluster_sums([[s for s, _ in r]], [c for _, c in r]) for r in (rows, shuffled))
    assert (one.sums == two.sums).all()
    assert (one.counts == two.counts).all()


def test_a_stratified_mean_gives_every_data_set_the_same_weight():
    small, large = clustered_scores(1, clusters=5), clustered_scores(2, clusters=90)
    rng = np.random.default_rng(0)
    parts = [resample(cluster_sums(*data), rng, 500) for data in (small, large)]
    both = stratified(parts)
    assert both.estimate() == pytest.approx((small[0].mean(1) + large[0].mean(1)) / 2)
    assert (both.values == (parts[0].values + parts[1].values) / 2).all()
    low, high = both.interval(method="bca").T
    assert ((low < both.estimate()) & (both.estimate() < high)).all()


def test_one_data_set_of_a_single_cluster_leaves_the_mean_without_interval():
    rng = np.random.default_rng(0)
    lone = resample(cluster_sums([[0, 1]], [1, 1]), rng, 100)
    fine = resample(cluster_sums([[0, 1]], [1, 2]), rng, 100)
    assert np.isnan(stratified([lone, fine]).interval()).all()


@pytest.mark.parametrize(
    ("scores", "cluster", "said"),
    [([[0, np.nan]], [1, 2], "NaN"), ([[0, 1]], [1], "do not fit"), ([0, 1], [1, 2], "do not fit")],
)
def test_scores_that_mean_nothing_are_refused(scores, cluster, said):
    with pytest.raises(ValueError, match=said):
        cluster_sums(scores, cluster)


def test_no_queries_have_neither_mean_nor_interval():
    empty = resample(cluster_sums(np.zeros((2, 0)), []), np.random.default_rng(0), 10)
    assert np.isnan(empty.estimate()).all()
    assert np.isnan(empty.interval()).all()


def test_replicates_of_different_shapes_cannot_be_averaged():
    sums = ClusterSums(np.ones((1, 2)), np.ones(2))
    with pytest.raises(ValueError, match="shapes"):
        stratified([Replicates((sums,), np.ones((3, 1))), Replicates((sums,), np.ones((4, 1)))])
