"""What walks read: configurations by gate, lanes, bottoms."""

import numpy as np
import pytest

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.kernels.arrays import graph_arrays
from hebb_lab.kernels.cpu.traces.replay import replay
from hebb_lab.kernels.cpu.walks.readings import readings_by_gate
from hebb_lab.kernels.parameters import rule_arrays
from tests.kernels.logs import DAY_US, NAMESPACES, co_activations

START = 20_000 * DAY_US
FIXED = DOCUMENTED.change(half_life="fixed")


def readings(*rules, windows=((START, [0, 1], 1.0, 0),)):
    graph = graph_arrays(co_activation_graph(co_activations(list(windows))))
    traces, reads = rule_arrays(rules, NAMESPACES)
    return list(readings_by_gate(graph, replay(graph, traces, False), traces, reads))


def test_configurations_that_different_windows_teach_are_read_apart():
    found = readings(FIXED, FIXED.change(window_max=5), FIXED)
    assert [each.chosen.tolist() for each in found] == [[1], [0, 2]]
    assert found[0].timeline.gate == 5


def test_one_configuration_of_one_trace_is_thin():
    for each in (FIXED, DOCUMENTED):
        assert [found.plan.thin for found in readings(each)] == [True]
    mixture = FIXED.change(decay_shape="power_law")
    for others in ([FIXED, FIXED], [OBSERVED], [mixture]):
        assert not readings(*others)[0].plan.thin
    assert not readings(mixture)[0].plan.single


def test_a_weight_says_by_its_sign_whether_it_holds_its_floor():
    windows = [(START + i * DAY_US, [0, 1], 1.0, 0) for i in range(5)]
    windows += [(START + 900 * DAY_US, [2, 3], 1.0, 0), (START + 901 * DAY_US, [2, 3], -1.0, 0)]
    facts = readings(FIXED, FIXED.change(potentiation=False), windows=windows)[0].facts
    np.testing.assert_array_equal(facts.signed[:4], facts.weight[:4])
    assert facts.signed[4].tolist() == [-facts.weight[4, 0], facts.weight[4, 1]]
    assert facts.signed[5, 0] == pytest.approx(0.3)
    assert np.isnan(facts.signed[6]).all()  # pruned by the penalty


def test_a_penalty_does_not_move_the_last_reinforcement():
    windows = [(START, [0, 1], 1.0, 0), (START + 5, [0, 1], -0.1, 0), (START + 9, [0, 1], 1.0, 0)]
    active = readings(FIXED, windows=windows)[0].timeline.active
    assert active.tolist() == [START, START, START + 9]
    assert active.dtype == np.int64
