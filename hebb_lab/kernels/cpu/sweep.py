"""The decay sweep on the CPU: all edges as of T times, piece by piece of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.kernels.arrays import GraphArrays, ReplayState, Snapshots
from hebb_lab.kernels.cpu.compile import ZERO, in_threads, kernel, once
from hebb_lab.kernels.cpu.traces.fade import fade, fade_plainly, is_plain
from hebb_lab.kernels.cpu.traces.lanes import DAY_US, LANE, lanes_of
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
    lanes, gate = lanes_of(traces), int(traces.window_max[0])

    def work(first: int, stop: int) -> None:
        piece = facts_of(graph, first, stop)
        state, faded = replay(piece, traces, before=False), np.empty(len(traces.learning_rate))
        _snapshots(
            first, piece, lanes.rules, lanes.runs, gate, state, times, faded, found.weight,
            found.alive,
        )  # fmt: skip

    in_threads(work, edge_pieces(graph, len(traces.learning_rate)))


@kernel
def _snapshots(
    first: int, graph: GraphArrays, rules: Any, runs: Any, gate: int, state: ReplayState,
    times: Any, faded: Any, weight: Any, alive: Any,
) -> None:  # fmt: skip
    """Edges of a piece, which begins at edge ``first`` of the results."""
    event_ptr, time, strength, size = graph.event_ptr, graph.time, graph.strength, graph.size
    for edge in range(len(graph.namespace)):
        m, last, active_us = event_ptr[edge], -1, ZERO
        for t in range(len(times)):
            while m < event_ptr[edge + 1] and time[m] < times[t]:
                if size[m] <= gate:
                    last = m
                    active_us = time[m] if strength[m] >= 0.0 else active_us
                m += 1
            if last < 0:
                _nothing(t, first + edge, weight, alive)
                continue
            fade_all(
                np.int64(graph.namespace[edge]), rules, runs, state, last, time[last], active_us,
                times[t], faded,
            )  # fmt: skip
            _keep(t, first + edge, faded, weight, alive)


@once
def fade_all(
    space: int, rules: Any, runs: Any, state: ReplayState, m: int, state_us: int, active_us: int,
    now_us: int, faded: Any,
) -> None:  # fmt: skip
    """The weights of all lanes at ``now_us``, DEAD where the edge is not alive."""
    weight, count, half_life = state.weight, state.reinforcements, state.half_life_days
    for r in range(len(runs)):
        if is_plain(runs, r):
            age = (now_us - state_us) / DAY_US
            fade_plainly(rules, space, runs, r, weight, count, m, age, faded, runs[r, LANE])
        else:
            fade(
                rules, space, runs, r, weight, count, half_life, m, state_us, active_us, now_us,
                faded, runs[r, LANE],
            )  # fmt: skip


@once
def _nothing(t: int, edge: int, weight: Any, alive: Any) -> None:
    for k in range(weight.shape[2]):
        weight[t, edge, k], alive[t, edge, k] = 0.0, False


@once
def _keep(t: int, edge: int, faded: Any, weight: Any, alive: Any) -> None:
    for k in range(weight.shape[2]):
        weight[t, edge, k] = max(faded[k], 0.0)
    for k in range(weight.shape[2]):
        alive[t, edge, k] = faded[k] >= 0.0
