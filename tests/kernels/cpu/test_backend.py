"""What the back end for the processor says of itself, and that it computes as precisely."""

import numpy as np
import pytest

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.kernels.cpu.backend import kernels
from tests.kernels.logs import START_US, case_of

CASE = case_of([(START_US, [0, 1], 1.0, 0)], [DOCUMENTED])


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_weights_are_of_the_precision_that_was_asked_for(precision):
    made = kernels(precision, 10**6)
    assert (made.device, made.precision) == ("cpu", precision)
    found = made.weights_at(CASE.graph, CASE.traces, np.array([START_US + 1]))
    assert found.weight.dtype == precision


def test_arrays_are_read_where_they_are():
    assert kernels("float64", 10**6).place(CASE.graph) is CASE.graph
