"""Replay, compiled: all traces at once; the rest is in test_conformance."""

import numpy as np
import pytest

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.kernels.arrays import SKIPPED, graph_arrays
from hebb_lab.kernels.cpu.traces.replay import replay
from hebb_lab.kernels.parameters import rule_arrays
from tests.kernels.logs import DAY_US, NAMESPACES, co_activations

START = 20_000 * DAY_US


def state_of(windows, *rules):
    graph = co_activation_graph(co_activations(windows))
    return replay(graph_arrays(graph), rule_arrays(rules, NAMESPACES)[0], before=False)


def days(*times, strength=1.0):
    return [(START + round(t * DAY_US), [0, 1], strength, 0) for t in times]


def test_a_weight_grows_by_the_learning_rate_up_to_the_cap():
    state = state_of(days(0, 0, 0, 0, 0), DOCUMENTED)
    assert state.weight[:, 0].tolist() == pytest.approx([0.3, 0.6, 0.9, 1.0, 1.0])
    assert state.reinforcements[:, 0].tolist() == [1, 2, 3, 4, 5]


def test_strength_is_clamped_at_two():
    assert state_of(days(0, strength=9.0), DOCUMENTED).weight[0, 0] == pytest.approx(0.6)


def test_a_pruned_edge_starts_its_count_anew():
    state = state_of(days(0, 1, 2000), DOCUMENTED.change(half_life="fixed"))
    assert state.reinforcements[:, 0].tolist() == [1, 2, 1]
    assert state.weight[2, 0] == pytest.approx(0.3)


def test_a_window_above_the_gate_teaches_nothing():
    windows = [(START, [0, 1, 2], 1.0, 0), (START + 1, [0, 1], 1.0, 0)]
    state = state_of(windows, DOCUMENTED.change(window_max=2))
    assert state.reinforcements[:, 0].tolist() == [SKIPPED, 1, SKIPPED, SKIPPED]


def test_a_pair_of_n_nodes_weighs_one_over_n_minus_one():
    state = state_of(
        [(START, [0, 1, 2, 3], 1.0, 0)], DOCUMENTED.change(event_weight="inverse_size")
    )
    np.testing.assert_allclose(state.weight[:, 0], 0.1)


def test_each_trace_has_its_own_state():
    rules = (DOCUMENTED, DOCUMENTED.change(learning_rate=0.1), OBSERVED)
    together = state_of(days(0, 1, 40), *rules)
    for k, rule in enumerate(rules):
        alone = state_of(days(0, 1, 40), rule)
        np.testing.assert_array_equal(together.weight[:, k], alone.weight[:, 0])
        np.testing.assert_array_equal(together.reinforcements[:, k], alone.reinforcements[:, 0])


def test_half_lives_are_stored_only_where_a_trace_fixes_them():
    assert state_of(days(0, 2), DOCUMENTED).half_life_days.shape == (0, 1)
    state = state_of(days(0, 2), OBSERVED)
    # younger than a day: the default; then lo + (hi − lo) r/(1 + r), r = ln(1 + 2/10)
    ratio = np.log(1.2)
    assert state.half_life_days[:, 0].tolist() == pytest.approx(
        [30.0, 3 + 117 * ratio / (1 + ratio)]
    )


def test_a_graph_without_edges_has_no_state():
    state = state_of([(START, [0], 1.0, 0)], DOCUMENTED)
    assert state.weight.shape == (0, 1)


def test_the_weight_that_an_event_found_is_kept_where_it_is_asked_for():
    graph = graph_arrays(co_activation_graph(co_activations(days(0, 30, 2000))))
    traces, _ = rule_arrays([DOCUMENTED.change(half_life="fixed")], NAMESPACES)
    assert replay(graph, traces, before=False).before.shape == (0, 1)
    found = replay(graph, traces, before=True).before[:, 0]
    assert found.tolist() == pytest.approx([0.0, 0.15, 0.0])  # none yet, halved, pruned


def test_float32_keeps_the_float64_state_rounded_once():
    graph = graph_arrays(co_activation_graph(co_activations(days(0, 3, 9, 40))))
    traces, _ = rule_arrays([DOCUMENTED, OBSERVED], NAMESPACES)
    exact, rounded = (
        replay(graph, traces, True, precision=kind) for kind in ("float64", "float32")
    )
    assert rounded.weight.dtype == np.float32
    np.testing.assert_array_equal(rounded.weight, exact.weight.astype(np.float32))
    np.testing.assert_array_equal(rounded.before, exact.before.astype(np.float32))
