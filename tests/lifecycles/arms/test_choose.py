"""All arms of a run, and what is refused."""

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.lifecycles.arms import arms_of, start_of
from hebb_lab.lifecycles.arms.choose import check_tuning
from hebb_lab.lifecycles.settings import MemorySettings, WeightSettings
from hebb_lab.memory.published import OBSERVED


def named(**settings):
    return {arm.name: arm for arm in arms_of(MemorySettings(**settings))}


def test_without_families_the_base_stands_alone():
    assert list(named()) == ["base"]


def test_a_base_from_a_family_that_was_not_chosen_comes_along():
    assert list(named(families=("co_recall",))) == [
        "base", "co_recall_all_pairs", "co_recall_outcome", "causal_walk",
    ]  # fmt: skip


def test_rules_and_strategies_of_the_settings_are_those_of_the_base():
    start = start_of(MemorySettings(rules={"causal": "both"}, strategies=("causal", "temporal")))
    assert (start.rules.causal, start.strategies) == ("both", ("causal", "temporal"))


def test_an_arm_of_the_users_says_what_it_changes():
    mine = {"strategies": ["temporal"], "rules": {"recency_days": 7}, "practice": "named",
            "forgets": True, "base": None, "about": "mine"}  # fmt: skip
    arm = named(arms={"mine": mine})["mine"]
    assert (arm.strategies, arm.rules.recency_days, arm.base) == (("temporal",), 7, None)
    assert arm.life().practice == "named"
    assert arm.changed == {
        "strategies": ["temporal"], "practice": "named", "forgets": True, "recency_days": 7,
    }  # fmt: skip


def test_an_arm_may_begin_at_a_published_rule_set_and_then_lives_by_it():
    arm = named(arms={"mine": {"start": "observed", "rules": {"index": "exact"}}})["mine"]
    assert arm.rules == OBSERVED.change(index="exact")
    assert arm.life().rules == arm.rules


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"families": ("weight",)}, "Did you mean 'weights'"),
        ({"rules": {"casual": "walk"}}, "Did you mean 'causal'"),
        ({"strategies": ("simular",)}, "Did you mean 'similarity'"),
        ({"strategies": ()}, "names none"),
        ({"strategies": ("causal", "causal")}, "one twice"),
        ({"arms": {"base": {}}}, "memory.arms.base"),
        ({"arms": {"a": {"base": "nobody"}}}, "memory.arms.a.base"),
        ({"arms": {"a": {"strategy": []}}}, "Did you mean 'strategies'"),
        ({"arms": {"a": {"practice": "of"}}}, "Did you mean 'off'"),
        ({"arms": {"a": {"forgets": 1}}}, "is not true or false"),
        ({"arms": {"a": 3}}, "is no group of settings"),
        ({"arms": {" ": {}}}, "is no name"),
        ({"arms": {"a": {"start": "observe"}}}, "Did you mean 'observed'"),
        ({"arms": {"a": {"rules": {"fuson": "rrf"}}}}, "Did you mean 'fusion'"),
    ],
)
def test_what_cannot_work_is_refused_with_the_near_names(settings, said):
    with pytest.raises(ConfigError, match=said):
        arms_of(MemorySettings(**settings))


@pytest.mark.parametrize("practice", ["outcome", "named"])
def test_practice_that_names_what_helped_needs_rules_that_hear_it(practice):
    mine = {"practice": practice, "rules": {"reinforcement": "off"}}
    with pytest.raises(ConfigError, match=r"memory\.arms\.a: practice=.*reinforcement=off"):
        arms_of(MemorySettings(arms={"a": mine}))
    with pytest.raises(ConfigError, match="reinforcement=off ignores it"):
        arms_of(MemorySettings(rules={"reinforcement": "off"}, arms={"a": {"practice": practice}}))
    arms_of(MemorySettings(arms={"a": {**mine, "rules": {"reinforcement": "outcome"}}}))


@pytest.mark.parametrize(
    ("tuning", "said"),
    [
        ({"grids": {"tuned": {"weight_recencee": [1]}}}, "Did you mean 'weight_recency'"),
        ({"grids": {"tuned": {"weight_recency": []}}}, "is no list of values"),
        ({"grids": {"tuned": {"weight_recency": [-1]}}}, "is no number"),
        ({"grids": {"tuned": {"strategies": [["casual"]]}}}, "Did you mean 'causal'"),
        ({"grids": {"tuned": {"reinforcement_": ["on"]}}}, "unknown name"),
        ({"grids": {"tuned": 3}}, "is no group"),
        ({"folds": 1}, "folds is below 2"),
    ],
)
def test_a_grid_of_nothing_is_refused(tuning, said):
    with pytest.raises(ConfigError, match=said):
        check_tuning(WeightSettings(**tuning))
