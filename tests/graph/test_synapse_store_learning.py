"""Reinforcement and penalty. Facts: neuralmind v3.3.0, T pinned by a test of it, M measured."""

import math

import pytest

from hebb_lab.errors import ConfigError, InputError
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


# --- reinforce


@BOTH
def test_three_nodes_are_three_pairs_of_030_each_in_canonical_order(rules):
    """T: reinforce [b,a,c] -> 3 pairs, each .30."""
    store = SynapseStore(rules)
    assert store.reinforce(["b", "a", "c"], 0) == 3
    keys = [("a", "b", "personal"), ("a", "c", "personal"), ("b", "c", "personal")]
    assert store.edges(0) == pytest.approx(dict.fromkeys(keys, 0.30))


@BOTH
def test_an_edge_is_the_same_from_both_sides(rules):
    store = reinforced(rules, 1, ["b", "a"])
    assert store.neighbours("a", 0) == [("b", 0.3)]
    assert store.neighbours("b", 0) == [("a", 0.3)]


@BOTH
def test_a_node_repeated_in_a_window_is_no_pair(rules):
    """T: [a,a,a] -> 0 pairs."""
    store = SynapseStore(rules)
    assert store.reinforce(["a", "a", "a"], 0) == 0
    assert store.neighbours("a", 0) == []


@BOTH
def test_an_empty_window_teaches_nothing(rules):
    """Empty -> 0; falsy ids are dropped."""
    store = SynapseStore(rules)
    assert store.reinforce([], 0) == store.reinforce(["", ""], 0) == 0
    assert store.stats(0).nodes == 0


@BOTH
def test_a_single_node_is_no_pair_but_counts_as_activated(rules):
    """One id -> 0 pairs but bumps that node's activation counter."""
    store = reinforced(rules, 2, ["a", ""])
    assert store.activations == {("a", "personal"): 2}
    assert store.stats(0).edges == 0


@BOTH
def test_fifty_reinforcements_stay_at_the_cap(rules):
    """T: 50x -> 1.0."""
    assert reinforced(rules, 50).weight_of("a", "b", 0) == 1.0


@BOTH
def test_weights_add_up_to_the_cap(rules):
    """M: weights .3, .6, .9, 1.0, 1.0."""
    store, weights = SynapseStore(rules), []
    for _ in range(5):
        store.reinforce(["a", "b"], 0)
        weights.append(store.weight_of("a", "b", 0))
    assert weights == pytest.approx([0.3, 0.6, 0.9, 1.0, 1.0])


@BOTH
@pytest.mark.parametrize(
    ("strength", "weight"),
    [(-1, 0), (0, 0), (0.5, 0.15), (0.8, 0.24), (1, 0.30), (2, 0.60), (3, 0.60)],
)
def test_the_strength_is_clamped_to_0_and_2(rules, strength, weight):
    """M: strengths -1,0,.5,.8,1,2,3 -> 0,0,.15,.24,.30,.60,.60."""
    store = reinforced(rules, 1, strength=strength)
    assert store.weight_of("a", "b", 0) == pytest.approx(weight)


def test_a_window_of_strength_0_still_makes_a_row_that_counts_in_the_code():
    """M: strength<=0 creates the row (weight 0) and counts an activation."""
    store = reinforced(OBSERVED, 2, strength=0)
    assert store.edges(0) == {AB: 0.0}
    assert store.count_of("a", "b", 0) == 2


def test_a_window_of_strength_0_makes_no_edge_by_the_page():
    """The page prunes below 0.01, at once."""
    store = reinforced(DOCUMENTED, 9, strength=0)
    assert store.edges(0) == {}
    store.reinforce(["a", "b"], 0)
    assert store.count_of("a", "b", 0) == 1


@BOTH
def test_a_bad_id_or_strength_changes_nothing_at_all(rules):
    """T: a failed edge write rolls back the node counters."""
    store = SynapseStore(rules)
    with pytest.raises(InputError, match="no node id"):
        store.reinforce(["a", "b", 7], 0)
    with pytest.raises(InputError, match="strength nan"):
        store.reinforce(["a", "b"], 0, strength=math.nan)
    assert store.stats(0) == SynapseStore(rules).stats(0)


@BOTH
def test_two_files_of_two_and_one_nodes_are_three_pairs(rules):
    """T: activate_files(2 files, nodes 2+1) -> 3 pairs."""
    files = {"a.py": ["a.f", "a.g"], "b.py": ["b.f"]}
    window = [node for nodes in files.values() for node in nodes]
    assert SynapseStore(rules).reinforce(window, 0) == 3


@BOTH
def test_the_window_has_no_limit_of_its_own(rules):
    """Every unordered pair, no cap on window size: O(k^2)."""
    assert SynapseStore(rules).reinforce([f"n{i:03}" for i in range(127)], 0) == 127 * 126 // 2


@BOTH
@pytest.mark.parametrize("name", ["   ", "two words", "tab\there"])
def test_a_namespace_with_a_blank_is_an_error_and_nothing_is_learned(rules, name):
    """T: "   " and "two words" -> ValueError."""
    store = SynapseStore(rules)
    with pytest.raises(ConfigError, match="blank"):
        store.reinforce(["a", "b"], 0, namespace=name)
    assert store.stats(0).namespaces == {}


