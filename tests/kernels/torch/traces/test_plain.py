"""Replay under plain rules, held to plain loops and to the steps that all rules go by."""

from unittest import mock

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.kernels.arrays import as_numpy
from hebb_lab.kernels.torch.traces import ordinals, plain
from hebb_lab.kernels.torch.traces.fused import log_likelihood
from hebb_lab.kernels.torch.traces.log import log_of
from hebb_lab.kernels.torch.traces.replay import replay
from tests.kernels.backends import REFERENCE, made, tolerance
from tests.kernels.comparing import assert_same, likelihood_slack, steady
from tests.kernels.logs import DAY_US, START_US, busy_edge, case_of, window_lists

CPU, FLOAT64 = torch.device("cpu"), torch.float64
QUIET = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
MEANING = made(REFERENCE)
FIXED = DOCUMENTED.change(half_life="fixed")
ENTRIES = st.sampled_from([1, 5, 40, 2**15])  # edges × traces at once: one edge, some, all


@st.composite
def plain_rules(draw):
    """Any rule set under which every event teaches and decay goes on all the time."""
    pick = lambda *options: draw(st.sampled_from(options))  # noqa: E731
    return DOCUMENTED.change(
        half_life=pick("fixed", "fixed", "learned", "none"),
        half_life_personal_days=pick(0.3, 30.0, 300.0),
        half_life_shared_days=pick(0.3, 60.0),
        half_life_ephemeral_days=pick(1.0, 30.0),
        learning_rate=pick(0.3, 1.0, 0.02),
        weight_cap=pick(1.0, None),
        event_weight=pick("one", "inverse_size"),
        potentiation=pick(True, False),
        potentiation_count=pick(1, 2, 5),
        ephemeral_floor=pick(True, False),
        prune_below=pick(0.0103, 0.0, 0.0997),
    )


def strengthening(windows):
    """The same windows without penalties."""
    return [(time, members, abs(strength), space) for time, members, strength, space in windows]


def log(case, carries_gradient=False, dtype=FLOAT64):
    return log_of(case.graph, case.traces, CPU, dtype, carries_gradient)


@pytest.mark.parametrize("name", ["torch", "torch float32"])
@QUIET
@given(window_lists(), st.lists(plain_rules(), min_size=1, max_size=3), ENTRIES)
def test_plain_rules_give_the_reference_state_and_weights(name, windows, rules, entries):
    case, backend = case_of(strengthening(windows), rules), made(name)
    assert log(case).plain
    times = np.array(sorted({w[0] + shift for w in windows for shift in (0, 3 * DAY_US)}))
    with mock.patch.object(ordinals, "BLOCK", entries):
        state = backend.replay(case.graph, case.traces, True)
        snapshots = backend.weights_at(case.graph, case.traces, times)
    compute = {
        "state": (state, lambda t: MEANING.replay(case.graph, t, True)),
        "snapshots": (snapshots, lambda t: MEANING.weights_at(case.graph, t, times)),
    }
    for got, meaning in compute.values():
        assert_same(got, *steady(name, case.traces, meaning), name)


@QUIET
@given(window_lists(), st.lists(plain_rules(), min_size=1, max_size=3), ENTRIES)
def test_plain_rules_give_the_reference_likelihood(windows, rules, entries):
    rules = [rule if rule.half_life != "learned" else FIXED for rule in rules]
    case, count = case_of(strengthening(windows), rules), len(rules)
    rates, gains, until = np.full(count, 0.02), np.full(count, 0.4), windows[-1][0] + DAY_US
    with mock.patch.object(ordinals, "BLOCK", entries):
        got = as_numpy(log_likelihood(case.graph, case.traces, rates, gains, until, device=CPU))
    want = MEANING.log_likelihood(case.graph, case.traces, rates, gains, until)
    slack = likelihood_slack(case.graph, rates, until, "torch")
    assert (np.abs(got - want) <= slack + tolerance("torch") * np.abs(want)).all()


@pytest.mark.parametrize("half_life", ["fixed", "learned"])
def test_an_edge_of_thousands_of_events_is_the_same_by_either_way(half_life):
    rules = [DOCUMENTED.change(half_life=half_life, potentiation_count=n) for n in (3, 400)]
    case = case_of(strengthening(busy_edge(3000)), rules)
    state = [
        replay(case.graph, case.traces, True, device=CPU, dtype=FLOAT64),
        replay(case.graph, with_gradient(case.traces), True, device=CPU, dtype=FLOAT64),
    ]
    for one, other in zip(*state, strict=True):
        np.testing.assert_allclose(as_numpy(one), as_numpy(other), rtol=1e-12)


def with_gradient(traces):
    """The same rules; a rate that learns makes the steps those of all rules."""
    return traces._replace(learning_rate=torch.tensor(traces.learning_rate, requires_grad=True))


def test_many_ordinals_of_few_edges_are_one_step():
    case = case_of(strengthening(busy_edge(50)), [FIXED])
    steps = [(step.edge.tolist(), len(step.event)) for step in plain.steps(log(case), 20)]
    assert max(len(edges) for edges, _ in steps) <= 20
    assert len(steps) < 10
    assert sum(events for _, events in steps) == len(case.graph.time)


@pytest.mark.parametrize(
    "switch",
    [
        {"window_max": 2}, {"npmi_min": 0.1}, {"decay_before_reinforcement": False},
        {"floor_lifts": True}, {"decay_passes": "compounding"}, {"half_life": "learned_observed"},
    ],
    ids=str,
)  # fmt: skip
def test_rules_of_other_kinds_are_not_plain(switch):
    windows = [(START_US + i * DAY_US, [0, 1, 2], 1.0, 0) for i in range(3)]
    assert log(case_of(windows, [DOCUMENTED])).plain
    assert not log(case_of(windows, [DOCUMENTED, DOCUMENTED.change(**switch)])).plain
    assert not log(case_of(windows, [OBSERVED])).plain


def test_penalties_and_gradients_are_not_plain():
    windows = [(START_US, [0, 1], 1.0, 0), (START_US + DAY_US, [0, 1], -0.5, 0)]
    assert not log(case_of(windows, [DOCUMENTED])).plain
    assert not log(case_of(strengthening(windows), [DOCUMENTED]), carries_gradient=True).plain
