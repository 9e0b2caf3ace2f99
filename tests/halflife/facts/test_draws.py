"""Draws: even, independent of each other, and of nothing but their keys."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.halflife.facts.draws import of_edges, uniform
from tests.halflife.made import QUIET


def test_draws_are_even_over_the_unit_interval():
    for seed in range(5):
        drawn = uniform(seed, np.arange(40_000))
        counts = np.histogram(drawn, 20, (0, 1))[0]
        # χ² with 19 degrees of freedom: 99.9 % lie below 43.8
        assert ((counts - 2000) ** 2 / 2000).sum() < 43.8
        assert drawn.min() >= 0
        assert drawn.max() < 1


def test_neighbouring_keys_and_places_of_keys_give_draws_that_have_nothing_in_common():
    one, two = uniform(0, np.arange(40_000)), uniform(0, np.arange(40_000) + 1)
    crossed = uniform(0, np.arange(40_000), 7), uniform(0, 7, np.arange(40_000))
    other_seed = uniform(1, np.arange(40_000))
    for a, b in ((one, two), crossed, (one, other_seed), (one, crossed[0])):
        assert abs(np.corrcoef(a, b)[0, 1]) < 0.02  # 4 standard errors
    assert abs(np.corrcoef(one[:-1], one[1:])[0, 1]) < 0.02


@QUIET
@given(st.integers(0, 2**70), st.lists(st.integers(-(2**62), 2**62), min_size=2, max_size=9))
def test_a_draw_is_what_it_is_whatever_is_drawn_beside_it(seed, keys):
    together = uniform(seed, keys, 3)
    alone = [uniform(seed, [key], 3)[0] for key in keys]
    assert together.tolist() == alone


def test_keys_are_broadcast():
    table = uniform(5, np.arange(3)[:, None], np.arange(4))
    assert table.shape == (3, 4)
    assert table[2, 1] == uniform(5, 2, 1)


def test_an_edges_number_does_not_move_when_others_are_named_before_it():
    birth = np.array([3, 0, 3, 1])
    more = np.array([9, 3, 0, 8, 3, 1])  # two that come later lie between them
    old = np.array([1, 2, 4, 5])
    assert (of_edges(0, birth, 7) == of_edges(0, more, 7)[old]).all()
    assert len(set(of_edges(0, more, 7))) == 6
