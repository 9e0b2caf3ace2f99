"""What no kernel may be started with: each problem is named before anything is computed.

A negative strength is a penalty, an edge without events and a graph without edges are legal.
Arrays that a back end holds elsewhere were checked when they were placed, and are not fetched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.kernels.arrays import CheckedRows, as_numpy
from hebb_lab.kernels.entries import (
    BUILD,
    all_good,
    ascends,
    check_ascending,
    check_ids,
    check_length,
    check_pointer,
    number_good,
)  # fmt: skip
from hebb_lab.kernels.parameters import FIXED, NONE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.kernels.arrays import Found, GraphArrays, QueryArrays, ReplayState, Rows
    from hebb_lab.kernels.parameters import ReadArrays, TraceArrays

MOST_EDGES = 2**31 - 1  # edge ids are int32


def check_graph(graph: GraphArrays) -> None:
    """Sizes, order, ids and numbers of a graph.

    Raises:
        InputError: what is wrong, with the place of the first such entry.
    """
    if not isinstance(graph.time, np.ndarray):
        return
    edges, events, nodes = len(graph.namespace), len(graph.time), len(graph.row_ptr) - 1
    most = max(edges, len(graph.col))
    if most > MOST_EDGES:
        raise InputError(
            f"the graph has {most:,} directed edges, and their numbers end at {MOST_EDGES:,}",
            "Lower dataset.windows.graph_max, or split the log",
        )
    check_pointer("events", graph.event_ptr, edges, events)
    check_pointer("rows", graph.row_ptr, nodes, len(graph.col))
    for name in ("strength", "size", "npmi", "by_time", "edge_of"):
        check_length(name, getattr(graph, name), events)
    check_length("edge_id", graph.edge_id, len(graph.col))
    check_ids("neighbours", graph.col, nodes)
    check_ids("edges of the rows", graph.edge_id, edges)
    check_ids("edges of the events", graph.edge_of, edges)
    all_good("strengths", "is not finite", np.isfinite(graph.strength))
    all_good("NPMI", "is not finite", np.isfinite(graph.npmi))
    all_good("window sizes", "is below 2, which makes no pair", graph.size >= 2)
    late = ascends(graph.time, graph.event_ptr, strictly=False)
    all_good("events", "is earlier than the one before it on its edge", late, BUILD)


def check_traces(graph: GraphArrays, traces: TraceArrays) -> None:
    """Numbers of the rules, and that they know every namespace of the graph.

    Raises:
        ConfigError: a half-life that is not positive, a number that is not finite.
        InputError: a namespace that the rules do not know.
    """
    if isinstance(graph.namespace, np.ndarray):
        cure = "Make the rules' arrays with the names of this graph's namespaces"
        check_ids("namespaces", graph.namespace, traces.default_days.shape[1], cure=cure)
    for name in ("default_days", "low_days", "high_days"):
        days = as_numpy(getattr(traces, name))
        cure = "Give days above 0, or half_life=none for no decay"
        number_good(f"half-life in {name}", days, np.isfinite(days) & (days > 0), cure)
    for name in ("learning_rate", "strength_max", "floor", "prune_below"):
        values = as_numpy(getattr(traces, name))
        number_good(name, values, np.isfinite(values) & (values >= 0), "Give a number from 0 up")
    cap, npmi = as_numpy(traces.weight_cap), as_numpy(traces.npmi_min)
    number_good("weight_cap", cap, cap >= 0, "Give a number from 0 up, or null for no cap")
    number_good("npmi_min", npmi, ~np.isnan(npmi), "Give a number, or null for no gate")
    interval = as_numpy(traces.interval_us)
    passes = (interval > 0) | ~as_numpy(traces.compounding)
    number_good("pass interval in µs", interval, passes, "Set rules.pass_interval_days above 0")


def check_rates(
    traces: TraceArrays, base_rate: NDArray[np.float64], gain: NDArray[np.float64]
) -> None:
    """What the point process needs.

    Raises:
        ConfigError: rules whose integral has no closed form.
        InputError: rates of another shape or out of range.
    """
    mode = as_numpy(traces.half_life_mode)
    if not np.isin(mode, (FIXED, NONE)).all() or as_numpy(traces.compounding).any():
        raise ConfigError(
            "the likelihood's integral needs fixed half-lives, or none, and continuous decay",
            "Set rules.half_life=fixed and rules.decay_passes=continuous",
        )
    mu, beta = as_numpy(base_rate), as_numpy(gain)
    if mu.shape != mode.shape or beta.shape != mode.shape:
        raise InputError(f"{mu.shape} base rates and {beta.shape} gains for {len(mode)} traces",
                         "Give one of each a trace")  # fmt: skip
    good = np.isfinite(mu) & (mu > 0)
    all_good("base rates", "is not above 0 and finite", good, "Give a rate per day above 0")
    good = np.isfinite(beta) & (beta >= 0)
    all_good("gains", "is negative or not finite", good, "Give a number from 0 up")


def check_state(
    graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays
) -> None:
    """That a state, the rules and what reads them belong to one graph.

    Raises:
        InputError: shapes that do not fit.
    """
    want = (len(graph.time), len(traces.learning_rate))
    have = tuple(state.weight.shape)
    if have != want or tuple(state.reinforcements.shape) != want:
        raise InputError(
            f"a state of shape {have} for {want[0]} events and {want[1]} traces",
            "Replay this graph under these rules",
        )
    last = int(as_numpy(reads.trace_stop).max(initial=0))
    if last > want[1]:
        problem = f"configurations that read {last} traces, of which there are {want[1]}"
        raise InputError(problem, "Make traces and reads from the same rules")


def check_rows(rows: Rows, configs: int) -> None:
    """A matrix that stands still.

    Raises:
        InputError: shapes that do not fit, ids out of range, weights that are not finite.
    """
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
    count, cure = len(queries.time), "Ask about nodes of this graph"
    check_ascending("query times", queries.time)
    check_pointer("seeds", queries.seed_ptr, count, len(queries.seed_ids))
    check_pointer("exclusions", queries.exclude_ptr, count, len(queries.exclude_ids))
    check_ids("seeds", queries.seed_ids, nodes, cure=cure)
    check_ids("exclusions", queries.exclude_ids, nodes, cure=cure)
    check_length("seed_energy", queries.seed_energy, len(queries.seed_ids))
    energy = as_numpy(queries.seed_energy)
    good = np.isfinite(energy) & (energy >= 0)
    all_good("seed energies", "is negative or not finite", good, "Give a number from 0 up")


def check_recall(
    vectors: NDArray[np.float32], asked: NDArray[np.float32], energies: Found,
    boost: NDArray[np.float64], queries: QueryArrays,
) -> None:  # fmt: skip
    """Vectors and energies that fit each other.

    Raises:
        InputError: what is wrong.
    """
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


def check_segments(
    values: NDArray[np.float64], ids: NDArray[np.int32], pointer: NDArray[np.int64]
) -> None:
    """[C, L] finite numbers, in segments."""
    check_pointer("segments", pointer, len(pointer) - 1, len(ids))
    if values.ndim != 2 or values.shape[1] != len(ids):
        raise InputError(f"values of shape {tuple(values.shape)} for {len(ids)} ids", "Give [C, L]")
    all_good("values", "is not finite", np.isfinite(as_numpy(values)).all(axis=0))


def check_lists(ids: NDArray[np.int32], pointer: NDArray[np.int64], ascending: bool) -> None:
    """Lists of ids from 0 up, each of which stands once in a list."""
    check_pointer("lists", pointer, len(pointer) - 1, len(ids))
    flat, offset = as_numpy(ids), as_numpy(pointer)
    all_good("lists", "is negative", flat >= 0)
    if ascending:
        order = ascends(flat, offset, strictly=True)
        all_good("lists", "does not ascend in its list", order, "Sort each list, ids once")
        return
    number = np.repeat(np.arange(len(offset) - 1), np.diff(offset))
    by_list = np.lexsort((flat, number))
    once = np.ones(len(flat), np.bool_)
    once[by_list[1:]] = (np.diff(flat[by_list]) != 0) | (np.diff(number[by_list]) != 0)
    all_good("lists", "stands twice in its list", once, "Name each id once a list")


def check_pairs(left: NDArray[np.int64], right: NDArray[np.int64], lists: int) -> None:
    """Pairs of lists that there are."""
    check_length("right", right, len(left))
    check_ids("lists", left, lists, cure="Name lists by their place")
    check_ids("lists", right, lists, cure="Name lists by their place")


def check_chains(after: NDArray[np.int32], start: NDArray[np.int32]) -> None:
    """A next node for each, or none, and starts that there are."""
    cure = "Give ids of nodes, or -1 for the end of a chain"
    check_ids("next nodes", after, len(after), least=-1, cure=cure)
    check_ids("starts", start, len(after), cure="Give ids of nodes")


def check_times(time_us: NDArray[np.int64]) -> None:
    """Times of snapshots, in order."""
    check_ascending("snapshot times", time_us)
