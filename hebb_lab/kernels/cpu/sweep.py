"""The decay sweep on the CPU: all edges as of T times, piece by piece of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.kernels.arrays import GraphArrays, ReplayState, Snapshots
from hebb_lab.kernels.cpu.compile import ZERO, in_threads, kernel
from hebb_lab.kernels.cpu.decay import WINDOW_MAX, rule_table, weight_as_of
from hebb_lab.kernels.cpu.replay import replay
from hebb_lab.kernels.cpu.traces.pieces import edge_pieces, facts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.kernels.backend import Precision
    from hebb_lab.kernels.parameters import TraceArrays


def weights_at(
    graph: GraphArrays, traces: TraceArrays, time_us: NDArray[np.int64],
    precision: Precision = "float64",
) -> Snapshots:  # fmt: skip
    """Weights as of strictly before each time; computed in float64, kept as asked."""
    shape = (len(time_us), len(graph.namespace), len(traces.learning_rate))
    found = Snapshots(np.empty(shape, precision), np.empty(shape, np.bool_))
    table, times = rule_table(traces), np.ascontiguousarray(time_us, np.int64)

    def work(first: int, stop: int) -> None:
        piece = facts_of(graph, first, stop)
        state = replay(piece, traces)
        _snapshots(first, piece, table, state, times, found.weight, found.alive)

    in_threads(work, edge_pieces(graph, shape[2]))
    return found


@kernel
def _snapshots(
    first: int, graph: GraphArrays, table: Any, state: ReplayState, times: Any, weight: Any,
    alive: Any,
) -> None:  # fmt: skip
    """Edges of a piece, which begins at edge ``first`` of the results."""
    for edge in range(len(graph.namespace)):
        space, begin = graph.namespace[edge], graph.event_ptr[edge]
        for k in range(len(table)):
            gate, m, last = table[k, space, WINDOW_MAX], begin, begin - 1
            active_us = ZERO
            for t in range(len(times)):
                now = times[t]
                while m < graph.event_ptr[edge + 1] and graph.time[m] < now:
                    if graph.size[m] <= gate:
                        last = m
                        if graph.strength[m] >= 0.0:
                            active_us = graph.time[m]
                    m += 1
                value, gone = 0.0, True
                if last >= begin and state.reinforcements[last, k] > 0:
                    learned = len(state.half_life_days) > 0
                    half_life = float(state.half_life_days[last, k]) if learned else 0.0
                    value, gone = weight_as_of(
                        table, k, space, float(state.weight[last, k]),
                        state.reinforcements[last, k], half_life, graph.time[last], active_us, now,
                    )  # fmt: skip
                weight[t, first + edge, k] = 0.0 if gone else value
                alive[t, first + edge, k] = not gone
