"""All arms of a run, from its settings."""

from dataclasses import replace

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.experiment.settings import Settings
from hebb_lab.graph.cognitive.rules import PARTS
from hebb_lab.layers.arms import FAMILIES, arms_of, stack_of
from hebb_lab.layers.arms.choose import check_tuning, seeder_of, sets_of
from hebb_lab.layers.settings import CognitiveSettings, TuningSettings
from tests.experiment.tiny import composed

FEW = CognitiveSettings(layers=("hebbian", "chain"), families=("add", "remove", "sets"))


@pytest.fixture(scope="module")
def default():
    return Settings.from_mapping(composed("+exp=ablation")).cognitive


def names(settings):
    return [arm.name for arm in arms_of(settings, None)]


def test_the_default_config_has_every_family(default):
    assert set(default.families) == set(FAMILIES)
    groups = {arm.group for arm in arms_of(default, None)}
    assert groups == {"stack", "tuned_remove", *FAMILIES}


def test_every_arm_has_a_name_of_its_own_and_a_base_that_is_an_arm(default):
    arms = arms_of(default, None)
    known = {arm.name for arm in arms}
    assert len(known) == len(arms)
    assert {arm.base for arm in arms} <= known | {None}


def test_a_set_that_an_arm_with_a_name_holds_is_not_made_again():
    assert names(FEW) == ["base", "full", "add_hebbian", "add_chain", "without_hebbian",
                          "without_chain"]  # fmt: skip


def test_all_sets_of_layers_have_one_arm_each(default):
    held = sets_of(arms_of(default, None), stack_of(default, None))
    assert len(held) == 2 ** len(PARTS)
    assert (held["base"], held["full"]) == ([], list(PARTS))
    assert held["add_chain"] == ["chain"]


def test_the_sets_are_those_under_the_rules_of_the_stack():
    settings = replace(FEW, rules={"merge": "sum"}, families=("sets", "systems"))
    stack = stack_of(settings, None)
    held = sets_of(arms_of(settings, None), stack)
    assert stack.rules.merge == "sum"
    assert set(held) == {"base", "full", "with hebbian", "with chain"}


def test_auto_is_bm25_without_an_embedder_and_hybrid_with_one():
    assert seeder_of(FEW, None) == "bm25"
    assert seeder_of(FEW, "hashing") == "hybrid"
    assert seeder_of(replace(FEW, seeder="dense"), None) == "dense"


def test_an_arm_of_the_users_takes_the_place_of_one_with_its_name():
    settings = replace(FEW, arms={"add_chain": {"layers": ["hebbian"]}, "mine": {}})
    found = {arm.name: arm for arm in arms_of(settings, None)}
    assert (found["add_chain"].plan.layers, found["mine"].group) == (("hebbian",), "own")


@pytest.mark.parametrize("name", ["base", "full"])
def test_what_every_layer_is_compared_with_is_not_the_users_to_change(name):
    with pytest.raises(ConfigError, match=f"arms.{name}: every layer is compared"):
        arms_of(replace(FEW, arms={name: {"layers": ["chain"]}}), None)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"families": ("ad",)}, r"unknown family of arms 'ad'\. Did you mean 'add'\?"),
        ({"layers": ("chains",)}, r"cognitive\.layers: 'chains'\. Did you mean 'chain'\?"),
        ({"layers": ("chain", "chain")}, "names a layer twice"),
        ({"layers": ()}, "names no layer"),
        ({"rules": {"gat": "none"}}, r"cognitive\.rules: 'gat'\. Did you mean 'gate'"),
        ({"arms": {"mine": {"base": "ful"}}}, r"base: 'ful'\. Did you mean 'full'\?"),
    ],
)
def test_unknown_names_list_the_near_ones(changes, said):
    with pytest.raises(ConfigError, match=said):
        arms_of(replace(FEW, **changes), None)


def test_a_grid_names_switches_and_gives_values():
    check_tuning(TuningSettings(grid={"merge": ["max"], "seeder": ["bm25"]}))
    with pytest.raises(ConfigError, match=r"grid: 'merg'\. Did you mean 'merge'"):
        check_tuning(TuningSettings(grid={"merg": ["max"]}))
    for values in ("max", []):
        with pytest.raises(ConfigError, match="is no list of values"):
            check_tuning(TuningSettings(grid={"merge": values}))
    with pytest.raises(ConfigError, match="merge='product' is not a choice"):
        check_tuning(TuningSettings(grid={"merge": ["max", "product"]}))


@pytest.mark.parametrize(
    ("starts", "said"),
    [
        ({}, "starts is empty"),
        ({"a": ["merge"]}, "is no group"),
        ({"a": {"merg": "sum"}}, r"starts\.a: 'merg'\. Did you mean 'merge'"),
        ({"a": {"merge": "product"}}, "merge='product' is not a choice"),
    ],
)
def test_starts_name_settings_and_give_values(starts, said):
    with pytest.raises(ConfigError, match=said):
        check_tuning(TuningSettings(starts=starts))


def test_a_search_needs_a_round_and_two_folds():
    for changes in ({"rounds": 0}, {"folds": 1}):
        with pytest.raises(ConfigError, match="is below"):
            check_tuning(TuningSettings(**changes))
