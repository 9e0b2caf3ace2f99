"""Laws of the synapse store that hold for any log and any rules."""

from collections import Counter, defaultdict
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.graph.store import SynapseStore, days, explain, spread

NODES = st.sampled_from("abcdef")
EVENTS = st.lists(
    st.tuples(
        st.floats(0, 60), st.lists(NODES, min_size=1, max_size=4), st.sampled_from([0.5, 1.0, 2.0])
    ),
    max_size=25,
)
RULES = st.sampled_from(
    [
        DOCUMENTED,
        DOCUMENTED.change(half_life="fixed"),
        DOCUMENTED.change(half_life="none", weight_cap=None),
        DOCUMENTED.change(floor_lifts=True, decay_before_reinforcement=False),
        DOCUMENTED.change(normalisation="source_row", hub_degree=2, frontier=2, hops=3),
        DOCUMENTED.change(half_life="learned_observed", npmi_min=0.1),
        OBSERVED,
    ]
)


def replay(rules, events, daily_passes=False):
    store, passes = SynapseStore(rules), 0
    for gap_days, nodes, strength in sorted(events, key=lambda event: event[0]):
        while daily_passes and passes < gap_days:
            store.decay(days(passes))
            passes += 1
        store.reinforce(nodes, days(gap_days), strength)
    return store


@settings(max_examples=60, deadline=None)
@given(RULES, EVENTS)
def test_counts_are_those_of_the_pairs_while_nothing_is_pruned(rules, events):
    rules = rules.change(prune_below=0.0, npmi_min=None)
    store = replay(rules, events)
    pairs = Counter(pair for _, nodes, _ in events for pair in combinations(sorted(set(nodes)), 2))
    assert {key[:2]: store.count_of(*key[:2], days(60)) for key in store.edges(days(60))} == pairs


@settings(max_examples=60, deadline=None)
@given(EVENTS)
def test_without_decay_and_cap_a_weight_is_the_sum_of_its_reinforcements(events):
    rules = DOCUMENTED.change(half_life="none", weight_cap=None, prune_below=0.0)
    sums = defaultdict(float)
    for _, nodes, strength in events:
        for pair in combinations(sorted(set(nodes)), 2):
            sums[pair] += 0.3 * strength
    edges = replay(rules, events).edges(days(60))
    assert {key[:2]: weight for key, weight in edges.items()} == pytest.approx(dict(sums))


@settings(max_examples=60, deadline=None)
@given(EVENTS, st.floats(5, 40))
def test_a_fading_weight_is_the_sum_of_its_reinforcements_each_halved_by_its_age(events, life):
    rules = DOCUMENTED.change(
        half_life="fixed", half_life_personal_days=life, weight_cap=None, prune_below=0.0,
        potentiation=False,
    )  # fmt: skip
    sums = defaultdict(float)
    for age, nodes, strength in events:
        for pair in combinations(sorted(set(nodes)), 2):
            sums[pair] += 0.3 * strength * 2 ** (-(90 - age) / life)
    edges = replay(rules, events).edges(days(90))
    assert {key[:2]: weight for key, weight in edges.items()} == pytest.approx(dict(sums))


@settings(max_examples=60, deadline=None)
@given(RULES, EVENTS, st.floats(60, 400), st.floats(0, 100))
def test_weights_stay_in_bounds_and_only_fall(rules, events, now, later):
    store = replay(rules, events)
    cap = rules.weight_cap or float("inf")
    first, second = store.edges(days(now)), store.edges(days(now + later))
    assert all(0 <= weight <= cap for weight in first.values())
    assert set(second) <= set(first)
    assert all(weight <= first[key] for key, weight in second.items())


@settings(max_examples=60, deadline=None)
@given(RULES.filter(lambda rules: rules.decay_passes == "continuous"), EVENTS)
def test_continuous_decay_does_not_know_passes(rules, events):
    plain, passed = replay(rules, events), replay(rules, events, daily_passes=True)
    assert passed.edges(days(70)) == plain.edges(days(70))


@settings(max_examples=60, deadline=None)
@given(RULES, EVENTS, st.permutations("abcdef"))
def test_the_order_of_nodes_in_a_window_does_not_matter(rules, events, order):
    turned = [(age, sorted(nodes, key=order.index), s) for age, nodes, s in events]
    assert replay(rules, events).edges(days(70)) == replay(rules, turned).edges(days(70))


@settings(max_examples=60, deadline=None)
@given(RULES, EVENTS)
def test_reading_changes_nothing(rules, events):
    store, twin = replay(rules, events), replay(rules, events)
    for moment in (500, 61, 90):
        store.spread(["a", "b"], days(moment))
        store.stats(days(moment))
        store.neighbours("a", days(moment))
        store.next_likely("a", days(moment))
    assert store.edges(days(61)) == twin.edges(days(61))


@settings(max_examples=60, deadline=None)
@given(RULES, EVENTS, st.lists(st.tuples(NODES, st.floats(0.1, 3)), max_size=3))
def test_energy_is_explained_to_the_last_edge(rules, events, seeds):
    store = replay(rules, events)
    walk = spread(store, seeds, days(61))
    traces = explain(store, seeds, days(61))
    assert set(traces) == {node for node, _ in walk.ranked}
    for node, energy in walk.ranked:
        assert node not in dict(seeds)
        assert sum(walk.contributions[node].values()) == pytest.approx(energy)
        assert sum(edge.energy for edge in traces[node] if edge.b == node) == pytest.approx(energy)
        first = [edge for edge in traces[node] if edge.hop == 1]
        assert sum(edge.arrived for edge in first) == pytest.approx(energy)
        assert {edge.a for edge in first} <= set(dict(seeds))


@settings(max_examples=60, deadline=None)
@given(EVENTS, st.floats(0.1, 5))
def test_energy_is_linear_in_the_seeds(events, factor):
    store = replay(DOCUMENTED, events)
    one = dict(store.spread(["a", "b"], days(61)))
    many = dict(store.spread([("a", factor), ("b", factor)], days(61)))
    assert many == pytest.approx({node: energy * factor for node, energy in one.items()})


@settings(max_examples=60, deadline=None)
@given(EVENTS, st.integers(1, 3))
def test_spreading_is_a_power_of_the_weight_matrix(events, hops):
    """Energy after h hops: the sum of (0.6 W)^i seed for i = 1..h, by dense matrices."""
    store = replay(DOCUMENTED, events)
    matrix = np.array([[store.weight_of(a, b, days(61)) for b in "abcdef"] for a in "abcdef"])
    wave, total = np.eye(6)[0], np.zeros(6)
    for _ in range(hops):
        wave = 0.6 * matrix @ wave
        total += wave
    result = dict(store.spread(["a"], days(61), hops=hops))
    expected = {node: total[i] for i, node in enumerate("abcdef") if i and total[i] > 0}
    assert result == pytest.approx(expected)
