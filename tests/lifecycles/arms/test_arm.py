"""What an arm learns and how it is read."""

from dataclasses import fields, replace

import pytest

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


def other_value(name):
    """Another value of a switch than the page's."""
    about = next(part for part in fields(MemoryRules) if part.name == name)
    value = getattr(DOCUMENTED, name)
    if about.metadata["choices"]:
        return next(choice for choice in about.metadata["choices"] if choice != value)
    if isinstance(value, bool):
        return not value
    return 7 if value is None or isinstance(value, int) else value / 2 or 0.5


LEARNS = [
    "reinforcement", "count_gain", "access_moves_clock", "importance_boost", "co_recall",
    "co_recall_first", "co_recall_rate", "revise", "revise_context", "revisions_kept",
]  # fmt: skip
FORGETS = [
    "half_life_days", "half_life_gain", "decay_anchor", "count_in_decay", "forget_below",
    "fresh_look", "auto_forget_most", "decay_superseded", "decay_epsilon", "unflag",
    "reinforcement_cap",
]  # fmt: skip
READS = [
    "index", "hnsw_neighbours", "hnsw_construction", "hnsw_search", "scope_filter",
    "scope_oversampling", "unscoped_shared", "superseded_recalled", "temporal_needs_entity",
    "causal", "causal_direction", "causal_depth", "causal_distance", "causal_recency",
    "edge_confidence", "weight_caused_by", "weight_related_to", "weight_followed_by",
    "weight_revised_from", "weight_insight_from", "offset_rate", "offset_scope", "offset_order",
    "offset_untaught", "analogy", "analogy_blend", "analogy_candidates", "analogy_kind_entity",
    "analogy_empty", "fusion", "fusion_rrf_k", "weight_relevance", "weight_recency",
    "weight_importance", "weight_reinforcement", "recency_anchor", "recency_shape",
    "recency_days", "decay_in_rank", "reinforcement_cap", "half_life_days", "half_life_gain",
    "decay_anchor", "count_in_decay", "stale_recalled",
]  # fmt: skip


@pytest.mark.parametrize("name", LEARNS)
def test_an_arm_that_learns_otherwise_has_a_life_of_its_own_and_the_same_reading(name):
    own = arm(DOCUMENTED.change(**{name: other_value(name)}), practice="on")
    assert own.life() != arm().life()
    assert getattr(own.life().rules, name) == getattr(own.rules, name)
    assert own.reading() == arm().reading()


@pytest.mark.parametrize("name", FORGETS)
def test_how_it_forgets_is_part_of_a_life_only_where_it_does(name):
    own = DOCUMENTED.change(**{name: other_value(name)})
    assert arm(own).life() == arm().life()
    assert arm(own, forgets=True).life() != arm(forgets=True).life()


@pytest.mark.parametrize("name", READS)
def test_what_recall_reads_makes_another_reading_of_the_same_life(name):
    own = arm(DOCUMENTED.change(**{name: other_value(name)}))
    assert own.reading() != arm().reading()
    assert getattr(own.reading().rules, name) == getattr(own.rules, name)
    assert own.life() == arm().life()


def test_the_practice_of_an_arm_is_part_of_its_life():
    lives = {arm(practice=way).life() for way in ("off", "on", "outcome", "named")}
    assert len(lives) == 4


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
    assert (set(LEARNED), set(FORGOTTEN), set(READ)) == (set(LEARNS), set(FORGETS), set(READS))
