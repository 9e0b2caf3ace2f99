"""One real kernel run on each device: compiled here, run here, and held against its meaning."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.records import CoActivations, Queries

TOLERANCE = 1e-12  # float64: weights
SCORE_TOLERANCE = 1e-6  # float32: energies, all below 10
VISIT_TOLERANCE = 1e-4  # probabilities: the fast walk stops at residuals of 1e-6 a unit of degree
RESTART = 0.15
DAY_US = 86_400_000_000

NODES, WINDOWS, QUERIES = 30, 80, 4  # of the graph that the processor replays
EDGES, EVENTS, HALF_LIFE_DAYS = 1000, 8, 7.0  # of the edges that a GPU replays

CUDA_SOURCE = r"""
extern "C" __global__ void decayed_sums(
    const double* days, const double* strengths, double half_life, int edges, int events,
    double* weights
) {
    int edge = blockDim.x * blockIdx.x + threadIdx.x;
    if (edge >= edges) return;
    double weight = 0.0, last = 0.0;
    for (int event = edge * events; event < (edge + 1) * events; ++event) {
        weight = weight * exp2(-(days[event] - last) / half_life) + strengths[event];
        last = days[event];
    }
    weights[edge] = weight;
}
"""


@dataclass(frozen=True)
class KernelRun:
    """How the kernel fared.

    Args:
        device: ``cpu`` or ``cuda``.
        by: what compiled it.
        seconds: compiling (or loading what was compiled before), running, comparing.
        largest_error: largest |kernel - what it should be|; None when it did not run.
        problem: why it cannot be relied on, None when it can.
    """

    device: str
    by: str
    seconds: float
    largest_error: float | None
    problem: str | None


def run_kernel(device: str) -> KernelRun:
    """Compile and run on a device, and compare.

    Args:
        device: ``cpu``: replay, spreading and PageRank as every run uses them (numba), on a small
            made graph, against the back end ``reference``. ``cuda``: the replay of decaying edges
            (CuPy), against the closed formula in NumPy.
    """
    by, compare = {"cpu": ("numba", _compare_cpu), "cuda": ("cupy", _compare_cuda)}[device]
    began = time.perf_counter()
    try:
        largest, problem = compare()
    except Exception as error:  # whatever a compiler or driver raises is the finding
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        return KernelRun(device, by, time.perf_counter() - began, None, reason)
    return KernelRun(device, by, time.perf_counter() - began, largest, problem)


def _compare_cpu() -> tuple[float, str | None]:
    """(largest error, problem) of the back end ``cpu``, documented and observed rules."""
    weights, energies, visits = _on_backend("cpu")
    true_weights, true_energies, true_visits = _on_backend("reference")
    return _judged(
        ("weights differ from the reference", weights, true_weights, TOLERANCE),
        ("energies differ from the reference", energies, true_energies, SCORE_TOLERANCE),
        ("visits differ from the reference", visits, true_visits, VISIT_TOLERANCE),
    )


def _judged(
    *parts: tuple[str, NDArray[Any], NDArray[Any], float],
) -> tuple[float, str | None]:
    """The largest error of all parts, and the first part beyond its tolerance."""
    problem, largest = None, 0.0
    for what, got, want, tolerance in parts:
        error = float(np.abs(got - want).max())
        # Written so that a NaN is a problem too, and remembered.
        largest = largest if error <= largest else error
        if problem is None and not error <= tolerance:
            problem = f"{what} by {error:.2g}"
    return largest, problem


def _on_backend(name: str) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Weights after each event, [M, 2]; energies, and visits of a walk, [2, QUERIES, NODES]."""
    from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
    from hebb_lab.graph.temporal import co_activation_graph
    from hebb_lab.kernels.arrays import graph_arrays, query_arrays
    from hebb_lab.kernels.choose import backend_named
    from hebb_lab.kernels.parameters import rule_arrays

    backend = backend_named(name)
    graph = co_activation_graph(_windows())
    arrays = graph_arrays(graph)
    traces, reads = rule_arrays([DOCUMENTED, OBSERVED], graph.namespaces)
    state = backend.replay(arrays, traces)
    asked = (arrays, state, traces, reads, query_arrays(_queries()), NODES)
    ids, energies, _ = backend.spread(*asked)
    visited, visits, _ = backend.personalised_pagerank(*asked, RESTART)
    return state.weight, _by_node(ids, energies), _by_node(visited, visits)


