"""How a weight fades, compiled: the numbers of the page."""

import numpy as np
import pytest

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.kernels.cpu.decay import half_lives, learned_days, rule_table, weight_as_of
from hebb_lab.kernels.parameters import rule_arrays

DAY = 86_400_000_000
START = 20_000 * DAY
SPACES = ("personal", "shared", "ephemeral")


def table_of(rules):
    return rule_table(rule_arrays([rules], SPACES)[0])


def faded(rules, weight, count, days, space=0, half_life=0.0):
    now = START + round(days * DAY)
    return weight_as_of(table_of(rules), 0, space, weight, count, half_life, START, START, now)


@pytest.mark.parametrize(("space", "days"), [(0, 30), (1, 60), (2, 1)])
def test_a_weight_is_halved_after_the_half_life_of_its_namespace(space, days):
    weight, pruned = faded(DOCUMENTED.change(half_life="fixed"), 0.8, 1, days, space)
    assert weight == pytest.approx(0.4)
    assert not pruned


def test_a_weight_does_not_fade_in_no_time_nor_without_decay():
    assert faded(DOCUMENTED, 0.7, 1, 0)[0] == pytest.approx(0.7)
    assert faded(DOCUMENTED.change(half_life="none"), 0.7, 1, 4000)[0] == pytest.approx(0.7)


def test_a_proven_edge_keeps_the_floor_and_a_new_one_is_pruned():
    assert faded(DOCUMENTED, 0.9, 5, 4000) == (pytest.approx(0.20), False)
    assert faded(DOCUMENTED, 0.9, 4, 4000)[1]


def test_the_floor_lifts_a_weakened_edge_only_where_the_rules_say_so():
    assert faded(DOCUMENTED, 0.05, 5, 1)[0] == pytest.approx(0.05)
    lifting = DOCUMENTED.change(floor_lifts=True)
    assert faded(lifting, 0.05, 5, 1)[0] == pytest.approx(0.20)


@pytest.mark.parametrize(
    ("count", "days"), [(1, 13.2), (10, 50.9), (100, 85.6)]
)  # 3 + 117 · r/(1 + r), r = ln(1 + count/10)
def test_the_learned_half_life_grows_with_the_count(count, days):
    assert learned_days(count, 3.0, 120.0) == pytest.approx(days, abs=0.05)


def test_the_documented_half_life_goes_from_learned_to_default_as_the_edge_rests():
    table = table_of(DOCUMENTED)
    for age in (0.001, 30.0, 3000.0):
        confidence = 2.0 ** (-age / 30.0)
        half_life = (1 - confidence) * 30.0 + confidence * learned_days(1, 3.0, 120.0)
        got = half_lives(table, 0, 0, 1, 0.0, round(age * DAY))
        assert got == pytest.approx(age / half_life, rel=1e-9)


def test_compounding_passes_apply_the_whole_age_again_and_again():
    rules = OBSERVED.change(half_life="fixed", potentiation=False, prune_below=0.0)
    weight, _ = faded(rules, 1.0, 1, 4.5)
    assert weight == pytest.approx(2.0 ** (-(1 + 2 + 3 + 4) / 30))  # passes at midnight


def test_counts_and_intervals_survive_as_floats():
    table = table_of(DOCUMENTED.change(potentiation=False, pass_interval_days=365.25))
    assert 2.0**53 in table[0, 0]
    assert np.float64(round(365.25 * DAY)) in table[0, 0]
