"""Merged reads, spreading activation and its trace. T pinned by a test of v3.3.0, M measured."""

import math
from itertools import combinations

import pytest

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.graph.store import SynapseStore, days, explain, spread
from hebb_lab.graph.store.exchange import import_edges

BOTH = pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED], ids=["documented", "observed"])
FIXED = DOCUMENTED.change(half_life="fixed")


def graph(rows, rules=FIXED, namespace="personal", active="personal"):
    """A store with edges (a, b, weight) and no cap on weights."""
    store = SynapseStore(rules.change(weight_cap=None), active)
    import_edges(store, [(a, b, weight, 1) for a, b, weight in rows], 0, namespace)
    return store


CHAIN = [("A", "B", 0.9), ("B", "C", 0.9)]


def star(spokes, weight=0.5):
    return [("hub", f"s{number:04}", weight) for number in range(spokes)]


# --- merged reads


def three_namespaces(active):
    store = SynapseStore(FIXED, active)
    for namespace in ("branch:x", "personal", "shared", "ephemeral", "branch:y"):
        import_edges(store, [("a", "b", 1.0, 1)], 0, namespace)
    return store


@pytest.mark.parametrize(
    ("active", "merged"),
    [("branch:x", 2.3), ("personal", 1.5), ("shared", 1.8), ("ephemeral", 2.3), ("mine", 1.3)],
)
def test_a_merged_read_sums_branch_personal_and_shared(active, merged):
    """{active:1.0, personal:.8, shared:.5}, first match wins; no cap (max 2.3)."""
    store = three_namespaces(active)
    assert store.weight_of("a", "b", 0) == pytest.approx(merged)
    assert store.neighbours("a", 0) == [("b", pytest.approx(merged))]


def test_a_list_of_namespaces_is_read_raw():
    """Explicit list: raw (x1.0), summed; [] -> []."""
    store = three_namespaces("branch:x")
    assert store.weight_of("a", "b", 0, ["personal", "shared", "ephemeral"]) == pytest.approx(3.0)
    assert store.neighbours("a", 0, []) == store.spread(["a"], 0, namespaces=[]) == []


def test_a_structural_seed_is_read_at_half_its_weight():
    """.2916*.5 = .1458; one-hop energy .0875."""
    store = graph([("a", "b", 0.2916)], namespace="shared")
    assert store.weight_of("a", "b", 0) == pytest.approx(0.1458)
    assert store.spread(["a"], 0) == [("b", pytest.approx(0.0875, abs=5e-5))]


def test_neighbours_are_ranked_by_weight_then_id_descending():
    store = graph([("a", "b", 0.5), ("a", "c", 0.5), ("a", "d", 0.9)])
    assert [node for node, _ in store.neighbours("a", 0)] == ["d", "c", "b"]
    assert [node for node, _ in store.neighbours("a", 0, top_k=1)] == ["d"]


# --- the walk


@pytest.mark.parametrize(
    ("hops", "energies"),
    [
        (1, {"B": 0.54}),
        (2, {"B": 0.54, "C": 0.2916}),
        (3, {"B": 0.854928, "C": 0.2916}),
        (4, {"B": 0.854928, "C": 0.461661}),
    ],
)
def test_energy_along_a_chain(hops, energies):
    """M: chain w=.9 seed A -> B .54, C .2916; depth 1, 3, 4."""
    assert dict(graph(CHAIN).spread(["A"], 0, hops=hops)) == pytest.approx(energies, abs=1e-6)


def test_the_rules_say_how_far_energy_goes():
    assert dict(graph(CHAIN).spread(["A"], 0)) == pytest.approx({"B": 0.54, "C": 0.2916})
    assert dict(graph(CHAIN, FIXED.change(hops=1)).spread(["A"], 0)) == pytest.approx({"B": 0.54})


@BOTH
def test_a_direct_neighbour_ranks_above_an_indirect_one(rules):
    """T: chain A - B - C, A and C never co-activated; A itself is not in the result."""
    store = SynapseStore(rules)
    for _ in range(3):
        store.reinforce(["A", "B"], 0)
        store.reinforce(["B", "C"], 0)
    assert [node for node, _ in store.spread([("A", 1.0)], 0)] == ["B", "C"]


@BOTH
def test_no_seed_or_an_unknown_one_gives_nothing(rules):
    store = SynapseStore(rules)
    store.reinforce(["A", "B"], 0)
    assert store.spread([], 0) == store.spread(["unknown"], 0) == []


@pytest.mark.parametrize(("n", "w", "s", "energy"), [(40, 1, 3, 42.84), (7, 0.3, 3, 1.026)])
def test_energy_in_a_clique_has_a_closed_form(n, w, s, energy):
    """M: K_n: each non-seed gets .6*w*s + .36*w^2*s*(n-2)."""
    names = [f"n{number:02}" for number in range(n)]
    store = graph([(a, b, w) for a, b in combinations(names, 2)])
    result = dict(store.spread(names[:s], 0))
    assert 0.6 * w * s + 0.36 * w**2 * s * (n - 2) == pytest.approx(energy)
    assert result == pytest.approx(dict.fromkeys(names[s:], energy))


def test_seeds_given_twice_add_up():
    """[A,A] = energy 2."""
    assert dict(graph(CHAIN).spread(["A", "A"], 0, hops=1)) == pytest.approx({"B": 1.08})


def test_seeds_send_to_each_other_and_are_left_out_only_at_the_end():
    """No visited set: seed->seed edges carry energy."""
    store = graph([("A", "B", 0.5), ("B", "C", 0.5)])
    result = dict(store.spread(["A", "B"], 0))
    assert result == pytest.approx({"C": 0.6 * 0.5 + 0.36 * 0.5 * 0.5})


