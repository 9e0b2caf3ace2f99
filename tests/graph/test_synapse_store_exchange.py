"""Import, export, team bundles. T pinned by a test of v3.3.0, M measured."""

import pytest

from hebb_lab.errors import InputError
from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.graph.store import SynapseStore, days
from hebb_lab.graph.store.exchange import (
    export_namespace,
    import_edges,
    import_namespace,
    import_transitions,
    team_bundle,
)

BOTH = pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED], ids=["documented", "observed"])
AB = ("a", "b", "personal")


def used(rules):
    store = SynapseStore(rules)
    for window in (["b", "a", "c"], ["a", "b"]):
        store.reinforce(window, 0)
        store.record_sequence(window, 0)
    return store


@BOTH
def test_an_import_keeps_the_larger_weight_and_the_larger_count(rules):
    """Conflict MAX(weight), MAX(count)."""
    store = SynapseStore(rules)
    import_edges(store, [("b", "a", 0.5, 2)], 0, "personal")
    import_edges(store, [("a", "b", 0.3, 7)], 0, "personal")
    assert store.edges(0) == {AB: 0.5}
    assert store.count_of("a", "b", 0) == 7


@BOTH
def test_an_import_skips_self_loops_and_clamps_weights(rules):
    """Canonicalise, skip self, clamp [0,1]."""
    store = SynapseStore(rules)
    rows = [("a", "a", 0.5, 1), ("a", "", 0.5, 1), ("b", "a", 3.0, 1)]
    assert import_edges(store, rows, 0, "personal") == 1
    assert store.edges(0) == {AB: 1.0}


@BOTH
def test_importing_twice_is_importing_once_but_refreshes_the_age(rules):
    """M: re-import refreshes age while the weight stays .5."""
    store = SynapseStore(rules)
    import_edges(store, [("a", "b", 0.5, 1)], 0, "personal")
    import_edges(store, [("a", "b", 0.5, 1)], days(5), "personal")
    assert store.edges(days(5)) == {AB: 0.5}
    assert store.alive(AB, days(5)).last_us == days(5)


def test_an_imported_edge_has_no_half_life_of_its_own():
    """half_life NULL: the namespace's default."""
    store = SynapseStore(OBSERVED)
    import_edges(store, [("a", "b", 0.5, 3)], 0, "shared")
    assert store.alive(("a", "b", "shared"), 0).half_life_days is None
    store.decay(days(60))
    assert store.weight_of("a", "b", days(60), ["shared"]) == pytest.approx(0.25)


@BOTH
def test_an_imported_count_potentiates_at_once(rules):
    """Count is imported, so LTP is instant."""
    store = SynapseStore(rules)
    import_edges(store, [("a", "b", 0.5, 5)], 0, "personal")
    store.decay(days(5000))
    assert store.edges(days(5000)) == {AB: 0.20}


@BOTH
def test_imported_transitions_are_clamped_to_100(rules):
    store = SynapseStore(rules)
    rows = [("b", "a", 900.0, 3), ("a", "a", 1.0, 1)]
    assert import_transitions(store, rows, 0, "personal") == 1
    import_transitions(store, [("b", "a", 2.0, 9)], 0, "personal")
    assert store.transitions(0) == [("b", "a", 100.0, 9)]


@BOTH
def test_an_export_holds_raw_weights_and_counts_and_no_times(rules):
    """Raw one-namespace weights; no timestamps, no half-life."""
    bundle = export_namespace(used(rules), 0)
    first = {"source": "a", "target": "b", "weight": 0.6, "activation_count": 2}
    assert bundle["synapses"][0] == first
    assert len(bundle["synapses"]) == 3
    assert len(export_namespace(used(rules), 0, limit=2)["synapses"]) == 2


@BOTH
def test_what_is_exported_can_be_imported(rules):
    bundle = export_namespace(used(rules), 0)
    other = SynapseStore(rules)
    assert import_namespace(other, bundle, 0) == (3, 3)
    assert other.edges(0) == used(rules).edges(0)
    assert other.transitions(0) == used(rules).transitions(0)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"version": 2}, "version 2"),
        ({"namespace": None}, "no namespace"),
        ({"synapses": {}}, "synapses of the bundle is no list"),
        ({"transitions": [{"source": "a", "weight": 1.0}]}, r"transitions\[0\]"),
        ({"synapses": [{"source": "a", "target": "b", "weight": -1.0}]}, r"synapses\[0\]"),
    ],
)
def test_a_bad_bundle_is_an_error_and_imports_nothing(change, complaint):
    """T: any error -> nothing imported."""
    bundle = {**export_namespace(used(OBSERVED), 0), **change}
    store = SynapseStore(OBSERVED)
    with pytest.raises(InputError, match=complaint):
        import_namespace(store, bundle, 0)
    assert store.stats(0) == SynapseStore(OBSERVED).stats(0)


def test_a_team_bundle_unites_personal_and_shared_by_the_maximum():
    """Union personal + shared, per-field MAX, cap."""
    store = SynapseStore(OBSERVED)
    import_edges(store, [("a", "b", 0.3, 9), ("c", "d", 0.1, 1)], 0, "personal")
    import_edges(store, [("a", "b", 0.7, 2)], 0, "shared")
    import_edges(store, [("x", "y", 0.9, 2)], 0, "branch:x")
    entries = team_bundle(store, 0)["synapses"]
    assert entries[0] == {"source": "a", "target": "b", "weight": 0.7, "activation_count": 9}
    assert [entry["source"] for entry in entries] == ["a", "c"]
    assert len(team_bundle(store, 0, limit=1)["synapses"]) == 1
