"""Fusion of several strategies' lists."""

import numpy as np
import pytest

from hebb_lab.memory.strategies.fusion import fused
from hebb_lab.memory.strategies.strategy import Found
from tests.memory.strategies.small import BARE


def listed(*pairs, k=3):
    rows, relevance = np.full((1, k), -1, np.int64), np.zeros((1, k), np.float32)
    for rank, (row, value) in enumerate(pairs):
        rows[0, rank], relevance[0, rank] = row, value
    return Found(rows, relevance)


ONE, OTHER = listed((4, 0.9), (2, 0.5), (7, 0.1)), listed((2, 0.6), (5, 0.2))


def values(rule, *lists):
    got = fused(lists, 10, BARE.change(fusion=rule))
    return dict(zip(got.flat.row.tolist(), got.flat.value.tolist(), strict=True)), got


def test_max_keeps_the_best_relevance():
    assert values("max", ONE, OTHER)[0] == pytest.approx({4: 0.9, 2: 0.6, 7: 0.1, 5: 0.2})


def test_reciprocal_ranks_are_summed_and_1_is_first_in_every_list():
    first, second, third = 1.0, 61 / 62, 61 / 63
    assert values("rrf", ONE, OTHER)[0] == pytest.approx(
        {4: first / 2, 2: (second + first) / 2, 7: third / 2, 5: second / 2}
    )
    assert values("rrf", ONE, ONE)[0][4] == pytest.approx(1)


def test_normalised_lists_run_from_0_to_1_and_are_averaged():
    assert values("normalised", ONE, OTHER)[0] == pytest.approx(
        {4: 0.5, 2: 0.25 + 0.5, 7: 0.0, 5: 0.0}
    )
    assert values("normalised", listed((1, 0.3)), listed())[0] == pytest.approx({1: 0.5})


@pytest.mark.parametrize("rule", ["max", "rrf", "normalised"])
def test_one_list_alone_keeps_its_relevances(rule):
    assert values(rule, ONE)[0] == pytest.approx({4: 0.9, 2: 0.5, 7: 0.1})


def test_bits_say_which_lists_had_a_memory():
    got = values("max", ONE, OTHER)[1]
    assert dict(zip(got.flat.row.tolist(), got.found_by.tolist(), strict=True)) == {
        2: 3, 4: 1, 5: 2, 7: 1,
    }  # fmt: skip
