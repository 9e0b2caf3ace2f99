"""The rules of the memory model as data."""

from dataclasses import asdict, fields

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.memory.published import DOCUMENTED
from hebb_lab.memory.rules import MemoryRules
from hebb_lab.memory.rules.lifecycle import LifecycleRules
from hebb_lab.memory.rules.recalling import RecallRules
from hebb_lab.memory.rules.reflecting import ReflectionRules
from hebb_lab.memory.values import EdgeKind

# hebbs.md §2.1, §3, §4, §8: what pages and code share
SHARED = {
    "weight_relevance": 0.5, "weight_recency": 0.2, "weight_importance": 0.2,
    "weight_reinforcement": 0.1, "recency_days": 30.0, "reinforcement_cap": 100,
    "half_life_days": 30.0, "forget_below": 0.01, "decay_epsilon": 0.001, "causal_depth": 5,
    "offset_rate": 0.1, "analogy_blend": 0.5, "reflect_least": 5, "reflect_most": 500,
    "cluster_least": 3, "clusters_most": 50, "cluster_seed": 42, "insight_weight": 0.7,
    "push_threshold": 0.6, "push_candidates": 5, "flush_tokens": 15, "flush_ms": 500.0,
}  # fmt: skip


@pytest.mark.parametrize("name", SHARED)
def test_the_defaults_are_the_published_numbers(name):
    assert getattr(MemoryRules(), name) == SHARED[name]


@pytest.mark.parametrize("part", fields(MemoryRules), ids=lambda part: part.name)
def test_every_switch_says_what_it_does_and_its_default_is_a_choice(part):
    assert part.metadata["help"]
    choices = part.metadata["choices"]
    assert not choices or part.default in choices


def test_no_switch_stands_in_two_groups():
    names = [part.name for kind in (RecallRules, LifecycleRules, ReflectionRules)
             for part in fields(kind)]  # fmt: skip
    assert len(names) == len(set(names)) == len(fields(MemoryRules))


def test_a_config_and_its_rules_say_the_same():
    rules = MemoryRules.from_mapping({"causal": "both", "push_again_days": 3})
    assert MemoryRules.from_mapping(asdict(rules)) == rules
    assert MemoryRules.from_mapping({}) == DOCUMENTED
    assert DOCUMENTED.change(causal="both", push_again_days=3) == rules


@pytest.mark.parametrize(
    ("switches", "problem"),
    [
        ({"casual": "walk"}, r"unknown switch rules\.casual.*causal"),
        ({"causal": "guess"}, "causal='guess' is not a choice"),
        ({"analogy_blend": 1.5}, "analogy_blend=1.5 is above 1"),
        ({"causal_depth": 11}, "causal_depth=11 is above 10"),
        ({"hnsw_search": 0}, "hnsw_search must be at least 1"),
        ({"half_life_days": 0}, "half_life_days must be positive"),
        ({"recency_days": -1}, "recency_days"),
        ({"weight_recency": float("nan")}, "weight_recency"),
        ({"vacuum": "yes"}, "vacuum='yes' is not of type bool"),
    ],
)
def test_what_no_rule_set_can_have_is_refused_by_name(switches, problem):
    with pytest.raises(ConfigError, match=problem):
        MemoryRules.from_mapping(switches)


def test_each_kind_of_edge_has_its_own_weight():
    names = ("caused_by", "related_to", "followed_by", "revised_from", "insight_from")
    for kind, name in zip(EdgeKind, names, strict=True):
        rules = DOCUMENTED.change(**{f"weight_{name}": 0.25})
        assert [rules.weight_of(k) for k in EdgeKind].count(0.25) == 1
        assert rules.weight_of(kind) == 0.25


@pytest.mark.parametrize("values", [
    {"caussal": "both"}, {"causal": "up"}, {"importance_boost": 2.0}, {"forget_most": 0},
    {"causal_depth": 11}, {"half_life_days": 0.0}, {"count_gain": "yes"},
])  # fmt: skip
def test_an_error_of_a_config_names_the_group_that_the_switch_stands_in(values):
    [name] = values
    with pytest.raises(ConfigError, match=rf"memory\.rules\.{name}"):
        MemoryRules.from_mapping(values, "memory.rules")
    with pytest.raises(ConfigError, match=rf"(?<!memory\.)rules\.{name}"):
        MemoryRules.from_mapping(values)
