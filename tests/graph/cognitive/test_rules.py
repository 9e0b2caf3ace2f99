"""The rules of the cognitive graph as data."""

from dataclasses import asdict, fields

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.graph.cognitive.published import DOCUMENTED
from hebb_lab.graph.cognitive.rules import NULLS, PARTS, CognitiveRules

# the page
PAGE = {
    "co_ingestion": "session", "degree_cap": 24, "hebbian_decay": 0.9, "walk": "bfs",
    "hebbian_depth": 2, "hebbian_gain": 0.3, "temporal_forward": 0.8, "temporal_backward": 0.7,
    "entity_gain": 0.25, "entity_degree_cap": 48, "fan_factor": True, "mention_decay": 0.95,
    "mention_prune_below": 0.2, "hyperedge_min": 3, "hyperedge_max": 8, "hyperedge_cap": 64,
    "cross_gain": 0.25, "cross_tag_neighbours": 5, "cross_memories_per_tag": 10,
    "gate": "neighbour", "gate_threshold": 0.7, "stdp_plus": 0.1, "stdp_minus": 0.05,
    "stdp_tau_seconds": 30.0, "merge_distance": 2,
}  # fmt: skip


@pytest.mark.parametrize("name", PAGE)
def test_the_defaults_are_what_the_page_says(name):
    assert getattr(CognitiveRules(), name) == PAGE[name]


@pytest.mark.parametrize("part", fields(CognitiveRules), ids=lambda part: part.name)
def test_every_switch_says_what_it_does_and_its_default_is_a_choice(part):
    assert part.metadata["help"]
    choices = part.metadata["choices"]
    assert not choices or part.default in choices
    assert part.metadata["deviation"] in (None, *range(1, 21))


def test_what_is_kept_for_the_list_of_deviations_alone_says_so():
    told = {part.name: part.metadata["help"] for part in fields(CognitiveRules)}
    assert [name for name, text in told.items() if "changes nothing here" in text] == [
        "incidence", "layer_numbers",
    ]  # fmt: skip


def test_a_config_and_its_rules_say_the_same():
    rules = CognitiveRules.from_mapping({"walk": "dfs", "nulls": ["chain=empty"]})
    assert rules.walk == "dfs"
    assert CognitiveRules.from_mapping(asdict(rules)) == rules
    assert CognitiveRules.from_mapping({}) == DOCUMENTED


def test_an_unknown_switch_is_an_error_that_lists_the_known():
    with pytest.raises(ConfigError, match=r"unknown switch cognitive\.rules\.wolk.*walk"):
        CognitiveRules.from_mapping({"wolk": "bfs"})


@pytest.mark.parametrize(
    ("switches", "problem"),
    [
        ({"walk": "sideways"}, "walk='sideways' is not a choice"),
        ({"degree_cap": 0}, "degree_cap is below 1"),
        ({"cycle_memories": 0}, "cycle_memories is below 1"),
        ({"hebbian_depth": 0}, "hebbian_depth is below 1"),
        ({"bridge_trees": 0}, "bridge_trees is below 1"),
        ({"entity_hops": 0}, "entity_hops is below 1"),
        ({"entity_hops": 128}, "entity_hops is above 127"),
        ({"temporal_hops": 128}, "temporal_hops is above 127"),
        ({"hebbian_depth": 128}, "hebbian_depth is above 127"),
        ({"merge_distance": 3}, "merge_distance is above 2"),
        ({"hyperedge_min": 1}, "hyperedges of 1 to 8"),
        ({"hyperedge_min": 9}, "hyperedges of 9 to 8"),
        ({"hebbian_decay": "fast"}, "is not of type float"),
        ({"hebbian_decay": float("nan")}, "is no number from 0 up"),
        ({"hebbian_gain": -0.1}, "is no number from 0 up"),
        ({"degree_cap": 2.5}, "is not of type int"),
        ({"fan_factor": 1}, "is not of type bool"),
        ({"nulls": ["hebbian=noise"]}, "'hebbian=noise' is no null model"),
        ({"nulls": ["layer1=empty"]}, "'layer1=empty' is no null model"),
    ],
)
def test_what_makes_no_sense_is_refused(switches, problem):
    with pytest.raises(ConfigError, match=problem):
        CognitiveRules.from_mapping(switches)


def test_a_change_leaves_the_other_switches_and_the_original():
    changed = DOCUMENTED.change(hebbian_depth=3)
    assert changed.hebbian_depth == 3
    assert DOCUMENTED.hebbian_depth == 2
    assert {**asdict(changed), "hebbian_depth": 2} == asdict(DOCUMENTED)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("null", NULLS)
def test_a_null_stands_for_the_layer_that_it_names_alone(part, null):
    rules = DOCUMENTED.change(nulls=[f"{part}={null}"])
    assert {name: rules.null_of(name) for name in PARTS if rules.null_of(name)} == {part: null}


def test_a_neighbour_needs_the_threshold_only_where_the_gate_is_on_neighbours():
    assert DOCUMENTED.least_activation() <= 0.7 < DOCUMENTED.least_activation() + 1e-6
    assert DOCUMENTED.change(gate="direct_match").least_activation() == 0.0
    assert DOCUMENTED.change(gate="none").least_activation() == 0.0


def test_every_layer_has_a_weight_at_the_merge():
    assert {f"merge_{part}" for part in PARTS} <= {part.name for part in fields(CognitiveRules)}
