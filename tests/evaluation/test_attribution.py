"""Effects of parts: the Shapley axioms, and a count over all orders as oracle."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.errors import ConfigError
from hebb_lab.evaluation.attribution import METHODS, all_sets, attribute, effects, needed_sets

PARTS = ["decay", "floor", "hops", "hub"]


def random_game(seed, parts, queries=20):
    """Scores of every set of parts."""
    rng = np.random.default_rng(seed)
    return {held: rng.random(queries) for held in all_sets(parts)}


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_shapley_is_the_mean_over_all_orders(size):
    parts = PARTS[:size]
    game = random_game(size, parts)
    expected = np.zeros((size, 20))
    orders = list(permutations(parts))
    for order in orders:
        for step, part in enumerate(order):
            gain = game[frozenset(order[: step + 1])] - game[frozenset(order[:step])]
            expected[parts.index(part)] += gain / len(orders)
    assert np.abs(effects("shapley", game, parts) - expected).max() < 1e-12


@given(st.integers(0, 1000), st.integers(1, 5))
def test_shapley_values_and_ladder_steps_add_up_to_the_whole_difference(seed, size):
    parts = [f"p{i}" for i in range(size)]
    game = random_game(seed, parts)
    whole = game[frozenset(parts)] - game[frozenset()]
    for method in ("shapley", "ladder"):
        assert effects(method, game, parts).sum(axis=0) == pytest.approx(whole, abs=1e-12)


@given(st.integers(0, 1000))
def test_a_part_that_never_adds_anything_has_the_value_zero(seed):
    game = random_game(seed, PARTS)
    game = {held: game[held - {"hub"}] for held in game}
    for method in METHODS:
        assert np.abs(effects(method, game, PARTS)[3]).max() < 1e-12, method


@given(st.integers(0, 1000))
def test_two_parts_that_add_the_same_everywhere_have_the_same_value(seed):
    game = random_game(seed, PARTS)
    swap = {"hops": "hub", "hub": "hops"}
    game = {
        held: game[min(held, frozenset(swap.get(p, p) for p in held), key=sorted)] for held in game
    }
    found = effects("shapley", game, PARTS)
    assert found[2] == pytest.approx(found[3], abs=1e-12)


def test_one_change_leave_one_out_and_ladder_by_hand():
    value = {"": 0.0, "a": 0.25, "b": 0.5, "ab": 1.0}
    game = {frozenset(name): [score] for name, score in value.items()}
    assert effects("one_change", game, ["a", "b"]).tolist() == [[0.25], [0.5]]
    assert effects("leave_one_out", game, ["a", "b"]).tolist() == [[0.5], [0.75]]
    assert effects("ladder", game, ["a", "b"]).tolist() == [[0.25], [0.75]]
    assert effects("ladder", game, ["b", "a"]).tolist() == [[0.5], [0.5]]
    assert effects("shapley", game, ["a", "b"]).tolist() == [[0.375], [0.625]]


def test_each_method_asks_for_no_more_arms_than_it_needs():
    counts = {method: len(needed_sets(method, PARTS)) for method in METHODS}
    assert counts == {"one_change": 5, "leave_one_out": 5, "ladder": 5, "shapley": 16}
    for method in METHODS:
        game = random_game(0, PARTS)
        effects(method, {held: game[held] for held in needed_sets(method, PARTS)}, PARTS)


def test_a_missing_arm_is_named():
    game = random_game(0, PARTS)
    del game[frozenset({"decay", "hub"})]
    with pytest.raises(ConfigError, match=r"lacks the arms with \{decay, hub\}.*all 16"):
        effects("shapley", game, PARTS)


@pytest.mark.parametrize("parts", [[], ["a", "a"]])
def test_parts_are_distinct(parts):
    with pytest.raises(ConfigError, match="distinct"):
        effects("shapley", {}, parts)


def test_the_table_states_the_order_and_holds_the_effect_within_its_interval():
    game = random_game(3, PARTS, queries=200)
    table = attribute("ladder", game, np.arange(200) // 5, PARTS[::-1], np.random.default_rng(0))
    assert table["part"].to_list() == PARTS[::-1]
    assert table["step"].to_list() == [1, 2, 3, 4]
    assert (table["low"] < table["effect"]).all()
    assert (table["effect"] < table["high"]).all()


def test_one_cluster_gives_null_and_not_a_number():
    game = random_game(3, PARTS)
    table = attribute("shapley", game, np.zeros(20), PARTS, np.random.default_rng(0))
    assert table["low"].null_count() == table["high"].null_count() == 4
