"""What no walk may be started with: each problem is named before anything is computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.kernels.arrays import CheckedRows, as_numpy
from hebb_lab.kernels.checks.entries import (
    REAL,
    WHOLE,
    all_good,
    ascends,
    check_ascending,
    check_count,
    check_from_0_up,
    check_ids,
    check_kind,
    check_length,
    check_pointer,
    number_good,
)  # fmt: skip
from hebb_lab.kernels.checks.graphs import check_graph, check_traces
from hebb_lab.kernels.parameters import LEARNED_OBSERVED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.kernels.arrays import Found, GraphArrays, QueryArrays, ReplayState, Rows
    from hebb_lab.kernels.parameters import ReadArrays, TraceArrays

SAME_RULES = "Make traces and reads from the same rules and namespaces"
QUERY_KINDS = {
    "time": WHOLE, "seed_ptr": WHOLE, "seed_ids": WHOLE, "seed_energy": REAL, "exclude_ptr": WHOLE,
    "exclude_ids": WHOLE,
}  # fmt: skip


def check_walk(
    graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays
) -> None:
    """All that walks through the graph as it was read, but for their queries.

    Raises:
        InputError, ConfigError: what is wrong, with the place of the first such entry.
    """
    check_graph(graph)
    check_traces(graph, traces)
    check_state(graph, state, traces, reads)


def check_state(
    graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays
) -> None:
    """That a state, the rules and what reads them belong to one graph.

    Raises:
        InputError: shapes that do not fit.
    """
    check_reads(reads)
    want = (len(graph.time), len(traces.learning_rate))
    have = tuple(state.weight.shape)
    if have != want or tuple(state.reinforcements.shape) != want:
        raise InputError(
            f"a state of shape {have} for {want[0]} events and {want[1]} traces",
            "Replay this graph under these rules",
        )
    stored = (as_numpy(traces.half_life_mode) == LEARNED_OBSERVED).any()
    if stored and want[0] > 0 and len(state.half_life_days) == 0:
        problem = "rules that fix half-lives at reinforcement, and a state without half-lives"
        raise InputError(problem, "Replay this graph under these rules")
    last = int(as_numpy(reads.trace_stop).max(initial=0))
    if last > want[1]:
        problem = f"configurations that read {last} traces, of which there are {want[1]}"
        raise InputError(problem, "Make traces and reads from the same rules")
    spaces = traces.default_days.shape[1]
    if as_numpy(reads.read_weight).shape[1:] != (spaces,) or len(reads.mix) < last:
        raise InputError(
            f"read weights of shape {tuple(reads.read_weight.shape)} and {len(reads.mix)} shares "
            f"for {spaces} namespaces and {last} traces", SAME_RULES,
        )  # fmt: skip
    check_ids("traces", as_numpy(reads.trace_first), max(want[1], 1), cure=SAME_RULES)
    for name in ("mix", "read_weight"):
        _from_0_up(name, getattr(reads, name))


def check_reads(reads: ReadArrays) -> None:
    """How energy passes: numbers from 0 up.

    Raises:
        InputError: arrays of other shapes than configurations ask for.
        ConfigError: one that is negative or not finite (a hub degree may be infinite).
    """
    configs = len(reads.hops)
    for name in ("trace_first", "trace_stop", "hops", "frontier"):
        check_kind(f"reads' {name}", getattr(reads, name), WHOLE, (configs,))
    for name in ("spread_decay", "hub_degree"):
        check_kind(f"reads' {name}", getattr(reads, name), REAL, (configs,))
    check_kind("reads' source_row", reads.source_row, "b", (configs,))
    check_kind("reads' mix", reads.mix, REAL)
    check_kind("reads' read_weight", reads.read_weight, REAL, (configs, None))
    _from_0_up("spread_decay", reads.spread_decay)
    hub, hops, most = (as_numpy(p) for p in (reads.hub_degree, reads.hops, reads.frontier))
    number_good("hub_degree", hub, hub >= 0, "Give a number from 0 up, or null for no hub factor")
    number_good("hops", hops, hops >= 0, "Give a whole number from 0 up")
    number_good("frontier", most, most >= 0, "Give a whole number from 0 up, or null for all")


def check_restart(restart: float, tolerance: float) -> None:
    """What ends a random walk.

    Raises:
        ConfigError: a restart outside (0, 1], a tolerance that is not above 0.
    """
    if not 0 < restart <= 1:
        raise ConfigError(f"a restart of {restart:g}", "Give a probability above 0, at most 1")
    if not 0 < tolerance < np.inf:
        raise ConfigError(f"a tolerance of {tolerance:g}", "Give a number above 0, such as 1e-6")


def _from_0_up(name: str, numbers: Any) -> None:
    values = as_numpy(numbers)
    number_good(name, values, np.isfinite(values) & (values >= 0), "Give a number from 0 up")


def check_rows(rows: Rows, configs: int) -> None:
    """A matrix that stands still.

    Raises:
        InputError: shapes that do not fit, ids out of range, weights that are not finite.
    """
    for name, ids in (("pointer of the rows", rows.row_ptr), ("neighbours", rows.col)):
        check_kind(name, ids, WHOLE)
    shape = tuple(rows.weight.shape)
    if shape != (len(rows.col), configs):
        raise InputError(
            f"weights of shape {shape} for {len(rows.col)} edges and {configs} configurations",
            "Give [S, C]",
        )
    if isinstance(rows, CheckedRows) or not isinstance(rows.weight, np.ndarray):
        return
    nodes = len(rows.row_ptr) - 1
    check_pointer("rows", rows.row_ptr, nodes, shape[0])
    check_ids("neighbours", rows.col, nodes)
    order = ascends(rows.col, rows.row_ptr, strictly=False)
    cure = "Sort each row by its neighbours"
    all_good("neighbours", "is below the one before it in its row", order, cure)
    all_good("weights", "is not finite", np.isfinite(as_numpy(rows.weight)).all(axis=1))


def check_queries(queries: QueryArrays, nodes: int) -> None:
    """Queries in time order, about nodes that there are.

    Raises:
        InputError: what is wrong, with the place of the first such entry.
    """
    for name, kinds in QUERY_KINDS.items():
        check_kind(f"queries' {name}", getattr(queries, name), kinds)
    count, cure = len(queries.time), "Ask about nodes of this graph"
    check_ascending("query times", queries.time)
    check_pointer("seeds", queries.seed_ptr, count, len(queries.seed_ids))
    check_pointer("exclusions", queries.exclude_ptr, count, len(queries.exclude_ids))
    check_ids("seeds", queries.seed_ids, nodes, cure=cure)
    check_ids("exclusions", queries.exclude_ids, nodes, cure=cure)
    check_length("seed_energy", queries.seed_energy, len(queries.seed_ids))
    check_from_0_up("seed energies", queries.seed_energy)


def check_recall(
    vectors: NDArray[np.float32], asked: NDArray[np.float32], energies: Found,
    boost: NDArray[np.float64], queries: QueryArrays,
    k: int,
) -> None:  # fmt: skip
    """Vectors and energies that fit each other.

    Raises:
        InputError: what is wrong.
    """
    check_count("k", k)
    if vectors.ndim != 2 or asked.ndim != 2 or vectors.shape[1] != asked.shape[1]:
        raise InputError(
            f"vectors of shape {tuple(vectors.shape)} and queries of shape {tuple(asked.shape)}",
            "Give [N, d] and [Q, d]",
        )
    shape = (len(boost), len(asked))
    if energies.ids.shape[:2] != shape or energies.ids.shape != energies.scores.shape:
        raise InputError(
            f"energies of {energies.ids.shape} for {shape} configurations and queries",
            "Give [C, Q, depth], and the queries that were asked",
        )
    for what, values in (("vectors", vectors), ("query vectors", asked)):
        all_good(what, "is not finite", np.isfinite(as_numpy(values)).all(axis=1))
    all_good("boosts", "is not finite", np.isfinite(as_numpy(boost)), "Give finite numbers")
    check_ids("energies", energies.ids.ravel(), len(vectors), least=-1)
    level = np.where(energies.ids >= 0, energies.scores, 0.0)
    all_good("energies", "is not finite", np.isfinite(level))
    check_pointer("exclusions", queries.exclude_ptr, len(asked), len(queries.exclude_ids))
    check_ids("exclusions", queries.exclude_ids, len(vectors))
