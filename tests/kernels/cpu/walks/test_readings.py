"""What walks read: configurations by gate, lanes, bottoms."""

import numpy as np

from hebb_lab.graph.rules import DOCUMENTED
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


def test_one_configuration_with_a_fixed_half_life_is_thin():
    assert [each.plan.thin for each in readings(FIXED)] == [True]
    mixture = FIXED.change(decay_shape="power_law")
    for others in ([FIXED, FIXED], [DOCUMENTED], [mixture]):
        assert not readings(*others)[0].plan.thin
    assert not readings(mixture)[0].plan.single


def test_the_bottom_says_whether_an_edge_lives_may_be_pruned_or_holds_its_floor():
    windows = [(START + i * DAY_US, [0, 1], 1.0, 0) for i in range(5)]
    windows += [(START + 900 * DAY_US, [2, 3], 1.0, 0), (START + 901 * DAY_US, [2, 3], -1.0, 0)]
    found = readings(FIXED, FIXED.change(potentiation_floor=0.0), windows=windows)[0]
    assert found.facts.bottom[:, 0].tolist() == [0.0] * 4 + [0.2, 0.0, -1.0]
    assert 0.0 < found.facts.bottom[4, 1] < 1e-299  # a floor of 0 still keeps it


def test_a_penalty_does_not_move_the_last_reinforcement():
    windows = [(START, [0, 1], 1.0, 0), (START + 5, [0, 1], -0.1, 0), (START + 9, [0, 1], 1.0, 0)]
    active = readings(FIXED, windows=windows)[0].timeline.active
    assert active.tolist() == [START, START, START + 9]
    assert active.dtype == np.int64
