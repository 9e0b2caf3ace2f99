"""The kernels against named peers that do the same work, in one process, round by round."""

import time

import numba
import numpy as np
import pytest
import torch

from hebb_lab.graph.rules import SynapseRules
from hebb_lab.graph.synapse import SynapseLayer
from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.kernels.arrays import graph_arrays
from hebb_lab.kernels.choose import backend_named
from hebb_lab.kernels.parameters import rule_arrays
from hebb_lab.records import Queries
from hebb_lab.simulator import PRESETS, simulate
from hebb_lab.telemetry.touches import touches_of
from hebb_lab.telemetry.windows import co_activations, window_of_touch
from tests.benchmarks.peers import IgraphPagerank, ScipySpread
from tests.benchmarks.values import Value, note, rounds_of

pytestmark = pytest.mark.bench

ROUNDS, K = 7, 10
PLAIN = SynapseRules(
    half_life="fixed", half_life_personal_days=7, potentiation=False, prune_below=0.0,
    hub_degree=None,
)  # fmt: skip
TOLERANCE = 1e-6  # of the personalised PageRank: the largest residual


@pytest.fixture(scope="module")
def graph():
    """Half a year of a simulated team."""
    touches = touches_of(simulate(PRESETS["large"], np.random.default_rng(0)).log)
    return co_activation_graph(co_activations(touches, window_of_touch(touches, "turn", 30)), 50)


@pytest.fixture(autouse=True)
def one_thread():
    """The kernels and the peers use one thread each."""
    before = numba.get_num_threads(), torch.get_num_threads()
    numba.set_num_threads(1)
    torch.set_num_threads(1)
    yield
    numba.set_num_threads(before[0])
    torch.set_num_threads(before[1])


def queries_of(graph, count, times):
    """Queries with three seeds each, drawn by how many edges a node has."""
    random = np.random.default_rng(0)
    degrees = np.diff(graph.row_ptr.numpy())
    seeds = np.array([random.choice(len(degrees), 3, False, degrees / degrees.sum())
                      for _ in range(count)])  # fmt: skip
    return Queries(
        task="bench", query_ids=tuple(f"q{q}" for q in range(count)), time_us=np.sort(times),
        cluster=np.arange(count, dtype=np.int32), block=np.ones(count, np.int16),
        event_row=np.full(count, -1), seed_ptr=np.arange(0, 3 * count + 1, 3),
        seed_ids=seeds.ravel().astype(np.int32),
        seed_energy=np.tile(np.array([1.0, 0.6, 0.36], np.float32), count),
        exclude_ptr=np.zeros(count + 1, np.int64), exclude_ids=np.zeros(0, np.int32),
        texts=("",) * count,
    )  # fmt: skip


def spans_of(graph, count):
    """Times all over the log."""
    times = graph.event_time.numpy()
    return np.random.default_rng(1).integers(np.quantile(times, 0.1), times.max(), count)


def compete(benchmark, ours, peer):
    """Run both in turn, the peer first; (seconds of the peer's rounds, both results)."""
    peer_seconds, answers = [], {"ours": ours()}  # ours is compiled by this call

    def peer_first():
        # igraph runs on the OpenMP that torch loaded, whose number of threads numba has raised
        torch.set_num_threads(1)
        began = time.perf_counter()
        answers["peer"] = peer()
        peer_seconds.append(time.perf_counter() - began)

    benchmark.pedantic(ours, setup=peer_first, rounds=ROUNDS)
    return peer_seconds, answers["ours"], answers["peer"]


def speedup(name, peer_seconds, benchmark):
    """How many times faster than the peer, by round."""
    ours = rounds_of(benchmark)
    return Value(name, "×", tuple(p / o for p, o in zip(peer_seconds, ours, strict=True)))


def times_of(benchmark, peer_seconds):
    """The seconds behind the ratios."""
    return Value("ours", "s", rounds_of(benchmark)), Value("peer", "s", tuple(peer_seconds))


