"""Personalised PageRank in batch, against igraph."""

import numpy as np
import pytest

from hebb_lab.graph.rules import SynapseRules
from hebb_lab.graph.synapse import SynapseLayer
from hebb_lab.kernels.arrays import query_arrays
from hebb_lab.kernels.choose import backend_named
from tests.benchmarks.asked import only, queries_of, spans_of
from tests.benchmarks.contest import Contest
from tests.benchmarks.peers import IgraphPagerank
from tests.benchmarks.values import note

pytestmark = [pytest.mark.bench, pytest.mark.usefixtures("one_thread")]

K, ROUNDS, CONFIGS = 10, 5, 8
TOLERANCE = 1e-6  # the largest residual
PLAIN = SynapseRules(
    half_life="fixed", half_life_personal_days=7, potentiation=False, prune_below=0.0,
    hub_degree=None,
)  # fmt: skip


@pytest.fixture(scope="module")
def layer(simulated):
    return SynapseLayer.learn(simulated, [PLAIN], backend_named("cpu"))


def check(got, ranks):
    """The largest difference of a probability, after holding ours to igraph's."""
    missing = np.take_along_axis(ranks, got.ids.astype(np.int64), axis=1) - got.scores
    assert missing.min() >= -1e-6
    assert missing.max() <= TOLERANCE * ranks.shape[1]  # what the residuals may hold back
    return np.abs(missing).max()


def alive_at(layer, queries, q):
    """The merged weights as of a query, and whether all its seeds have some."""
    rows = layer.adjacency(0, int(queries.time_us[q]))
    seeds = queries.seed_ids[3 * q : 3 * q + 3].tolist()
    return rows, all(any(rows.get(node, {}).values()) for node in seeds)


def test_on_one_snapshot(benchmark, layer):
    graph = layer.graph
    late = int(np.quantile(graph.event_time.numpy(), 0.9))
    queries = queries_of(graph, 100, np.full(100, late))
    rows = layer.adjacency(0, late)
    alive = np.array([any(rows.get(node, {}).values()) for node in queries.seed_ids.tolist()])
    queries = only(queries, np.flatnonzero(alive.reshape(-1, 3).all(axis=1)))
    peer = IgraphPagerank(rows, graph.node_count)
    contest = Contest(
        benchmark,
        lambda: layer.personalised_pagerank(0, queries, K),
        {"igraph": lambda: peer.ranks(queries)},
        ROUNDS,
    ).run()
    largest = check(contest.answers["ours"][0], contest.answers["igraph"])
    note(
        benchmark,
        f"personalised PageRank of {len(queries)} queries on one snapshot "
        f"({sum(map(len, rows.values())) // 2:,} edges)",
        "back end cpu (forward push to residuals of 1e-6, edges decayed on the way) against "
        "igraph's PRPACK on the ready snapshot; largest difference of a probability "
        f"{largest:.1g}; one thread each",
        contest.against("igraph"),
        contest.wall(),
        contest.wall("igraph"),
    )


def test_each_query_at_its_own_time(benchmark, layer):
    graph = layer.graph
    queries = queries_of(graph, 60, spans_of(graph, 60))
    made = [alive_at(layer, queries, q) for q in range(60)]
    chosen = [q for q in range(60) if made[q][1]]
    snapshots, queries = [made[q][0] for q in chosen], only(queries, chosen)
    singles = [only(queries, [q]) for q in range(len(queries))]

    def igraph():
        return np.concatenate(
            [IgraphPagerank(rows, graph.node_count).ranks(one)
             for rows, one in zip(snapshots, singles, strict=True)]
        )  # fmt: skip

    contest = Contest(
        benchmark, lambda: layer.personalised_pagerank(0, queries, K), {"igraph": igraph}, ROUNDS
    ).run()
    largest = check(contest.answers["ours"][0], contest.answers["igraph"])
    note(
        benchmark,
        f"personalised PageRank of {len(queries)} queries, each at its own time "
        f"({graph.node_count:,} nodes, {graph.edge_count:,} edges)",
        "back end cpu against igraph's PRPACK on a graph made for each query out of ready weights, "
        "the making included and the decay not; largest difference of a probability "
        f"{largest:.1g}; one thread each",
        contest.against("igraph"),
        contest.wall(),
        contest.wall("igraph"),
    )


def test_several_configurations_in_one_call(benchmark, layer):
    graph = layer.graph
    days = np.append(np.geomspace(1, 60, CONFIGS - 1), PLAIN.half_life_personal_days)
    rules = [PLAIN.change(half_life_personal_days=float(d)) for d in days]
    many = SynapseLayer.learn(graph, rules, layer.backend)
    queries = query_arrays(queries_of(graph, 60, spans_of(graph, 60)))

    def walker(asked):
        walk = layer.backend.walk(asked._arrays, asked._state, asked._traces, asked._reads)
        return lambda: walk.personalised_pagerank(queries, K)

    contest = Contest(benchmark, walker(many), {"one": walker(layer)}, 3).run()
    np.testing.assert_allclose(
        contest.answers["ours"].scores[-1], contest.answers["one"].scores[0], rtol=1e-5, atol=1e-6
    )
    note(
        benchmark,
        f"personalised PageRank of 60 queries, each at its own time, {CONFIGS} half-lives",
        f"back end cpu, {CONFIGS} configurations in one call, and one in a call, "
        "both walks made ready beforehand; one thread",
        contest.against("one", f"{CONFIGS} single calls", share=1 / CONFIGS),
        contest.wall(),
        contest.wall("one", "one configuration"),
    )
