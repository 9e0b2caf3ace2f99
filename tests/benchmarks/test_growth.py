"""How the cost of the kernels grows with events, nodes, configurations and queries."""

import statistics

import numpy as np
import pytest

from hebb_lab.graph.rules import SynapseRules
from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.kernels.arrays import graph_arrays, query_arrays
from hebb_lab.kernels.choose import backend_named
from hebb_lab.kernels.parameters import rule_arrays
from tests.benchmarks.asked import queries_of, spans_of
from tests.benchmarks.contest import rounds_of
from tests.benchmarks.inputs import log_arrays, made_windows, power_law_rows, standing_queries
from tests.benchmarks.slopes import seconds_of, slope, upper
from tests.benchmarks.values import Value, note

pytestmark = pytest.mark.bench

K, ROUNDS = 12, 5
DECADES = [10**4, 10**5, 10**6, 10**7]
HALVES = [10**4, 31_623, 10**5, 316_228, 10**6]
POWERS = [1, 4, 16, 64, 256]
READS = rule_arrays([SynapseRules()], ("personal",))[1]


def rules_of(count):
    days = np.geomspace(1, 120, count) if count > 1 else [30.0]
    return [SynapseRules(half_life="fixed", half_life_personal_days=float(d)) for d in days]


def grow(benchmark, calls, rounds=ROUNDS):
    """Seconds of each call in each round, smallest first: {size: [seconds]}.

    Args:
        benchmark: the fixture; it times whole rounds.
        calls: size → (what makes the call ready, the call); what one size holds is let go of
            before the next.
        rounds: how many.
    """
    seconds = {size: [] for size in calls}

    def once():
        for size, prepare in calls.items():
            work = prepare()
            seconds[size].append(seconds_of(work))

    for size in list(calls)[:1]:
        calls[size]()()  # compiled
    benchmark.pedantic(once, rounds=rounds_of(rounds))
    return seconds


def keep(benchmark, what, method, axis, seconds, work, goal=None):
    """The row: slope by round, cost a unit of work at both ends; and the points of the figure.

    Args:
        benchmark: the fixture.
        what, method: of the row.
        axis: (name of the panel, of the line, of what grows).
        seconds: size → seconds by round.
        work: size → how many units of work.
        goal: at most this slope.
    """
    rounds = len(next(iter(seconds.values())))
    by_round = [[(work[size], s[r]) for size, s in seconds.items()] for r in range(rounds)]
    counted = [n for n, _ in upper(by_round[0])]
    ends = [size for number, size in enumerate(seconds) if number in (0, len(seconds) - 1)]
    unit, scale = ("ns", 1e9) if max(work.values()) > 10_000 else ("ms", 1e3)
    note(
        benchmark,
        what,
        f"{method}; slope of a straight line through log seconds over log {axis[2]}, by least "
        f"squares, of the {len(counted)} points from {min(counted):,} to {max(counted):,}",
        Value("slope", "", tuple(slope(points) for points in by_round), at_most=goal),
        *(
            Value(
                f"at {size:,}", f"{unit} each", tuple(s / work[size] * scale for s in seconds[size])
            )
            for size in ends
        ),
    )
    benchmark.extra_info["growth"] = {
        "panel": axis[0], "line": axis[1], "x": axis[2],
        "points": [[work[size], statistics.median(s), min(s), max(s)]
                   for size, s in seconds.items()],
        "slope": statistics.median(slope(points) for points in by_round),
    }  # fmt: skip


