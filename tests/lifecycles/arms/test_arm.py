"""What an arm learns and how it is read."""

from dataclasses import fields, replace

from hebb_lab.lifecycles.arms import MemoryArm, Start
from hebb_lab.lifecycles.arms.arm import FORGOTTEN, LEARNED, READ
from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.memory.rules import MemoryRules

START = Start(DOCUMENTED, ("similarity",))


def arm(rules=DOCUMENTED, strategies=("similarity",), **others):
    return MemoryArm("a", "g", "base", rules, strategies, START, **others)


def test_arms_that_differ_in_reading_alone_share_a_life():
    read = arm(DOCUMENTED.change(weight_recency=0.0, recency_anchor="accessed"), ("temporal",))
    assert read.life() == arm().life()
    assert read.reading() != arm().reading()


def test_an_arm_that_learns_otherwise_has_a_life_of_its_own_and_the_same_reading():
    off = arm(DOCUMENTED.change(importance_boost=0.0), practice="outcome")
    assert off.life() != arm().life()
    assert off.life().practice == "outcome"


def test_half_lives_are_part_of_a_life_only_where_it_forgets():
    rules = DOCUMENTED.change(half_life_days=7.0)
    assert arm(rules).life() == arm().life()
    assert arm(rules, forgets=True).life() != arm(forgets=True).life()


def test_a_whole_system_lives_by_its_own_rules():
    own = arm(OBSERVED, ("temporal",), whole=True).life()
    assert (own.rules, own.strategies) == (OBSERVED, ("temporal",))
    assert arm(OBSERVED, ("temporal",)).life().rules.index == "exact"


def test_the_practice_is_what_the_rules_say_unless_the_arm_says_otherwise():
    assert arm().life().practice == "on"
    assert arm(DOCUMENTED.change(reinforcement="off")).life().practice == "off"


def test_an_arm_is_told_by_what_it_does_and_not_by_its_name():
    other = replace(arm(), name="b", about="said otherwise", changed={"x": 1})
    assert other.config_id() == arm().config_id()
    assert arm(forgets=True).config_id() != arm().config_id()
    assert arm().parameters()["life"] == arm().life().key()


def test_every_switch_that_is_named_is_a_switch():
    names = {part.name for part in fields(MemoryRules)}
    assert {*LEARNED, *FORGOTTEN, *READ} <= names
