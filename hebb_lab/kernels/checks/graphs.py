"""What no kernel over a graph or lists may be started with.

A negative strength is a penalty, an edge without events and a graph without edges are legal.
Arrays that a back end holds elsewhere were checked when they were placed, and are not fetched.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.kernels.arrays import CheckedGraph, ReplayState, as_numpy
from hebb_lab.kernels.checks.entries import (
    BUILD,
    REAL,
    WHOLE,
    all_good,
    ascends,
    check_ascending,
    check_count,
    check_ids,
    check_kind,
    check_length,
    check_pointer,
    number_good,
)  # fmt: skip
from hebb_lab.kernels.memory import address_of
from hebb_lab.kernels.parameters import FIXED, HALF_LIFE_MODES, LEARNED_OBSERVED, NONE

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from hebb_lab.kernels.arrays import GraphArrays
    from hebb_lab.kernels.interface import Kernels
    from hebb_lab.kernels.parameters import TraceArrays

PER_NAMESPACE = ("default_days", "low_days", "floor_holds")
MOST_EDGES = 2**31 - 1  # edge ids are int32
AGAIN = "Give what a replay of this graph and as many traces has returned, or leave out into"
LEAST_INTERVAL_US = 60_000_000  # shorter passes are counted for hours


def check_graph(graph: GraphArrays) -> None:
    """Sizes, order, ids and numbers of a graph.

    Raises:
        InputError: what is wrong, with the place of the first such entry.
    """
    if isinstance(graph, CheckedGraph) or not isinstance(graph.time, np.ndarray):
        return
    for name, values in graph._asdict().items():
        check_kind(f"graph's {name}", values, REAL if name in ("strength", "npmi") else WHOLE)
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
    all_good(
        "neighbours",
        "is below the one before it in its row",
        ascends(graph.col, graph.row_ptr, False),
        BUILD,
    )
    edge_of = np.repeat(np.arange(edges), np.diff(graph.event_ptr))
    all_good(
        "edges of the events", "is another than event_ptr says", graph.edge_of == edge_of, BUILD
    )
    check_ids("events in time order", graph.by_time, events)
    there = np.bincount(graph.by_time, minlength=events) == 1
    all_good("events", "is not once in by_time", there, BUILD)
    check_ascending("events in time order", graph.time[graph.by_time])


def check_traces(graph: GraphArrays, traces: TraceArrays) -> None:
    """Numbers of the rules, and that they know every namespace of the graph.

    Raises:
        ConfigError: a half-life that is not positive, a number that is not finite.
        InputError: a namespace that the rules do not know.
    """
    _check_shapes(traces)
    mode, cure = as_numpy(traces.half_life_mode), f"One of {', '.join(HALF_LIFE_MODES)}"
    number_good("half-life mode", mode, np.isin(mode, range(len(HALF_LIFE_MODES))), cure)
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
    passes = (interval >= LEAST_INTERVAL_US) | ~as_numpy(traces.compounding)
    cure = "Set rules.pass_interval_days to a minute (0.0007) or more"
    number_good("pass interval in µs", interval, passes, cure)


def _check_shapes(traces: TraceArrays) -> None:
    """One entry a trace, or a trace and namespace."""
    count, spaces = len(traces.learning_rate), None
    for name, values in traces._asdict().items():
        if name in PER_NAMESPACE:
            check_kind(f"traces' {name}", values, "b" + REAL, (count, spaces))
            spaces = values.shape[1]
        else:
            check_kind(f"traces' {name}", values, "b" + REAL, (count,))


def check_into(
    into: ReplayState, graph: GraphArrays, traces: TraceArrays, before: bool, kernels: Kernels
) -> None:
    """Memory that a replay is to write over.

    Raises:
        InputError: arrays of another shape or type, of another back end or device, or such that
            cannot be written.
    """
    if not isinstance(into, ReplayState) or not all(hasattr(part, "dtype") for part in into):
        raise InputError(f"into is {type(into).__name__}, and no state of arrays", AGAIN)
    events, width = len(graph.time), len(traces.learning_rate)
    learned = bool((as_numpy(traces.half_life_mode) == LEARNED_OBSERVED).any())
    part: Any
    sample: Any = kernels.place(ReplayState(*(np.zeros(0, kernels.precision),) * 4))
    lengths = (events, events, events * learned, events * before)
    for name, part, own, length in zip(into._fields, into, sample, lengths, strict=True):
        dtype = "int32" if name == "reinforcements" else kernels.precision
        want = f"{type(own).__name__} ({length}, {width}) of {dtype} on {own.device}"
        got = f"{type(part).__name__} {tuple(part.shape)} of {_dtype(part)} on {part.device}"
        if got != want:
            raise InputError(f"into.{name} is {got}, and this replay gives {want}", AGAIN)
        if not _is_writable(part):
            raise InputError(f"into.{name} is no memory in one piece that may be written", AGAIN)
    ranges = sorted((address_of(part), part.nbytes) for part in into if part.nbytes)
    if any(first + size > second for (first, size), (second, _) in pairwise(ranges)):
        raise InputError("two parts of into are the same memory", AGAIN)


def _dtype(part: Any) -> str:
    """float64 of NumPy and of torch alike."""
    return str(part.dtype).rpartition(".")[2]


def _is_writable(part: Any) -> bool:
    if isinstance(part, np.ndarray):
        return part.flags.c_contiguous and part.flags.writeable
    return bool(part.is_contiguous() and not part.requires_grad)


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
    good = np.isfinite(mu) & (mu > 1e-300)
    all_good("base rates", "is not above 0 and finite", good, "Give a rate per day above 0")
    good = np.isfinite(beta) & (beta >= 0)
    all_good("gains", "is negative or not finite", good, "Give a number from 0 up")


def check_segments(
    values: NDArray[np.float64], ids: NDArray[np.int32], pointer: NDArray[np.int64], k: int
) -> None:
    """[C, L] finite numbers, in segments, and how many of each are asked for."""
    check_count("k", k)
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


def check_chains(after: NDArray[np.int32], start: NDArray[np.int32], steps: int) -> None:
    """A next node for each, or none, and starts that there are."""
    check_count("steps", steps)
    for what, ids in (("next nodes", after), ("starts", start)):
        if as_numpy(ids).dtype.kind not in "iu":
            raise InputError(f"{what} that are no whole numbers", "Give ids as int32")
    cure = "Give ids of nodes, or -1 for the end of a chain"
    check_ids("next nodes", after, len(after), least=-1, cure=cure)
    check_ids("starts", start, len(after), cure="Give ids of nodes")


def check_times(time_us: NDArray[np.int64]) -> None:
    """Times of snapshots, in order."""
    check_ascending("snapshot times", time_us)
