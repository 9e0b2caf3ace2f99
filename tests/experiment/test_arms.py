"""Arms from a config, and the sets of parts that attribution asks for."""

from dataclasses import asdict

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.experiment.arms import Arm, arms_of, attribution_arms, set_name
from hebb_lab.experiment.arms.in_time import RulesInTime
from hebb_lab.experiment.settings import AttributionSettings, Settings
from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from tests.experiment.tiny import composed

PARTS = {
    "decay": {"half_life": "fixed"},
    "hop": {"hops": 2},
    "row": {"normalisation": "source_row"},
}
WITHOUT = {"half_life": "none", "hops": 1, "normalisation": "none"}


def arms(entries, **more):
    values = composed("+exp=ablation", "base=null") | {"arms": entries} | more
    return arms_of(Settings.from_mapping(values))


def test_an_arm_has_the_rules_of_the_run_with_its_own_switches():
    first, second = arms({"a": {}, "b": {"rules": {"hops": 2}, "group": "g", "about": "two"}})
    assert (first.method, first.group, first.base, dict(first.changed)) == (
        "spread",
        "other",
        None,
        {},
    )
    assert second.rules == first.rules.change(hops=2)
    assert (second.group, second.about, dict(second.changed)) == ("g", "two", {"hops": 2})


def test_an_arm_walks_the_layers_of_the_run_unless_it_names_its_own():
    first, second, third = arms(
        {"a": {}, "b": {"layers": ["transitions"]}, "c": {"layers": []}},
        layers={"use": ["synapse", "transitions"]},
    )
    assert first.layers == ("synapse", "transitions")
    assert (second.layers, third.layers) == (("transitions",), ())


def test_every_arm_but_the_base_is_compared_with_the_base_unless_it_says_otherwise():
    made = arms({"a": {}, "b": None, "c": {"base": "b"}, "d": {"base": None}}, base="a")
    assert {arm.name: arm.base for arm in made} == {"a": None, "b": "a", "c": "b", "d": None}


def test_an_arms_id_is_what_it_does_whatever_its_name():
    a, b, c, d = arms(
        {"a": {}, "b": {"about": "same"}, "c": {"rules": {"hops": 3}}, "d": {"method": "bm25"}}
    )
    (e,) = arms({"e": {"layers": ["transitions"]}})
    assert a.config_id() == b.config_id()
    assert len({arm.config_id() for arm in (a, c, d, e)}) == 4


def test_an_arms_parameters_are_its_whole_rules():
    parameters = Arm("a", "spread", "g", None, DOCUMENTED.change(half_life="fixed")).parameters()
    assert parameters.items() >= asdict(DOCUMENTED.change(half_life="fixed")).items()
    assert parameters["half_life_days"] == 30.0
    assert Arm("a", "spread", "g", None, DOCUMENTED).parameters()["half_life_days"] is None


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ({"foo": 1}, r"unknown key arms\.x\.foo"),
        ({"rules": {"foo": 1}}, r"unknown switch rules\.foo"),
        ({"rules": {"half_life": "weekly"}}, r"rules\.half_life='weekly' is not a choice"),
        ({"rules": {"hops": "two"}}, r"rules\.hops='two' is not of type int"),
        ({"rules": 5}, r"arms\.x\.rules=5 is not switches"),
        ({"method": ["bm25"]}, r"arms\.x\.method=\['bm25'\] is not text"),
        ({"layers": "synapse"}, r"arms\.x\.layers='synapse' is not a list of layers"),
        (5, r"arms\.x=5 is no group of settings"),
        ({"base": "nobody"}, "'x' is compared with 'nobody', which is no arm"),
    ],
)
def test_a_wrong_arm_is_refused_by_name(entry, problem):
    with pytest.raises(ConfigError, match=problem):
        arms({"x": entry})


def test_a_run_without_arms_is_refused():
    with pytest.raises(ConfigError, match="has no arms"):
        arms({})


def parts_of(kind, **more):
    made = attribution_arms(
        AttributionSettings(kind, WITHOUT, PARTS, **more), RulesInTime(DOCUMENTED), ("synapse",)
    )
    return {arm.name: arm for arm in made}


