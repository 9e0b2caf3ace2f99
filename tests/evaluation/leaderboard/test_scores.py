"""Per-query rows: nothing is lost on the way to scores, and gaps count."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.errors import InputError
from hebb_lab.evaluation import parse
from hebb_lab.evaluation.judge import judgements_from_ranks
from hebb_lab.evaluation.leaderboard.scores import (
    align,
    judgements_of,
    per_query_frame,
    score_task,
)
from hebb_lab.runs import PER_QUERY_SCHEMA

from .example import example_rows

MEASURES = [parse("R@10"), parse("nDCG@10")]


def rows_of(ranks, grades=None):
    judged = judgements_from_ranks(ranks, grades)
    count = len(ranks)
    names = [f"q{i}" for i in range(count)]
    zero, no = [0] * count, [False] * count
    return per_query_frame("t", "a", names, range(count), judged, zero, no, edges=zero)


def test_the_columns_are_those_that_a_run_folder_stores():
    assert rows_of([[1, 0], []]).schema == pl.Schema(PER_QUERY_SCHEMA)
    assert rows_of([]).schema == pl.Schema(PER_QUERY_SCHEMA)


@given(st.lists(st.lists(st.integers(1, 9), unique=True, max_size=4).map(sorted), max_size=6))
def test_judgements_come_back_from_rows_as_they_went_in(ranks):
    grades = [[rank % 3 + 1 for rank in row] for row in ranks]
    back, first = judgements_of(rows_of(ranks, grades)), judgements_from_ranks(ranks, grades)
    for name in ("ptr", "ranks", "grades", "tokens", "returned", "optimistic", "pessimistic"):
        assert getattr(back, name).tolist() == getattr(first, name).tolist(), name


def test_scores_are_those_of_each_arm_by_itself():
    rows = example_rows()
    found = score_task(rows, ["arm2", "arm0"], MEASURES)
    for place, arm in enumerate(found.arms):
        for number, measure in enumerate(MEASURES):
            alone = measure(judgements_of(rows.filter(arm=arm)))
            assert found.scores[number, place].tolist() == alone.tolist()
    assert found.tokens.tolist() == [300.0, 100.0]
    assert found.ties.tolist() == pytest.approx([2 / 60, 0])
    assert found.edges.tolist() == [59.0, 0.0]


def test_edges_may_be_one_number_for_all_queries():
    judged = judgements_from_ranks([[1], [2]])
    rows = per_query_frame("t", "a", ["p", "q"], [0, 1], judged, [0, 0], [False] * 2, edges=3)
    assert rows["edges"].to_list() == [3, 3]


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_rows_changes_no_score(seed):
    rows = example_rows()
    found = [score_task(r, ["arm0", "arm1"], MEASURES) for r in (rows, rows.sample(
        fraction=1, shuffle=True, seed=seed))]  # fmt: skip
    assert found[0].scores.mean(axis=2) == pytest.approx(found[1].scores.mean(axis=2), abs=1e-12)


def test_a_query_that_an_arm_lacks_counts_zero_and_is_counted():
    rows = example_rows().filter((pl.col("arm") != "arm1") | (pl.col("query_id") != "q3"))
    found = score_task(rows, ["arm0", "arm1"], MEASURES)
    assert found.missing.tolist() == [0, 1]
    assert found.scores[:, 1, 3].tolist() == [0.0, 0.0]
    assert found.cluster.tolist() == rows.filter(arm="arm0")["cluster"].to_list()


def test_two_rows_for_one_query_are_refused():
    rows = example_rows()
    with pytest.raises(InputError, match="two rows"):
        align(pl.concat([rows, rows[:1]]), ["arm0"])


@pytest.mark.parametrize(
    "change",
    [
        {"cluster": pl.lit(99, pl.Int64)},
        {"grades": pl.lit([7], pl.List(pl.Int32))},
        {"grades": pl.col("grades").list.concat(pl.lit([1], pl.List(pl.Int32)))},
    ],
)
def test_arms_that_disagree_about_a_query_are_refused(change):
    rows = example_rows()
    odd = (pl.col("arm") == "arm1") & (pl.col("query_id") == "q5")
    changed = rows.with_columns(
        pl.when(odd).then(value).otherwise(pl.col(name)).alias(name)
        for name, value in change.items()
    )
    with pytest.raises(InputError, match=r"disagree about .* 'q5'"):
        align(changed, ["arm0", "arm1"])


def test_lists_of_different_length_are_refused():
    rows = rows_of([[1, 2]]).with_columns(grades=pl.lit([1], pl.List(pl.Int32)))
    with pytest.raises(InputError, match="differ in length"):
        judgements_of(rows)


def test_some_arms_can_be_selected():
    found = score_task(example_rows(), ["arm0", "arm1", "arm2"], MEASURES)
    part = found.select(["arm2"])
    assert part.arms == ("arm2",)
    assert np.array_equal(part.scores[:, 0], found.scores[:, 2])


def test_edges_that_are_not_counted_are_no_number():
    judged = judgements_from_ranks([[1], [2]])
    uncounted = per_query_frame(
        "t", "b", ["q", "p"], [1, 2], judged, [0, 0], [False, False], edges=None
    )
    counted = per_query_frame("t", "a", ["q", "p"], [1, 2], judged, [0, 0], [False, False], edges=4)
    assert uncounted.schema == pl.Schema(PER_QUERY_SCHEMA)
    found = score_task(pl.concat([counted, uncounted]), ["a", "b"], [parse("R@10")]).edges
    assert found[0] == 4.0
    assert np.isnan(found[1])
