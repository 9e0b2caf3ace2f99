"""Each measure against pytrec_eval, and the laws that hold for all of them."""

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.evaluation import MEASURES, judge, parse
from hebb_lab.evaluation.judge import judgements_from_ranks
from hebb_lab.records import Qrels, Ranking

ORACLE = {  # ours → pytrec_eval's (measure asked for, key in the answer)
    "P@5": ("P.5", "P_5"),
    "R@5": ("recall.5", "recall_5"),
    "any@5": ("success.5", "success_5"),
    "Rprec": ("Rprec", "Rprec"),
    "RR": ("recip_rank", "recip_rank"),
    "AP": ("map", "map"),
    "AP@5": ("map_cut.5", "map_cut_5"),
    "nDCG": ("ndcg", "ndcg"),
    "nDCG@5": ("ndcg_cut.5", "ndcg_cut_5"),
    "hits": ("num_rel_ret", "num_rel_ret"),
}
OTHERWISE = {"R_cap", "all"}  # trec_eval has none of the kind; tested by hand below
NODES = 24


def random_case(rng):
    """One query: a tie-heavy run in random order, and qrels with grades from −1 to 3."""
    found = rng.permutation(NODES)[: rng.integers(0, NODES + 1)]
    run = {
        int(n): float(s)
        for n, s in zip(found, rng.choice([0.0, 0.5, 1.0, 2.0], len(found)), strict=True)
    }
    judged = rng.permutation(NODES)[: rng.integers(1, NODES)]
    return run, {
        int(n): int(g) for n, g in zip(judged, rng.integers(-1, 4, len(judged)), strict=True)
    }


def name(node):
    """Zero-padded, so that the order of names is that of ids."""
    return f"n{node:03d}"


def judge_cases(cases):
    """Rankings and Qrels of the cases by way of our own records; negative grades are dropped."""
    ids = np.full((len(cases), NODES), -1, np.int32)
    scores = np.full((len(cases), NODES), -np.inf, np.float32)
    for q, (run, _) in enumerate(cases):
        best = sorted(run, key=lambda n: (run[n], n), reverse=True)
        ids[q, : len(best)] = best
        scores[q, : len(best)] = [run[n] for n in best]
    gold = [[(n, g) for n, g in truth.items() if g > 0] for _, truth in cases]
    flat = np.array([pair for row in gold for pair in row], np.int32).reshape(-1, 2)
    qrels = Qrels(np.cumsum([0, *map(len, gold)], dtype=np.int64), flat[:, 0], flat[:, 1])
    return judge(Ranking(ids, scores), qrels, np.ones(NODES, np.int32))


@pytest.fixture(scope="module")
def cases():
    rng = np.random.default_rng(20260101)
    return [random_case(rng) for _ in range(3000)]


def oracle_scores(cases, asked, key, level=1):
    qrels = {f"q{i}": {name(n): g for n, g in truth.items()} for i, (_, truth) in enumerate(cases)}
    run = {f"q{i}": {name(n): s for n, s in found.items()} for i, (found, _) in enumerate(cases)}
    answer = pytrec_eval.RelevanceEvaluator(qrels, {asked}, relevance_level=level).evaluate(run)
    return np.array([answer.get(f"q{i}", {key: 0.0})[key] for i in range(len(cases))])


@pytest.mark.parametrize("measure", ORACLE)
def test_three_thousand_tie_heavy_queries_score_as_in_trec_eval(cases, measure):
    ours = parse(measure)(judge_cases(cases))
    assert np.abs(ours - oracle_scores(cases, *ORACLE[measure])).max() < 1e-9


@pytest.mark.parametrize("measure", ["P", "R", "any", "RR", "AP"])
def test_a_relevance_level_scores_as_in_trec_eval(cases, measure):
    cut = "" if measure in ("RR", "AP") else "@5"
    ours = parse(f"{measure}(rel=2){cut}")(judge_cases(cases))
    oracle = oracle_scores(cases, *ORACLE[measure + cut], level=2)
    assert np.abs(ours - oracle).max() < 1e-9


def test_exponential_gain_is_linear_gain_of_remapped_grades(cases):
    remapped = [(run, {n: 2**g - 1 for n, g in gold.items() if g > 0}) for run, gold in cases]
    ours = parse("nDCG(gain=exp)@5")(judge_cases(cases))
    assert np.abs(ours - parse("nDCG@5")(judge_cases(remapped))).max() < 1e-12


def test_every_registered_measure_has_an_oracle_or_a_test_by_hand():
    assert {parse(text).name for text in ORACLE} | OTHERWISE == set(MEASURES)


def test_capped_recall_and_all_hits_by_hand():
    judged = judgements_from_ranks([[1, 2, 9], [3, 4], [1, 0], []])
    assert parse("R_cap@2")(judged).tolist() == [1.0, 0.0, 0.5, 0.0]
    assert parse("all@4")(judged).tolist() == [0.0, 1.0, 0.0, 0.0]


def test_reciprocal_rank_is_cut_below_k():
    judged = judgements_from_ranks([[4], [5], [0]])
    assert parse("RR@4")(judged).tolist() == [0.25, 0.0, 0.0]


def test_queries_with_nothing_relevant_or_nothing_returned_count_zero():
    judged = judgements_from_ranks([[], [0, 0], [1]], returned=[5, 0, 1])
    for text in [*ORACLE, "R_cap@5", "all@5"]:
        assert parse(text)(judged)[:2].tolist() == [0.0, 0.0], text


ranks = st.lists(st.lists(st.integers(0, 40), unique=True, max_size=8), min_size=1, max_size=6).map(
    lambda rows: [sorted(r, key=lambda x: (x == 0, x)) for r in rows]
)
every_name = [*ORACLE, "R_cap@5", "all@5", "nDCG(gain=exp)@3", "RR@5", "R"]


@given(ranks, st.data())
def test_the_order_of_queries_changes_no_score(rows, data):
    order = data.draw(st.permutations(range(len(rows))))
    for text in every_name:
        whole = parse(text)(judgements_from_ranks(rows))
        moved = parse(text)(judgements_from_ranks([rows[i] for i in order]))
        assert moved.tolist() == whole[list(order)].tolist(), text


@given(ranks)
def test_a_tail_of_nodes_that_are_not_relevant_changes_no_score(rows):
    short = judgements_from_ranks(rows)
    long = judgements_from_ranks(rows, returned=[99] * len(rows))
    for text in every_name:
        assert parse(text)(short).tolist() == parse(text)(long).tolist(), text


@given(ranks)
def test_a_cut_below_the_last_node_is_no_cut(rows):
    judged = judgements_from_ranks(rows)
    for base in ("R", "AP", "RR", "nDCG", "hits"):
        cut = parse(f"{base}@40")(judged)
        assert np.abs(cut - parse(base)(judged)).max() < 1e-12, base


@given(ranks)
def test_shares_stay_between_zero_and_one_and_recall_grows_with_k(rows):
    judged = judgements_from_ranks(rows)
    for text in every_name:
        values = parse(text)(judged)
        assert (values >= 0).all(), text
        assert text == "hits" or (values <= 1 + 1e-12).all(), text
    assert (parse("R@4")(judged) <= parse("R@5")(judged)).all()


@given(ranks, st.integers(1, 40))
def test_no_share_of_the_relevant_exceeds_any_hit_nor_falls_below_all(rows, k):
    judged = judgements_from_ranks(rows)
    recall = parse(f"R@{k}")(judged)
    assert (recall <= parse(f"any@{k}")(judged)).all()
    assert (recall >= parse(f"all@{k}")(judged)).all()
