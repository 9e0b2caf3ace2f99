"""Derivatives forward and gradients back agree: the chain rule against autograd (fitting.md T2)."""

from functools import lru_cache

import numpy as np
import pytest
import torch

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.kernels.arrays import on_host
from tests.kernels.backends import FAST, REFERENCE, made
from tests.kernels.logs import DAY_US, START_US, case_of

FIXED = DOCUMENTED.change(half_life="fixed")
BASE_RATE, GAIN, LN2 = 0.03, 0.4, np.log(2)
RULES = {
    "documented": FIXED,
    "late, lifting": FIXED.change(decay_before_reinforcement=False, floor_lifts=True),
    "gates": FIXED.change(window_max=3, npmi_min=0.05, event_weight="inverse_size"),
    "no bounds": FIXED.change(weight_cap=None, potentiation=False, prune_below=0.0),
}


@lru_cache(maxsize=1)
def windows():
    """A year of 600 windows on 12 nodes in three namespaces: some 2,000 events, odd numbers."""
    rng = np.random.default_rng(11)
    time = START_US + np.cumsum(rng.exponential(0.6 * DAY_US, 600)).astype(np.int64)
    return [
        (
            int(moment), rng.choice(12, rng.integers(2, 5), replace=False).tolist(),
            float(rng.uniform(0.2, 1.9)) * (1 if rng.random() < 0.9 else -0.2),
            int(rng.choice(3, p=[0.6, 0.3, 0.1])),
        )
        for moment in time
    ]  # fmt: skip


@lru_cache(maxsize=4)
def case(name):
    return case_of(windows(), [RULES[name]], 12)


def by_namespace(graph):
    """∂ ln h/∂θ of one half-life a namespace, [M, S]."""
    return np.eye(4)[graph.namespace[graph.edge_of]][:, :3]


def log_linear(graph):
    """ln h = θ_s + γ₁ ln c + γ₂ ln(1 + mean gap), c events of the edge so far, [M, S + 2]."""
    first = graph.event_ptr[graph.edge_of]
    count = np.arange(len(graph.time)) - first + 1.0
    mean_gap = (graph.time - graph.time[first]) / DAY_US / np.maximum(count - 1, 1)
    return np.column_stack([by_namespace(graph), np.log(count), np.log1p(mean_gap)])


MODELS = {
    "one a namespace": (by_namespace, np.log([7.0, 40.0, 2.0])),
    "log-linear": (log_linear, np.array([*np.log([4.0, 25.0, 2.0]), 0.4, -0.15])),
}
BOTH = pytest.mark.parametrize("model", MODELS)
UNDER = pytest.mark.parametrize("rules", RULES)


def gaps(graph):
    """Days from each event to the next of its edge, or to a month after the last of all."""
    ends = np.append(graph.time[1:], 0)
    ends[graph.event_ptr[1:] - 1] = graph.time.max() + 30 * DAY_US
    return (ends - graph.time) / DAY_US


def forward(backend, case, features, theta):
    """(Σ ln(μ + β·before) − β Σ ∫ w dt as if unbounded, its gradient in θ), by the chain rule."""
    half_life, days = np.exp(features @ theta), gaps(case.graph)
    found = on_host(backend.replay_tangents(case.graph, case.traces, half_life, features))
    rate, left = BASE_RATE + GAIN * found.before, 2.0 ** (-days / half_life)
    area = half_life / LN2 * (1 - left)  # of a weight of 1
    area_slope = area - days * left  # ∂ area/∂ ln h
    value = np.log(rate).sum() - GAIN * (found.weight * area).sum()
    slope = GAIN / rate @ found.before_tangent - GAIN * area @ found.weight_tangent
    return value, slope - GAIN * (found.weight * area_slope) @ features


def backward(case, features, theta):
    """The same value and gradient, by torch's autograd through its back end."""
    leaf = torch.tensor(theta, requires_grad=True)
    half_life = (torch.tensor(features) @ leaf).exp()
    found = made("torch").replay_tangents(case.graph, case.traces, half_life, features[:, :0])
    assert found.before.requires_grad
    assert found.weight.requires_grad
    area = half_life / LN2 * (1 - torch.exp2(-torch.tensor(gaps(case.graph)) / half_life))
    value = torch.log(BASE_RATE + GAIN * found.before).sum() - GAIN * (found.weight * area).sum()
    value.backward()
    return value.item(), leaf.grad.numpy()


@pytest.mark.parametrize("name", [REFERENCE, *FAST])
@BOTH
@UNDER
def test_the_gradient_of_a_likelihood_is_that_of_autograd(name, model, rules):
    """T2: to 1e-10 of the largest; issue 4 asks for 1e-8."""
    features_of, theta = MODELS[model]
    features = features_of(case(rules).graph)
    value, slope = forward(made(name), case(rules), features, theta)
    want, gradient = backward(case(rules), features, theta)
    assert value == pytest.approx(want, rel=1e-12)
    assert np.abs(gradient).min() > 0.1, "every parameter matters"
    assert np.abs(slope - gradient).max() <= 1e-10 * np.abs(gradient).max()


@BOTH
@UNDER
def test_the_gradient_of_a_likelihood_is_its_central_difference(model, rules):
    features_of, theta = MODELS[model]
    features, step = features_of(case(rules).graph), 1e-5
    _, slope = forward(made("cpu"), case(rules), features, theta)
    moves = step * np.eye(len(theta))
    differences = [
        forward(made("cpu"), case(rules), features, theta + move)[0]
        - forward(made("cpu"), case(rules), features, theta - move)[0]
        for move in moves
    ]
    np.testing.assert_allclose(slope, np.array(differences) / (2 * step), rtol=1e-5, atol=1e-4)


def test_each_events_own_half_life_has_the_gradient_of_differences():
    few = case_of(windows()[:40], [RULES["late, lifting"]], 12)
    events = len(few.graph.time)
    half_life = torch.linspace(2.0, 60.0, events, dtype=torch.float64, requires_grad=True)

    def found(days):
        got = made("torch").replay_tangents(few.graph, few.traces, days, np.zeros((events, 0)))
        return got.before, got.weight

    assert torch.autograd.gradcheck(found, (half_life,))


def test_a_half_life_without_end_has_a_gradient_of_0_and_no_nan():
    few = case_of(windows()[:40], [FIXED], 12)
    events = len(few.graph.time)
    half_life = torch.full((events,), torch.inf, dtype=torch.float64, requires_grad=True)
    found = made("torch").replay_tangents(few.graph, few.traces, half_life, np.zeros((events, 0)))
    found.before.sum().backward()
    assert (half_life.grad == 0).all()
