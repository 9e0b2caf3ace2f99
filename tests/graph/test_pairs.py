"""Pairs of windows and transitions, held to plain loops."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.graph.pairs import pairs_of, pointers, pointwise_information, transition_pairs
from hebb_lab.telemetry.touches import touches_of
from hebb_lab.telemetry.windows import co_activations, window_of_touch
from tests.kernels.logs import co_activations as windows_from
from tests.kernels.logs import window_lists
from tests.made_logs import START, event, log_of, reads


def as_tuples(pairs):
    return list(zip(pairs.window.tolist(), pairs.a.tolist(), pairs.b.tolist(), strict=True))


def by_hand(windows, window_max=None):
    """(window, a, b) by plain loops."""
    return [
        (w, a, b)
        for w, (_, members, _, _) in enumerate(windows)
        if window_max is None or len(members) <= window_max
        for a, b in combinations(sorted(members), 2)
    ]


@settings(max_examples=60, deadline=None)
@given(window_lists(), st.sampled_from([None, 2, 3]))
def test_every_unordered_pair_of_every_window_is_there_once_in_learning_order(windows, most):
    pairs = pairs_of(windows_from(windows), most)
    assert sorted(as_tuples(pairs)) == sorted(by_hand(windows, most))
    assert (np.diff(pairs.window) >= 0).all()
    assert (pairs.a < pairs.b).all()


def test_windows_of_one_node_have_no_pair():
    assert len(pairs_of(windows_from([(0, [3], 1.0, 0), (1, [3], 1.0, 0)])).a) == 0


def npmi_by_hand(windows):
    """NPMI of each pair at its own window, counted by plain loops."""
    values = {}
    for w, a, b in by_hand(windows):
        so_far = [set(members) for _, members, _, _ in windows[: w + 1]]
        p_a, p_b, p_ab = (
            sum(wanted <= held for held in so_far) / len(so_far) for wanted in ({a}, {b}, {a, b})
        )
        one = p_ab == 1.0
        values[w, a, b] = 1.0 if one else math.log(p_ab / (p_a * p_b)) / -math.log(p_ab)
    return values


@settings(max_examples=60, deadline=None)
@given(window_lists())
def test_npmi_is_counted_over_the_windows_up_to_and_with_its_own(windows):
    made = windows_from(windows)
    pairs = pairs_of(made)
    got = dict(zip(as_tuples(pairs), pointwise_information(pairs, made).tolist(), strict=True))
    assert got == pytest.approx(npmi_by_hand(windows), abs=1e-12)


def test_npmi_is_1_for_two_nodes_that_only_come_together_and_0_for_independent_ones():
    together = windows_from([(0, [0, 1], 1.0, 0), (1, [2], 1.0, 0), (2, [0, 1], 1.0, 0)])
    pairs = pairs_of(together)
    assert pointwise_information(pairs, together)[-1] == pytest.approx(1.0)
    free = [[0], [1], [2], [0, 1]]  # p(0) = p(1) = 1/2, p(0, 1) = 1/4
    independent = windows_from([(i, members, 1.0, 0) for i, members in enumerate(free)])
    pairs = pairs_of(independent)
    assert pointwise_information(pairs, independent)[-1] == pytest.approx(0.0)


def test_pointers_are_offsets():
    assert pointers(np.array([2, 0, 3])).tolist() == [0, 2, 2, 5]
    assert pointers(np.array([], np.int64)).tolist() == [0]


def transitions_of(log):
    touches = touches_of(log)
    made = transition_pairs(touches, window_of_touch(touches))
    names = touches.nodes
    pairs = [f"{names[a]}>{names[b]}" for a, b in zip(made.a, made.b, strict=True)]
    return touches, made, pairs


def test_a_transition_joins_consecutive_touches_of_different_nodes_in_a_session():
    _, _, pairs = transitions_of(reads("s.1:x s.1:x s.1:y s.1:x r.1:z r.1:y"))
    assert pairs == ["x>y", "y>x", "z>y"]


def test_a_transition_is_not_cut_by_another_session_and_crosses_turns():
    _, _, pairs = transitions_of(reads("s.1:x r.1:p s.2:y r.1:q"))
    assert sorted(pairs) == ["p>q", "x>y"]


def test_a_transition_is_learned_when_the_window_of_its_second_touch_ends():
    touches, made, pairs = transitions_of(reads("s.1:x s.2:y r.1:p s.2:z r.1:q"))
    assert dict(zip(pairs, made.time_us.tolist(), strict=True)) == {
        "x>y": touches.time_us[3],
        "y>z": touches.time_us[3],
        "p>q": touches.time_us[4],
    }
    assert (np.diff(made.time_us) >= 0).all()


def test_a_transition_has_strength_and_namespace_of_its_second_touch():
    rows = [event("s", 1, "x", START), event("s", 1, "y", START + 1, strength=2.0, namespace="n")]
    touches, made, _ = transitions_of(log_of(rows))
    assert made.strength.tolist() == [2.0]
    assert touches.namespaces[made.namespace[0]] == "n"


def test_a_real_log_has_the_pairs_that_other_code_found(shared_data):
    from hebb_lab.telemetry.discover import read_log
    from hebb_lab.telemetry.reader import ReadOptions

    log = read_log(shared_data / "telemetry/events/entire_cli.tsv", "table", ReadOptions())
    touches = touches_of(log)
    pairs = pairs_of(co_activations(touches, window_of_touch(touches)), 50)
    assert len(set(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))) == 6_966
