"""The decay sweep on the CPU: all edges as of T times, piece by piece of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.kernels.arrays import GraphArrays, ReplayState, Snapshots
from hebb_lab.kernels.cpu.compile import ZERO, in_threads, kernel
from hebb_lab.kernels.cpu.decay import rule_table, weight_as_of
from hebb_lab.kernels.cpu.traces.pieces import edge_pieces, facts_of
from hebb_lab.kernels.cpu.traces.replay import replay
from hebb_lab.kernels.parameters import TraceArrays

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.kernels.backend import Precision


def weights_at(
    graph: GraphArrays, traces: TraceArrays, time_us: NDArray[np.int64],
    precision: Precision = "float64",
) -> Snapshots:  # fmt: skip
    """Weights as of strictly before each time; computed in float64, kept as asked."""
    shape = (len(time_us), len(graph.namespace), len(traces.learning_rate))
    found = Snapshots(np.empty(shape, precision), np.empty(shape, np.bool_))
    times = np.ascontiguousarray(time_us, np.int64)
    gates = np.unique(traces.window_max)
    if len(gates) == 1:
        _of_one_gate(graph, traces, times, found)
        return found
    for gate in gates:
        chosen = np.flatnonzero(traces.window_max == gate)
        parts: dict[str, Any] = {name: part[chosen] for name, part in traces._asdict().items()}
        few = (*shape[:2], len(chosen))
        own = Snapshots(np.empty(few, precision), np.empty(few, np.bool_))
        _of_one_gate(graph, TraceArrays(**parts), times, own)
        found.weight[:, :, chosen], found.alive[:, :, chosen] = own
    return found


def _of_one_gate(
    graph: GraphArrays, traces: TraceArrays, times: NDArray[np.int64], found: Snapshots
) -> None:
    """Fill the snapshots of traces that the same windows teach."""
    table, gate = rule_table(traces), int(traces.window_max[0])

    def work(first: int, stop: int) -> None:
        piece = facts_of(graph, first, stop)
        state = replay(piece, traces, before=False)
        _snapshots(first, piece, table, gate, state, times, found.weight, found.alive)

    in_threads(work, edge_pieces(graph, len(traces.learning_rate)))


@kernel
def _snapshots(
    first: int, graph: GraphArrays, table: Any, gate: int, state: ReplayState, times: Any,
    weight: Any, alive: Any,
) -> None:  # fmt: skip
    """Edges of a piece, which begins at edge ``first`` of the results."""
    event_ptr, time, strength, size = graph.event_ptr, graph.time, graph.strength, graph.size
    at, count, half_life = state.weight, state.reinforcements, state.half_life_days
    for edge in range(len(graph.namespace)):
        space, m, last, active_us = graph.namespace[edge], event_ptr[edge], -1, ZERO
        for t in range(len(times)):
            while m < event_ptr[edge + 1] and time[m] < times[t]:
                if size[m] <= gate:
                    last = m
                    active_us = time[m] if strength[m] >= 0.0 else active_us
                m += 1
            for k in range(len(table)):
                value, gone = 0.0, True
                if last >= 0 and count[last, k] > 0:
                    days = half_life[last, k] if len(half_life) > 0 else 0.0
                    value, gone = weight_as_of(
                        table, k, space, at[last, k], count[last, k], days, time[last], active_us,
                        times[t],
                    )  # fmt: skip
                weight[t, first + edge, k] = 0.0 if gone else value
                alive[t, first + edge, k] = not gone
