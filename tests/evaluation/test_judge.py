"""The tie rule, and the ranks of the relevant nodes under it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.evaluation.judge import (
    assert_ranked,
    judge,
    judgements_from_ranks,
    rank_by_score,
    tie_at_cut,
    tokens_at_cut,
)
from hebb_lab.records import Qrels, Ranking

scored = st.lists(
    st.tuples(st.integers(0, 30), st.sampled_from([0.0, 0.25, 0.5, 1.0])),
    unique_by=lambda pair: pair[0],
)


def ranking_of(*rows, depth=None):
    """A Ranking from rows of (id, score), ordered by plain Python."""
    depth = depth or max(map(len, rows))
    ids = np.full((len(rows), depth), -1, np.int32)
    scores = np.full((len(rows), depth), -np.inf, np.float32)
    for q, row in enumerate(rows):
        best = sorted(row, key=lambda pair: (pair[1], pair[0]), reverse=True)[:depth]
        for r, (node, score) in enumerate(best):
            ids[q, r], scores[q, r] = node, score
    return Ranking(ids, scores)


def qrels_of(*rows):
    """Qrels from rows of {id: grade}."""
    flat = [pair for row in rows for pair in row.items()]
    return Qrels(
        np.cumsum([0, *map(len, rows)], dtype=np.int64),
        np.array([node for node, _ in flat], np.int32),
        np.array([grade for _, grade in flat], np.int32),
    )


@given(scored)
def test_the_order_is_that_of_sorted_pairs(pairs):
    expected = [n for n, _ in sorted(pairs, key=lambda pair: (-pair[1], -pair[0]))]
    ids, scores = [n for n, _ in pairs], [s for _, s in pairs]
    assert rank_by_score(ids, scores).tolist() == expected


@given(scored, st.randoms(use_true_random=False))
def test_the_order_of_arrival_changes_nothing(pairs, random):
    shuffled = random.sample(pairs, len(pairs))
    orders = [
        rank_by_score([n for n, _ in p], [s for _, s in p]).tolist() for p in (pairs, shuffled)
    ]
    assert orders[0] == orders[1]


def test_scores_that_differ_only_in_double_precision_are_tied():
    assert rank_by_score([1, 2], [1.00000001, 1.0]).tolist() == [2, 1]


@pytest.mark.parametrize(("ids", "scores"), [([1, 2], [0.5, np.nan]), ([1, 1], [0.5, 0.4])])
def test_nan_and_duplicates_are_errors_of_a_single_ranking(ids, scores):
    with pytest.raises(ValueError, match=r"NaN|twice"):
        rank_by_score(ids, scores)


@pytest.mark.parametrize(
    ("ids", "scores", "said"),
    [
        ([4, 3], [0.5, np.nan], "NaN"),
        ([-1, 3], [-np.inf, 0.5], "gap"),
        ([4, 3], [0.5, 0.6], "descending order"),
        ([3, 4], [0.5, 0.5], "tie"),
        ([4, 4], [0.6, 0.5], "twice"),
    ],
)
def test_a_ranking_that_breaks_a_rule_is_refused_with_its_row(ids, scores, said):
    good = ranking_of([(9, 1.0), (8, 0.5)])
    bad = Ranking(
        np.vstack([good.ids, np.array([ids], np.int32)]),
        np.vstack([good.scores, np.array([scores], np.float32)]),
    )
    assert_ranked(good)
    with pytest.raises(ValueError, match=f"row 1 .*{said}"):
        assert_ranked(bad)


@given(
    st.lists(st.tuples(scored, st.dictionaries(st.integers(0, 30), st.integers(1, 3))), min_size=1)
)
def test_ranks_and_tokens_are_those_of_a_plain_look_up(cases):
    ranking = ranking_of(*[pairs for pairs, _ in cases], depth=12)
    cost = np.arange(100, 131, dtype=np.int32)
    judged = judge(ranking, qrels_of(*[gold for _, gold in cases]), cost)
    for q, (_, gold) in enumerate(cases):
        order = [n for n in ranking.ids[q].tolist() if n >= 0]
        found = sorted(
            (order.index(n) + 1, g, sum(cost[m] for m in order[: order.index(n) + 1]))
            for n, g in gold.items()
            if n in order
        )
        lost = [(0, g, 0) for n, g in gold.items() if n not in order]
        part = slice(judged.ptr[q], judged.ptr[q + 1])
        got = list(zip(judged.ranks[part], judged.grades[part], judged.tokens[part], strict=True))
        assert got == found + lost
        assert judged.returned[q] == len(order)


def test_an_empty_ranking_and_an_empty_truth_are_judged():
    judged = judge(ranking_of([], [], depth=3), qrels_of({1: 1}, {}), np.ones(5, np.int32))
    assert judged.ranks.tolist() == [0]
    assert judged.returned.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("gold", "said"), [({1: 0}, "grade"), ({9: 1}, "outside"), ({-1: 1}, "outside")]
)
def test_a_truth_that_means_nothing_is_refused(gold, said):
    with pytest.raises(ValueError, match=said):
        judge(ranking_of([(1, 0.5)]), qrels_of(gold), np.ones(5, np.int32))


def test_a_relevant_node_listed_twice_is_refused():
    doubled = Qrels(np.array([0, 2]), np.array([1, 1], np.int32), np.array([1, 1], np.int32))
    with pytest.raises(ValueError, match="listed twice"):
        judge(ranking_of([(1, 0.5)]), doubled, np.ones(5, np.int32))


def test_rankings_and_qrels_of_different_length_are_refused():
    with pytest.raises(ValueError, match="2 rankings for 1 queries"):
        judge(ranking_of([(1, 0.5)], [(1, 0.5)]), qrels_of({1: 1}), np.ones(5, np.int32))


def test_a_tie_counts_only_where_the_cut_goes_through_it():
    tied_at_two = [(5, 0.9), (4, 0.5), (3, 0.5), (2, 0.1)]
    ended = [(5, 0.9), (4, 0.5)]
    ranking = ranking_of(tied_at_two, ended)
    assert [tie_at_cut(ranking, k).tolist() for k in (1, 2, 3)] == [
        [False, False],
        [True, False],
        [False, False],
    ]


def test_a_tie_that_nobody_can_see_is_an_error():
    with pytest.raises(ValueError, match="at least 3 nodes"):
        tie_at_cut(ranking_of([(5, 0.9), (4, 0.5)]), 2)
    assert tie_at_cut(ranking_of([(5, 0.9)], depth=2), 2).tolist() == [False]


def test_tokens_at_a_cut_beyond_the_ranking_are_those_of_all_nodes():
    ranking = ranking_of([(2, 0.9), (1, 0.5)], [])
    cost = np.array([1, 10, 100], np.int32)
    assert tokens_at_cut(ranking, cost, 1).tolist() == [100.0, 0.0]
    assert tokens_at_cut(ranking, cost, 50).tolist() == [110.0, 0.0]


def test_hand_written_judgements_have_the_shape_of_judged_ones():
    judged = judgements_from_ranks([[1, 0], []], grades=[[2, 1], []])
    assert judged.ptr.tolist() == [0, 2, 2]
    assert judged.returned.tolist() == [1, 0]
