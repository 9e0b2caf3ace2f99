"""How strongly windows join pairs, and transitions, held to plain loops."""

import math
from itertools import combinations, groupby

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.graph.pairs import pointers, pointwise_information, transitions_of
from hebb_lab.graph.temporal import transition_graph
from hebb_lab.kernels.cpu.pairs import Edges
from hebb_lab.telemetry.touches import touches_of
from hebb_lab.telemetry.windows import window_of_touch
from tests.kernels.logs import co_activations as windows_from
from tests.kernels.logs import window_lists
from tests.made_logs import START, event, log_of, reads


def by_hand(windows):
    """(window, a, b) by plain loops."""
    return [
        (w, a, b)
        for w, (_, members, _, _) in enumerate(windows)
        for a, b in combinations(sorted(members), 2)
    ]


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


def npmi_of(windows):
    """The same as the graph is given it: events lie by (a, b, namespace), then by window."""
    keyed = sorted((a, b, windows[w][3], w) for w, a, b in by_hand(windows))
    edges = [key for key, _ in groupby(keyed, key=lambda event: event[:3])]
    counts = [sum(event[:3] == edge for event in keyed) for edge in edges]
    window = np.array([event[3] for event in keyed], np.int32)
    ends = np.array([edge[:2] for edge in edges], np.int32).reshape(-1, 2).T
    numbered = Edges(
        np.ascontiguousarray(ends), np.array([edge[2] for edge in edges], np.int16),
        pointers(np.array(counts, np.int64)),
    )  # fmt: skip
    npmi = pointwise_information(numbered, window, windows_from(windows))
    return {(w, a, b): value for (a, b, _, w), value in zip(keyed, npmi.tolist(), strict=True)}


@settings(max_examples=60, deadline=None)
@given(window_lists(), st.sampled_from([1, 3, 1000]))
def test_npmi_is_counted_over_the_windows_up_to_and_with_its_own(windows, part):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hebb_lab.graph.pairs.PART", part)
        assert npmi_of(windows) == pytest.approx(npmi_by_hand(windows), abs=1e-6)


def test_npmi_is_1_for_two_nodes_that_only_come_together_and_0_for_independent_ones():
    together = [(0, [0, 1], 1.0, 0), (1, [2], 1.0, 0), (2, [0, 1], 1.0, 0)]
    assert npmi_of(together)[2, 0, 1] == pytest.approx(1.0)
    free = [[0], [1], [2], [0, 1]]  # p(0) = p(1) = 1/2, p(0, 1) = 1/4
    independent = [(i, members, 1.0, 0) for i, members in enumerate(free)]
    assert npmi_of(independent)[3, 0, 1] == pytest.approx(0.0)


def test_pointers_are_offsets():
    assert pointers(np.array([2, 0, 3])).tolist() == [0, 2, 2, 5]
    assert pointers(np.array([], np.int64)).tolist() == [0]


def steps_in(log):
    touches = touches_of(log)
    made = transitions_of(touches, window_of_touch(touches))
    names = touches.nodes
    ends = touches.node[np.stack([made.first, made.second], axis=1)]
    pairs = [f"{names[a]}>{names[b]}" for a, b in ends]
    return touches, made, pairs


def test_a_transition_joins_consecutive_touches_of_different_nodes_in_a_session():
    _, _, pairs = steps_in(reads("s.1:x s.1:x s.1:y s.1:x r.1:z r.1:y"))
    assert pairs == ["x>y", "y>x", "z>y"]


def test_a_transition_is_not_cut_by_another_session_and_crosses_turns():
    _, _, pairs = steps_in(reads("s.1:x r.1:p s.2:y r.1:q"))
    assert sorted(pairs) == ["p>q", "x>y"]


def test_a_transition_is_learned_when_the_window_of_its_second_touch_ends():
    touches, made, pairs = steps_in(reads("s.1:x s.2:y r.1:p s.2:z r.1:q"))
    assert dict(zip(pairs, made.time_us[made.second].tolist(), strict=True)) == {
        "x>y": touches.time_us[3],
        "y>z": touches.time_us[3],
        "p>q": touches.time_us[4],
    }
    assert (np.diff(made.time_us[made.second]) >= 0).all()


def test_a_transition_has_strength_and_namespace_of_its_second_touch():
    rows = [event("s", 1, "x", START), event("s", 1, "y", START + 1, strength=2.0, namespace="n")]
    touches, _, pairs = steps_in(log_of(rows))
    graph = transition_graph(touches, window_of_touch(touches))
    assert graph.event_strength.tolist() == [2.0]
    assert touches.namespaces[graph.edge_namespace[0]] == "n"
    assert pairs == ["x>y"]
