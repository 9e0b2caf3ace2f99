"""The reference likelihood, held to numbers worked out by hand and to numerical quadrature."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.kernels.arrays import graph_arrays
from hebb_lab.kernels.parameters import rule_arrays
from hebb_lab.kernels.reference.likelihood import log_likelihood
from hebb_lab.kernels.reference.replay import replay
from hebb_lab.kernels.reference.sweep import weights_at
from tests.kernels.logs import DAY_US, NAMESPACES, co_activations, point_process_rules, window_lists

START = 20_000 * DAY_US
FIXED = DOCUMENTED.change(half_life="fixed")  # 30 days
LN2 = np.log(2)


def table(windows, rules, until_days, mu=0.01, beta=0.5):
    graph = graph_arrays(co_activation_graph(co_activations(windows)))
    traces, _ = rule_arrays(rules, NAMESPACES)
    rates = np.full(len(rules), mu), np.full(len(rules), beta)
    return log_likelihood(graph, traces, *rates, START + round(until_days * DAY_US))


def days(*times, strength=1.0):
    return [(START + round(t * DAY_US), [0, 1], strength, 0) for t in times]


def test_two_events_and_a_silence():
    found = table(days(0, 30), [FIXED], 60)
    area = 30 / LN2 * (0.15 + 0.225)  # (h/ln 2) (w₀ − w₁) of 0.3 → 0.15 and of 0.45 → 0.225
    assert found[0, 0] == pytest.approx(np.log(0.01 + 0.5 * 0.15) - 0.01 * 60 - 0.5 * area)


def test_the_area_stops_at_pruning_and_the_edge_goes_on_at_weight_0():
    rules = [FIXED.change(prune_below=0.15)]  # gone after one half-life
    found = table(days(0, 100), rules, 100.5)
    later = 30 / LN2 * 0.3 * (1 - 2 ** (-0.5 / 30))
    area = 30 / LN2 * 0.15 + later
    assert found[0, 0] == pytest.approx(np.log(0.01) - 0.01 * 100.5 - 0.5 * area)


def test_the_area_stays_at_the_floor_of_a_potentiated_edge():
    found = table(days(0, 0, 0, 0, 0), [FIXED.change(potentiation_floor=0.5)], 100)
    area = 30 / LN2 * 0.5 + 0.5 * 70  # from 1 to the floor takes 30 days
    logs = sum(np.log(0.01 + 0.5 * w) for w in (0.3, 0.6, 0.9, 1.0))
    assert found[0, 0] == pytest.approx(logs - 0.01 * 100 - 0.5 * area)


def test_without_decay_the_weight_stands():
    found = table(days(0), [FIXED.change(half_life="none")], 10)
    assert found[0, 0] == pytest.approx(-0.01 * 10 - 0.5 * 0.3 * 10)


def test_the_weight_fades_between_events_that_add_to_the_undecayed_one():
    rules = [FIXED.change(decay_before_reinforcement=False)]
    area = 30 / LN2 * (0.15 + 0.3)  # 0.3 → 0.15, then 0.3 + 0.3 → 0.3
    expected = np.log(0.01 + 0.5 * 0.15) - 0.01 * 60 - 0.5 * area
    assert table(days(0, 30), rules, 60)[0, 0] == pytest.approx(expected)


def test_a_penalty_is_no_event_of_the_process():
    windows = days(0) + days(10, strength=-0.1)
    left = 0.3 * 2 ** (-1 / 3) - 0.1
    area = 30 / LN2 * (0.3 * (1 - 2 ** (-1 / 3)) + left * (1 - 2 ** (-1 / 3)))
    assert table(windows, [FIXED], 20)[0, 0] == pytest.approx(-0.01 * 20 - 0.5 * area)


def test_events_from_the_end_on_do_not_count():
    assert table(days(0, 30), [FIXED], 30) == table(days(0), [FIXED], 30)
    assert table(days(5), [FIXED], 5).tolist() == [[0.0]]


def test_an_edge_that_a_gate_keeps_out_has_0():
    windows = [(START, [0, 1, 2], 1.0, 0)]
    assert table(windows, [FIXED.change(window_max=2)], 9).tolist() == [[0.0]] * 3


@settings(max_examples=40, deadline=None)
@given(window_lists(nodes=3, most=8), point_process_rules())
def test_the_area_is_that_of_the_weights_between_the_events(windows, rules):
    """Midpoint rule on 300 points between any two events; a jump costs one step's width."""
    graph = graph_arrays(co_activation_graph(co_activations(windows)))
    traces, _ = rule_arrays([rules], NAMESPACES)
    until, beta, steps = windows[-1][0] + 20 * DAY_US, 0.7, 300
    got = log_likelihood(graph, traces, np.full(1, 0.02), np.full(1, beta), until)
    none = log_likelihood(graph, traces, np.full(1, 0.02), np.zeros(1), until)
    before = replay(graph, traces, before=True)
    ends = np.unique([*graph.time.tolist(), until])
    for edge in range(len(graph.namespace)):
        events = np.arange(graph.event_ptr[edge], graph.event_ptr[edge + 1])
        taught = (graph.strength[events] >= 0) & (before.reinforcements[events, 0] > 0)
        found = before.before[events[taught][1:], 0]
        logs = (np.log(0.02 + beta * found) - np.log(0.02)).sum()
        area, slack = 0.0, 1e-9
        for first, stop in pairwise(ends):
            width = (stop - first) / steps
            middles = (first + (np.arange(steps) + 0.5) * width).astype(np.int64) + 1
            weight = weights_at(graph, traces, middles).weight[:, edge, 0]
            area += weight.sum() * width / DAY_US
            slack += (np.abs(np.diff(weight)).max() + 0.1 * weight.max()) * width / DAY_US
        assert got[edge, 0] - none[edge, 0] == pytest.approx(logs - beta * area, abs=beta * slack)