def _by_node(ids: NDArray[np.int32], scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """Scores in the order of the nodes; 0 for one without."""
    found = np.zeros((*ids.shape[:2], NODES + 1))  # −1, past the end, is the last column
    np.put_along_axis(found, ids.astype(np.int64), np.maximum(scores, 0.0), axis=2)
    return found[..., :NODES]


def _windows() -> CoActivations:
    """Windows of four nodes, some of them recurring, over 60 days."""
    from hebb_lab.records import CoActivations

    random = np.random.default_rng(0)
    members = [np.sort(random.choice(NODES, 4, replace=False)) for _ in range(WINDOWS // 4)]
    chosen = random.integers(0, len(members), WINDOWS)
    return CoActivations(
        nodes=tuple(f"node {i:02d}" for i in range(NODES)),
        sessions=("made",),
        namespaces=("personal",),
        time_us=(np.sort(random.uniform(0, 60, WINDOWS)) * DAY_US).astype(np.int64),
        session=np.zeros(WINDOWS, np.int32),
        node_ptr=np.arange(0, 4 * WINDOWS + 1, 4, dtype=np.int64),
        node_ids=np.concatenate([members[i] for i in chosen]).astype(np.int32),
        strength=np.ones(WINDOWS, np.float32),
        namespace=np.zeros(WINDOWS, np.int16),
    )


def _queries() -> Queries:
    """One query every 15 days, with two seeds each."""
    from hebb_lab.records import Queries

    seeds = np.random.default_rng(1).integers(0, NODES, 2 * QUERIES)
    return Queries(
        task="made",
        query_ids=tuple(f"query {q}" for q in range(QUERIES)),
        time_us=np.arange(1, QUERIES + 1) * 15 * DAY_US,
        cluster=np.zeros(QUERIES, np.int32),
        block=np.ones(QUERIES, np.int16),
        event_row=np.full(QUERIES, -1, np.int64),
        seed_ptr=np.arange(0, 2 * QUERIES + 1, 2, dtype=np.int64),
        seed_ids=seeds.astype(np.int32),
        seed_energy=np.tile(np.array([1.0, 0.6], np.float32), QUERIES),
        exclude_ptr=np.zeros(QUERIES + 1, np.int64),
        exclude_ids=np.zeros(0, np.int32),
    )


def _compare_cuda() -> tuple[float, str | None]:
    """(largest error, problem) of the replay of decaying edges on a GPU.

    Between two events an edge's weight halves every h days; each event adds its strength:
    wᵢ = wᵢ₋₁ · 2^(-(tᵢ - tᵢ₋₁)/h) + sᵢ. The closed formula is Σᵢ sᵢ · 2^(-(t_last - tᵢ)/h).
    """
    random = np.random.default_rng(0)
    days = np.sort(random.uniform(0, 60, (EDGES, EVENTS)), axis=1)
    strengths = random.uniform(0, 1, (EDGES, EVENTS))
    ages = days[:, -1:] - days
    closed_form = (strengths * np.exp2(-ages / HALF_LIFE_DAYS)).sum(axis=1)
    weights = _run_cupy(days, strengths)
    return _judged(("differs from NumPy", weights, closed_form, TOLERANCE))


def _run_cupy(days: NDArray[np.float64], strengths: NDArray[np.float64]) -> Any:
    import cupy

    edges, events = days.shape
    weights = cupy.zeros(edges)
    threads = 128
    cupy.RawKernel(CUDA_SOURCE, "decayed_sums")(
        (-(-edges // threads),),
        (threads,),
        (
            cupy.asarray(days), cupy.asarray(strengths), np.float64(HALF_LIFE_DAYS),
            np.int32(edges), np.int32(events), weights,
        ),
    )  # fmt: skip
    return cupy.asnumpy(weights)
