"""Replays that store no state per event: the decay sweep, and a point process's likelihood."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch

from hebb_lab.kernels.arrays import GraphArrays, Snapshots
from hebb_lab.kernels.parameters import LEARNED_OBSERVED, NONE, TraceArrays
from hebb_lab.kernels.torch.as_of import State, read_at
from hebb_lab.kernels.torch.decay import DAY_US
from hebb_lab.kernels.torch.frontier import EventRows
from hebb_lab.kernels.torch.rules import TraceRules, as_tensor, requires_grad
from hebb_lab.kernels.torch.traces.log import Log, Step, log_of
from hebb_lab.kernels.torch.traces.ordinals import steps

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from torch import Tensor

LN2 = math.log(2.0)
WORKING = 16  # [L, K] arrays that reading a weight works in


def weights_at(
    graph: GraphArrays, traces: TraceArrays, time_us: NDArray[np.int64], *, device: torch.device,
    dtype: torch.dtype, memory_bytes: int,
) -> Snapshots:  # fmt: skip
    """The decay sweep; see Backend.weights_at. Tensors, with gradients as ``replay``."""
    grows, times = requires_grad(tuple(traces)), as_tensor(time_us, device)
    log = log_of(graph, traces, device, dtype, grows)
    edges, count, width = len(log.order), len(times), log.traces
    edge = torch.arange(edges, device=device)
    # [E, T] the newest event of each edge before each time
    newest = log.facts.newest_before(edge.repeat_interleave(count), times.repeat(edges))
    newest = newest.view(edges, count)
    state = _states(log, newest, grows)
    every, now = edge.repeat(count), times.repeat_interleave(edges)
    event = newest.T.reshape(-1)
    rows = max(1, memory_bytes // (8 * WORKING * max(width, 1)))
    weights, alive = [], []
    for first in range(0, max(len(every), 1), rows):
        part = slice(first, first + rows)
        own = State(*(None if p is None else p[part] for p in state))  # type: ignore[arg-type]
        read = read_at(log.facts, log.rules, every[part], event[part], now[part], own)
        weights.append(read[0])
        alive.append(read[1])
    shape = (count, edges, width)
    return Snapshots(torch.cat(weights).view(shape), torch.cat(alive).view(shape))  # type: ignore[arg-type]


def _states(log: Log, newest: Tensor, carries_gradient: bool) -> State:
    """[T · E, K] the state after the newest event before each time, time-major."""
    edges, count = newest.shape
    slots, device = edges * count, newest.device
    fixes = LEARNED_OBSERVED in log.rules.modes
    weight = EventRows(slots, log.traces, log.strength, carries_gradient)
    half_life = EventRows(slots if fixes else 0, log.traces, log.strength, carries_gradient)
    reinforced = torch.zeros((slots, log.traces), dtype=torch.int32, device=device)
    for step in steps(log):
        row, time = torch.nonzero(newest[step.edge] == step.event[:, None], as_tuple=True)
        slot = time * edges + step.edge[row]
        weight.put(slot, step.after.weight[row])
        reinforced[slot] = step.after.reinforced[row]
        if step.after.half_life is not None:
            half_life.put(slot, step.after.half_life[row])
    return State(weight.whole(), reinforced, half_life.whole() if fixes else None)


def log_likelihood(
    graph: GraphArrays, traces: TraceArrays, base_rate: Any, gain: Any, until_us: int, *,
    device: torch.device,
) -> Any:  # fmt: skip
    """The table L[edge, trace] in float64, a tensor; see Backend.log_likelihood for the formula.

    Rates and gains may be tensors too; where they or the traces require a gradient, L has it.
    """
    grows = requires_grad(tuple(traces), base_rate, gain)
    log = log_of(graph, traces, device, torch.float64, grows)
    mu, beta = (as_tensor(part, device, torch.float64)[None] for part in (base_rate, gain))
    total = torch.zeros((len(log.order), log.traces), dtype=torch.float64, device=device)
    begun = torch.zeros(total.shape, dtype=torch.bool, device=device)
    following = _following(log, until_us)
    for step in steps(log):
        time = log.facts.time[step.event][:, None]
        told = (time < until_us) if step.told is None else (time < until_us) & step.told
        taught = told & (log.strength[step.event][:, None] >= 0) & (step.after.reinforced > 0)
        again = taught & _begun(log, step, begun)
        end = following[step.event]
        end = end[:, log.facts.column] if end.shape[1] > 1 else end
        area = _area(
            log.rules.of(log.facts.namespace[step.edge]), step, _days((end - time).clamp(min=0))
        )
        value = torch.log(mu + beta * step.before) * again - beta * area * told
        value = value - mu * _days(until_us - time) * (taught & ~again)
        total.index_add_(0, step.edge, value)
        if not log.plain:
            begun[step.edge] |= taught
    return total


def _begun(log: Log, step: Step, begun: Tensor) -> Tensor:
    """Whether an earlier event of the edge taught; under plain rules each one did."""
    if log.plain:
        return (step.event > log.facts.event_ptr[step.edge])[:, None]
    return begun[step.edge]


def _following(log: Log, until_us: int) -> Tensor:
    """[M, G] time of the next event of the same edge that the gate admits, at most the end."""
    facts = log.facts
    event = torch.arange(len(facts.time), device=facts.time.device)[:, None]
    own = event if facts.state is None else facts.state
    good, size = own == event, len(event)
    ahead = torch.where(good, event, size).flip(0).cummin(0).values.flip(0)[1:]
    after = torch.cat([ahead, torch.full_like(own[:1], size)])
    inside = after < facts.event_ptr[facts.edge_of + 1][:, None]
    time = facts.time[after.clamp(max=size - 1)]
    return torch.where(inside, time, until_us).clamp(max=until_us)


def _area(rules: TraceRules, step: Step, days: Tensor) -> Tensor:
    """∫ w dt over the days after an event: decay to where it ends, and what remains then."""
    weight, count = step.after.weight, step.after.reinforced
    potentiated = (count >= rules.potentiation_count) & rules.floor_holds
    floor = torch.minimum(rules.floor, weight)
    floor = torch.where(rules.floor_lifts, rules.floor, floor) * potentiated
    end = torch.where(potentiated, floor, rules.prune_below)
    alive = (count > 0) & (potentiated | (weight >= rules.prune_below))
    # no end: 2⁻⁹⁹⁶ of a weight is as good
    falls = torch.log2((weight / end.clamp(min=1e-300)).clamp(min=1)) * rules.default_days
    fall = torch.minimum(days, falls)
    faded = -torch.expm1(-LN2 * fall / rules.default_days) * weight * rules.default_days / LN2
    area = faded + floor * (days - fall)
    if NONE in rules.modes:
        stays = torch.maximum(weight, floor) * days
        area = torch.where(rules.half_life_mode == NONE, stays, area)
    return area * alive


def _days(age_us: Tensor) -> Tensor:
    return age_us.to(torch.float64) / DAY_US
