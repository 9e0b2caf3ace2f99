"""Gradients in half-lives, rates, floors and gains, held to differences of the loss itself."""

from functools import lru_cache

import numpy as np
import pytest
import torch

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.kernels.arrays import query_arrays
from hebb_lab.kernels.torch.traces.fused import log_likelihood, weights_at
from hebb_lab.kernels.torch.traces.replay import replay
from hebb_lab.kernels.torch.walk import energies
from tests.kernels.logs import DAY_US, START_US, case_of, queries_at

CPU, FLOAT64 = torch.device("cpu"), torch.float64
FIXED = DOCUMENTED.change(half_life="fixed")
LEARNT = ("default_days", "low_days", "high_days", "learning_rate", "floor", "weight_cap")
RULES = {
    "fixed": [FIXED, FIXED.change(half_life_personal_days=3.0, weight_cap=None)],
    "learned": [DOCUMENTED, DOCUMENTED.change(half_life_min_days=1.0, event_weight="inverse_size")],
    "observed": [OBSERVED, OBSERVED.change(pass_interval_days=7.0)],
    "learned in passes": [DOCUMENTED.change(decay_passes="compounding", pass_interval_days=7.0)],
    "gates": [FIXED.change(window_max=3), FIXED.change(npmi_min=0.2), FIXED],
    "late": [FIXED.change(decay_before_reinforcement=False, floor_lifts=True)],
    "none": [FIXED.change(half_life="none", weight_cap=None)],
    "two time scales": [FIXED.change(decay_shape="two_time_scales"), FIXED],
}


@lru_cache(maxsize=1)
def windows():
    """Strengths and gaps so odd that no weight stands at a kink."""
    rng, found, now = np.random.default_rng(3), [], START_US
    for _ in range(14):
        now += int(rng.choice([1, 5, 40]) * DAY_US * rng.uniform(0.4, 1.6))
        members = rng.choice(5, rng.integers(2, 5), replace=False).tolist()
        strength = float(rng.uniform(0.3, 1.9)) * (1 if rng.random() < 0.85 else -0.2)
        found.append((now, members, strength, int(rng.choice([0, 0, 1]))))
    return found


def leaves(traces):
    """The learnt parts as tensors that require a gradient."""
    return tuple(
        torch.tensor(np.minimum(getattr(traces, name), 1e6), dtype=FLOAT64, requires_grad=True)
        for name in LEARNT
    )


def put(traces, values):
    return traces._replace(**dict(zip(LEARNT, values, strict=True)))


@pytest.mark.parametrize("name", RULES)
def test_replay_hands_gradients_to_the_rules(name):
    case = case_of(windows(), RULES[name], 5)

    def states(*values):
        state = replay(case.graph, put(case.traces, values), True, device=CPU, dtype=FLOAT64)
        parts = [state.weight, state.before]
        return (*parts, state.half_life_days) if len(state.half_life_days) else tuple(parts)

    assert torch.autograd.gradcheck(states, leaves(case.traces))


@pytest.mark.parametrize("name", RULES)
def test_the_decay_sweep_hands_gradients_to_the_rules(name):
    case = case_of(windows(), RULES[name], 5)
    times = windows()[5][0] + DAY_US // 3, windows()[-1][0] + 11 * DAY_US

    def snapshots(*values):
        return weights_at(
            case.graph, put(case.traces, values), np.array(times), device=CPU, dtype=FLOAT64,
            memory_bytes=10**6,
        ).weight  # fmt: skip

    assert torch.autograd.gradcheck(snapshots, leaves(case.traces))


@pytest.mark.parametrize("name", ["fixed", "gates", "late", "none"])
def test_the_likelihood_hands_gradients_to_rates_gains_and_rules(name):
    case = case_of(windows(), RULES[name], 5)
    count, until = len(case.traces.learning_rate), windows()[-1][0] + 30 * DAY_US
    rates = torch.linspace(0.01, 0.05, count, dtype=FLOAT64, requires_grad=True)
    gains = torch.linspace(0.2, 0.9, count, dtype=FLOAT64, requires_grad=True)

    def table(mu, beta, *values):
        traces = put(case.traces, values)
        return log_likelihood(case.graph, traces, mu, beta, until, device=CPU)

    assert torch.autograd.gradcheck(table, (rates, gains, *leaves(case.traces)))


@pytest.mark.parametrize("normalisation", ["none", "source_row"])
@pytest.mark.parametrize("name", RULES)
def test_energies_hand_gradients_to_rules_and_reading(name, normalisation):
    rules = [rule.change(hub_degree=2, normalisation=normalisation) for rule in RULES[name]]
    case = case_of(windows(), rules, 5)
    times = [windows()[7][0] + 1, windows()[-1][0] + 3 * DAY_US]
    queries = query_arrays(queries_at(times, [(0, 1.0), (1, 0.6)], 5))
    read = tuple(
        torch.tensor(getattr(case.reads, part), dtype=FLOAT64, requires_grad=True)
        for part in ("mix", "read_weight", "spread_decay")
    )

    def walked(mix, weight, decay, *values):
        traces = put(case.traces, values)
        state = replay(case.graph, traces, False, device=CPU, dtype=FLOAT64)
        reads = case.reads._replace(mix=mix, read_weight=weight, spread_decay=decay)
        return energies(case.graph, state, traces, reads, queries, device=CPU)

    found = walked(*read, *leaves(case.traces))
    assert (found > 0).any(2).all()
    assert torch.autograd.gradcheck(walked, (*read, *leaves(case.traces)))


def test_a_half_life_is_recovered_by_descent():
    """The loss falls to that of the truth when only half-lives are fitted to its snapshots."""
    truth = case_of(windows(), [FIXED.change(half_life_personal_days=9.0, prune_below=0.0)], 5)
    times = np.array([w[0] + 2 * DAY_US for w in windows()[4::4]])
    sweep = {"device": CPU, "dtype": FLOAT64, "memory_bytes": 10**8}
    want = weights_at(truth.graph, truth.traces, times, **sweep).weight
    log_days = torch.full((1, 4), np.log(25.0), dtype=FLOAT64, requires_grad=True)
    optimiser = torch.optim.LBFGS([log_days], max_iter=40, line_search_fn="strong_wolfe")

    def loss():
        optimiser.zero_grad()
        traces = truth.traces._replace(default_days=log_days.exp())
        found = ((weights_at(truth.graph, traces, times, **sweep).weight - want) ** 2).sum()
        found.backward()
        return found

    optimiser.step(loss)
    assert float(log_days.detach().exp()[0, 0]) == pytest.approx(9.0, rel=1e-3)