def test_replay_against_plain_loops(benchmark, graph):
    arrays = graph_arrays(graph)
    traces, _ = rule_arrays([SynapseRules()], graph.namespaces)
    fast, slow = backend_named("cpu"), backend_named("reference")
    seconds, got, want = compete(
        benchmark, lambda: fast.replay(arrays, traces), lambda: slow.replay(arrays, traces)
    )
    np.testing.assert_allclose(got.weight, want.weight, rtol=1e-12)
    np.testing.assert_array_equal(got.reinforcements, want.reinforcements)
    note(
        benchmark,
        f"replay of {graph.event_count:,} events on {graph.edge_count:,} edges, documented rules",
        "back end cpu (numba) against back end reference (Python loops); results equal to 1e-12",
        speedup("against reference", seconds, benchmark),
        *times_of(benchmark, seconds),
    )


@pytest.mark.parametrize("hops", [1, 2])
def test_spreading_against_sparse_products(benchmark, graph, hops):
    rules = PLAIN.change(hops=hops)
    layer = SynapseLayer.learn(graph, [rules], backend_named("cpu"))
    queries = queries_of(graph, 500, spans_of(graph, 500))
    peer = ScipySpread(graph_arrays(graph), layer._state.weight[0], rules)
    products = []

    def scipy():
        best = peer.spread(queries, K)
        products.append(peer.product_seconds)
        return best

    seconds, (got, _), want = compete(benchmark, lambda: layer.spread(0, queries, K), scipy)
    scores = np.where(np.isfinite(got.scores), got.scores, 0.0)
    np.testing.assert_allclose(scores, want, rtol=1e-5, atol=1e-12)
    note(
        benchmark,
        f"spreading, {hops} hop{'s' * (hops > 1)}: {len(queries)} queries, each at its own time "
        f"({graph.node_count:,} nodes, {graph.edge_count:,} edges)",
        "back end cpu against SciPy: weights as of the query's time filled into one CSR structure, "
        "matrix × vector, best 10; scores equal to 1e-5; one thread each",
        speedup("against SciPy", seconds, benchmark),
        speedup("against its products alone", products, benchmark),
        *times_of(benchmark, seconds),
    )


def test_personalised_pagerank_against_igraph(benchmark, graph):
    layer = SynapseLayer.learn(graph, [PLAIN], backend_named("cpu"))
    late = int(np.quantile(graph.event_time.numpy(), 0.9))
    queries = queries_of(graph, 100, np.full(100, late))
    rows = layer.adjacency(0, late)
    alive = np.array([any(rows.get(node, {}).values()) for node in queries.seed_ids.tolist()])
    queries = only_seeds(queries, alive)
    peer = IgraphPagerank(rows, graph.node_count)
    seconds, (got, _), ranks = compete(
        benchmark,
        lambda: layer.personalised_pagerank(0, queries, K),
        lambda: peer.ranks(queries),
    )
    missing = np.take_along_axis(ranks, got.ids.astype(np.int64), axis=1) - got.scores
    assert missing.min() >= -1e-6
    assert missing.max() <= TOLERANCE * graph.node_count  # what the residuals may hold back
    note(
        benchmark,
        f"personalised PageRank of {len(queries)} queries on one snapshot "
        f"({sum(map(len, rows.values())) // 2:,} edges)",
        "back end cpu (forward push to residuals of 1e-6, edges decayed on the way) against "
        "igraph's PRPACK on the ready snapshot; largest difference of a probability "
        f"{np.abs(missing).max():.1g}; one thread each",
        speedup("against igraph", seconds, benchmark),
        *times_of(benchmark, seconds),
    )


def only_seeds(queries, keep):
    """The queries whose seeds all have edges."""
    chosen = np.flatnonzero(keep.reshape(-1, 3).all(axis=1))
    return Queries(
        queries.task, tuple(queries.query_ids[q] for q in chosen), queries.time_us[chosen],
        queries.cluster[chosen], queries.block[chosen], queries.event_row[chosen],
        np.arange(0, 3 * len(chosen) + 1, 3), queries.seed_ids.reshape(-1, 3)[chosen].ravel(),
        queries.seed_energy.reshape(-1, 3)[chosen].ravel(),
        queries.exclude_ptr[: len(chosen) + 1], queries.exclude_ids, ("",) * len(chosen),
    )  # fmt: skip
