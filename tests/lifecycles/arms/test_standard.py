"""The families of arms."""

import pytest

from hebb_lab.lifecycles.arms import FAMILIES, Start, arms_of
from hebb_lab.lifecycles.arms.deviations import NOT_ASKED, SHOWS_IN
from hebb_lab.lifecycles.arms.standard import BASE, core
from hebb_lab.lifecycles.settings import MemorySettings
from hebb_lab.memory.published import DOCUMENTED, OBSERVED, deviations

START = Start(DOCUMENTED, ("similarity",))
EVERY = arms_of(MemorySettings(families=tuple(FAMILIES)))


@pytest.mark.parametrize("family", FAMILIES)
def test_every_arm_of_a_family_says_what_it_is_and_is_compared_with_an_arm(family):
    names = {arm.name for arm in EVERY}
    for arm in FAMILIES[family](START):
        assert arm.about
        assert arm.base in names


def test_the_base_is_the_start_itself():
    (base,) = core(START)
    assert (base.name, base.base, base.rules) == (BASE, None, DOCUMENTED)


def test_each_deviation_of_the_code_is_an_arm_of_its_own():
    made = {arm.name for arm in EVERY if arm.group == "switches"}
    assert made == {f"switch_{name}" for name in deviations()}
    assert {*NOT_ASKED, *SHOWS_IN} <= set(deviations())


def test_a_deviation_is_turned_on_the_arm_in_which_it_can_show():
    found = {arm.name: arm for arm in EVERY}
    for name, shown in SHOWS_IN.items():
        arm, base = found[f"switch_{name}"], found[shown]
        differs = {
            key for key, value in vars(arm.rules).items() if value != getattr(base.rules, key)
        }
        assert arm.base == shown
        assert arm.strategies == base.strategies
        assert differs == set(deviations()[name]), name


def test_a_deviation_that_the_start_has_already_is_no_arm():
    made = arms_of(
        MemorySettings(rules={"index": "hnsw", "hnsw_search": 100}, families=("switches",))
    )
    assert "switch_index" not in {arm.name for arm in made}


def test_the_arms_that_the_issue_asks_for_are_there():
    assert {arm.name for arm in EVERY} >= {
        "temporal", "causal_walk", "causal_offset", "causal_both", "analogical", "all_max",
        "all_rrf", "all_normalised", "relevance_alone", "without_recency", "weights_uniform",
        "recency_accessed", "recency_half_life", "decay_none", "decay_factor",
        "reinforcement_off", "reinforcement_outcome", "co_recall_all_pairs", "co_recall_outcome",
        "forget_7d_0.01", "forget_90d_0.1", "scope_after", "documented", "observed", "tuned",
        "random", "recency", "popularity", "bm25", "dense", "oracle",
    }  # fmt: skip


def test_systems_live_by_their_own_rules():
    systems = {arm.name: arm for arm in FAMILIES["systems"](START)}
    assert systems["observed"].life().rules == OBSERVED
    assert systems["documented"].life() == core(START)[0].life()
    assert len(systems["observed_all"].strategies) == 4
