"""The rules as data: two rule sets, one switch for each deviation."""

from dataclasses import asdict, fields

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.graph.rules import DOCUMENTED, OBSERVED, SynapseRules, switch_table

# page, section 1-4: name of the switch -> number
PAGE = {
    "learning_rate": 0.30,
    "strength_max": 2.0,
    "weight_cap": 1.0,
    "half_life_personal_days": 30.0,
    "half_life_shared_days": 60.0,
    "half_life_ephemeral_days": 1.0,
    "half_life_min_days": 3.0,
    "half_life_max_days": 120.0,
    "potentiation_count": 5,
    "potentiation_floor": 0.20,
    "prune_below": 0.01,
    "read_branch": 1.0,
    "read_personal": 0.8,
    "read_shared": 0.5,
    "hops": 2,
    "spread_decay": 0.6,
    "hub_degree": 50,
    "boost": 0.3,
    "displace_max": 2,
    "displace_energy": 0.15,
}


@pytest.mark.parametrize("name", PAGE)
def test_the_documented_numbers_are_those_of_the_page(name):
    assert getattr(DOCUMENTED, name) == PAGE[name]


@pytest.mark.parametrize("name", PAGE)
def test_page_and_code_agree_on_every_number(name):
    assert getattr(OBSERVED, name) == PAGE[name]


def test_the_code_turns_exactly_these_switches():
    page, code = asdict(DOCUMENTED), asdict(OBSERVED)
    turned = {name: code[name] for name in page if page[name] != code[name]}
    seeds = turned.pop("seed_hits", 3)
    assert seeds == 3
    assert turned == {
        "half_life": "learned_observed",
        "decay_before_reinforcement": False,
        "decay_passes": "compounding",
        "floor_lifts": True,
        "ephemeral_floor": False,
    }


def test_each_deviation_can_be_turned_alone():
    page, code = asdict(DOCUMENTED), asdict(OBSERVED)
    for name in page:
        alone = asdict(DOCUMENTED.change(**{name: code[name]}))
        assert {other for other in page if alone[other] != page[other]} <= {name}


def test_an_unknown_switch_is_an_error_that_lists_the_known_ones():
    with pytest.raises(
        ConfigError, match=r"rules\.half_lives.*half_life, half_life_ephemeral_days"
    ):
        SynapseRules.from_mapping({"half_lives": 3})


def test_a_wrong_choice_is_an_error_that_lists_the_choices():
    with pytest.raises(ConfigError, match=r"decay_shape='linear'.*exponential, power_law"):
        SynapseRules(decay_shape="linear")


@pytest.mark.parametrize(
    ("name", "value"), [("hops", 0), ("pass_interval_days", 0.0), ("half_life_shared_days", -1.0)]
)
def test_a_number_that_cannot_work_is_an_error(name, value):
    with pytest.raises(ConfigError, match=name):
        SynapseRules.from_mapping({name: value})


@pytest.mark.parametrize(
    ("namespace", "days"),
    [("personal", 30), ("branch:login", 30), ("mine", 30), ("shared", 60), ("ephemeral", 1)],
)
def test_each_namespace_has_its_half_life(namespace, days):
    assert DOCUMENTED.half_life_default_days(namespace) == days


def test_the_table_shows_every_switch_and_marks_what_the_code_turns():
    lines = switch_table().splitlines()
    assert len(lines) == 2 + len(fields(SynapseRules))
    assert sum("**" in line for line in lines) == sum(
        asdict(DOCUMENTED)[name] != value for name, value in asdict(OBSERVED).items()
    )