def test_without_attribution_there_are_no_sets():
    assert parts_of("none") == {}


def test_shapley_asks_for_all_sets():
    made = parts_of("shapley")
    assert len(made) == 8
    assert {frozenset(arm.parts) for arm in made.values()} == {
        frozenset(name for i, name in enumerate(PARTS) if bits >> i & 1) for bits in range(8)
    }


def test_a_ladder_climbs_in_the_order_of_its_parts():
    made = parts_of("ladder", use=("row", "decay"))
    assert list(made) == ["with no part", "with row", "with row+decay"]


def test_leave_one_out_needs_the_whole_and_all_but_one():
    sets = {frozenset(arm.parts) for arm in parts_of("leave_one_out").values()}
    assert sets == {
        frozenset(), frozenset(PARTS), *(frozenset(PARTS) - {part} for part in PARTS),
    }  # fmt: skip


def test_a_set_turns_the_switches_of_its_parts_and_is_compared_with_none():
    made = parts_of("shapley")
    pair = made["with decay+row"]
    assert pair.rules == DOCUMENTED.change(half_life="fixed", hops=1, normalisation="source_row")
    assert pair.base == "with no part"
    assert made["with no part"].base is None
    assert made["with no part"].rules == DOCUMENTED.change(**WITHOUT)


def test_sets_join_the_arms_of_the_experiment():
    made = arms_of(Settings.from_mapping(composed("+exp=ablation", "attribution=ladder")))
    names = [arm.name for arm in made]
    assert names[-1] == set_name(("decay", "event_weight", "source_row", "second_hop"))
    assert "half_life_30d" in names
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"kind": "shapely"}, r"unknown attribution\.kind 'shapely'"),
        ({"use": ("decay", "foo")}, "no such part: foo"),
        ({"parts": {}}, "no such part: nothing"),
        ({"parts": {"decay": 5}}, r"attribution\.parts\.decay=5 is not switches"),
        ({"parts": {f"p{i}": {} for i in range(9)}}, "9 parts make 512 sets"),
    ],
)
def test_a_wrong_attribution_is_refused(settings, problem):
    values = {"kind": "shapley", "without": WITHOUT, "parts": PARTS} | settings
    with pytest.raises(ConfigError, match=problem):
        attribution_arms(AttributionSettings(**values), RulesInTime(DOCUMENTED), ("synapse",))


def test_an_arm_may_start_from_a_whole_rule_set():
    values = composed("+exp=ablation", "rules.learning_rate=0.1", "rules.normalisation=source_row")
    arms = {arm.name: arm for arm in arms_of(Settings.from_mapping(values))}
    assert arms["synapse_documented"].rules == DOCUMENTED
    assert arms["synapse_observed"].rules == OBSERVED
    assert arms["half_life_30d"].rules.learning_rate == 0.1


def test_an_arm_that_names_a_half_life_has_it_whatever_the_rules_say(caplog):
    values = composed("+exp=ablation", "rules.half_life=none")
    with caplog.at_level("WARNING", "hebb_lab"):
        arms = {arm.name: arm for arm in arms_of(Settings.from_mapping(values))}
    assert "rules.half_life=none has no effect" in caplog.text
    for days in (1, 3, 7, 30, 180):
        rules = arms[f"half_life_{days}d"].rules
        assert (rules.half_life, rules.half_life_personal_days) == ("fixed", days)


def test_another_base_changes_every_arm_by_one_thing():
    values = composed("+exp=ablation", "base=half_life_7d")
    arms = {arm.name: arm for arm in arms_of(Settings.from_mapping(values))}
    assert arms["event_weight"].base == "half_life_7d"
    assert arms["event_weight"].rules == arms["half_life_7d"].rules.change(
        event_weight="inverse_size"
    )


def test_an_unknown_start_lists_the_known_ones():
    values = composed("+exp=ablation", "arms.synapse_documented.start=observd")
    with pytest.raises(ConfigError, match="documented or observed"):
        arms_of(Settings.from_mapping(values))
