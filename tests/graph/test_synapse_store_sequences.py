"""Directed transitions. Facts: neuralmind v3.3.0, T pinned by a test of it, M measured."""

import math

import pytest

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.graph.store import SynapseStore, days

BOTH = pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED], ids=["documented", "observed"])


def sequence(rules, *sequences, strength=1.0, now=0):
    store = SynapseStore(rules)
    for nodes in sequences:
        store.record_sequence(nodes, now, strength)
    return store


@BOTH
def test_each_step_is_learned_in_its_direction(rules):
    """M: [a,b,a,b] -> a->b weight 2 count 2, b->a weight 1."""
    store = SynapseStore(rules)
    assert store.record_sequence(["a", "b", "a", "b"], 0) == 3
    assert store.transitions(0) == [("a", "b", 2.0, 2), ("b", "a", 1.0, 1)]


@BOTH
def test_repeats_in_a_row_are_one_touch_and_empty_ids_none(rules):
    """Drop falsy; collapse consecutive duplicates; only adjacent pairs."""
    store = sequence(rules, ["a", "a", "", "a", "b", "b", "c"])
    assert store.transitions(0) == [("b", "c", 1.0, 1), ("a", "b", 1.0, 1)]


@BOTH
@pytest.mark.parametrize(("strength", "weight"), [(-1, 0), (0.8, 0.8), (1, 1), (5, 5), (9, 5)])
def test_the_strength_of_a_step_is_clamped_to_0_and_5(rules, strength, weight):
    rows = sequence(rules, ["a", "b"], strength=strength).transitions(0)
    assert sum(row[2] for row in rows) == weight


@BOTH
def test_a_transition_stops_at_100(rules):
    store = sequence(rules, *[["a", "b"]] * 30, strength=5.0)
    assert store.transitions(0) == [("a", "b", 100.0, 30)]


@BOTH
def test_the_next_likely_are_shares_of_all_successors(rules):
    """Merged weight per successor / total over ALL; top_k is cut after (may sum < 1)."""
    store = sequence(rules, *[["a", "b"]] * 3, ["a", "c"])
    assert store.next_likely("a", 0) == [("b", 0.75), ("c", 0.25)]
    assert store.next_likely("a", 0, top_k=1) == [("b", 0.75)]


@BOTH
def test_nothing_is_likely_without_transitions_or_places(rules):
    """top_k <= 0 -> []; total <= 0 -> []."""
    store = sequence(rules, ["a", "b"])
    assert store.next_likely("b", 0) == store.next_likely("a", 0, top_k=0) == []
    assert sequence(OBSERVED, ["a", "b"], strength=0).next_likely("a", 0) == []


@BOTH
def test_successors_merge_over_namespaces(rules):
    store = SynapseStore(rules, active="branch:x")
    for namespace in ("branch:x", "personal", "shared", "branch:y"):
        store.record_sequence(["a", "b"], 0, namespace=namespace)
    store.record_sequence(["a", "c"], 0, namespace="shared")
    assert store.transitions(0, "a") == [("a", "b", pytest.approx(2.3), 3), ("a", "c", 0.5, 1)]
    assert dict(store.next_likely("a", 0)) == pytest.approx({"b": 2.3 / 2.8, "c": 0.5 / 2.8})
    assert store.next_likely("a", 0, namespaces=["branch:x"]) == [("b", 1.0)]
    assert store.next_likely("a", 0, namespaces=[]) == []


@BOTH
@pytest.mark.parametrize(("strength", "lives"), [(1.0, 30.0), (0.8, 30 * math.log2(1.6))])
def test_a_single_transition_is_gone_sooner_than_an_edge(rules, strength, lives):
    """M: one observation (1.0) dies just after 30 d, .8 after 20.4 d: below .5 it is pruned."""
    for late, left in ((-0.01, 1), (0.01, 0)):
        store = sequence(rules, ["a", "b"], strength=strength)
        store.decay(days(lives + late))
        assert len(store.transitions(days(lives + late))) == left


@BOTH
def test_at_exactly_one_half_a_transition_is_kept(rules):
    store = sequence(rules, ["a", "b"])
    store.decay(days(30))
    assert store.transitions(days(30)) == [("a", "b", 0.5, 1)]


@BOTH
def test_an_ephemeral_transition_is_gone_after_200_days(rules):
    """T: ephemeral transition 200 d -> gone; a fresh personal one stays."""
    store = SynapseStore(rules)
    store.record_sequence(["a", "b"], 0, namespace="ephemeral")
    store.record_sequence(["a", "b"], days(200))
    store.decay(days(200))
    assert store.next_likely("a", days(200), namespaces=["ephemeral"]) == []
    assert store.next_likely("a", days(200), namespaces=["personal"]) == [("b", 1.0)]


@BOTH
def test_all_namespaces_are_pruned_below_one_half(rules):
    names = ("personal", "shared", "ephemeral", "branch:x", "mine")
    store = SynapseStore(rules)
    for name in names:
        store.record_sequence(["a", "b"], 0, namespace=name)
    assert store.decay(days(61)).transitions == len(names)


@BOTH
def test_many_observations_give_a_transition_no_floor(rules):
    store = sequence(rules, *[["a", "b"]] * 50)
    store.decay(days(3000))
    assert store.transitions(days(3000)) == []


def test_the_code_adds_to_a_stored_transition_and_the_page_to_a_faded_one():
    for rules, weight in ((OBSERVED, 2.0), (DOCUMENTED, 2**-0.5 + 1)):
        store = sequence(rules, ["a", "b"])
        store.record_sequence(["a", "b"], days(15))
        assert store.transitions(days(15)) == [("a", "b", pytest.approx(weight), 2)]


def test_a_faded_transition_starts_its_count_anew():
    store = sequence(DOCUMENTED, ["a", "b"])
    store.record_sequence(["a", "b"], days(31))
    assert store.transitions(days(31)) == [("a", "b", 1.0, 1)]


def test_passes_on_transitions_compound_in_the_code():
    store = sequence(OBSERVED, *[["a", "b"]] * 4)
    store.decay(days(15))
    store.decay(days(30))
    assert store.transitions(days(30)) == [("a", "b", pytest.approx(4 * 2**-1.5), 4)]


def test_in_the_code_a_weak_transition_is_there_until_a_pass():
    store = sequence(OBSERVED, ["a", "b"], strength=0.3)
    assert store.next_likely("a", days(90)) == [("b", 1.0)]
    store.decay(days(90))
    assert store.next_likely("a", days(90)) == []
