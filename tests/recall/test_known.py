import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.evaluation.judge import rank_by_score
from hebb_lab.recall.known import Births, empty_ranking, fill_best
from tests.recall.asking import queries_at


def test_a_node_born_at_the_very_time_of_a_query_is_not_known():
    births = Births.of(np.array([20, 10, 20, 30]))
    assert births.known(queries_at([10, 11, 20, 21, 99])).tolist() == [0, 1, 1, 3, 4]
    assert births.node.tolist() == [1, 0, 2, 3]


def test_queries_that_go_back_in_time_are_refused():
    with pytest.raises(ValueError, match="query 2 is earlier"):
        Births.of(np.array([1])).known(queries_at([5, 9, 8]))


@given(
    st.lists(st.sampled_from([-1.0, 0.0, 0.25, 0.5, 2.0]), max_size=30),
    st.integers(0, 12),
    st.randoms(),
)
def test_the_best_are_those_of_the_one_tie_rule_in_any_order(scores, k, random):
    nodes = list(range(len(scores)))
    random.shuffle(nodes)
    ranking = empty_ranking(1, k)
    values = np.array(scores, np.float32)
    written = fill_best(ranking, 0, np.array(nodes, np.int64), values)
    expected = rank_by_score(nodes, values)[:k]
    assert written == len(expected)
    assert ranking.ids[0, :written].tolist() == expected.tolist()
    assert (ranking.ids[0, written:] == -1).all()
    assert np.isneginf(ranking.scores[0, written:]).all()
