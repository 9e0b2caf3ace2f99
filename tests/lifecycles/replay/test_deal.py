"""Practice and test."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.lifecycles.replay.deal import dealt, drawn, papers
from tests.lifecycles.made import prepared_corpus, write_corpus


@given(st.lists(st.sampled_from("abcd"), max_size=40), st.integers(0, 9))
def test_each_cluster_gives_half_of_its_questions_to_either_side(groups, seed):
    practice = dealt(groups, np.random.default_rng(seed))
    sides = Counter(zip(groups, practice.tolist(), strict=True))
    for group in set(groups):
        assert abs(sides[group, True] - sides[group, False]) <= 1
    assert abs(int(practice.sum()) * 2 - len(groups)) <= 1


def test_the_same_seed_deals_the_same_and_another_deals_otherwise():
    groups = ["a"] * 20
    first, again, other = (dealt(groups, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


@pytest.mark.parametrize(("most", "count"), [(None, 9), (20, 9), (4, 4)])
def test_so_many_are_drawn_at_most_and_keep_their_order(most, count):
    rows = drawn(np.arange(9), most, np.random.default_rng(0))
    assert len(rows) == count
    assert (np.diff(rows) > 0).all()


def test_no_question_is_on_both_sides_and_what_is_left_out_is_counted(tmp_path):
    prepared, settings = prepared_corpus(write_corpus(tmp_path / "corpus"))
    tasks = prepared.tasks(settings.dataset.tasks, settings.evaluation.protocol)
    test, practice, left_out = papers(tasks, 5, np.random.default_rng(0))
    assert not set(test.ids) & set(practice.ids)
    assert (len(test.ids), len(practice.ids)) == (5, 5)
    assert left_out == {"question_to_evidence": 14}
    ids = tasks["question_to_evidence"].queries.query_ids
    assert [ids[place] for place in test.place] == list(test.ids)
