"""On a GPU: replay and spread against the copy bandwidth of the same device."""

import numpy as np
import pytest

from hebb_lab.device import cupy_or_none, has_cuda
from hebb_lab.kernels.arrays import on_host
from hebb_lab.kernels.choose import backend_named
from tests.benchmarks.contest import Contest
from tests.benchmarks.inputs import log_arrays, power_law_rows, standing_queries
from tests.benchmarks.machine import copy_bandwidths, wait
from tests.benchmarks.test_replay import CONFIGS, traces_of
from tests.benchmarks.test_spread import NODES, QUERIES, READS, K, size_of
from tests.benchmarks.values import Value, note

ROUNDS = 7
EVENTS, EDGES = 10**7, 2 * 10**6
COUNT_BYTES, EVENT_BYTES = 4, 8 + 4 + 4 + 4  # of a state; time, strength, size and NPMI

pytestmark = [
    pytest.mark.bench,
    pytest.mark.gpu,
    pytest.mark.skipif(not has_cuda(), reason="no CUDA device"),
]


@pytest.fixture(params=["cuda", "torch"])
def kind(request):
    if request.param == "cuda" and cupy_or_none() is None:
        pytest.skip("no CuPy that can run kernels: install the extra gpu or gpu12")
    return request.param


def named(backend, benchmark):
    """The device's name goes with the row."""
    benchmark.extra_info["device"] = backend.kernels.device
    return f"back end {backend.name} on {backend.kernels.device}"


def share_of_copy(moved, contest, copied):
    """Bytes that must move, by the time it took, by the bandwidth of a copy."""
    seconds = contest.seconds["ours"]
    return Value(
        "share of the copy bandwidth", "%",
        tuple(100 * moved / s / rate for s, rate in zip(seconds, copied, strict=True)),
        at_least=50,
    )  # fmt: skip


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("tail", ["light", "heavy"])
def test_replay_on_a_gpu(benchmark, kind, precision, tail):
    backend = backend_named(kind, precision, device="cuda")
    plain, traces = backend_named("cpu", precision), traces_of(CONFIGS)
    graph = log_arrays(tail, EVENTS, EDGES)
    placed = backend.place(graph)

    def ours():
        state = backend.kernels.replay(placed, traces, False)
        wait("cuda")
        return state

    def checked():
        backend.replay(placed, traces)
        wait("cuda")

    peers = {"cpu": lambda: plain.replay(graph, traces), "checked": checked}
    contest = Contest(benchmark, ours, peers, ROUNDS).run()
    got, want = on_host(contest.answers["ours"]), contest.answers["cpu"]
    tolerance = 1e-12 if precision == "float64" else 1e-5
    np.testing.assert_allclose(got.weight, want.weight, rtol=tolerance, atol=tolerance)
    size = got.weight.dtype.itemsize + COUNT_BYTES
    copied = copy_bandwidths(contest.rounds, "cuda")
    note(
        benchmark,
        f"replay, {tail} tail, {precision}, {named(backend, benchmark)}: {EVENTS:,} events, "
        f"{EDGES:,} edges, {CONFIGS} half-lives",
        "the log lies on the device, the state stays there; the kernel's time, and beside it that "
        "with the check of the input; against the back end cpu of the same machine, equal to "
        f"{tolerance:g}. Bytes that must move: {size} a state written, {EVENT_BYTES} an event read",
        share_of_copy(EVENTS * (CONFIGS * size + EVENT_BYTES), contest, copied),
        contest.wall(),
        contest.wall("checked", "with the check of the input"),
        Value("copy bandwidth", "GB/s", tuple(rate / 1e9 for rate in copied)),
        contest.against("cpu", "back end cpu"),
    )


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("count", [QUERIES, 4096])
def test_spread_on_a_gpu(benchmark, kind, precision, count):
    rows, queries = power_law_rows(NODES, precision), standing_queries(NODES, count)
    backend, plain = (
        backend_named(kind, precision, device="cuda"), backend_named("cpu", precision),
    )  # fmt: skip
    placed = backend.place(rows)

    peers = {
        "cpu": lambda: plain.spread_rows(rows, READS, queries, K),
        "checked": lambda: backend.spread_rows(placed, READS, queries, K),
    }
    contest = Contest(
        benchmark, lambda: backend.kernels.spread_rows(placed, READS, queries, K), peers, ROUNDS
    ).run()
    got, want = contest.answers["ours"], contest.answers["cpu"]
    np.testing.assert_allclose(got.scores, want.scores, rtol=1e-4)
    visits, width = int(got.edges.sum()), rows.weight.itemsize
    copied = copy_bandwidths(contest.rounds, "cuda")
    note(
        benchmark,
        f"spread, {precision}, {named(backend, benchmark)}: {count} queries × 3 seeds, 2 hops, top "
        f"{K} ({size_of(rows)}; {visits:,} edge visits)",
        "the graph lies on the device, queries go there and the best 12 come back; the kernels' "
        "time, and beside it that with the check of the input; against the back end cpu of the "
        "same machine, scores equal to 0.0001. Bytes that must move: "
        f"{4 + 3 * width} a visit (neighbour, weight, the sum read and written)",
        share_of_copy(visits * (4 + 3 * width), contest, copied),
        contest.wall(),
        contest.wall("checked", "with the check of the input"),
        contest.each(visits, "per edge visit"),
        Value("copy bandwidth", "GB/s", tuple(rate / 1e9 for rate in copied)),
        contest.against("cpu", "back end cpu"),
    )
