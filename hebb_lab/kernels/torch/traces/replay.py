"""Replay with the state after each event kept."""

from __future__ import annotations

import torch

from hebb_lab.kernels.arrays import SKIPPED, GraphArrays, ReplayState
from hebb_lab.kernels.parameters import LEARNED_OBSERVED, TraceArrays
from hebb_lab.kernels.torch.frontier import EventRows, zeros
from hebb_lab.kernels.torch.rules import requires_grad
from hebb_lab.kernels.torch.traces.log import Log, log_of
from hebb_lab.kernels.torch.traces.ordinals import steps


def replay(
    graph: GraphArrays, traces: TraceArrays, before: bool, *, device: torch.device,
    dtype: torch.dtype,
) -> ReplayState:  # fmt: skip
    """Every edge's state after each of its events; see Backend.replay.

    Tensors on the device, with gradients where ``traces`` has tensors that require one.
    """
    grows = requires_grad(tuple(traces))
    return stored(log_of(graph, traces, device, dtype, grows), before, grows)


def stored(log: Log, before: bool, carries_gradient: bool) -> ReplayState:
    """The state after each event, and what it found if that is asked for."""
    events, width = len(log.facts.time), log.traces
    learned = LEARNED_OBSERVED in log.rules.modes
    weight = EventRows(events, width, log.strength, carries_gradient)
    found = EventRows(events if before else 0, width, log.strength, carries_gradient)
    half_life = EventRows(events if learned else 0, width, log.strength, carries_gradient)
    count = zeros(events, width, torch.int32, log.order.device)
    for step in steps(log):
        after, told = step.after, step.told
        mine = after.reinforced
        weight.put(step.event, after.weight if told is None else after.weight * told)
        mine = mine if told is None else torch.where(told, mine, SKIPPED)
        count.index_copy_(0, step.event, mine)
        if before:
            found.put(step.event, step.before)
        if after.half_life is not None and step.known is not None:
            fixed = step.known & (log.rules.half_life_mode == LEARNED_OBSERVED)
            fixed = fixed if told is None else fixed & told
            half_life.put(step.event, after.half_life * fixed)
    return ReplayState(weight.whole(), count, half_life.whole(), found.whole())  # type: ignore[arg-type]
