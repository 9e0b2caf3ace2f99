"""Rows: keys, families, arms without numbers, and the mean over data sets."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.evaluation import parse
from hebb_lab.evaluation.leaderboard import (
    ROW_SCHEMA,
    Settings,
    Source,
    Stamp,
    as_json,
    judgements_of,
    leaderboard,
    macro,
    merge,
)
from hebb_lab.evaluation.paired import holm, sign_flip_test

from .example import describe, example_rows, example_source

QUICK = Settings(("R@10", "nDCG@10", "any@10"), ("R@10", "any@10"), resamples=200, flips=999)
ASKED = {
    "dataset", "dataset_sha256", "task", "arm", "metric", "value", "ci95", "delta", "delta_ci95",
    "p_holm", "n", "tokens_per_query", "ms_per_query", "inert", "status", "config_id", "commit",
    "base", "dz", "win", "tie", "loss", "group", "tie_band", "excluded", "edges_per_query",
    "bytes_per_memory", "wall_s", "k_effective", "tie_mass", "seed",
}  # fmt: skip
NUMBERS = ["value", "ci95", "delta", "delta_ci95", "p_holm", "n", "tokens_per_query",
           "ms_per_query", "dz", "win", "tie", "loss", "tie_band", "edges_per_query",
           "bytes_per_memory", "wall_s", "k_effective", "tie_mass"]  # fmt: skip


def row(board, arm, metric="R@10", **more):
    (found,) = board.rows.filter(arm=arm, metric=metric, **more).to_dicts()
    return found


def test_a_row_has_just_the_keys_that_were_asked_for():
    assert set(ROW_SCHEMA) == ASKED
    board = leaderboard(example_source(), QUICK)
    assert board.rows.schema == pl.Schema(ROW_SCHEMA)
    assert len(board.rows) == 3 * 3


def test_values_differences_and_counts_are_those_of_the_per_query_scores():
    source = example_source()
    board = leaderboard(source, QUICK)
    scores = {
        arm: parse("R@10")(judgements_of(source.per_query.filter(arm=arm)))
        for arm in ("arm0", "arm2")
    }
    difference = scores["arm2"] - scores["arm0"]
    found = row(board, "arm2")
    assert found["value"] == pytest.approx(scores["arm2"].mean())
    assert found["delta"] == pytest.approx(difference.mean())
    assert found["dz"] == pytest.approx(difference.mean() / difference.std(ddof=1))
    assert [found["win"], found["tie"], found["loss"]] == [
        (difference > 0).sum(), (difference == 0).sum(), (difference < 0).sum()
    ]  # fmt: skip
    assert (found["n"], found["tokens_per_query"], found["ms_per_query"]) == (60, 300.0, 1.5)
    assert found["ci95"][0] < found["value"] < found["ci95"][1]
    assert found["delta_ci95"][0] < found["delta"] < found["delta_ci95"][1]
    assert (found["dataset_sha256"], found["commit"], found["base"]) == (
        "sha-git",
        "c0ffee",
        "arm0",
    )


def test_a_row_says_what_an_arm_cost_and_what_was_left_out():
    source = example_source(excluded={"next_touch": {"no node in view": 5, "first block": 2}})
    board = leaderboard(source, replace(QUICK, seed=7))
    found = row(board, "arm2")
    assert (found["edges_per_query"], found["bytes_per_memory"]) == (59.0, 1234.5)
    assert found["wall_s"] == pytest.approx(1.5 * 60 / 1000)
    assert (found["k_effective"], found["tie_mass"]) == (50.0, pytest.approx(2 / 60))
    assert (found["excluded"], found["seed"]) == (7, 7)
    assert board.rows["excluded"].to_list() == [7] * len(board.rows)


def with_ties(source, arm):
    """The relevant nodes of an arm may stand five places higher or lower in a tie."""
    moved = {
        "optimistic": pl.element() - 5 * (pl.element() > 5),
        "pessimistic": pl.element() + 5 * (pl.element() > 0),
    }
    changed = source.per_query.with_columns(
        pl.when(pl.col("arm") == arm).then(pl.col(name).list.eval(step)).otherwise(pl.col(name))
        .cast(pl.List(pl.Int32)).alias(name)
        for name, step in moved.items()
    )  # fmt: skip
    return Source(changed, source.arms, source.stamp, source.excluded)


def test_the_tie_band_is_the_mean_in_the_worst_and_in_the_best_order():
    source = with_ties(example_source(), "arm1")
    board = leaderboard(source, QUICK)
    judged = judgements_of(source.per_query.filter(arm="arm1"))
    for metric in QUICK.measures:
        band = [
            float(parse(metric)(judged.with_ranks(ranks)).mean())
            for ranks in (judged.pessimistic, judged.optimistic)
        ]
        found = row(board, "arm1", metric)
        assert found["tie_band"] == pytest.approx(band)
        assert band[0] < found["value"] < band[1]
        assert row(board, "arm0", metric)["tie_band"] == [row(board, "arm0", metric)["value"]] * 2
    low, high = row(board, "arm1")["tie_band"]
    said = f"Order of equal scores can move R@10 by more than 0.01: arm1 {low:.3f} to {high:.3f}."
    assert said in [note.text for note in board.notes]
    assert not any("any@10" in note.text for note in board.notes)


def test_costs_and_tie_bands_over_data_sets_are_means_and_time_and_exclusions_are_sums():
    one = with_ties(example_source("one", excluded={"next_touch": {"none": 3}}), "arm1")
    two = example_source("two", queries=200, seed=3, excluded={"next_touch": {"none": 4}})
    two.arms[1]["bytes_per_memory"] = None
    two.arms[2]["bytes_per_memory"] = 234.5
    whole = macro([one, two], QUICK)
    found, parts = row(whole, "arm1"), [row(leaderboard(s, QUICK), "arm1") for s in (one, two)]
    for name in ("edges_per_query", "k_effective", "tie_mass"):
        assert found[name] == pytest.approx(np.mean([part[name] for part in parts])), name
    bands = np.mean([part["tie_band"] for part in parts], axis=0)
    assert found["tie_band"] == pytest.approx(bands.tolist())
    assert found["wall_s"] == pytest.approx(1.5 * 260 / 1000)
    assert found["excluded"] == 7
    assert found["bytes_per_memory"] is None
    assert row(whole, "arm2")["bytes_per_memory"] == pytest.approx((1234.5 + 234.5) / 2)


def test_the_family_is_all_arms_with_a_base_times_the_headline_metrics():
    source = example_source(arms=4, queries=200, clusters=60)
    settings = Settings(QUICK.measures, QUICK.headline, resamples=10, flips=20_000)
    board = leaderboard(source, settings)
    scores = {
        (metric, arm): parse(metric)(judgements_of(source.per_query.filter(arm=arm)))
        for metric in settings.measures
        for arm in (f"arm{i}" for i in range(4))
    }
    family = [(m, f"arm{i}") for m in ("R@10", "any@10") for i in (1, 2, 3)]
    differences = np.array([scores[m, arm] - scores[m, "arm0"] for m, arm in family])
    cluster = source.per_query.filter(arm="arm0")["cluster"]
    expected = holm(sign_flip_test(differences, cluster, np.random.default_rng(1), 20_000))
    got = [row(board, arm, metric)["p_holm"] for metric, arm in family]
    assert got == pytest.approx(expected.tolist(), abs=0.02)
    assert board.rows.filter(metric="nDCG@10")["p_holm"].null_count() == 4
    assert row(board, "arm0")["p_holm"] is None


def test_failed_and_skipped_arms_stay_without_numbers():
    more = [
        describe("broken", status="failed", error="ValueError: no\n  such thing"),
        describe("later", status="skipped", error="needs vectors"),
    ]
    board = leaderboard(example_source(describe_more=more), QUICK)
    for arm, status in (("broken", "failed"), ("later", "skipped")):
        for metric in QUICK.measures:
            found = row(board, arm, metric)
            assert found["status"] == status
            assert [found[name] for name in NUMBERS] == [None] * len(NUMBERS)
    texts = [note.text for note in board.notes]
    assert "broken failed: ValueError: no such thing." in texts
    assert "later skipped: needs vectors." in texts


def test_a_failed_base_leaves_values_but_no_differences():
    rows = example_rows().filter(pl.col("arm") != "arm0")
    entries = [describe("arm0", None, status="failed"), describe("arm1"), describe("arm2")]
    board = leaderboard(Source(rows, entries, Stamp("git")), QUICK)
    found = row(board, "arm1")
    assert found["value"] is not None
    assert [found[name] for name in ("delta", "delta_ci95", "p_holm", "dz", "win")] == [None] * 5
    assert "No difference, the base has no result: arm1 (to arm0), arm2 (to arm0)." in [
        note.text for note in board.notes
    ]


@pytest.mark.filterwarnings("error")
def test_a_task_on_which_every_arm_failed_keeps_its_rows():
    entries = [describe("arm0", None, status="failed", tasks=["t"])]
    board = leaderboard(Source(example_rows().clear(), entries, Stamp("git")), QUICK)
    assert board.rows["status"].to_list() == ["failed"] * 3
    assert board.rows["n"].null_count() == 3


def test_an_inert_arm_has_no_difference_and_p_one():
    source = example_source()
    twin = source.per_query.filter(arm="arm0").with_columns(arm=pl.lit("twin"))
    entries = [*source.arms, describe("twin", ranking_sha256="h-arm0")]
    board = leaderboard(Source(pl.concat([source.per_query, twin]), entries, source.stamp), QUICK)
    found = row(board, "twin")
    assert found["inert"] is True
    assert [found[name] for name in ("delta", "delta_ci95", "p_holm", "dz")] == [0, [0, 0], 1, 0]
    assert (found["win"], found["tie"], found["loss"]) == (0, 60, 0)
    assert board.rows.filter("inert")["arm"].unique().to_list() == ["twin"]
    assert "Inert, every ranking is that of the base: twin (as arm0)." in [
        note.text for note in board.notes
    ]


def test_one_cluster_gives_values_without_intervals_and_says_so():
    board = leaderboard(example_source(clusters=1), QUICK)
    found = row(board, "arm1")
    assert found["value"] is not None
    assert [found[name] for name in ("ci95", "delta_ci95", "p_holm")] == [None] * 3
    assert "Only one cluster: there is no interval and no test." in [n.text for n in board.notes]


def test_intervals_from_few_clusters_are_called_too_short():
    texts = [note.text for note in leaderboard(example_source(clusters=4), QUICK).notes]
    assert "Only 4 clusters: intervals from so few are too short." in texts


def test_missing_queries_exclusions_and_ties_are_told():
    source = example_source(excluded={"next_touch": {"no node in view": 1200, "none": 0}})
    rows = source.per_query.filter((pl.col("arm") != "arm1") | (pl.col("query_id") != "q3"))
    board = leaderboard(Source(rows, source.arms, source.stamp, source.excluded), QUICK)
    texts = [note.text for note in board.notes]
    assert "Left out: no node in view: 1,200." in texts
    assert "Queries missing from an arm, counted 0: arm1 1." in texts
    assert "Share of queries with a tie across the cut: arm1 1.7%, arm2 3.3%." in texts


def test_an_ok_arm_without_scores_and_scores_without_an_arm_are_errors():
    source = example_source()
    with pytest.raises(InputError, match=r"'arm9' .* left no scores"):
        leaderboard(example_source(describe_more=[describe("arm9")]), QUICK)
    with pytest.raises(InputError, match="'arm2' that nobody described"):
        leaderboard(Source(source.per_query, source.arms[:2], source.stamp), QUICK)


def test_an_unknown_measure_is_an_error():
    with pytest.raises(ConfigError, match="unknown measure 'nDGC'"):
        leaderboard(example_source(), Settings(("nDGC@10",), ("nDGC@10",)))


def two_tasks():
    rows = pl.concat([example_rows(), example_rows(task="continuation", seed=1)])
    return Source(rows, example_source().arms, Stamp("git"))


def test_a_task_left_out_changes_no_number_of_the_others():
    both, alone = leaderboard(two_tasks(), QUICK), leaderboard(example_source(), QUICK)
    left = both.rows.filter(task="next_touch").drop("dataset_sha256", "commit")
    assert left.equals(alone.rows.drop("dataset_sha256", "commit"))


def test_each_task_may_have_its_own_headline():
    headline = {"next_touch": ("any@10",), "continuation": ("R@10",)}
    board = leaderboard(two_tasks(), Settings(QUICK.measures, headline, resamples=50, flips=99))
    tested = board.rows.filter(pl.col("p_holm").is_not_null())
    assert set(tested.select("task", "metric").unique().iter_rows()) == {
        ("next_touch", "any@10"),
        ("continuation", "R@10"),
    }


def test_the_macro_mean_weighs_data_sets_alike():
    sources = [example_source("one", queries=30), example_source("two", queries=300, seed=4)]
    boards = [leaderboard(source, QUICK) for source in sources]
    whole = macro(sources, QUICK)
    assert whole.rows["dataset"].unique().to_list() == ["macro(2)"]
    for name in ("value", "delta"):
        parts = [row(board, "arm2")[name] for board in boards]
        assert row(whole, "arm2")[name] == pytest.approx(np.mean(parts), abs=1e-9)
    found = row(whole, "arm2")
    assert found["n"] == 330
    assert found["win"] == sum(row(board, "arm2")["win"] for board in boards)
    assert found["ci95"][0] < found["value"] < found["ci95"][1]
    assert found["commit"] == "c0ffee"
    assert whole.notes[0].text == "330 queries of 2 data sets, none with fewer than 10 clusters."


def test_the_interval_of_a_mean_over_data_sets_is_shorter_than_theirs():
    sources = [example_source(f"d{i}", seed=i, queries=100, clusters=30) for i in range(4)]
    width = np.subtract(*row(macro(sources, QUICK), "arm1")["ci95"])
    widths = [np.subtract(*row(leaderboard(s, QUICK), "arm1")["ci95"]) for s in sources]
    assert abs(width) == pytest.approx(np.linalg.norm(widths) / 4, rel=0.25)


def test_an_arm_that_failed_on_one_data_set_has_no_macro_mean():
    good = example_source("one")
    entries = [*good.arms[:2], describe("arm2", status="failed")]
    bad = Source(good.per_query.filter(pl.col("arm") != "arm2"), entries, Stamp("two"))
    whole = macro([good, bad], QUICK)
    assert row(whole, "arm2")["status"] == "failed"
    assert row(whole, "arm2")["value"] is None
    assert row(whole, "arm1")["value"] is not None
    assert "arm2 failed: no result on two." in [note.text for note in whole.notes]


def test_a_task_of_one_data_set_has_no_macro_mean():
    whole = macro([two_tasks(), example_source("other")], QUICK)
    assert whole.rows["task"].unique().to_list() == ["next_touch"]
    assert macro([example_source()], QUICK).rows.is_empty()


def test_leaderboards_are_merged_in_their_order():
    boards = [leaderboard(example_source(name), QUICK) for name in ("one", "two")]
    whole = merge(boards)
    assert whole.rows["dataset"].unique(maintain_order=True).to_list() == ["one", "two"]
    assert len(whole.notes) == sum(len(board.notes) for board in boards)
    assert merge([]).rows.is_empty()


def test_two_runs_and_two_processes_give_the_same_bytes():
    code = (
        "from tests.evaluation.leaderboard.test_rows import *\n"
        "print(as_json(leaderboard(example_source(), QUICK)), end='')"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    here = [as_json(leaderboard(example_source(), QUICK)) for _ in range(2)]
    assert here == [other.stdout] * 2


def test_another_seed_gives_other_intervals_but_the_same_values():
    one, two = (
        leaderboard(example_source(), Settings(seed=seed, resamples=99, flips=99)).rows
        for seed in (0, 1)
    )
    assert one["value"].equals(two["value"])
    assert not one["ci95"].equals(two["ci95"])
