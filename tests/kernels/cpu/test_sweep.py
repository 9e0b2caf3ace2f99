"""The decay sweep on the CPU: pieces and precision; the rest is in test_conformance."""

import numpy as np
import pytest

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.kernels.cpu import sweep
from hebb_lab.kernels.cpu.sweep import weights_at
from hebb_lab.kernels.cpu.traces import pieces
from tests.kernels.logs import DAY_US, START_US, case_of, hub

TIMES = START_US + np.arange(0, 40, 3) * DAY_US


@pytest.fixture
def case():
    return case_of(hub(), [DOCUMENTED, OBSERVED, DOCUMENTED.change(window_max=1)], 75)


def test_pieces_change_nothing(case, monkeypatch):
    whole = weights_at(case.graph, case.traces, TIMES)
    monkeypatch.setattr(pieces, "EDGES", 7)
    for one, other in zip(weights_at(case.graph, case.traces, TIMES), whole, strict=True):
        np.testing.assert_array_equal(one, other)


def test_float32_is_the_float64_weight_rounded_once(case):
    exact = weights_at(case.graph, case.traces, TIMES)
    rounded = weights_at(case.graph, case.traces, TIMES, precision="float32")
    assert rounded.weight.dtype == np.float32
    np.testing.assert_array_equal(rounded.weight, exact.weight.astype(np.float32))
    np.testing.assert_array_equal(rounded.alive, exact.alive)


def test_a_trace_that_no_window_teaches_has_no_edges(case):
    found = weights_at(case.graph, case.traces, TIMES)
    assert not found.alive[:, :, 2].any()
    assert (found.weight[~found.alive] == 0).all()


def test_the_kernel_is_compiled_for_one_set_of_types(case):
    weights_at(case.graph, case.traces, TIMES)
    before = len(sweep._snapshots.signatures)
    weights_at(case.graph, case.traces._replace(), TIMES[:1])
    assert len(sweep._snapshots.signatures) == before
