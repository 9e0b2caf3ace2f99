"""Which switches a score reads, outside a store; the others are said to do nothing."""

import logging
from dataclasses import fields

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.memory.rules import MemoryRules
from hebb_lab.memory.rules.scoring import SCORING, scoring_rules


def test_nothing_said_is_the_documented_rules():
    assert scoring_rules({}, "here") == DOCUMENTED
    assert scoring_rules({"start": "observed"}, "here") == OBSERVED


def test_switches_are_laid_over_the_rule_set_that_they_start_from():
    rules = scoring_rules({"start": "observed", "weight_recency": 1}, "here")
    assert rules == OBSERVED.change(weight_recency=1)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"weigth_recency": 1}, r"unknown switch here\.weigth_recency.*weight_recency"),
        ({"weight_recency": "much"}, r"here\.weight_recency='much' is not of type float"),
        ({"recency_shape": "round"}, "recency_shape='round' is not a choice"),
        ({"start": "guessed"}, r"here\.start='guessed' is no rule set\. Use documented or obs"),
    ],
)
def test_what_no_rule_set_has_is_refused(values, said):
    with pytest.raises(ConfigError, match=said):
        scoring_rules(values, "here")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"durability": "normal"}, "here.durability=normal has no effect: a score reads weight_re"),
        ({"causal": "offset"}, "here.causal=offset has no effect"),
        ({"decay_in_rank": "none", "half_life_days": 3}, "half_life_days=3 has no effect: decay_"),
        ({"reinforcement": "off", "count_gain": False}, "count_gain=False has no effect: reinfor"),
        ({"weight_recency": 0, "recency_days": 3}, "recency_days=3 has no effect: weight_recency"),
    ],
)
def test_a_switch_that_changes_no_score_is_reported(values, said, caplog):
    with caplog.at_level(logging.WARNING, "hebb_lab"):
        scoring_rules(values, "here")
    assert said in caplog.text


def test_switches_that_count_are_not_reported(caplog):
    with caplog.at_level(logging.WARNING, "hebb_lab"):
        scoring_rules({name: getattr(DOCUMENTED, name) for name in SCORING}, "here")
    assert caplog.text == ""
    assert set(SCORING) <= {part.name for part in fields(MemoryRules)}
