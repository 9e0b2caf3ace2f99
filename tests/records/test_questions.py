"""Questions, gold and answers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.evaluation import assert_ranked
from hebb_lab.records import Judgements, Qrels, QuestionCues, Questions, Ranking


def ranking_of(rows, k):
    """[(id, score)] per query, already in house order."""
    ids, scores = (
        np.full((len(rows), k), -1, np.int32),
        np.full((len(rows), k), -np.inf, np.float32),
    )
    for q, row in enumerate(rows):
        for place, (node, score) in enumerate(row):
            ids[q, place], scores[q, place] = node, score
    return Ranking(ids, scores)


def test_a_ranking_can_be_cut_and_padded():
    ranking = ranking_of([[(3, 0.9), (1, 0.5)], []], 3)
    assert ranking.first(1).ids.tolist() == [[3], [-1]]
    assert ranking.padded(5).first(3).sha256() == ranking.sha256()
    assert ranking.padded(2).sha256() == ranking.sha256()
    assert len(ranking) == 2


def test_a_byte_of_a_score_changes_the_hash():
    ranking = ranking_of([[(3, 0.9)]], 1)
    other = ranking_of([[(3, np.nextafter(np.float32(0.9), np.float32(1)))]], 1)
    assert ranking.sha256() != other.sha256()


def assert_scaled_alike(ranking):
    """Rank 1 has 1, and neighbours are equal where they were equal."""
    scaled, held = ranking.scaled(), int((ranking.ids[0] >= 0).sum())
    assert_ranked(scaled)
    assert scaled.scores[0, 0] == 1.0
    np.testing.assert_array_equal(scaled.ids, ranking.ids)
    got, old = scaled.scores[0, :held], ranking.scores[0, :held]
    np.testing.assert_array_equal(np.diff(got) == 0, np.diff(old) == 0)
    np.testing.assert_allclose(got, old / old[0], rtol=3e-6)
    assert np.isneginf(scaled.scores[0, held:]).all()


def test_scores_that_division_would_round_together_stay_apart():
    scores = [np.float32(0.9999)]
    for _ in range(9):
        scores.append(np.nextafter(scores[-1], np.float32(0)))
    row = [(50, np.float32(1.999)), *((node, score) for node, score in enumerate(scores))]
    ranking = ranking_of([row], 12)
    assert len(set((ranking.scores[0, 1:11] / ranking.scores[0, 0]).tolist())) < 10
    assert_scaled_alike(ranking)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 99), st.floats(2.0**-20, 2.0**20, width=32)), min_size=1),
    st.integers(1, 6),
)
def test_scaling_gives_rank_1_the_score_1_and_keeps_order_and_ties(found, copies):
    scores = {node * copies + i: score for node, score in found for i in range(copies)}
    row = sorted(scores.items(), key=lambda item: (-item[1], -item[0]))
    assert_scaled_alike(ranking_of([row], len(row) + 2))


def test_a_query_without_an_answer_stays_without_one():
    assert ranking_of([[]], 2).scaled().sha256() == ranking_of([[]], 2).sha256()


def test_counts_are_differences_of_pointers():
    qrels = Qrels(np.array([0, 2, 2, 3]), np.zeros(3, np.int32), np.ones(3, np.int32))
    assert (len(qrels), qrels.counts().tolist()) == (3, [2, 0, 1])
    empty = np.zeros(0, np.int32)
    judged = Judgements(np.array([0, 1]), *[empty] * 6)
    assert len(judged) == 1


def test_judgements_at_other_ranks_are_sorted_again_and_keep_grades_and_tokens():
    judged = Judgements(
        ptr=np.array([0, 3, 4]),
        ranks=np.array([1, 2, 0, 5], np.int32),
        grades=np.array([1, 2, 3, 1], np.int32),
        tokens=np.array([10, 20, 0, 50], np.int32),
        returned=np.array([9, 9], np.int32),
        optimistic=np.array([2, 1, 0, 5], np.int32),
        pessimistic=np.array([1, 2, 0, 8], np.int32),
    )
    best = judged.with_ranks(judged.optimistic)
    assert best.ranks.tolist() == [1, 2, 0, 5]
    assert best.grades.tolist() == [2, 1, 3, 1]
    assert best.tokens.tolist() == [20, 10, 0, 50]
    assert best.pessimistic.tolist() == [2, 1, 0, 8]
    with pytest.raises(ValueError, match="1 ranks for 4 relevant nodes"):
        judged.with_ranks(judged.ranks[:1])


def test_questions_without_kinds_and_cues_have_empty_ones():
    asked = Questions(("q", "r"), ("who?", "why?"), (None, 7), ("g", "g"), (((), ()),) * 2)
    assert len(asked) == 2
    assert asked.category == ("", "")
    assert asked.cues == (QuestionCues(), QuestionCues())
    assert asked.cues[0].valence == (-np.inf, np.inf)
    assert (asked.corrected, asked.strays) == (None, 0)
