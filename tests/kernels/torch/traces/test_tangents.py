"""Derivatives by torch: which results carry gradients; the rest is in tests/kernels."""

import numpy as np
import pytest
import torch

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.kernels.torch.traces import ordinals
from hebb_lab.kernels.torch.traces.tangents import replay_tangents
from tests.kernels.logs import busy_edge, case_of

CPU = torch.device("cpu")
CASE = case_of(busy_edge(120), [DOCUMENTED.change(half_life="fixed")])
EVENTS = len(CASE.graph.time)
NONE = np.zeros((EVENTS, 0))


def found(days, features=NONE, traces=CASE.traces):
    return replay_tangents(CASE.graph, traces, days, features, device=CPU)


def test_numbers_in_give_tensors_without_a_gradient():
    got = found(np.full(EVENTS, 9.0), np.ones((EVENTS, 2)))
    assert all(isinstance(part, torch.Tensor) for part in got)
    assert not any(part.requires_grad for part in got)
    assert [part.dtype for part in got] == [torch.float64, torch.int32, *[torch.float64] * 3]


def test_where_half_lives_require_a_gradient_weights_have_one():
    got = found(torch.full((EVENTS,), 9.0, dtype=torch.float64, requires_grad=True))
    assert got.weight.requires_grad
    assert got.before.requires_grad
    assert not got.weight_tangent.requires_grad
    assert got.weight_tangent.shape == (EVENTS, 0)


def test_a_rule_that_requires_a_gradient_gives_one_too():
    rate = torch.tensor([0.3], dtype=torch.float64, requires_grad=True)
    got = found(np.full(EVENTS, 9.0), traces=CASE.traces._replace(learning_rate=rate))
    got.weight.sum().backward()
    assert rate.grad.item() > 0


def test_under_no_grad_nothing_is_kept_for_one():
    days = torch.full((EVENTS,), 9.0, dtype=torch.float64, requires_grad=True)
    with torch.no_grad():
        assert not found(days).weight.requires_grad


@pytest.mark.parametrize("block", [1, 3])
def test_blocks_of_edges_change_nothing(monkeypatch, block):
    asked = np.linspace(1, 90, EVENTS), np.random.default_rng(1).normal(size=(EVENTS, 2))
    whole = found(*asked)
    monkeypatch.setattr(ordinals, "BLOCK", block)
    for one, other in zip(found(*asked), whole, strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=0)
