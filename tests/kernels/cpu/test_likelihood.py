"""The likelihood on the CPU: pieces, gates, extremes; the rest is in test_conformance."""

import numpy as np
import pytest

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.kernels.cpu.likelihood import log_likelihood
from hebb_lab.kernels.cpu.traces import pieces
from hebb_lab.kernels.reference.likelihood import log_likelihood as meaning
from tests.kernels.logs import DAY_US, START_US, busy_edge, case_of, hub

FIXED = DOCUMENTED.change(half_life="fixed")
UNTIL = START_US + 40 * DAY_US


def rates(count, mu=0.02, beta=0.5):
    return np.full(count, mu), np.full(count, beta)


def test_pieces_change_nothing(monkeypatch):
    case = case_of(hub(), [FIXED, FIXED.change(half_life="none")], 75)
    whole = log_likelihood(case.graph, case.traces, *rates(2), UNTIL)
    monkeypatch.setattr(pieces, "EDGES", 7)
    parts = log_likelihood(case.graph, case.traces, *rates(2), UNTIL)
    np.testing.assert_array_equal(parts, whole)


def test_traces_of_several_gates_are_each_taught_by_their_own_windows():
    windows = [(START_US + i * DAY_US, list(range(2 + i % 3)), 1.0, 0) for i in range(9)]
    gates = [2, None, 3, 2, None]
    case = case_of(windows, [FIXED.change(window_max=gate) for gate in gates])
    found = log_likelihood(case.graph, case.traces, *rates(5), UNTIL)
    want = meaning(case.graph, case.traces, *rates(5), UNTIL)
    np.testing.assert_allclose(found, want, rtol=1e-12)
    assert len({tuple(column) for column in found.T.tolist()}) == 3


@pytest.mark.parametrize(("mu", "beta"), [(1e-200, 0.0), (1e-200, 1e-190), (1e200, 1e200)])
def test_thousands_of_extreme_rates_neither_overflow_nor_vanish(mu, beta):
    case = case_of(busy_edge(2000), [FIXED])
    until = int(case.graph.time.max()) + DAY_US
    found = log_likelihood(case.graph, case.traces, *rates(1, mu, beta), until)
    want = meaning(case.graph, case.traces, *rates(1, mu, beta), until)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found, want, rtol=1e-12)


def test_a_floor_that_lifts_holds_without_decay_too():
    windows = [(START_US + i, [0, 1], strength, 0) for i, strength in enumerate([1.0] * 5 + [-0.9])]
    rules = [FIXED.change(half_life=mode, floor_lifts=True) for mode in ("fixed", "none")]
    case = case_of(windows, rules)
    found = log_likelihood(case.graph, case.traces, *rates(2), UNTIL)
    np.testing.assert_allclose(
        found, meaning(case.graph, case.traces, *rates(2), UNTIL), rtol=1e-12
    )
