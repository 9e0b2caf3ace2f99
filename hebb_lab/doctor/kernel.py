"""A real run of each back end: compiled here, run here, and held against its meaning."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.records import CoActivations, Queries

    Numbers = NDArray[np.float64]

TOLERANCE = 1e-12  # float64: weights
SCORE_TOLERANCE = 1e-6  # float32: energies, all below 10
VISIT_TOLERANCE = 1e-4  # probabilities: the fast walk stops at residuals of 1e-6 a unit of degree
RESTART = 0.15
DAY_US = 86_400_000_000

NODES, WINDOWS, QUERIES = 30, 80, 4  # of the graph that is replayed


@dataclass(frozen=True)
class KernelRun:
    """How a back end fared.

    Args:
        backend: its name, as ``runtime.backend`` has it.
        device: that it ran on, such as ``cpu`` or ``cuda:0 (name)``; None when it did not run.
        seconds: compiling (or loading what was compiled before), running, comparing.
        largest_error: largest |kernel - what it should be|; None when it did not run.
        problem: why it cannot be relied on, None when it can.
        missing: why it cannot run on this machine, which is no problem; None when it can.
    """

    backend: str
    device: str | None
    seconds: float
    largest_error: float | None
    problem: str | None
    missing: str | None = None


def run_kernel(backend: str) -> KernelRun:
    """Replay, spreading and PageRank as every run uses them, against the back end ``reference``.

    The graph is a small made one, under the documented and the observed rules.
    """
    from hebb_lab.kernels.choose import cannot_run

    missing = cannot_run(backend)
    if missing:
        return KernelRun(backend, None, 0.0, None, None, missing)
    began = time.perf_counter()
    try:
        device, *got = _on_backend(backend)
        _, *want = _on_backend("reference")
    except Exception as error:  # whatever a compiler or driver raises is the finding
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        return KernelRun(backend, None, time.perf_counter() - began, None, reason)
    names = ("weights", "energies", "visits")
    tolerances = (TOLERANCE, SCORE_TOLERANCE, VISIT_TOLERANCE)
    largest, problem = _judged(*zip(names, got, want, tolerances, strict=True))
    return KernelRun(backend, device, time.perf_counter() - began, largest, problem)


def _judged(
    *parts: tuple[str, Numbers, Numbers, float],
) -> tuple[float, str | None]:
    """The largest error of all parts, and the first part beyond its tolerance."""
    problem, largest = None, 0.0
    for what, got, want, tolerance in parts:
        error = float(np.abs(got - want).max())
        # Written so that a NaN is a problem too, and remembered.
        largest = largest if error <= largest else error
        if problem is None and not error <= tolerance:
            problem = f"{what} differ from the reference by {error:.2g}"
    return largest, problem


def _on_backend(name: str) -> tuple[str, Numbers, Numbers, Numbers]:
    """(device, weights after each event [M, 2], energies and visits of walks [2, QUERIES, NODES]).

    The graph is placed first, as a run does.
    """
    from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
    from hebb_lab.graph.temporal import co_activation_graph
    from hebb_lab.kernels.arrays import graph_arrays, on_host, query_arrays
    from hebb_lab.kernels.choose import backend_named
    from hebb_lab.kernels.parameters import rule_arrays

    backend = backend_named(name)
    graph = co_activation_graph(_windows())
    arrays = backend.place(graph_arrays(graph))
    traces, reads = rule_arrays([DOCUMENTED, OBSERVED], graph.namespaces)
    state = backend.replay(arrays, traces)
    walk, queries = backend.walk(arrays, state, traces, reads), query_arrays(_queries())
    ids, energies, _ = walk.spread(queries, NODES)
    visited, visits, _ = walk.personalised_pagerank(queries, NODES, RESTART)
    weight = on_host(state).weight
    return backend.kernels.device, weight, _by_node(ids, energies), _by_node(visited, visits)


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
