"""Replay of 10⁶ events under 32 half-lives, with the state stored and without."""

from functools import lru_cache

import numpy as np
import pytest

from hebb_lab.graph.rules import SynapseRules
from hebb_lab.kernels.arrays import on_host
from hebb_lab.kernels.choose import backend_named
from hebb_lab.kernels.parameters import rule_arrays
from tests.benchmarks.contest import Contest
from tests.benchmarks.inputs import DAY_US, SPAN_DAYS, START_US, log_arrays, some_edges
from tests.benchmarks.values import note

pytestmark = pytest.mark.bench

EVENTS, EDGES, CONFIGS, SHARE = 10**6, 2 * 10**5, 32, 200
END_US = START_US + SPAN_DAYS * DAY_US
TIMES = np.linspace(START_US, END_US, 5)[1:].astype(np.int64)
GOALS = {"cpu": 0.3, "torch": 2.0}
ROUNDS = 5


def traces_of(count):
    """Documented rules with so many fixed half-lives from one to 120 days."""
    days = np.geomspace(1, 120, count)
    rules = [SynapseRules(half_life="fixed", half_life_personal_days=float(d)) for d in days]
    return rule_arrays(rules, ("personal",))[0]


@lru_cache(maxsize=1)
def log_of(tail, events, edges):
    """The log, a share of its edges for plain loops, that share's log, and which events it has."""
    graph = log_arrays(tail, events, edges)
    chosen = np.sort(np.random.default_rng(2).choice(edges, SHARE, replace=False))
    return graph, chosen, *some_edges(graph, chosen)


def replay(backend, graph, traces):
    return backend.replay(graph, traces)


def weights_at(backend, graph, traces):
    return backend.weights_at(graph, traces, TIMES)


def log_likelihood(backend, graph, traces):
    count = len(traces.learning_rate)
    return backend.log_likelihood(graph, traces, np.full(count, 0.01), np.full(count, 0.1), END_US)


def check(form, got, want, edges, events):
    """What was found for some edges is what plain loops find."""
    if form is log_likelihood:
        np.testing.assert_allclose(np.asarray(got)[edges], want, rtol=1e-9)
        return
    got = on_host(got)
    if form is weights_at:
        np.testing.assert_array_equal(got.alive[:, edges], want.alive)
        np.testing.assert_allclose(got.weight[:, edges], want.weight, rtol=1e-12)
    else:
        np.testing.assert_array_equal(got.reinforcements[events], want.reinforcements)
        np.testing.assert_allclose(got.weight[events], want.weight, rtol=1e-12)


CASES = [
    # back end, form, part of the events and edges, rounds
    ("cpu", replay, 1, ROUNDS),
    ("cpu", weights_at, 1, ROUNDS),
    ("cpu", log_likelihood, 1, ROUNDS),
    ("torch", replay, 1, 3),
    ("torch", weights_at, 10, 3),  # a tenth, so that `make bench` ends in minutes
    ("torch", log_likelihood, 10, 2),
]


@pytest.mark.parametrize(
    ("name", "form", "part", "rounds"), CASES, ids=[f"{c[0]}-{c[1].__name__}" for c in CASES]
)
@pytest.mark.parametrize("tail", ["light", "heavy"])
def test_replay(benchmark, tail, name, form, part, rounds):
    count, among = EVENTS // part, EDGES // part
    graph, edges, share, events = log_of(tail, count, among)
    traces, backend, plain = traces_of(CONFIGS), backend_named(name), backend_named("reference")
    placed = backend.place(graph)
    contest = Contest(
        benchmark,
        lambda: form(backend, placed, traces),
        {"reference": lambda: form(plain, share, traces)},
        rounds, warm=False,
    ).run()  # fmt: skip
    check(form, contest.answers["ours"], contest.answers["reference"], edges, events)
    what = {
        replay: "every weight after each event kept",
        weights_at: "weights of all edges at 4 times, no state kept",
        log_likelihood: "table of log-likelihoods, no state kept",
    }[form]
    goal = {"at_most": GOALS[name]} if form is replay else {}
    longest = int(np.diff(graph.event_ptr).max())
    note(
        benchmark,
        f"{form.__name__}, {tail} tail, back end {name}: {count:,} events, {among:,} edges (the "
        f"longest has {longest:,} events), {CONFIGS} half-lives, float64",
        f"{what}; documented rules with fixed half-lives of 1 to 120 days over {SPAN_DAYS} days, "
        "exact pruning with reset of the count; check of the input included; as many threads as "
        f"there are cores, their processor time summed. Reference: Python loops over {SHARE} of "
        f"the edges ({len(events):,} events), equal to 1e-12 there (likelihoods to 1e-9), their "
        "time scaled by the number of events",
        contest.cpu(label="processor time of all threads", **goal),
        contest.wall(label="wall time"),
        contest.each(count * CONFIGS, "wall time per event and configuration"),
        contest.against("reference", "plain loops", share=len(events) / count),
    )
