"""The floor and pruning. T pinned by a test of v3.3.0, M measured."""

import pytest

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.graph.store import SynapseStore, days

BOTH = pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED], ids=["documented", "observed"])
FIXED = DOCUMENTED.change(half_life="fixed")
COMPOUNDING = FIXED.change(decay_passes="compounding")
AB = ("a", "b", "personal")


def learned(rules, *moments, namespace="personal"):
    store = SynapseStore(rules)
    for moment in moments:
        store.reinforce(["a", "b"], days(moment), namespace=namespace)
    return store


def weight(store, moment, namespace="personal"):
    return store.weight_of("a", "b", days(moment), [namespace])


# --- floor and pruning


@BOTH
@pytest.mark.parametrize(
    ("times", "age", "left"), [(1, 200, 0.0), (4, 2000, 0.0), (5, 2000, 0.20), (7, 200, 0.20)]
)
def test_five_reinforcements_keep_a_floor_for_ever(rules, times, age, left):
    """T: 200 d old n=1 -> pruned; n=7 -> >=.20."""
    store = learned(rules, *[0] * times)
    store.decay(days(age))
    assert weight(store, age) == pytest.approx(left)


@BOTH
def test_without_potentiation_there_is_no_floor(rules):
    store = learned(rules.change(potentiation=False), *[0] * 9)
    store.decay(days(3000))
    assert store.edges(days(3000)) == {}


@pytest.mark.parametrize("times", [1, 10])
def test_an_ephemeral_edge_has_no_floor_in_the_code(times):
    """T: ephemeral 200 d, n=1 or n=10 -> gone."""
    store = learned(OBSERVED, *[0] * times, namespace="ephemeral")
    store.decay(days(200))
    assert store.edges(days(200)) == {}


def test_an_ephemeral_edge_has_the_floor_by_the_page():
    store = learned(DOCUMENTED, *[0] * 10, namespace="ephemeral")
    assert weight(store, 200, "ephemeral") == pytest.approx(0.20)


def test_the_floor_of_the_page_never_lifts_a_weight():
    """An edge does not decay below min(its weight, floor)."""
    store = learned(FIXED.change(learning_rate=0.02), *[0] * 5)
    assert weight(store, 0) == weight(store, 900) == pytest.approx(0.10)


def test_the_floor_of_the_code_lifts():
    """Floor is MAX(.20, decayed)."""
    store = learned(OBSERVED.change(learning_rate=0.02), *[0] * 5)
    store.decay(0)
    assert weight(store, 0) == 0.20


@pytest.mark.parametrize("rules", [FIXED, COMPOUNDING], ids=["read", "pass"])
def test_pruning_is_strictly_below_the_threshold(rules):
    """weight < .01 is pruned, .01 is kept."""
    at = learned(rules.change(learning_rate=0.04), 0)
    at.decay(days(60))
    assert weight(at, 60) == 0.01
    under = learned(rules.change(learning_rate=0.039999), 0)
    under.decay(days(60))
    assert under.edges(days(60)) == {}


def test_a_pruned_edge_starts_its_count_and_its_age_anew():
    store = learned(FIXED, 0, 0, 0, 300)
    assert store.count_of("a", "b", days(300)) == 1
    assert store.alive(AB, days(300)).created_us == days(300)
    assert weight(store, 300) == pytest.approx(0.3)


def test_an_edge_that_fades_but_is_not_pruned_keeps_count_and_creation():
    store = learned(FIXED, 0, 0, 0, 100)
    assert store.count_of("a", "b", days(100)) == 4
    assert store.alive(AB, days(100)).created_us == 0


def test_a_pruning_threshold_of_0_prunes_nothing():
    store = learned(FIXED.change(prune_below=0.0), 0, 3000)
    assert store.count_of("a", "b", days(3000)) == 2


def test_in_the_code_an_edge_is_only_pruned_by_a_pass():
    store = learned(OBSERVED, 0)
    store.reinforce(["a", "b"], days(300))
    assert store.count_of("a", "b", days(300)) == 2
