"""Kernels that walk an edge's events under a trace: replay, sweep, likelihood, derivatives.

A thread is an (edge, trace); the result is bit-identical from run to run and for any grid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from hebb_lab.kernels.arrays import ReplayState, Snapshots, Tangents, as_numpy
from hebb_lab.kernels.cuda.buffers import event_arguments, on_device, real, rule_table
from hebb_lab.kernels.cuda.launch import for_each
from hebb_lab.kernels.parameters import LEARNED_OBSERVED, LEAST_DAYS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hebb_lab.kernels.arrays import GraphArrays
    from hebb_lab.kernels.cuda.launch import Launcher
    from hebb_lab.kernels.parameters import TraceArrays


def replay(
    graph: GraphArrays, traces: TraceArrays, before: bool, into: ReplayState | None = None, *,
    launcher: Launcher,
) -> ReplayState:  # fmt: skip
    """All weights after each event, per trace; the state stays on the device."""
    events, (kinds, spaces) = len(graph.time), _sizes(traces)
    learned = bool((as_numpy(traces.half_life_mode) == LEARNED_OBSERVED).any())

    def made(rows: int, dtype: torch.dtype) -> Any:
        return torch.empty((rows, kinds), dtype=dtype, device=launcher.device)

    state = into or ReplayState(
        made(events, real(launcher)), made(events, torch.int32),
        made(events if learned else 0, real(launcher)),
        made(events if before else 0, real(launcher)),
    )  # fmt: skip
    edges = len(graph.namespace)
    for_each(
        launcher, "replay", "replay", edges * kinds,
        [
            *event_arguments(launcher, graph), rule_table(launcher, traces),
            state.weight, state.reinforcements,
            state.half_life_days if learned else None, state.before if before else None,
            edges, spaces, kinds,
        ],
    )  # fmt: skip
    return state


def weights_at(
    graph: GraphArrays, traces: TraceArrays, time_us: NDArray[np.int64], launcher: Launcher
) -> Snapshots:
    """All edges as of strictly before T times; the snapshots stay on the device."""
    edges, (kinds, spaces) = len(graph.namespace), _sizes(traces)
    when = on_device(launcher, time_us, torch.int64)
    shape = (len(when), edges, kinds)
    weight: Any = torch.empty(shape, dtype=real(launcher), device=launcher.device)
    alive: Any = torch.empty(shape, dtype=torch.uint8, device=launcher.device)
    for_each(
        launcher, "sweep", "weights_at", edges * kinds,
        [
            *event_arguments(launcher, graph), rule_table(launcher, traces), when, weight, alive,
            edges, spaces, kinds, len(when),
        ],
    )  # fmt: skip
    return Snapshots(weight, alive.view(torch.bool))


def log_likelihood(
    graph: GraphArrays, traces: TraceArrays, base_rate: NDArray[np.float64],
    gain: NDArray[np.float64], until_us: int, launcher: Launcher,
) -> NDArray[np.float64]:  # fmt: skip
    """The table L[edge, trace] of a point process, in float64 under any precision."""
    edges, (kinds, spaces) = len(graph.namespace), _sizes(traces)
    table = torch.empty((edges, kinds), dtype=torch.float64, device=launcher.device)
    for_each(
        launcher, "likelihood", "log_likelihood", edges * kinds,
        [
            *event_arguments(launcher, graph), rule_table(launcher, traces),
            on_device(launcher, base_rate, torch.float64),
            on_device(launcher, gain, torch.float64), table, edges, spaces, kinds, int(until_us),
        ],
    )  # fmt: skip
    return as_numpy(table)


def replay_tangents(
    graph: GraphArrays, traces: TraceArrays, half_life_days: NDArray[np.float64],
    features: NDArray[np.float64], launcher: Launcher,
) -> Tangents:  # fmt: skip
    """One trace's state with derivatives, a thread an edge, in float64 under any precision.

    Everything stays on the device.
    """
    edges, (_, spaces) = len(graph.namespace), _sizes(traces)
    slopes = on_device(launcher, features, torch.float64)
    days = on_device(launcher, half_life_days, torch.float64).clamp(min=LEAST_DAYS)

    def made(*shape: int, dtype: torch.dtype = torch.float64) -> Any:
        return torch.zeros(shape, dtype=dtype, device=launcher.device)

    events, width = slopes.shape
    found = Tangents(
        made(events), made(events, dtype=torch.int32), made(events),
        made(events, width), made(events, width),
    )  # fmt: skip
    for_each(
        launcher, "tangents", "replay_tangents", edges,
        [
            *event_arguments(launcher, graph), rule_table(launcher, traces), days, slopes,
            *found, edges, spaces, width,
        ],
    )  # fmt: skip
    return found


def _sizes(traces: TraceArrays) -> tuple[int, int]:
    """(K, S)."""
    kinds, spaces = traces.default_days.shape
    return int(kinds), int(spaces)
