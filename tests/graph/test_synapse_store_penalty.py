"""Penalties. T pinned by a test of v3.3.0, M measured."""

import pytest

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.graph.store import SynapseStore, days

BOTH = pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED], ids=["documented", "observed"])
FIXED = DOCUMENTED.change(half_life="fixed")
AB = ("a", "b", "personal")


def reinforced(rules, times, nodes=("a", "b"), now=0, **options):
    store = SynapseStore(rules)
    for _ in range(times):
        store.reinforce(nodes, now, **options)
    return store


# --- penalize


def test_a_penalty_weakens_every_pair_that_exists():
    """weight = max(0, w - penalty); returns candidate pairs, existing or not (M)."""
    store = reinforced(FIXED, 2)
    assert store.penalize(["a", "b", "new"], 0) == 3
    assert store.weight_of("a", "b", 0) == pytest.approx(0.30)
    assert store.count_of("a", "b", 0) == 2


@BOTH
@pytest.mark.parametrize(("penalty", "left"), [(-1, 0.6), (0.1, 0.5), (0.5, 0.1)])
def test_a_penalty_is_clamped_at_0(rules, penalty, left):
    store = reinforced(rules, 2)
    store.penalize(["a", "b"], 0, penalty)
    assert store.weight_of("a", "b", 0) == pytest.approx(left)


def test_a_penalty_is_clamped_at_1():
    store = reinforced(FIXED.change(weight_cap=None), 5)
    store.penalize(["a", "b"], 0, 9.0)
    assert store.weight_of("a", "b", 0) == pytest.approx(0.5)


@BOTH
def test_a_penalty_stays_in_its_namespace(rules):
    store = reinforced(rules, 1)
    store.penalize(["a", "b"], 0, namespace="shared")
    assert store.weight_of("a", "b", 0) == pytest.approx(0.3)


@BOTH
@pytest.mark.parametrize(("weight", "gone"), [(0.01, True), (0.010001, False)])
def test_a_penalty_removes_at_the_threshold_where_decay_keeps(rules, weight, gone):
    """Delete touched pairs with weight <= .01 and count < 5 (note <=; decay uses <)."""
    store = SynapseStore(rules.change(learning_rate=weight))
    store.reinforce(["a", "b"], 0)
    store.decay(0)
    assert store.edges(0) != {}
    store.penalize(["a", "b"], 0, 0.0)
    assert (store.edges(0) == {}) is gone


@BOTH
def test_a_penalised_edge_with_five_reinforcements_survives_at_0(rules):
    """M: 5x reinforce, penalize(1.0) -> (0.0, n=5)."""
    store = reinforced(rules.change(floor_lifts=False), 5)
    store.penalize(["a", "b"], 0, 1.0)
    assert store.edges(0) == {AB: 0.0}
    assert store.count_of("a", "b", 0) == 5


def test_the_next_decay_lifts_a_penalised_edge_back_in_the_code():
    """M: ... (0.0, n=5); decay -> .20."""
    store = reinforced(OBSERVED, 5)
    store.penalize(["a", "b"], 0, 1.0)
    assert store.edges(0) == {AB: 0.0}
    store.decay(0)
    assert store.edges(0) == {AB: 0.20}


def test_no_decay_lifts_a_penalised_edge_by_the_page():
    store = reinforced(DOCUMENTED, 5)
    store.penalize(["a", "b"], 0, 0.9)
    store.decay(days(500))
    assert store.weight_of("a", "b", days(500)) == pytest.approx(0.1)  # its weight, not the floor


def test_a_penalty_acts_on_the_weight_as_of_now_and_the_rest_fades_on():
    store = reinforced(FIXED, 3)
    store.penalize(["a", "b"], days(30), 0.25)
    assert store.weight_of("a", "b", days(30)) == pytest.approx(0.45 - 0.25)
    assert store.weight_of("a", "b", days(60)) == pytest.approx(0.10)


def test_a_learned_half_life_after_a_penalty_follows_the_curve_of_the_last_activation():
    """w(t) / w(p) is the same with and without the penalty: times are untouched."""
    plain, weakened = (reinforced(DOCUMENTED, 3) for _ in range(2))
    weakened.penalize(["a", "b"], days(7), 0.2)
    ratio = [
        store.weight_of("a", "b", days(40)) / store.weight_of("a", "b", days(7))
        for store in (plain, weakened)
    ]
    assert ratio[0] == pytest.approx(ratio[1])


def test_five_windows_of_strength_0_are_lifted_to_the_floor_in_the_code():
    """M: five strength-0 reinforces then decay -> .20."""
    store = reinforced(OBSERVED, 5, strength=0)
    store.decay(0)
    assert store.edges(0) == {AB: 0.20}
