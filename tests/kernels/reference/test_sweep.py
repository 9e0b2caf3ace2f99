"""The reference decay sweep, held to numbers worked out by hand."""

import numpy as np
import pytest

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.kernels.arrays import graph_arrays
from hebb_lab.kernels.parameters import rule_arrays
from hebb_lab.kernels.reference.sweep import weights_at
from tests.kernels.logs import DAY_US, NAMESPACES, co_activations

START = 20_000 * DAY_US
FIXED = DOCUMENTED.change(half_life="fixed")  # 30 days


def snapshots(windows, rules, *days):
    graph = graph_arrays(co_activation_graph(co_activations(windows)))
    times = np.array([START + round(day * DAY_US) for day in days], np.int64)
    return weights_at(graph, rule_arrays(rules, NAMESPACES)[0], times)


def test_a_snapshot_holds_what_is_strictly_earlier():
    windows = [(START, [0, 1], 1.0, 0), (START + 30 * DAY_US, [0, 1], 1.0, 0)]
    found = snapshots(windows, [FIXED], -1, 0, 15, 30, 60)
    root = 0.3 * 2**-0.5
    assert found.weight[:, 0, 0].tolist() == pytest.approx([0, 0, root, 0.15, 0.225])
    assert found.alive[:, 0, 0].tolist() == [False, False, True, True, True]


def test_one_time_for_many_half_lives():
    windows = [(START, [0, 1], 1.0, 0)]
    rules = [FIXED.change(half_life_personal_days=h) for h in (1, 10, 20)]
    found = snapshots(windows, rules, 10)
    assert found.weight[0, 0].tolist() == pytest.approx([0.0, 0.15, 0.3 * 2**-0.5])
    assert found.alive[0, 0].tolist() == [False, True, True]  # the first is pruned


def test_an_edge_of_weight_0_may_be_alive():
    windows = [(START, [0, 1], 1.0, 0), (START, [0, 1], -1.0, 0)]
    found = snapshots(windows, [FIXED.change(prune_below=0.0)], 1)
    assert (found.weight.item(), found.alive.item()) == (0.0, True)


def test_no_times_and_no_edges_make_empty_snapshots():
    assert snapshots([(START, [0, 1], 1.0, 0)], [FIXED]).weight.shape == (0, 1, 1)
    assert snapshots([(START, [0], 1.0, 0)], [FIXED], 1).alive.shape == (1, 0, 1)
