"""Against a plain SQLite store of the published rules."""

import numpy as np
import pytest

from hebb_lab.graph.rules import SynapseRules
from hebb_lab.graph.synapse import SynapseLayer
from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.kernels.arrays import query_arrays
from hebb_lab.kernels.choose import backend_named
from hebb_lab.records import Ranking
from tests.benchmarks.contest import AGAIN, Contest
from tests.benchmarks.store_log import BRANCH, asked_of, compare, learn, made_store_log, seeds_of
from tests.benchmarks.values import note

pytestmark = pytest.mark.bench

NODES, QUERIES, K, CONFIGS, ROUNDS, AGAIN_CALLS = 4000, 200, 12, 32, 5, 20
WINDOWS = {False: 3420, True: 3700}  # so many give about 20,000 edges


@pytest.mark.parametrize("configs", [1, CONFIGS])
@pytest.mark.parametrize(
    ("hubs", "half_life"),
    [(False, "learned"), (False, "fixed"), (True, "learned")],
    ids=["even-documented", "even-fixed", "hubs-documented"],
)
def test_spreading_against_sqlite(benchmark, tmp_path, hubs, half_life, configs):
    windows = made_store_log(NODES, WINDOWS[hubs], hubs)
    graph = co_activation_graph(windows)
    days = [30.0, *np.geomspace(7, 120, configs - 1)]
    rules = [SynapseRules(half_life=half_life, half_life_personal_days=float(d)) for d in days]
    layer = SynapseLayer.learn(graph, rules, backend_named("cpu"), BRANCH)
    queries = asked_of(windows, QUERIES)
    store, asked = learn(tmp_path / "s.db", windows, rules[0]), query_arrays(queries)
    seeds = seeds_of(queries)

    walk = layer.backend.walk(layer._arrays, layer._state, layer._traces, layer._reads)
    contest = Contest(
        benchmark, lambda: walk.spread(asked, K),
        {"SQLite": lambda: [store.spread(each, K) for each in seeds]}, ROUNDS, again=AGAIN_CALLS,
    ).run()  # fmt: skip
    found = contest.answers["ours"]
    compare(store, queries, Ranking(found.ids[0], found.scores[0]))
    degree = np.diff(graph.row_ptr.numpy())
    visits = int(found.edges[0].sum())
    kept = len(store.edges())
    plan = store.plan()
    store.close()
    goal = 200 if configs == 1 else 1000
    label = "per query" if configs == 1 else "per query and configuration"
    shape = "popular nodes" if hubs else "all nodes alike"
    named = "documented rules" if half_life == "learned" else "fixed half-lives"
    note(
        benchmark,
        f"SQLite store, {shape}, {named}: {QUERIES} queries × 3 seeds, 2 hops, top {K}, {configs} "
        f"configuration{'s' * (configs > 1)} ({NODES:,} nodes, {graph.edge_count:,} edges in three "
        f"namespaces, degree {np.median(degree):.0f} in the median and {degree.max()} at most)",
        f"Walk.spread (cpu, {half_life} half-lives) of all queries in a call, the mean of "
        f"{AGAIN_CALLS} calls in a row, and one call alone; the walk made ready before the "
        f"clock starts and asked once, so that it stands at the queries' time and has its rows of "
        f"then decayed, as the store has, against "
        f"the store, asked query by query: WAL, one connection, prepared statements, "
        f"decayed beforehand ({kept:,} edges left), planner with statistics ({plan}); scores equal "
        f"to 1e-6; {visits:,} edge visits a configuration. Windows of four nodes as in the "
        "published latency script",
        contest.against("SQLite", f"SQLite, {label}", 1 / configs, AGAIN, at_least=goal),
        contest.against("SQLite", f"SQLite, {label}, one call after it, caches cold", 1 / configs),
        contest.each(QUERIES * configs, f"ours, {label}", "µs", 1e6, AGAIN),
        contest.each(QUERIES * configs, f"ours, {label}, one call, caches cold", "µs", 1e6),
        contest.each(QUERIES, "SQLite, per query", "ms", 1e3, "SQLite"),
    )
