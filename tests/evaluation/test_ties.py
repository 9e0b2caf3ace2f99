"""What the order of equal scores can change, against every order there is."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.evaluation import MEASURES, judge, parse
from hebb_lab.evaluation.judge import judgements_from_ranks
from hebb_lab.records import Qrels, Ranking

NAMES = [
    text
    for name, definition in ((name, MEASURES[name]) for name in MEASURES)
    for text in (
        *([f"{name}@{k}" for k in (1, 2, 3, 5)] if definition.cutoff != "none" else []),
        *([name] if definition.cutoff != "required" else []),
    )
] + ["nDCG(gain=exp)@3", "R(rel=2)@3", "AP(rel=2)", "RR(rel=3)"]

scores = st.sampled_from([0.25, 0.5, 1.0])
answers = st.dictionaries(st.integers(0, 11), scores, max_size=12)
truths = st.dictionaries(st.integers(0, 14), st.integers(1, 3), max_size=6)
few_answers = st.dictionaries(st.integers(0, 6), scores, max_size=6)
few_truths = st.dictionaries(st.integers(0, 7), st.integers(1, 3), min_size=1, max_size=4)


def ordered(answer):
    """Node ids by the tie rule."""
    return sorted(answer, key=lambda node: (answer[node], node), reverse=True)


def judged(cases, depth=14):
    """Judgements of (answer: id → score, truth: id → grade) pairs."""
    ids = np.full((len(cases), depth), -1, np.int32)
    values = np.full((len(cases), depth), -np.inf, np.float32)
    for q, (answer, _) in enumerate(cases):
        best = ordered(answer)[:depth]
        ids[q, : len(best)], values[q, : len(best)] = best, [answer[node] for node in best]
    flat = np.array([pair for _, truth in cases for pair in truth.items()], np.int32)
    pointers = np.cumsum([0, *(len(truth) for _, truth in cases)], dtype=np.int64)
    qrels = Qrels(pointers, *flat.reshape(-1, 2).T)
    return judge(Ranking(ids, values), qrels, np.ones(20, np.int32))


def every_order(answer, truth):
    """Judgements of all orders of the nodes of equal score, one a query."""
    best = ordered(answer)
    groups = [[n for n in best if answer[n] == s] for s in sorted(set(answer.values()))[::-1]]
    ranks, grades = [], []
    for parts in product(*(permutations(group) for group in groups)):
        order = [node for part in parts for node in part]
        found = sorted((order.index(n) + 1, g) for n, g in truth.items() if n in order)
        lost = [(0, g) for n, g in truth.items() if n not in order]
        ranks.append([rank for rank, _ in found + lost])
        grades.append([grade for _, grade in found + lost])
    return judgements_from_ranks(ranks, grades)


@given(st.lists(st.tuples(answers, truths), min_size=1, max_size=5))
def test_no_measure_leaves_the_band_between_the_worst_and_the_best_order(cases):
    found = judged(cases)
    worst, best = found.with_ranks(found.pessimistic), found.with_ranks(found.optimistic)
    for text in NAMES:
        low, value, high = (parse(text)(ranks) for ranks in (worst, found, best))
        assert (low <= value + 1e-12).all(), text
        assert (value <= high + 1e-12).all(), text


@settings(max_examples=60)
@given(few_answers, few_truths)
def test_the_band_ends_where_the_least_and_the_most_of_all_orders_are(answer, truth):
    found, orders = judged([(answer, truth)]), every_order(answer, truth)
    for text in NAMES:
        measure = parse(text)
        all_values = measure(orders)
        ends = [measure(found.with_ranks(r))[0] for r in (found.pessimistic, found.optimistic)]
        assert ends == pytest.approx([all_values.min(), all_values.max()], abs=1e-12), text


@given(st.lists(st.tuples(answers, truths), min_size=1, max_size=4))
def test_without_ties_every_order_is_the_one_there_is(cases):
    apart = [({n: s + n / 100 for n, s in answer.items()}, truth) for answer, truth in cases]
    found = judged(apart)
    assert found.optimistic.tolist() == found.pessimistic.tolist() == found.ranks.tolist()


@given(st.lists(st.tuples(answers, truths), min_size=1, max_size=4))
def test_ranks_in_either_order_are_distinct_and_those_of_retrieved_nodes(cases):
    found = judged(cases)
    for ranks in (found.optimistic, found.pessimistic):
        assert ((ranks > 0) == (found.ranks > 0)).all()
        for q in range(len(found)):
            own = ranks[found.ptr[q] : found.ptr[q + 1]]
            assert len(set(own[own > 0])) == (own > 0).sum()
            assert own.max(initial=0) <= found.returned[q]


def test_a_group_gives_its_first_places_to_the_best_grades_and_its_last_ones_in_the_worst_order():
    answer = {9: 0.9, 8: 0.5, 7: 0.5, 6: 0.5, 5: 0.5, 1: 0.1}
    found = judged([(answer, {9: 1, 8: 1, 5: 3, 1: 2, 12: 1})])
    assert found.ranks.tolist() == [1, 2, 5, 6, 0]
    assert found.grades.tolist() == [1, 1, 3, 2, 1]
    assert found.optimistic.tolist() == [1, 3, 2, 6, 0]
    assert found.pessimistic.tolist() == [1, 4, 5, 6, 0]


def test_of_a_tie_beyond_the_depth_only_the_part_inside_is_seen():
    answer = dict.fromkeys(range(6), 0.5)
    found = judged([(answer, {3: 1, 0: 1})], depth=4)  # 5, 4, 3, 2 are ranked
    assert found.ranks.tolist() == [3, 0]
    assert found.optimistic.tolist() == [1, 0]
    assert found.pessimistic.tolist() == [4, 0]


def test_rankings_without_room_have_no_ties():
    found = judged([({}, {1: 1})], depth=0)
    assert found.optimistic.tolist() == found.pessimistic.tolist() == [0]


def test_padding_is_tied_with_nothing_not_even_with_a_node_of_score_minus_infinity():
    ranking = Ranking(np.array([[2, 1, -1]], np.int32), np.full((1, 3), -np.inf, np.float32))
    qrels = Qrels(np.array([0, 1]), np.array([2], np.int32), np.array([1], np.int32))
    assert judge(ranking, qrels, np.ones(3, np.int32)).pessimistic.tolist() == [2]