@BOTH
def test_the_empty_namespace_is_the_active_one(rules):
    """T: "" -> active ns."""
    store = SynapseStore(rules, active=" branch:login ")
    store.reinforce(["a", "b"], 0, namespace="")
    assert list(store.edges(0)) == [("a", "b", "branch:login")]


def test_the_code_does_not_decay_an_edge_before_it_adds():
    """Stored weight is whatever the last decay pass left."""
    store = SynapseStore(OBSERVED)
    store.reinforce(["a", "b"], days(0))
    store.reinforce(["a", "b"], days(300))
    assert store.weight_of("a", "b", days(300)) == pytest.approx(0.60)


def test_the_page_decays_an_edge_before_it_adds():
    store = SynapseStore(FIXED)
    store.reinforce(["a", "b"], days(0))
    store.reinforce(["a", "b"], days(30))
    assert store.weight_of("a", "b", days(30)) == pytest.approx(0.15 + 0.30)


def test_decay_before_reinforcement_with_compounding_passes_is_one_more_pass_on_the_edge():
    rules = FIXED.change(decay_passes="compounding")
    store = SynapseStore(rules)
    store.reinforce(["a", "b"], days(0))
    store.decay(days(30))
    store.reinforce(["a", "b"], days(30))
    assert store.weight_of("a", "b", days(30)) == pytest.approx(0.30 / 4 + 0.30)


def test_without_decay_before_reinforcement_a_continuous_weight_comes_back_whole():
    store = SynapseStore(FIXED.change(decay_before_reinforcement=False))
    store.reinforce(["a", "b"], days(0))
    store.reinforce(["a", "b"], days(30))
    assert store.weight_of("a", "b", days(30)) == pytest.approx(0.60)


def test_an_event_from_the_past_teaches_but_does_not_turn_back_the_clock():
    store = SynapseStore(FIXED)
    store.reinforce(["a", "b"], days(30))
    store.reinforce(["a", "b"], days(0))
    assert store.weight_of("a", "b", days(60)) == pytest.approx(0.30)


# --- the switches of the arms


def test_no_cap_lets_weights_grow():
    store = reinforced(FIXED.change(weight_cap=None), 5)
    assert store.weight_of("a", "b", 0) == pytest.approx(1.5)


def test_a_window_above_the_gate_teaches_nothing():
    store = SynapseStore(FIXED.change(window_max=2))
    assert store.reinforce(["a", "b", "c"], 0) == 0
    assert store.stats(0) == SynapseStore(FIXED).stats(0)
    assert store.reinforce(["a", "b"], 0) == 1


def test_inverse_size_divides_by_the_other_nodes_of_the_window():
    store = reinforced(FIXED.change(event_weight="inverse_size"), 1, ["a", "b", "c", "d", "a"])
    assert store.weight_of("a", "d", 0) == pytest.approx(0.30 / 3)
    assert reinforced(FIXED.change(event_weight="inverse_size"), 1).weight_of("a", "b", 0) == 0.3


WINDOWS = (["a", "b"], ["a", "c"], ["a", "d"], ["a", "e", "f"], ["e", "f"], ["a", "b"])


def npmi(both, one, other, windows):
    """By probabilities, apart from the code's counts of logarithms."""
    p, q, r = both / windows, one / windows, other / windows
    return math.log(p / (q * r)) / -math.log(p) if p < 1 else 1.0


def test_npmi_refuses_pairs_that_meet_by_chance():
    store = SynapseStore(FIXED.change(npmi_min=0.5))
    taught = [store.reinforce(window, 0) for window in WINDOWS]
    # a is in nearly every window: with b it scores 1 in the first (all windows so far), then less
    assert npmi(1, 2, 1, 2) == pytest.approx(0.0)
    assert npmi(1, 1, 1, 4) == pytest.approx(1.0)  # e and f, at their first window
    assert taught == [1, 0, 0, 1, 1, 1]
    assert set(store.edges(0)) == {("a", "b", "personal"), ("e", "f", "personal")}


def test_npmi_judges_only_the_birth_of_an_edge():
    """The last a, b is at NPMI log(2/6 / (5/6 * 2/6)) / -log(2/6) = 0.17 and still teaches."""
    assert npmi(2, 5, 2, 6) == pytest.approx(0.166, abs=1e-3)
    store = SynapseStore(FIXED.change(npmi_min=0.5))
    for window in WINDOWS:
        store.reinforce(window, 0)
    assert store.count_of("a", "b", 0) == 2


def test_a_pruned_edge_must_be_admitted_again():
    store = SynapseStore(FIXED.change(npmi_min=0.5))
    for window in WINDOWS[:-1]:
        store.reinforce(window, 0)
    assert store.reinforce(["a", "b"], days(300)) == 0


def test_npmi_counts_windows_of_all_namespaces_and_gated_ones():
    store = SynapseStore(FIXED.change(npmi_min=0.1, window_max=2))
    store.reinforce(["x", "y", "z"], 0, namespace="shared")
    store.reinforce(["x"], 0)
    assert store.reinforce(["x", "y"], 0) == 0  # p(xy) = 2/3, p(x) = 1, p(y) = 2/3: NPMI 0
    assert store.reinforce(["u", "v"], 0) == 1
