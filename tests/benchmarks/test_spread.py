"""Spreading through weights that stand still, on a power-law graph of 10⁶ nodes."""

import json
import sys

import numpy as np
import pytest

from hebb_lab.graph.rules import SynapseRules
from hebb_lab.kernels.choose import backend_named
from hebb_lab.kernels.parameters import rule_arrays
from tests.benchmarks.child import measure
from tests.benchmarks.contest import AGAIN, Contest
from tests.benchmarks.inputs import power_law_rows, standing_queries
from tests.benchmarks.machine import copy_bandwidths, free_bytes
from tests.benchmarks.spread_peers import (
    GraphBlas,
    PygMessages,
    PygSpmm,
    ScipyDense,
    ScipySparse,
    best_scores,
    top_k,
)
from tests.benchmarks.values import Value, note

pytestmark = [
    pytest.mark.bench,
    pytest.mark.filterwarnings("ignore:Sparse", "ignore:.*torch.jit"),
]

NODES, QUERIES, K = 10**6, 64, 12
RULES = SynapseRules()
READS = rule_arrays([RULES], ("personal",))[1]
ROUNDS = 7
TOLERANCE = {"float64": 1e-6, "float32": 1e-4}  # scores are float32; the peers sum in the precision


@pytest.fixture(scope="module", params=["float64", "float32"])
def precision(request):
    return request.param


@pytest.fixture(scope="module")
def work(precision):
    """The graph in that precision, and the queries."""
    return power_law_rows(NODES, precision), standing_queries(NODES, QUERIES)


def size_of(rows):
    return f"{len(rows.row_ptr) - 1:,} nodes, {len(rows.col):,} directed edges"


def check(found, answer, queries, precision):
    """Hold our scores to a peer's, rank by rank."""
    scores = np.where(np.isfinite(found.scores[0]), found.scores[0], 0.0)
    want = best_scores(answer, queries, K)
    np.testing.assert_allclose(scores, want, rtol=TOLERANCE[precision], atol=1e-9)


def bytes_per_visit(rows):
    """The neighbour, its weight, and the sum it is added to: read and written."""
    return rows.col.itemsize + rows.weight.itemsize + 2 * rows.weight.itemsize


@pytest.mark.parametrize("name", ["cpu", "torch"])
def test_spreading_against_sparse_products(benchmark, work, precision, name):
    rows, queries = work
    backend = backend_named(name, precision)
    placed = backend.place(rows)
    scipy, graphblas = ScipySparse(rows, RULES, queries), GraphBlas(rows, RULES, queries)
    contest = Contest(
        benchmark,
        lambda: backend.spread_rows(placed, READS, queries, K),
        {
            "SciPy's products": scipy.products,
            "SciPy": scipy.spread,
            "SciPy's best": lambda: top_k(scipy.spread(), K + 3),
            "python-graphblas": graphblas.products,
            "kernel": lambda: backend.kernels.spread_rows(placed, READS, queries, K),
        },
        ROUNDS,
    ).run()
    check(contest.answers["ours"], scipy.spread(), queries, precision)
    check(contest.answers["ours"], graphblas.as_scipy(graphblas.spread()), queries, precision)
    visits = int(contest.answers["ours"].edges.sum())
    copied = copy_bandwidths(contest.rounds)
    floor = tuple(bytes_per_visit(rows) / rate * 1e9 for rate in copied)
    goal = {"at_least": 4} if name == "cpu" else {}
    note(
        benchmark,
        f"spread, {precision}, back end {name}: {QUERIES} queries × 3 seeds, 2 hops, top {K} "
        f"({size_of(rows)}; {visits:,} edge visits)",
        "Backend.spread_rows, its checks of the input and the best 12 included, against SciPy CSR "
        "× sparse frontier of the same precision: its two products and their sum (the goal's 26 "
        "ms), those and the best 12, and the products alone; and against python-graphblas, whose "
        "mxm are not summed. All in one process, with as many threads as each takes; scores equal "
        f"to {TOLERANCE[precision]:g}. Floor: {bytes_per_visit(rows)} bytes a visit (neighbour, "
        "weight, the sum read and written) at the bandwidth of a copy in the same process",
        contest.against("SciPy", "SciPy CSR × sparse frontier, without top k", **goal),
        contest.against("SciPy's best", "the same with top k"),
        contest.against("SciPy's products", "its two products alone, not summed"),
        contest.against("python-graphblas", "python-graphblas, products alone"),
        contest.wall(),
        contest.wall("kernel", "ours without the check of the input"),
        contest.wall("SciPy", "SciPy without top k"),
        contest.wall("SciPy's products"),
        contest.each(visits, "per edge visit, without the check", name="kernel"),
        Value("floor per edge visit", "ns", floor),
        Value("copy bandwidth", "GB/s", tuple(rate / 1e9 for rate in copied)),
    )


