"""Rules with fitted half-lives are rules: any switch can be changed, and days that are said win."""

import pytest

from hebb_lab.experiment.arms.in_time import RulesInTime
from hebb_lab.graph.rules import DOCUMENTED
from tests.experiment.arms.made import EARLY, LATE, fit, fitted_run, half_lives

FIXED = DOCUMENTED.change(half_life="fixed")


def personal(rules):
    return rules.half_life_personal_days


def test_rules_without_a_fit_are_what_they_were():
    rules = RulesInTime(FIXED).change(hops=1)
    assert (rules.last(), rules.schedule()) == (FIXED.change(hops=1), ())


def test_a_reference_in_a_config_is_fixed_half_lives_of_the_fit(tmp_path):
    folder = fitted_run(tmp_path, half_lives(personal=0.4), [(EARLY, half_lives(personal=0.5))])
    rules = RulesInTime.from_mapping({"half_life": f"@{folder}", "half_life_personal_days": 30.0})
    assert rules.last() == FIXED.change(half_life_personal_days=0.4)
    assert rules.schedule() == ((EARLY, FIXED.change(half_life_personal_days=0.5)),)


def test_a_namespace_without_a_fit_keeps_its_own_half_life(tmp_path):
    folder = fitted_run(tmp_path, half_lives(shared=0.4))
    rules = RulesInTime(FIXED.change(half_life_personal_days=7.0)).change(half_life=f"@{folder}")
    assert (personal(rules.last()), rules.last().half_life_shared_days) == (7.0, 0.4)


def test_other_switches_change_in_every_part_of_the_schedule():
    rules = RulesInTime(FIXED, fit(2.0, [(10, 3.0), (20, 4.0)])).change(hops=1)
    assert [r.hops for _, r in rules.schedule()] == [1, 1]
    assert [personal(r) for _, r in rules.schedule()] == [3.0, 4.0]


def test_days_that_are_said_replace_the_fitted_ones(tmp_path):
    folder = fitted_run(tmp_path, half_lives(personal=0.4, shared=0.5))
    rules = RulesInTime(FIXED).change(half_life=f"@{folder}", half_life_shared_days=60.0)
    assert (personal(rules.last()), rules.last().half_life_shared_days) == (0.4, 60.0)
    whole = RulesInTime(FIXED, fit(2.0, [(10, 3.0)])).change(half_life_personal_days=7.0)
    assert (whole.fit, personal(whole.last())) == (None, 7.0)


def test_without_decay_no_fit_is_used_until_something_decays_again():
    rules = RulesInTime(FIXED, fit(2.0, [(10, 3.0)])).change(half_life="none")
    assert (rules.used, rules.schedule()) == (None, ())
    assert rules.last() == FIXED.change(half_life="none")
    assert personal(rules.change(half_life="fixed").last()) == 2.0


@pytest.mark.parametrize("kind", ["fixed", "learned"])
def test_another_kind_of_half_life_starts_from_the_fitted_defaults(kind):
    rules = RulesInTime(FIXED, fit(2.0, [(10, 3.0)])).change(half_life=kind)
    assert [(r.half_life, personal(r)) for _, r in rules.schedule()] == [(kind, 3.0)]


def test_a_second_fit_replaces_the_first_and_leaves_nothing_of_it(tmp_path):
    folder = fitted_run(tmp_path, half_lives(shared=0.4), [(LATE, half_lives(shared=0.5))])
    rules = RulesInTime(FIXED, fit(2.0, [(10, 3.0)])).change(half_life=f"@{folder}")
    assert personal(rules.last()) == personal(FIXED)
    assert [at for at, _ in rules.schedule()] == [LATE]


def test_fits_that_say_the_same_are_one_part_of_the_schedule():
    rules = RulesInTime(FIXED, fit(2.0, [(10, 3.0), (20, 3.0), (30, 4.0)]))
    assert [at for at, _ in rules.schedule()] == [10, 30]
