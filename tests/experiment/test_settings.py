"""The config as typed values: unknown keys and wrong types are errors that quote them."""

import copy

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.experiment.settings import Settings, config_dir, known_experiments
from tests.experiment.tiny import composed


@pytest.fixture(scope="module")
def whole():
    return composed("+exp=ablation")


def changed(values, path, value):
    """A copy with one setting, dots between groups."""
    made = copy.deepcopy(values)
    *groups, key = path.split(".")
    inner = made
    for group in groups:
        inner = inner[group]
    inner[key] = value
    return made


def test_the_config_becomes_typed_values(whole):
    settings = Settings.from_mapping(whole)
    assert settings.experiment == "ablation"
    assert settings.base == "half_life_30d"
    assert settings.dataset.windows.kinds == ("file", "memory")
    assert settings.evaluation.protocol.seed_decay == 0.6
    assert settings.evaluation.measures[0] == "any@10"
    assert settings.runtime.threads is None


def test_what_hydra_adds_for_itself_is_no_setting(whole):
    assert Settings.from_mapping({**whole, "hydra": {"x": 1}}) == Settings.from_mapping(whole)


@pytest.mark.parametrize(
    "path",
    [
        "foo", "dataset.foo", "dataset.windows.foo", "recall.foo", "evaluation.foo",
        "evaluation.protocol.foo", "attribution.foo", "runtime.foo", "paths.foo",
    ],
)  # fmt: skip
def test_an_unknown_key_is_an_error_that_lists_the_known_ones(whole, path):
    with pytest.raises(
        ConfigError, match=rf"unknown setting {path}\..*Known: ".replace(".", r"\.", 0)
    ):
        Settings.from_mapping(changed(whole, path, 1))


def test_an_unknown_key_names_the_near_ones(whole):
    with pytest.raises(ConfigError, match=r"unknown setting dataset\.pathh\. Did you mean path"):
        Settings.from_mapping(changed(whole, "dataset.pathh", "x"))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("seed", "x"), ("seed", True), ("seed", 1.5), ("seed", None), ("recall.depth", "50"),
        ("recall.restart", "0.1"), ("dataset.keep_prompts", 1), ("dataset.path", ["a"]),
        ("dataset.tasks", 3), ("evaluation.measures", {"a": 1}), ("arms", ["a"]), ("rules", 3),
        ("dataset", 3), ("evaluation.protocol", "x"), ("runtime.threads", 2.0),
        ("evaluation.protocol.seeds", "three"), ("paths.runs", None),
    ],
)  # fmt: skip
def test_a_value_of_the_wrong_type_is_an_error_that_quotes_it(whole, path, value):
    with pytest.raises(ConfigError, match=path.rpartition(".")[2]):
        Settings.from_mapping(changed(whole, path, value))


def test_what_may_be_null_may_be_null_and_one_word_is_a_list_of_one(whole):
    values = changed(whole, "dataset.windows.graph_max", None)
    values = changed(values, "dataset.tasks", "first_touch")
    settings = Settings.from_mapping(values)
    assert settings.dataset.windows.graph_max is None
    assert settings.dataset.tasks == ("first_touch",)


def test_a_number_is_a_name_where_a_name_is_wanted(whole):
    settings = Settings.from_mapping(changed(whole, "dataset.path", 2026))
    assert settings.dataset.path == "2026"


def test_a_missing_setting_is_named(whole):
    values = {key: value for key, value in whole.items() if key != "rules"}
    with pytest.raises(ConfigError, match="rules"):
        Settings.from_mapping(values)


def test_without_an_experiment_the_known_ones_are_listed():
    with pytest.raises(ConfigError, match=r"Add \+exp=NAME; known: .*ablation"):
        Settings.from_mapping(composed())
    assert known_experiments() == sorted(p.stem for p in (config_dir() / "exp").glob("*.yaml"))
