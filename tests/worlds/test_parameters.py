"""What a world may be, and what is refused by name."""

import dataclasses
import math

import numpy as np
import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.graph.rules import SynapseRules
from hebb_lab.records import LAWS
from hebb_lab.worlds import PRESETS, WorldParameters, parameters_from, world_graph
from hebb_lab.worlds.parameters import ACTIVITIES


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("activity", ACTIVITIES)
def test_every_preset_goes_with_every_activity(preset, activity):
    parameters_from(preset, activity=activity).validate()


def test_the_presets_are_the_five_worlds_and_two_for_tests():
    assert list(PRESETS) == [
        "half_lives", "frailty", "power_law", "heuristic", "half_lives_frailty", "shared", "tiny",
    ]  # fmt: skip
    assert {preset.law for preset in PRESETS.values()} == set(LAWS)
    whole = [preset for name, preset in PRESETS.items() if name != "tiny"]
    assert {(preset.edges, preset.days) for preset in whole} == {(20_000, 180.0)}


def test_the_store_of_a_world_has_the_documented_numbers():
    rules = WorldParameters().rules
    assert (rules.learning_rate, rules.weight_cap, rules.prune_below) == (0.30, 1.0, 0.01)
    assert (rules.potentiation_floor, rules.potentiation_count) == (0.20, 5)


def test_an_edge_of_shared_comes_again_three_times():
    graph, _ = world_graph(PRESETS["shared"], np.random.default_rng(0))
    assert graph.event_count / graph.edge_count - 1 == pytest.approx(3.0, abs=0.1)


def test_lists_from_a_config_become_tuples():
    made = parameters_from("half_lives", namespaces=["a", "b"], half_life_days=[3, 4])
    assert (made.namespaces, made.half_life_days) == (("a", "b"), (3, 4))
    made.validate()


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"law": "weibull"}, r"dataset\.law='weibull' is not a choice.*exponential"),
        ({"activity": "nights"}, r"dataset\.activity='nights' is not a choice.*sessions"),
        ({"edges": 0}, r"dataset\.edges=0 is not positive"),
        ({"days": -1.0}, r"dataset\.days=-1\.0 is not positive"),
        ({"days": math.inf}, r"dataset\.days=inf is not positive"),
        ({"base_rate": 0.0}, r"dataset\.base_rate=0\.0 is not positive"),
        ({"base_rate": math.nan}, r"dataset\.base_rate=nan is not positive"),
        ({"gain": -0.1}, r"dataset\.gain=-0\.1 is no number from 0 up"),
        ({"half_life_sigma": math.nan}, r"dataset\.half_life_sigma=nan"),
        ({"frailty_shape": 0.0}, r"dataset\.frailty_shape=0\.0 is not positive"),
        ({"power_offset_days": 0.0}, r"dataset\.power_offset_days=0\.0 is not positive"),
        ({"birth_share": 1.5}, r"dataset\.birth_share=1\.5 is no share"),
        ({"namespaces": ()}, r"dataset\.namespaces=\(\) are no distinct names"),
        ({"namespaces": ("a", "a", "b")}, r"no distinct names"),
        ({"half_life_days": (1.0,)}, r"1 half-lives for 3 namespaces"),
        ({"half_life_days": (1.0, 0.0, 2.0)}, r"half-life of 0\.0 days.*law=none"),
        ({"law": "power_law", "gain": 0.1}, r"brings 2\.5 others in 180 days"),
        ({"law": "power_law", "gain": 0.2, "power_exponent": 1.0}, r"brings 1\.2 others"),
        ({"rules": SynapseRules(decay_passes="compounding")}, r"no rules\.decay_passes"),
        ({"rules": SynapseRules(floor_lifts=True)}, r"no rules\.floor_lifts=True.*False"),
        ({"rules": SynapseRules(weight_cap=None)}, r"without rules\.weight_cap"),
    ],
)  # fmt: skip
def test_what_cannot_be_simulated_is_an_error_with_a_name_and_a_cure(changes, problem):
    with pytest.raises(ConfigError, match=problem):
        world_graph(dataclasses.replace(WorldParameters(), **changes), np.random.default_rng(0))


def test_an_unknown_preset_or_parameter_lists_the_known_ones():
    with pytest.raises(ConfigError, match=r"unknown dataset\.preset 'huge'.*half_lives, frailty"):
        parameters_from("huge")
    with pytest.raises(ConfigError, match=r"no parameter 'beta'.*gain"):
        parameters_from("tiny", beta=1.0)
