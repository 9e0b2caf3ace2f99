"""The reference replay, held to numbers worked out by hand."""

import pytest

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.kernels.arrays import graph_arrays
from hebb_lab.kernels.parameters import rule_arrays
from hebb_lab.kernels.reference.replay import replay, weight_as_of
from tests.kernels.logs import DAY_US, NAMESPACES, co_activations

START = 20_000 * DAY_US
FIXED = DOCUMENTED.change(half_life="fixed")


def test_decay_then_gain():
    windows = [(START, [0, 1], 1.0, 0), (START + 30 * DAY_US, [0, 1], 1.0, 0)]
    arrays = graph_arrays(co_activation_graph(co_activations(windows)))
    rules = [FIXED, FIXED.change(decay_before_reinforcement=False)]
    state = replay(arrays, rule_arrays(rules, NAMESPACES)[0])
    assert state.weight.T.tolist() == [pytest.approx([0.3, 0.45]), pytest.approx([0.3, 0.6])]


def test_a_weight_of_the_past_at_a_later_time():
    traces, _ = rule_arrays([FIXED], NAMESPACES)
    at = (START, START, START + 60 * DAY_US)
    assert weight_as_of(0, 0, 0.8, 1, 0.0, *at, traces) == (pytest.approx(0.2), False)
    assert weight_as_of(0, 2, 0.8, 1, 0.0, *at, traces)[1]  # ephemeral: gone after 60 half-lives
    assert weight_as_of(0, 0, 0.8, 5, 0.0, START, START, START + 900 * DAY_US, traces) == (
        pytest.approx(0.2), False,
    )  # fmt: skip
