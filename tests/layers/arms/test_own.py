"""The user's own arms, and what is said of wrong ones."""

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.graph.cognitive.published import OBSERVED
from hebb_lab.graph.cognitive.rules import PARTS, CognitiveRules
from hebb_lab.layers.arms import Stack
from hebb_lab.layers.arms.own import own_arms, rules_of

STACK = Stack("bm25", PARTS, CognitiveRules(merge="sum"))


def one(entry):
    (arm,) = own_arms({"mine": entry}, STACK)
    return arm


def test_an_arm_that_says_nothing_is_the_full_stack_against_the_base():
    arm = one(None)
    assert (arm.plan, arm.base, arm.group, arm.tuned) == (STACK.full(), "base", "own", False)


def test_an_arm_says_its_plan_and_its_switches():
    arm = one({"seeder": "dense", "layers": ["chain"], "rules": {"temporal_hops": 1},
               "scoring": "phases", "base": "full", "about": "mine"})  # fmt: skip
    assert (arm.plan.seeder, arm.plan.layers, arm.plan.scoring) == ("dense", ("chain",), "phases")
    assert arm.plan.rules == STACK.rules.change(temporal_hops=1)
    assert (arm.base, arm.about) == ("full", "mine")


def test_an_arm_may_be_scored_by_the_memory_model(caplog):
    arm = one({"scoring": "memory", "memory": {"weight_recency": 0.5}, "seeder": "dense"})
    assert (arm.plan.scoring, arm.plan.memory.weight_recency) == ("memory", 0.5)
    assert caplog.text == ""
    one({"scoring": "memory", "memory": {"recency_anchor": "accessed", "vacuum": False}})
    assert "cognitive.arms.mine.memory.vacuum=False has no effect: a score reads" in caplog.text
    assert "cognitive.arms.mine.memory.recency_anchor=accessed has no effect" in caplog.text
    one({"memory": {"recency_days": 3.0}})
    assert "cognitive.arms.mine.memory has no effect: scoring=similarity" in caplog.text


def test_a_switch_that_the_memory_model_has_not_is_refused():
    with pytest.raises(ConfigError, match=r"unknown switch cognitive\.arms\.mine\.memory\.decays"):
        one({"scoring": "memory", "memory": {"decays": True}})


def test_an_arm_may_start_from_a_published_rule_set():
    arm = one({"start": "observed", "rules": {"walk": "bfs"}})
    assert arm.plan.rules == OBSERVED.change(walk="bfs")
    assert arm.changed == {"start": "observed", "walk": "bfs"}


def test_an_arm_may_start_from_what_is_tuned():
    arm = one({"start": "tuned", "rules": {"paths": "sum"}})
    assert arm.tuned
    assert arm.on(STACK.full()).rules.paths == "sum"


def test_an_arm_without_a_base_is_compared_with_nothing():
    assert one({"base": None}).base is None
    assert one({"base": "mine"}).base is None


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"seader": "bm25"}, r"cognitive\.arms\.mine: 'seader'\. Did you mean 'seeder'\?"),
        ({"rules": {"wolk": "dfs"}}, r"arms\.mine\.rules: 'wolk'\. Did you mean 'walk'\?"),
        ({"layers": ["chian"]}, r"layers: 'chian'\. Did you mean 'chain'"),
        ({"start": "observd"}, r"start: 'observd'\. Did you mean 'observed'\?"),
        ({"layers": "chain"}, "is not a list of layers"),
        ({"rules": ["walk"]}, "is not switches"),
        ({"habituation": "yes"}, "is not true or false"),
        ({"seeder": None}, "is not text"),
        ({"scoring": "guess"}, "scoring=guess is not a choice"),
        ({"rules": {"walk": "swim"}}, "walk='swim' is not a choice"),
        ("dense", "is no group of settings"),
    ],
)
def test_what_an_arm_cannot_say_is_named_with_what_is_near(entry, said):
    with pytest.raises(ConfigError, match=said):
        one(entry)


def test_a_name_of_several_lines_is_refused():
    with pytest.raises(ConfigError, match="is no name"):
        own_arms({"a\nb": {}}, STACK)


def test_the_rules_of_no_start_are_those_of_the_stack():
    assert rules_of(None, STACK) == STACK.rules
    assert rules_of("observed", STACK) == OBSERVED
