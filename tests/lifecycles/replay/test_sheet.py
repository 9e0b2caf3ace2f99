"""Answers as rankings of nodes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.evaluation.judge import assert_ranked, rank_by_score
from hebb_lab.lifecycles.replay.sheet import Sheet, ranked
from hebb_lab.records import Ranking


@given(st.lists(st.tuples(st.integers(-1, 6), st.sampled_from([0.0, 0.25, 0.5, 1.0])), min_size=1,
                max_size=12))  # fmt: skip
def test_each_node_stands_once_with_its_best_score_in_the_order_of_the_house(found):
    nodes = np.array([[node for node, _ in found]], np.int32)
    scores = np.array([[score if node >= 0 else -np.inf for node, score in found]], np.float32)
    ids, values = ranked(nodes, scores)
    assert_ranked(Ranking(ids, values))
    best = {}
    for node, score in found:
        if node >= 0:
            best[node] = max(best.get(node, -1.0), score)
    wanted = rank_by_score(list(best), list(best.values())) if best else np.zeros(0)
    assert ids[0][ids[0] >= 0].tolist() == wanted.tolist()


def test_what_is_no_answer_is_left_out_and_the_rest_moves_up():
    sheet = Sheet.blank(2, 3, 2)
    nodes = np.array([[5, 4, 3]], np.int32)
    scores = np.array([[0.9, 0.8, 0.7]], np.float32)
    hidden = [np.zeros(0, np.int32), np.array([5], np.int32), np.zeros(0, np.int32)]
    sheet.fill(1, np.array([1]), nodes, scores, hidden)
    ranking = sheet.ranking(1, np.array([1, 0]))
    assert ranking.ids.tolist() == [[4, 3], [-1, -1]]
    assert ranking.scores[0].tolist() == pytest.approx([0.8, 0.7])
    assert (sheet.ids[0] == -1).all()
