"""What fitting half-lives asks of the kernels: the table over a grid of them, and derivatives."""

from functools import lru_cache

import numpy as np
import pytest

from hebb_lab.graph.rules import SynapseRules
from hebb_lab.kernels.choose import backend_named
from hebb_lab.kernels.parameters import rule_arrays
from tests.benchmarks.contest import Contest
from tests.benchmarks.half_life_peers import autograd_gradient, ordinal_table, tangent_gradient
from tests.benchmarks.inputs import DAY_US, SPAN_DAYS, START_US, log_arrays
from tests.benchmarks.values import note

pytestmark = pytest.mark.bench

EVENTS, EDGES, GRID, PARAMETERS = 10**6, 2 * 10**5, 64, 4
END_US = START_US + SPAN_DAYS * DAY_US
DAYS = np.geomspace(0.25, 2000, GRID)
BASE_RATE, GAIN, ROUNDS = 0.01, 0.1, 3
BOTH = pytest.mark.parametrize("tail", ["light", "heavy"])


@lru_cache(maxsize=1)
def log_of(tail):
    return log_arrays(tail, EVENTS, EDGES)


def traces_of(days):
    """Documented rules with these fixed half-lives."""
    rules = [SynapseRules(half_life="fixed", half_life_personal_days=float(d)) for d in days]
    return rule_arrays(rules, ("personal",))[0]


def size_of(graph):
    longest = int(np.diff(graph.event_ptr).max())
    return f"{EVENTS:,} events, {EDGES:,} edges (the longest has {longest:,} events)"


@BOTH
def test_table_over_a_grid_of_half_lives(benchmark, tail):
    graph, traces, backend = log_of(tail), traces_of(DAYS), backend_named("cpu")
    torch = backend_named("torch", device="cpu")
    rates, gains = np.full(GRID, BASE_RATE), np.full(GRID, GAIN)
    placed = backend.place(graph)
    peers = {"numpy": lambda: ordinal_table(graph, DAYS, BASE_RATE, GAIN, END_US)}
    if tail == "light":  # over thousands of ordinals torch takes most of a minute
        peers["torch"] = lambda: torch.log_likelihood(placed, traces, rates, gains, END_US)
    contest = Contest(
        benchmark,
        lambda: backend.log_likelihood(placed, traces, rates, gains, END_US),
        peers, ROUNDS, warm=False,
    ).run()  # fmt: skip
    for peer in peers:
        np.testing.assert_allclose(
            contest.answers["ours"], np.asarray(contest.answers[peer]), rtol=1e-9, atol=1e-9
        )
    note(
        benchmark,
        f"table of log-likelihoods, {tail} tail: {size_of(graph)}, {GRID} half-lives",
        f"documented rules with fixed half-lives of 0.25 to 2,000 days over {SPAN_DAYS} days, exact"
        " pruning with reset of the count, float64, back end cpu; check of the input included; as "
        "many threads as there are cores, their processor time summed. NumPy: the j-th events of "
        "2,048 edges at once, one thread. torch, under the light tail alone: the back end of that "
        "name, on the processor. All tables equal to 1e-9",
        contest.cpu(label="processor time of all threads", at_most=2.0),
        contest.wall(label="wall time"),
        contest.each(EVENTS * GRID, "wall time per event and half-life"),
        contest.cpu("numpy", "a NumPy loop over ordinals, processor time of its one thread"),
        contest.against("numpy", "a NumPy loop over ordinals"),
        *(contest.against(peer, "the torch back end") for peer in peers if peer == "torch"),
    )


@BOTH
def test_replay_with_derivatives(benchmark, tail):
    graph, traces, backend = log_of(tail), traces_of([30.0]), backend_named("cpu")
    placed, rng = backend.place(graph), np.random.default_rng(4)
    count = np.arange(EVENTS) - graph.event_ptr[graph.edge_of] + 1.0
    features = np.column_stack([np.ones(EVENTS), np.log(count), rng.normal(size=(EVENTS, 2))])
    theta = np.array([np.log(20.0), 0.3, 0.2, -0.1])
    half_life = np.exp(features @ theta)
    asked = (placed, traces, features, theta, BASE_RATE, GAIN)
    contest = Contest(
        benchmark,
        lambda: backend.replay_tangents(placed, traces, half_life, features),
        {
            "gradient": lambda: tangent_gradient(backend, *asked),
            "autograd": lambda: autograd_gradient(*asked),
        },
        ROUNDS if tail == "light" else 1, warm=False,
    ).run()  # fmt: skip
    for own, peer in zip(contest.answers["gradient"], contest.answers["autograd"], strict=True):
        np.testing.assert_allclose(own, peer, rtol=1e-9)
    note(
        benchmark,
        f"replay with {PARAMETERS} derivatives, {tail} tail: {size_of(graph)}",
        "documented rules, a half-life of its own after each event (ln h a sum of 4 features), "
        "float64, back end cpu; check of the input included. A gradient is that of "
        "Σ ln(μ + β·before), by the chain rule from the derivatives, and by autograd through the "
        "torch back end, equal to 1e-9",
        contest.each(1, "values and 4 derivatives, wall time", "ms", 1e3),
        contest.cpu(label="values and 4 derivatives, processor time of all threads"),
        contest.each(1, "a gradient in 4 parameters, wall time", "ms", 1e3, name="gradient"),
        contest.against("autograd", "torch autograd, a gradient in 4 parameters", ours="gradient"),
    )
