"""An arm resolves to a plan, a hash and plain values."""

import json

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.graph.cognitive.rules import PARTS, CognitiveRules
from hebb_lab.layers.arms import LayerArm, Stack
from hebb_lab.layers.arms.arm import changed_plan
from hebb_lab.recall.cognitive.plan import Plan

STACK = Stack("bm25", PARTS, CognitiveRules())


def test_the_full_plan_holds_all_layers_and_the_base_none():
    assert STACK.full().layers == PARTS
    assert STACK.plan().layers == ()


def test_a_changed_plan_takes_switches_and_plan_settings_alike():
    plan = changed_plan(STACK.full(), {"layers": ["chain"], "merge": "sum", "scoring": "phases"})
    assert (plan.layers, plan.rules.merge, plan.scoring) == (("chain",), "sum", "phases")
    assert changed_plan(plan, {}) == plan


def test_a_changed_plan_refuses_a_value_that_is_no_choice():
    with pytest.raises(ConfigError, match="merge='product' is not a choice"):
        changed_plan(Plan(), {"merge": "product"})


def test_a_tuned_arm_is_what_was_picked_with_its_own_changes():
    arm = LayerArm("mine", "own", "base", STACK.full(), changed={"merge": "sum"}, tuned=True)
    pick = STACK.full(rules=CognitiveRules(paths="sum"))
    assert (arm.on(pick).rules.paths, arm.on(pick).rules.merge) == ("sum", "sum")


def test_another_arm_is_its_plan_whatever_was_picked():
    arm = LayerArm("mine", "own", "base", STACK.full())
    assert arm.on(STACK.plan()) == STACK.full()


def test_the_hash_says_what_an_arm_does_and_not_its_name():
    one, other = (LayerArm(name, "own", None, STACK.full()) for name in ("a", "b"))
    assert one.config_id() == other.config_id()
    assert LayerArm("a", "own", None, STACK.plan()).config_id() != one.config_id()
    tuned = LayerArm("a", "own", None, STACK.full(), tuned=True)
    assert tuned.config_id() != one.config_id()


def test_the_parameters_are_plain_values():
    stored = json.loads(json.dumps(LayerArm("a", "own", None, STACK.full()).parameters()))
    assert stored["layers"] == list(PARTS)
    assert stored["rules"]["walk"] == "bfs"


def test_rules_of_the_memory_model_count_only_where_they_score():
    plain, other = STACK.full(), changed_plan(STACK.full(), {"memory": {"recency_days": 3.0}})
    ids = [LayerArm("a", "own", None, plan).config_id() for plan in (plain, other)]
    assert ids[0] == ids[1]
    assert "memory" not in LayerArm("a", "own", None, other).parameters()
    scored = [changed_plan(plan, {"scoring": "memory"}) for plan in (plain, other)]
    arms = [LayerArm("a", "own", None, plan) for plan in scored]
    assert arms[0].config_id() != arms[1].config_id()
    assert json.loads(json.dumps(arms[1].parameters()))["memory"]["recency_days"] == 3.0


def test_switches_of_the_memory_model_are_laid_over_those_of_the_plan():
    plan = changed_plan(Plan(), {"memory": {"start": "observed", "recency_days": 3.0}})
    again = changed_plan(plan, {"memory": {"weight_recency": 0.5}})
    assert (again.memory.recency_days, again.memory.weight_recency) == (3.0, 0.5)
    assert again.memory.decay_in_rank == "none"
    with pytest.raises(ConfigError, match="memory=3 is no group of switches"):
        changed_plan(plan, {"memory": 3})
