"""Curves against the measures and against a count by hand."""

import numpy as np
import polars as pl
import pytest

from hebb_lab.evaluation import parse
from hebb_lab.evaluation.bootstrap import cluster_sums, clustered_bootstrap, resample, stratified
from hebb_lab.evaluation.curves import macro_recall_at_k, recall_at_budget, recall_at_k
from hebb_lab.evaluation.leaderboard.scores import judgements_of

from .leaderboard.example import example_rows


@pytest.fixture(scope="module")
def rows():
    return example_rows(arms=3, queries=120, clusters=20)


def test_every_point_of_the_curve_is_recall_at_that_k(rows):
    curve = recall_at_k(rows, np.random.default_rng(0), depth=20, resamples=50)
    for arm in ("arm0", "arm2"):
        judged = judgements_of(rows.filter(arm=arm))
        expected = [float(parse(f"R@{k}")(judged).mean()) for k in range(1, 21)]
        assert curve.filter(arm=arm)["recall"].to_list() == pytest.approx(expected)


def test_a_band_is_the_clustered_interval_of_that_measure(rows):
    curve = recall_at_k(rows, np.random.default_rng(3), depth=10, resamples=300)
    part = rows.filter(arm="arm1")
    scores = parse("R@10")(judgements_of(part))[None]
    expected = clustered_bootstrap(scores, part["cluster"], np.random.default_rng(3), 300)[0]
    point = curve.filter(arm="arm1", k=10)
    assert [point["low"][0], point["high"][0]] == pytest.approx(expected.tolist())


def test_recall_in_a_budget_is_a_count_of_the_nodes_that_fit(rows):
    budgets = [150, 400, 1000, 10_000]
    curve = recall_at_budget(rows, np.random.default_rng(0), budgets, resamples=50)
    for budget in budgets:
        shares = [
            sum(r > 0 and t <= budget for r, t in zip(ranks, tokens, strict=True)) / len(ranks)
            for ranks, tokens in rows.filter(arm="arm1").select("ranks", "gold_tokens").iter_rows()
        ]
        point = curve.filter(arm="arm1", budget=budget)
        assert point["recall"][0] == pytest.approx(np.mean(shares))


def test_curves_never_fall_and_lie_in_their_bands(rows):
    for curve in (
        recall_at_k(rows, np.random.default_rng(0), resamples=200),
        recall_at_budget(rows, np.random.default_rng(0), resamples=200),
    ):
        for _, part in curve.group_by("arm"):
            assert part["recall"].diff().drop_nulls().min() >= -1e-12
        assert (curve["low"] <= curve["recall"] + 1e-12).all()
        assert (curve["recall"] <= curve["high"] + 1e-12).all()


def test_a_query_that_an_arm_lacks_counts_zero(rows):
    gone = rows.filter((pl.col("arm") != "arm1") | (pl.col("query_id") != "q0"))
    whole, cut = (recall_at_k(r, np.random.default_rng(0), 50, 50) for r in (rows, gone))
    lost = parse("R@50")(judgements_of(rows.filter(arm="arm1", query_id="q0")))[0] / 120
    points = [c.filter(arm="arm1", k=50)["recall"][0] for c in (whole, cut)]
    assert lost > 0
    assert points[0] - points[1] == pytest.approx(lost)


def test_one_cluster_has_no_band(rows):
    curve = recall_at_k(rows.with_columns(cluster=pl.lit(1, pl.Int64)), np.random.default_rng(0), 5)
    assert curve["low"].null_count() == len(curve) == 15


def test_no_rows_give_no_curve(rows):
    assert recall_at_k(rows.clear(), np.random.default_rng(0)).columns[2] == "k"
    assert recall_at_budget(rows.clear(), np.random.default_rng(0)).is_empty()


def test_a_macro_curve_is_the_mean_of_the_curves_of_the_data_sets(rows):
    parts = [rows, example_rows(arms=3, queries=40, clusters=9, seed=5)]
    whole = macro_recall_at_k(parts, np.random.default_rng(0), depth=20, resamples=50)
    own = [recall_at_k(part, np.random.default_rng(0), 20, 50) for part in parts]
    mean = (own[0]["recall"] + own[1]["recall"]) / 2
    assert whole["recall"].to_list() == pytest.approx(mean.to_list())
    assert whole.select("task", "arm", "k").equals(own[0].select("task", "arm", "k"))
    assert set(whole["n"]) == {160}


def test_a_macro_band_comes_from_clusters_resampled_inside_each_data_set(rows):
    parts = [rows, example_rows(arms=3, queries=40, clusters=9, seed=5)]
    curve = macro_recall_at_k(parts, np.random.default_rng(3), depth=10, resamples=300)
    rng, found = np.random.default_rng(3), []
    for part in (part.filter(arm="arm1") for part in parts):
        sums = cluster_sums(parse("R@10")(judgements_of(part))[None], part["cluster"])
        found.append(resample(sums, rng, 300))
    point = curve.filter(arm="arm1", k=10)
    expected = stratified(found).interval()[0]
    assert [point["low"][0], point["high"][0]] == pytest.approx(expected.tolist())


def test_one_data_set_has_its_own_curve_as_its_mean(rows):
    alone = macro_recall_at_k([rows], np.random.default_rng(1), 10, 50)
    assert alone.equals(recall_at_k(rows, np.random.default_rng(1), 10, 50))


def test_arms_that_a_data_set_lacks_have_no_macro_curve(rows):
    fewer = rows.filter(pl.col("arm") != "arm0")
    curve = macro_recall_at_k([rows, fewer], np.random.default_rng(0), 5, 10)
    assert curve["arm"].unique(maintain_order=True).to_list() == ["arm1", "arm2"]
    other = rows.filter(arm="arm0")
    assert macro_recall_at_k([fewer, other], np.random.default_rng(0), 5, 10).is_empty()


def test_a_mean_over_no_data_set_or_over_two_tasks_is_refused(rows):
    with pytest.raises(ValueError, match="one task"):
        macro_recall_at_k([], np.random.default_rng(0))
    two = [rows, example_rows(task="continuation")]
    with pytest.raises(ValueError, match="continuation"):
        macro_recall_at_k(two, np.random.default_rng(0))