@pytest.mark.parametrize("memory", ["kept", "new"])
@pytest.mark.parametrize("tail", ["light", "heavy"])
def test_replay_as_events_grow(benchmark, tail, memory):
    backend, traces = backend_named("cpu"), rule_arrays(rules_of(8), ("personal",))[0]
    graphs = {size: backend.place(log_arrays(tail, size, size // 5)) for size in DECADES}

    def made(graph):
        into = backend.replay(graph, traces) if memory == "kept" else None
        return lambda: backend.replay(graph, traces, into=into)

    seconds = grow(benchmark, {n: lambda graph=graph: made(graph) for n, graph in graphs.items()})
    state = {
        "kept": "written over the state of an earlier replay, as sweeps and fits do",
        "new": "into memory that the system has to bring and to clear first, as a run does",
    }[memory]
    keep(
        benchmark, f"growth of replay, {tail} tail, {memory} memory: 10⁴ to 10⁷ events, 8 "
        "half-lives",
        f"back end cpu, graph placed beforehand, five events an edge; {state}",
        ("events", f"replay, {tail} tail, {memory} memory", "events × configurations"),
        seconds, {size: 8 * size for size in DECADES}, goal=1.05,
    )  # fmt: skip


def test_building_as_reinforcements_grow(benchmark):
    windows = {size: made_windows(size) for size in DECADES}
    calls = {
        size: lambda made=made: lambda: co_activation_graph(made) for size, made in windows.items()
    }
    seconds = grow(benchmark, calls, rounds=2)
    keep(
        benchmark, "growth of building the TemporalGraph: 10⁴ to 10⁷ reinforcements",
        "windows of five nodes, about five reinforcements an edge",
        ("events", "building the graph", "reinforcements"),
        seconds, {size: size for size in DECADES},
    )  # fmt: skip


def test_spread_as_nodes_grow(benchmark):
    backend, visits = backend_named("cpu"), {}

    def made(size):
        rows = backend.place(power_law_rows(size))
        queries = standing_queries(size, 64 * size // 10**4)
        visits[size] = int(backend.spread_rows(rows, READS, queries, K).edges.sum())
        return lambda: backend.kernels.spread_rows(rows, READS, queries, K)

    seconds = grow(benchmark, {size: lambda size=size: made(size) for size in HALVES}, rounds=3)
    keep(
        benchmark, "growth of spreading: 10⁴ to 10⁶ nodes, 64 queries for every 10⁴ nodes",
        "back end cpu, weights that stand still, power-law graphs of mean degree 12, 3 seeds, 2 "
        "hops, top 12; the check of the input, which grows with the graph, is not counted",
        ("nodes", "64 queries per 10⁴ nodes", "edge visits"), seconds,
        {size: visits[size] for size in HALVES}, goal=1.05,
    )  # fmt: skip


def test_spread_as_queries_grow(benchmark):
    backend, visits = backend_named("cpu"), {}
    rows = backend.place(power_law_rows(10**6))
    counts = [1, 10, 100, 1000, 10**4]

    def made(count):
        queries = standing_queries(10**6, count)
        visits[count] = int(backend.spread_rows(rows, READS, queries, K).edges.sum())
        return lambda: backend.kernels.spread_rows(rows, READS, queries, K)

    seconds = grow(benchmark, {n: lambda n=n: made(n) for n in counts}, rounds=3)
    keep(
        benchmark, "growth of spreading: 1 to 10⁴ queries on 10⁶ nodes",
        "back end cpu, weights that stand still, 3 seeds, 2 hops, top 12; the check of the input "
        "is not counted",
        ("nodes", "1 to 10⁴ queries, 10⁶ nodes", "edge visits"), seconds,
        {n: visits[n] for n in counts}, goal=1.05,
    )  # fmt: skip


def test_replay_as_configurations_grow(benchmark):
    backend, graph = backend_named("cpu"), log_arrays("heavy", 10**5, 2 * 10**4)

    def made(count):
        traces = rule_arrays(rules_of(count), ("personal",))[0]
        return lambda: backend.replay(graph, traces)

    seconds = grow(benchmark, {n: lambda n=n: made(n) for n in POWERS})
    keep(
        benchmark, "growth of replay: 1 to 256 configurations, 10⁵ events",
        "back end cpu, heavy tail, five events an edge",
        ("configurations", "replay, 10⁵ events", "configurations"), seconds,
        {n: n for n in POWERS},
    )  # fmt: skip


def test_spread_as_configurations_grow(benchmark, simulated):
    backend, graph = backend_named("cpu"), graph_arrays(simulated)
    asked = query_arrays(queries_of(simulated, 20, spans_of(simulated, 20)))

    def made(count):
        traces, reads = rule_arrays(rules_of(count), simulated.namespaces)
        state = backend.replay(graph, traces)
        walk = backend.walk(graph, state, traces, reads)
        return lambda: walk.spread(asked, K)

    seconds = grow(benchmark, {n: lambda n=n: made(n) for n in POWERS}, rounds=3)
    keep(
        benchmark, "growth of time-travel spreading: 1 to 256 configurations, 20 queries",
        f"back end cpu, {simulated.node_count:,} nodes, {simulated.event_count:,} events, 2 hops, "
        "the walk made ready beforehand",
        ("configurations", "time-travel spread, 20 queries", "configurations"), seconds,
        {n: n for n in POWERS},
    )  # fmt: skip


def test_time_travel_as_queries_grow(benchmark, simulated):
    backend, graph = backend_named("cpu"), graph_arrays(simulated)
    traces, reads = rule_arrays(rules_of(1), simulated.namespaces)
    ready = backend.walk(graph, backend.replay(graph, traces), traces, reads)
    counts, found = [1, 10, 100, 1000, 10**4], {}

    def made(count):
        queries = query_arrays(queries_of(simulated, count, spans_of(simulated, count)))

        def walk():
            found[count] = ready.spread(queries, K)

        return walk

    seconds = grow(benchmark, {n: lambda n=n: made(n) for n in counts}, rounds=3)
    keep(
        benchmark, "growth of time-travel spreading: 1 to 10⁴ queries",
        f"back end cpu, {simulated.node_count:,} nodes, {simulated.event_count:,} events, 2 hops, "
        "each query at its own time, the walk made ready beforehand",
        ("nodes", "time travel, 1 to 10⁴ queries", "edge visits"), seconds,
        {n: int(found[n].edges.sum()) for n in counts}, goal=1.05,
    )  # fmt: skip
