"""Page and code: what differs, and that every published deviation is a switch."""

from dataclasses import fields

import pytest

from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED, deviations, switch_table
from hebb_lab.graph.cognitive.rules import CognitiveRules

# spector.md §1: the code
CODE = {
    "co_ingestion": "previous", "eviction_at": "insertion", "eviction_signals": "structural",
    "decay_modulator": "unclamped", "bridge_trees": 15, "walk": "dfs", "degree_cap": 24,
    "gate": "direct_match", "gate_threshold": 0.4, "seed_count": 3, "entity_degree_cap": 16,
    "hyperedge_min": 2, "hyperedge_prune_below": 0.5, "retention_days": 7.0, "merge_min_length": 0,
    "entity_attenuation": "once", "entity_score": "similarity_plus",
}  # fmt: skip


@pytest.mark.parametrize("name", CODE)
def test_the_observed_rules_are_what_the_code_does(name):
    assert getattr(OBSERVED, name) == CODE[name]


def test_all_20_published_deviations_have_a_switch():
    numbers = {part.metadata["deviation"] for part in fields(CognitiveRules)} - {None}
    assert numbers == set(range(1, 21))


def test_a_numbered_deviation_is_one_in_which_the_rule_sets_differ():
    numbered = [p for p in fields(CognitiveRules) if p.metadata["deviation"] is not None]
    assert [
        p.name for p in numbered if getattr(OBSERVED, p.name) == getattr(DOCUMENTED, p.name)
    ] == []


def test_each_arm_turns_what_belongs_together_and_all_of_them_make_the_code():
    together = {}
    for name, values in deviations().items():
        assert name in values
        assert not together.keys() & values.keys()
        together |= values
    assert DOCUMENTED.change(**together) == OBSERVED


def test_gate_and_threshold_are_turned_at_once():
    assert deviations()["gate"] == {"gate": "direct_match", "gate_threshold": 0.4}
    assert "gate_threshold" not in deviations()


def test_the_table_of_switches_has_each_of_them_once():
    lines = switch_table().splitlines()
    assert lines[0] == "| switch | page | code | deviation | meaning |"
    names = [line.split("`")[1] for line in lines[2:]]
    assert names == [part.name for part in fields(CognitiveRules)]
    assert all(line.count(" | ") == 4 for line in lines[2:])


def test_the_table_shows_the_code_where_it_differs():
    rows = {line.split("`")[1]: line for line in switch_table().splitlines()[2:]}
    assert rows["walk"].startswith("| `walk` | bfs | **dfs** | 1 | ")
    assert rows["walk"].endswith("(bfs, dfs) |")
    assert rows["hebbian_depth"] == "| `hebbian_depth` | 2 |  |  | hops |"
    assert rows["retention_days"].startswith("| `retention_days` | null | **7.0** |  | ")
    assert rows["arousal_slows_decay"].startswith(
        "| `arousal_slows_decay` | true | **false** | 19 |"
    )
    assert rows["nulls"].startswith("| `nulls` | none |  |  | ")
