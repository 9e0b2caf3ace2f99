from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.evaluation.judge import rank_by_score
from hebb_lab.recall import floors
from hebb_lab.records import Truth
from tests.recall.asking import (
    assert_answers_are_allowed,
    assert_blind_to_the_future,
    queries_at,
    some_queries,
    some_touches,
    touches_from,
)


def at_random(touches, queries, k=7, seed=3):
    rng = np.random.default_rng(seed)
    return floors.random_ranking(queries, touches.nodes, touches.born_us(), k, rng)


RANKERS = {
    "random": at_random,
    "popularity": lambda touches, queries: floors.popularity(queries, touches, 7),
    "recency": lambda touches, queries: floors.recency(queries, touches, 7),
}


@pytest.fixture
def log():
    rng = np.random.default_rng(0)
    touches = some_touches(rng)
    return touches, some_queries(touches, rng)


@pytest.mark.parametrize("rank", RANKERS.values(), ids=RANKERS)
def test_a_floor_sees_nothing_of_the_future(rank, log):
    assert_blind_to_the_future(rank, *log)


@pytest.mark.parametrize("rank", RANKERS.values(), ids=RANKERS)
def test_a_floor_answers_with_known_nodes_that_are_not_excluded(rank, log):
    touches, queries = log
    assert_answers_are_allowed(rank(touches, queries), queries, touches.born_us())


@pytest.mark.parametrize("rank", RANKERS.values(), ids=RANKERS)
def test_a_floor_refuses_queries_that_go_back_in_time(rank, log):
    with pytest.raises(ValueError, match="earlier"):
        rank(log[0], queries_at([9, 8]))


def test_popularity_and_recency_are_what_counting_the_past_gives(log):
    touches, queries = log
    popular, recent = floors.popularity(queries, touches, 7), floors.recency(queries, touches, 7)
    for q, now in enumerate(queries.time_us):
        past = touches.node[touches.time_us < now].tolist()
        barred = queries.exclude_ids[queries.exclude_ptr[q] : queries.exclude_ptr[q + 1]].tolist()
        counts = Counter(past)
        last = {node: i + 1 for i, node in enumerate(past)}
        for ranking, scores in ((popular, counts), (recent, last)):
            nodes = [node for node in scores if node not in barred]
            expected = rank_by_score(nodes, [scores[node] for node in nodes])[:7].tolist()
            assert ranking.ids[q, : len(expected)].tolist() == expected
            assert ranking.scores[q, : len(expected)].tolist() == [scores[n] for n in expected]


def test_more_touches_than_float32_can_count_are_refused(log, monkeypatch):
    touches, queries = log
    monkeypatch.setattr(floors, "FLOAT32_EXACT", len(touches) - 1)
    with pytest.raises(InputError, match="exact up to 399 touches; the log has 400"):
        floors.recency(queries, touches, 5)


def test_asking_for_no_nodes_gives_an_empty_ranking(log):
    touches, queries = log
    for rank in (floors.popularity, floors.recency):
        assert rank(queries, touches, 0).ids.shape == (len(queries), 0)


def test_random_orders_are_uniform_and_another_seed_gives_another_order():
    touches = touches_from("abcd", [0, 1, 2, 3], [0, 1, 2, 3])
    queries = queries_at([10] * 4000, excluded=[[3]] * 4000)
    ranking = at_random(touches, queries, k=3)
    orders = Counter(map(tuple, ranking.ids.tolist()))
    assert len(orders) == 6  # all orders of the three that may be answers
    assert max(orders.values()) < 2 * min(orders.values())
    assert (ranking.scores == [3, 2, 1]).all()
    assert ranking.sha256() == at_random(touches, queries, k=3).sha256()
    assert ranking.sha256() != at_random(touches, queries, k=3, seed=4).sha256()


def truth_of(rows, nodes):
    """Truth from a list of {name index: probability} a row."""
    return Truth(
        row_ptr=np.cumsum([0, *map(len, rows)]),
        node=np.array([node for row in rows for node in row], np.int32),
        probability=np.array([p for row in rows for p in row.values()], np.float32),
        nodes=nodes,
        pairs=np.zeros((0, 2), np.int32),
        half_life_days=np.zeros(0),
    )


def test_the_oracle_ranks_by_the_true_probability_and_breaks_ties_by_id():
    touches = touches_from("abcd", [0, 1, 2, 3, 0], [0, 1, 2, 3, 9])
    truth = truth_of([{}, {}, {}, {}, {2: 0.4, 0: 0.3, 1: 0.3, 3: 0.0}], ("d", "a", "c", "b"))
    ranking = floors.oracle(queries_at([9], rows=[4]), truth, touches, 5)
    assert ranking.ids.tolist() == [[2, 3, 0, -1, -1]]  # c .4, then d and a, .3 each


def test_the_oracle_gives_no_unknown_excluded_or_untouched_node_and_no_answer_without_event():
    touches = touches_from("abcd", [0, 1, 2, 3], [0, 1, 5, 9])
    row = {0: 0.4, 1: 0.3, 2: 0.2, 3: 0.1}
    truth = truth_of([row] * 4, ("never touched", "c", "b", "a"))
    queries = queries_at([5, 5, 9], excluded=[[], [], [0]], rows=[2, -1, 3])
    ranking = floors.oracle(queries, truth, touches, 2)
    assert ranking.ids.tolist() == [[1, 0], [-1, -1], [2, 1]]
    assert_answers_are_allowed(ranking, queries, touches.born_us())


def test_the_oracle_of_one_query_does_not_depend_on_later_touches(log):
    touches, queries = log
    queries = replace(queries, event_row=np.searchsorted(touches.time_us, queries.time_us))
    rng = np.random.default_rng(1)
    rows = [
        {int(n): float(p) for n, p in zip(rng.permutation(60)[:9], rng.random(9), strict=True)}
        for _ in range(len(touches))
    ]
    truth = truth_of(rows, touches.nodes)
    assert_blind_to_the_future(lambda t, q: floors.oracle(q, truth, t, 5), touches, queries)
