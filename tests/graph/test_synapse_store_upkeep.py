"""Node passes, stale edges, hubs, clearing, counting. T pinned by a test, M measured."""

import math

import pytest

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.graph.store import SynapseStore, days

BOTH = pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED], ids=["documented", "observed"])
FIXED = DOCUMENTED.change(half_life="fixed")


def learned(rules, *moments, namespace="personal"):
    store = SynapseStore(rules)
    for moment in moments:
        store.reinforce(["a", "b"], days(moment), namespace=namespace)
    return store


def weight(store, moment, namespace="personal"):
    return store.weight_of("a", "b", days(moment), [namespace])


# --- decay_node, prune_stale, normalize_hubs, clear, reset


def test_a_node_pass_does_nothing_to_a_fresh_edge():
    """M: on an edge just reinforced .30 -> .30."""
    store = learned(OBSERVED, 0)
    assert store.decay_node("a", 0) == 0
    assert weight(store, 0) == pytest.approx(0.3)


def test_a_node_pass_takes_30_days_whatever_the_half_life_of_the_edge():
    """Always H=30, all namespaces, ignores half_life_days; floor even in ephemeral."""
    store = learned(OBSERVED, 0)
    store.set_half_life("a", "b", 120)
    for namespace, times in (("shared", 1), ("ephemeral", 5)):
        for _ in range(times):
            store.reinforce(["a", "b"], 0, namespace=namespace)
    store.reinforce(["c", "d"], 0)
    store.decay_node("a", days(90))
    left = [weight(store, 90, name) for name in ("personal", "shared", "ephemeral")]
    assert left == pytest.approx([0.3 / 8, 0.3 / 8, 0.20])
    assert store.weight_of("c", "d", days(90)) == pytest.approx(0.3)


def test_a_node_pass_prunes_and_fades_outgoing_transitions_only():
    store = learned(OBSERVED, 0)
    store.record_sequence(["a", "b", "a"], 0)
    assert store.decay_node("a", days(200)) == 1
    assert store.transitions(days(200)) == [("b", "a", 1.0, 1)]


def test_a_node_pass_writes_no_weight_where_decay_is_continuous():
    store = learned(FIXED, 0)
    store.decay_node("a", days(30))
    assert weight(store, 60) == pytest.approx(0.3 / 4)


@BOTH
def test_stale_edges_go_unless_they_are_proven(rules):
    """All namespaces, last_activated < cutoff and n < 5; transitions kept; None -> 0."""
    store = learned(rules, 0)
    store.reinforce(["a", "b"], 0, namespace="shared")
    store.reinforce(["c", "d"], days(20))
    for _ in range(5):
        store.reinforce(["e", "f"], 0)
    store.record_sequence(["a", "b"], days(20))
    assert store.prune_stale(None, days(40)) == 0
    assert store.prune_stale(20, days(40)) == 2
    left = [("c", "d", "personal"), ("e", "f", "personal")]
    assert list(store.edges(days(40))) == left
    assert store.transitions(days(40)) != []


def star(rules, spokes, namespace="personal", centre="hub"):
    store = SynapseStore(rules)
    for number in range(spokes):
        store.reinforce([centre, f"s{number:03}"], 0, namespace=namespace)
    return store


def test_hub_normalisation_halves_a_node_of_200_again_at_each_call():
    """T: star 200 -> lowers weights. M: not idempotent: .15, .075, .0375."""
    store, seen = star(OBSERVED, 200), []
    for _ in range(3):
        assert store.normalize_hubs(0) == 1
        seen.append(store.weight_of("hub", "s000", 0))
    assert seen == pytest.approx([0.15, 0.075, 0.0375])


def test_an_edge_between_two_hubs_is_scaled_twice():
    """M: two degree-100 hubs: spoke .7071, hub-hub .5."""
    store = SynapseStore(OBSERVED.change(learning_rate=1.0))
    store.reinforce(["x", "y"], 0)
    for number in range(99):
        store.reinforce(["x", f"x{number}"], 0)
        store.reinforce(["y", f"y{number}"], 0)
    assert store.normalize_hubs(0) == 2
    assert store.weight_of("x", "x0", 0) == pytest.approx(math.sqrt(0.5))
    assert store.weight_of("x", "y", 0) == pytest.approx(0.5)


def test_hub_normalisation_counts_each_namespace_by_itself():
    """M: 40 personal + 40 shared neighbours -> 0 adjusted."""
    store = star(OBSERVED, 40)
    for number in range(40):
        store.reinforce(["hub", f"t{number}"], 0, namespace="shared")
    assert store.normalize_hubs(0) == 0


def test_a_pass_lifts_potentiated_spokes_back_to_the_floor_in_the_code():
    store = SynapseStore(OBSERVED.change(learning_rate=0.06))
    for number in range(200):
        for _ in range(5):
            store.reinforce(["hub", f"s{number}"], 0)
    store.normalize_hubs(0)
    assert store.weight_of("hub", "s0", 0) == pytest.approx(0.15)
    store.decay(0)
    assert store.weight_of("hub", "s0", 0) == 0.20


def test_hub_normalisation_of_a_fading_store_keeps_the_curve():
    store = star(FIXED, 200)
    store.normalize_hubs(days(30))
    assert store.weight_of("hub", "s000", days(60)) == pytest.approx(0.3 / 4 / 2)


@BOTH
def test_clearing_a_namespace_removes_its_edges_transitions_and_activations(rules):
    """T: clear_namespace removes edges + transitions + activations of one ns."""
    store = learned(rules, 0)
    before = store.stats(0)
    store.reinforce(["a", "b", "z"], 0, namespace="branch:x")
    store.record_sequence(["a", "b"], 0, namespace="branch:x")
    assert store.clear_namespace("branch:x") == (3, 1)
    assert store.stats(0) == before


@BOTH
def test_a_reset_store_is_as_new(rules):
    """T: reset -> 0."""
    store = learned(rules, 0)
    store.record_sequence(["a", "b"], 0)
    store.reset()
    assert store.stats(0) == SynapseStore(rules).stats(0)


@BOTH
def test_three_nodes_are_counted_as_three_nodes_and_three_edges(rules):
    """T: stats [a,b,c] -> edges 3, nodes 3."""
    store = SynapseStore(rules)
    store.reinforce(["a", "b", "c"], 0)
    counted = store.stats(0)
    assert (counted.edges, counted.nodes, counted.potentiated) == (3, 3, 0)
    assert counted.weight == pytest.approx(0.9)
    assert counted.namespaces["personal"].edges == 3