def test_spreading_against_dense_products(benchmark):
    rows, queries = power_law_rows(NODES, "float32"), standing_queries(NODES, QUERIES)
    backend = backend_named("cpu", "float32")
    placed = backend.place(rows)
    spmm, dense = PygSpmm(rows, RULES, queries), ScipyDense(rows, RULES, queries)
    contest = Contest(
        benchmark,
        lambda: backend.spread_rows(placed, READS, queries, K),
        {"PyG spmm": spmm.spread, "SciPy CSR × dense": dense.spread},
        rounds=3,
        again=10,
    ).run()
    check(contest.answers["ours"], contest.answers["PyG spmm"].numpy(), queries, "float32")
    check(contest.answers["ours"], contest.answers["SciPy CSR × dense"], queries, "float32")
    note(
        benchmark,
        f"spread, float32, against dense frontiers: {QUERIES} queries × 3 seeds, 2 hops, top {K} "
        f"({size_of(rows)})",
        "Backend.spread_rows (cpu), top 12 included, the mean of ten calls in a row and one call "
        "alone, against torch_geometric.utils.spmm (torch "
        "CSR of int32, all threads) and SciPy CSR × dense [N, 64], both without a top k; one "
        "process; scores equal to 0.0001",
        contest.against("PyG spmm", "PyG spmm, no top k", ours=AGAIN, at_least=100),
        contest.against("PyG spmm", "PyG spmm, one call after it, caches cold"),
        contest.against("SciPy CSR × dense", "SciPy CSR × dense, no top k", ours=AGAIN),
        contest.wall(AGAIN),
        contest.wall(label="ours, one call, caches cold"),
        contest.wall("PyG spmm"),
        contest.wall("SciPy CSR × dense"),
    )


def test_spreading_against_message_passing(benchmark):
    rows = power_law_rows(NODES, "float32")
    most = QUERIES
    while most > 1 and PygMessages.bytes_needed(len(rows.col), most) > 0.8 * free_bytes():
        most //= 2
    queries = standing_queries(NODES, most)
    backend = backend_named("cpu", "float32")
    placed = backend.place(rows)
    messages = PygMessages(rows, RULES, queries)
    contest = Contest(
        benchmark,
        lambda: backend.spread_rows(placed, READS, queries, K),
        {"PyG": messages.spread}, rounds=3, warm=False,
    ).run()  # fmt: skip
    check(contest.answers["ours"], contest.answers["PyG"].numpy(), queries, "float32")
    fewer = "" if most == QUERIES else f", for want of memory only {most} of {QUERIES} queries"
    note(
        benchmark,
        f"spread, float32, against messages on edges{fewer}: {most} queries × 3 seeds, 2 hops, "
        f"top {K} ({size_of(rows)})",
        "Backend.spread_rows (cpu), top 12 included, against torch_geometric.nn.MessagePassing "
        "(one message an edge and query) without a top k; one process; scores equal to 0.0001",
        contest.against("PyG", "PyG MessagePassing, no top k"),
        contest.wall(),
        contest.wall("PyG", "PyG MessagePassing"),
    )


def test_memory_of_spreading(benchmark):
    found = {}

    def measured():
        for name in ("cpu", "torch", "ScipySparse", "PygSpmm", "PygMessages"):
            done = measure(sys.executable, "-m", "tests.benchmarks.spread_memory", name)
            assert done.code == 0, done.output
            found[name] = json.loads(done.output.splitlines()[-1])

    power_law_rows(NODES)
    benchmark.pedantic(measured, rounds=1)
    labels = {"cpu": "back end cpu", "torch": "back end torch",
              "ScipySparse": "SciPy CSR × sparse frontier", "PygSpmm": "PyG spmm",
              "PygMessages": "PyG MessagePassing"}  # fmt: skip
    values = [
        Value(label + ("" if found[name]["queries"] == QUERIES
                       else f" ({found[name]['queries']} queries only)"),
              "MB", (found[name]["extra"] / 1e6,))
        for name, label in labels.items() if found[name]["extra"] is not None
    ]  # fmt: skip
    note(
        benchmark,
        f"memory of that spread beside graph and queries, float32, {QUERIES} queries",
        "one process each; highest resident memory during the second of two calls, beyond what "
        "was held before it (graph, matrix, queries and libraries)",
        *values,
    )