def test_a_merged_weight_above_one_amplifies():
    """Merged weight can be 2.3 -> one hop gives 1.38."""
    store = three_namespaces("branch:x")
    assert store.spread(["a"], 0, hops=1) == [("b", pytest.approx(1.38))]


@pytest.mark.parametrize(
    ("degree", "factor"), [(50, 1), (51, (50 / 51) ** 0.5), (200, 0.5), (5000, 0.1)]
)
def test_a_hub_sends_less_by_the_square_root(degree, factor):
    """Hub factor above degree 50: 200 -> 0.5, 5000 -> 0.1; applied to the sender."""
    store = graph(star(degree, 1.0))
    assert store.spread(["hub"], 0, hops=1)[0][1] == pytest.approx(0.6 * factor)
    assert store.spread(["s0000"], 0, hops=1)[0][1] == pytest.approx(0.6)


def test_the_hub_factor_can_be_turned_off():
    store = graph(star(200, 1.0), FIXED.change(hub_degree=None))
    assert store.spread(["hub"], 0, hops=1)[0][1] == pytest.approx(0.6)


def test_the_degree_counts_merged_neighbours():
    """The number of distinct merged neighbours, over the namespaces that are read."""
    store = graph(star(40, 1.0), namespace="personal")
    import_edges(store, [(f"t{n}", "hub", 1.0, 1) for n in range(40)], 0, "shared")
    import_edges(store, [("hub", f"s{n:04}", 1.0, 1) for n in range(40)], 0, "shared")
    energies = dict(store.spread(["hub"], 0, hops=1))
    assert energies["t0"] == pytest.approx(0.6 * 0.5 * math.sqrt(50 / 80))


def test_edges_of_weight_0_count_for_the_degree_but_carry_nothing():
    """Zero-weight rows included."""
    store = graph(star(100, 0.0), OBSERVED)
    import_edges(store, [("hub", "t", 1.0, 1)], 0, "personal")
    assert store.spread(["hub"], 0) == [("t", pytest.approx(0.6 * math.sqrt(50 / 101)))]


def test_a_faded_edge_is_no_neighbour():
    store = graph([*star(60, 0.02), ("hub", "t", 1.0)])
    now = days(60)
    assert store.spread(["hub"], now, hops=1) == [("t", pytest.approx(0.6 / 4))]


def test_negative_and_zero_seeds_send_nothing():
    assert graph(CHAIN).spread([("A", -1.0), ("C", 0.0)], 0) == []


def test_ties_are_ranked_by_id_descending():
    ranked = graph(star(5)).spread(["hub"], 0, top_k=2)
    assert [node for node, _ in ranked] == ["s0004", "s0003"]


def test_source_rows_that_are_normalised_share_out_the_energy():
    rows = [("a", "b", 0.9), ("a", "c", 0.3)]
    store = graph(rows, FIXED.change(normalisation="source_row"))
    result = dict(store.spread(["a"], 0, hops=1))
    assert result == pytest.approx({"b": 0.6 * 0.75, "c": 0.6 * 0.25})


def test_only_the_best_of_the_frontier_send_on():
    rows = [("a", "b", 0.9), ("a", "c", 0.3), ("b", "x", 1.0), ("c", "y", 1.0)]
    result = dict(graph(rows, FIXED.change(frontier=1)).spread(["a"], 0))
    assert result == pytest.approx({"b": 0.54, "c": 0.18, "x": 0.6 * 0.54})


def test_all_seeds_send_whatever_the_frontier():
    rows = [("a", "b", 0.9), ("c", "d", 0.3)]
    assert set(dict(graph(rows, FIXED.change(frontier=1)).spread(["a", "c"], 0))) == {"b", "d"}


# --- where energy comes from


def test_contributions_of_namespaces_sum_to_the_energy():
    """T: the shares sum to the energy."""
    store = three_namespaces("branch:x")
    import_edges(store, [("b", "c", 0.4, 1)], 0, "shared")
    walk = spread(store, ["a"], 0)
    assert walk.contributions["b"] == pytest.approx(
        {"branch:x": 0.6, "personal": 0.48, "shared": 0.3}
    )
    for node, energy in walk.ranked:
        assert sum(walk.contributions[node].values()) == pytest.approx(energy)


def test_the_walkthrough_of_the_page():
    """verify_token - load_keys .9 -> .54; login - session.refresh shared .5 -> .15."""
    store = graph([("verify_token", "load_keys", 0.9)])
    import_edges(store, [("login", "session.refresh", 0.5, 1)], 0, "shared")
    energies = dict(store.spread(["verify_token", "login", "third"], 0))
    assert energies == pytest.approx({"load_keys": 0.54, "session.refresh": 0.15})


def test_a_trace_names_every_edge_behind_a_candidate():
    store = graph(CHAIN)
    traces = explain(store, ["A"], 0)
    assert set(traces) == {"B", "C"}
    second, first = traces["C"]
    assert (second.a, second.b, second.namespace, second.hop) == ("B", "C", "personal", 2)
    assert (first.a, first.b, first.hop) == ("A", "B", 1)
    assert (second.weight, second.energy, second.arrived) == pytest.approx((0.9, 0.2916, 0.2916))
    assert (first.weight, first.energy, first.arrived) == pytest.approx((0.9, 0.54, 0.2916))


def test_a_trace_gives_the_raw_weight_of_the_edge_as_of_now():
    store = three_namespaces("branch:x")
    weights = [edge.weight for edge in explain(store, ["a"], days(30), hops=1)["b"]]
    assert sorted(weights) == pytest.approx([0.5, 0.5, 2**-0.5])  # shared lives 60 days


def test_an_empty_store_explains_nothing():
    assert explain(SynapseStore(FIXED), ["A"], 0) == {}
