"""What walks read: the facts of the graph, C configurations as lanes, and how energy passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.kernels.cpu.compile import kernel
from hebb_lab.kernels.cpu.traces.fade import TINY
from hebb_lab.kernels.cpu.traces.lanes import (
    COMPOUNDING,
    FIRST,
    LANE,
    MODE,
    PROVEN,
    STOP,
    lanes_of,
)
from hebb_lab.kernels.parameters import FIXED, LEARNED, NEVER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from hebb_lab.kernels.arrays import GraphArrays, ReplayState
    from hebb_lab.kernels.parameters import ReadArrays, TraceArrays


class Plan(NamedTuple):
    """C configurations whose windows teach alike, as the kernels read them.

    rules, runs: of Lanes, with one lane for each trace of each configuration.
    lane_ptr: [C+1] int64, the lanes of each configuration. mix: [lanes] float64.
    single: whether each configuration has one trace, so that lanes are configurations.
    read: [S, C] float64, the weight of each namespace in the merged read.
    thin: whether it is one configuration of one trace that fades between any two moments: see thin.
    totals: whether the sums of rows are needed; no configuration divides by them where not.
    """

    rules: Any
    runs: Any
    lane_ptr: Any
    mix: Any
    single: bool
    read: Any
    thin: bool
    totals: bool


class Passing(NamedTuple):
    """How energy passes, [C] each: hops int64, frontier int64, the others float64.

    farthest: the most hops. narrowest: the smallest frontier.
    """

    farthest: int
    narrowest: int
    hops: Any
    frontier: Any
    decay: Any
    hub_degree: Any
    source_row: Any


class Timeline(NamedTuple):
    """Events in time order, and what they say of their edges.

    by_time: [M] events, earliest first. time, edge_of, size: [M], see GraphArrays. active: [M]
    int64, time of the last reinforcement of the edge up to each event. gate: windows above it do
    not teach.
    """

    by_time: Any
    time: Any
    edge_of: Any
    size: Any
    active: Any
    gate: int


class Facts(NamedTuple):
    """The graph and its weights after each event, for the rows.

    row_ptr, col, edge_id: the adjacency. weight, count, half_life: [M, K] of the state.
    signed: [M, lanes] weights that say how they stand: see ``fade_by``.
    """

    row_ptr: Any
    col: Any
    edge_id: Any
    weight: Any
    count: Any
    half_life: Any
    signed: Any


class Reading(NamedTuple):
    """All that a walk reads for the configurations of one gate."""

    chosen: NDArray[np.int64]  # which configurations they are
    timeline: Timeline
    facts: Facts
    plan: Plan
    passing: Passing


def readings_by_gate(
    graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays
) -> Iterator[Reading]:
    """One reading for each gate, the largest window that teaches."""
    gates = traces.window_max[reads.trace_first]
    for gate in np.unique(gates):
        chosen = np.flatnonzero(gates == gate)
        some = reads.some(chosen.tolist())
        plan = plan_of(traces, some)
        active = np.empty(len(graph.time), np.int64)
        _last_reinforcements(graph.event_ptr, graph.time, graph.strength, graph.size, gate, active)
        signed = np.empty((len(graph.time), int(plan.lane_ptr[-1])), state.weight.dtype)
        _sign(
            graph.event_ptr, graph.namespace, state.weight, state.reinforcements, plan.rules,
            plan.runs, signed,
        )  # fmt: skip
        yield Reading(
            chosen,
            Timeline(graph.by_time, graph.time, graph.edge_of, graph.size, active, int(gate)),
            Facts(
                graph.row_ptr, graph.col, graph.edge_id, state.weight, state.reinforcements,
                state.half_life_days, signed,
            ),
            plan,
            passing_of(some),
        )  # fmt: skip


def plan_of(traces: TraceArrays, reads: ReadArrays) -> Plan:
    """The configurations as lanes."""
    ranges = [
        range(first, stop) for first, stop in zip(reads.trace_first, reads.trace_stop, strict=True)
    ]
    lanes = lanes_of(traces, [k for each in ranges for k in each])
    fading = np.isin(lanes.runs[:, MODE], (FIXED, LEARNED)) & (lanes.runs[:, COMPOUNDING] == 0)
    return Plan(
        lanes.rules, lanes.runs,
        np.concatenate([[0], np.cumsum([len(each) for each in ranges])]).astype(np.int64),
        np.concatenate([reads.mix[each.start : each.stop] for each in ranges]),
        all(len(each) == 1 for each in ranges),
        np.ascontiguousarray(reads.read_weight.T),
        len(ranges) == 1 and len(ranges[0]) == 1 and bool(fading.all()),
        bool(np.any(reads.source_row)),
    )  # fmt: skip


def passing_of(reads: ReadArrays) -> Passing:
    """The rules of passing."""
    return Passing(
        int(reads.hops.max(initial=0)), int(reads.frontier.min(initial=NEVER)),
        reads.hops.astype(np.int64), reads.frontier.astype(np.int64),
        reads.spread_decay.astype(np.float64), reads.hub_degree.astype(np.float64),
        reads.source_row.astype(np.float64),
    )  # fmt: skip


@kernel
def _last_reinforcements(
    event_ptr: Any, time: Any, strength: Any, size: Any, gate: int, active: Any
) -> None:
    for edge in range(len(event_ptr) - 1):
        latest = np.int64(0)
        for m in range(event_ptr[edge], event_ptr[edge + 1]):
            if strength[m] >= 0.0 and size[m] <= gate:
                latest = time[m]
            active[m] = latest


@kernel
def _sign(
    event_ptr: Any, namespace: Any, weight: Any, count: Any, rules: Any, runs: Any, signed: Any
) -> None:
    for edge in range(len(namespace)):
        space = namespace[edge]
        for m in range(event_ptr[edge], event_ptr[edge + 1]):
            for r in range(len(runs)):
                first, lane = max(runs[r, FIRST], 0), max(runs[r, LANE], 0)
                for i in range(runs[r, STOP] - first):
                    k = first + i
                    plain, so_far = weight[m, k], count[m, k]
                    held = -max(plain, TINY) if so_far >= rules[space, PROVEN, k] else plain
                    signed[m, lane + i] = held if so_far > 0 else np.nan
