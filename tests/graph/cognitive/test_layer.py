"""What all layers have in common."""

import numpy as np

from hebb_lab.graph.cognitive.layer import CUE, Expansion, Seeds, distinct, empty_expansion
from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED


def test_rule_sets_are_told_apart_by_the_fields_that_are_asked_for():
    rules = [DOCUMENTED, DOCUMENTED.change(hebbian_gain=0.5), OBSERVED, DOCUMENTED]
    assert distinct(rules, ("walk",)) == ([DOCUMENTED, OBSERVED], [0, 0, 1, 0])
    assert distinct(rules, ("walk", "hebbian_gain"))[1] == [0, 1, 2, 0]
    assert distinct(rules, ()) == ([DOCUMENTED], [0, 0, 0, 0])
    assert distinct([], ("walk",)) == ([], [])


def test_an_empty_expansion_has_all_columns_of_their_types():
    empty = empty_expansion(3)
    assert len(empty) == 3
    assert [column.dtype for column in empty] == [
        np.int64, np.int32, np.float32, np.float32, np.int32, np.int8,
    ]  # fmt: skip
    assert empty.ptr.tolist() == [0, 0, 0, 0]


def test_seeds_and_expansions_count_queries():
    seeds = Seeds(np.array([0, 2, 2]), np.zeros(2, np.int32), np.ones(2, np.float32))
    assert len(seeds) == 2
    assert len(Expansion(np.array([0]), *empty_expansion(0)[1:])) == 0


def test_a_cue_is_no_memory():
    assert CUE < 0
