"""Arms of the method memory: what a config says of their score."""

import logging

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.experiment.arms import arms_of
from hebb_lab.experiment.arms.scored import MemoryScore
from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from tests.experiment.arms.made import settings


def arm(entry, name="mine"):
    return {each.name: each for each in arms_of(settings(arms={"half_life_30d": {}, name: entry}))}[
        name
    ]


def test_an_arm_that_says_nothing_has_the_documented_rules_and_words():
    made = arm({"method": "memory"})
    assert made.memory == MemoryScore("bm25", DOCUMENTED)
    assert "memory" not in made.changed


def test_switches_relevance_and_start_are_the_arms_own():
    made = arm({"method": "memory", "memory": {
        "relevance": "dense", "start": "observed", "weight_recency": 0.5}})  # fmt: skip
    assert made.memory == MemoryScore("dense", OBSERVED.change(weight_recency=0.5))
    assert made.parameters()["memory"]["rules"]["weight_recency"] == 0.5
    assert made.changed["memory"]["relevance"] == "dense"


def test_what_an_arm_does_decides_its_id():
    ids = [
        arm({"method": "memory", "memory": values}).config_id()
        for values in ({}, {"relevance": "none"}, {"recency_days": 3.0}, {"start": "observed"})
    ]
    assert len(set(ids)) == 4
    assert arm({"method": "memory", "memory": {"recency_days": 30.0}}, "x").config_id() == ids[0]


def test_other_arms_are_named_and_told_as_ever():
    made = arm({"method": "bm25"})
    assert made.memory is None
    assert "memory" not in made.parameters()


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"method": "memory", "memory": {"half_lives": 3}}, r"arms\.mine\.memory\.half_lives"),
        ({"method": "memory", "memory": {"relevance": "colour"}}, "bm25, dense, none"),
        ({"method": "memory", "memory": 3}, "is not switches of the memory model"),
        ({"method": "bm25", "memory": {}}, "method=bm25 does not read it"),
        ({"memory": {}}, "method=spread does not read it"),
    ],
)
def test_what_cannot_be_meant_is_refused(entry, said):
    with pytest.raises(ConfigError, match=said):
        arm(entry)


def test_a_switch_of_the_store_is_reported_with_its_place(caplog):
    with caplog.at_level(logging.WARNING, "hebb_lab"):
        arm({"method": "memory", "memory": {"vacuum": False}})
    assert "arms.mine.memory.vacuum=False has no effect" in caplog.text
