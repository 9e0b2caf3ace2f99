"""Replay by ordinal: the j-th events of all edges at once, for all traces.

Edges are ordered by their number of events, most first, so that those with a j-th event are a
prefix: a view, no gather. They go block by block, so that a block's state stays in the cache.
(fitting.md §2.3.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch

from hebb_lab.kernels.arrays import SKIPPED, GraphArrays, ReplayState, as_numpy
from hebb_lab.kernels.parameters import LEARNED_OBSERVED, TraceArrays
from hebb_lab.kernels.torch.as_of import Facts, facts_of
from hebb_lab.kernels.torch.decay import (
    DAY_US,
    clamped,
    days_of,
    faded,
    half_lives,
    learned_days,
    weight_as_of,
)
from hebb_lab.kernels.torch.frontier import EventRows
from hebb_lab.kernels.torch.rules import TraceRules, as_tensor, requires_grad, trace_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor

BLOCK = 2**15  # edges × traces whose state is worked on at once on a processor: its cache
DEVICE_BLOCK = 2**24  # and on a device: few launches


class Carry(NamedTuple):
    """State of n edges, [n, K]. reinforced: int32, 0 where there is no edge. born: µs.

    half_life and born are None where no trace fixes half-lives at reinforcement.
    """

    weight: Tensor
    reinforced: Tensor
    half_life: Tensor | None
    born: Tensor | None

    def first(self, n: int) -> Carry:
        """Of the first n edges."""
        parts: Any = [None if part is None else part[:n] for part in self]
        return Carry(*parts)


class Step(NamedTuple):
    """One event of each of n edges: what it found [n, K], and the state after it.

    told: [n, 1] or [n, K], the traces whose gate admits the event; None: all.
    known: [n, K], where there is an edge before or after the event.
    """

    ordinal: int
    edge: Tensor
    event: Tensor
    before: Tensor
    after: Carry
    told: Tensor | None
    known: Tensor


class Log(NamedTuple):
    """A graph's events and the rules that they are replayed under.

    order: [E] edges by number of events, most first. events: [E] numbers of events, on the host.
    """

    facts: Facts
    rules: TraceRules
    strength: Tensor
    size: Tensor
    npmi: Tensor
    order: Tensor
    events: np.ndarray
    weakens: bool
    gates_new: bool
    traces: int


def log_of(
    graph: GraphArrays, traces: TraceArrays, device: torch.device, dtype: torch.dtype
) -> Log:
    """The log as tensors, its edges in order."""
    facts = facts_of(graph, as_numpy(traces.window_max), device)
    counts = np.diff(as_numpy(graph.event_ptr))
    order = np.argsort(-counts, kind="stable")
    strength = as_tensor(graph.strength, device, dtype)
    return Log(
        facts, trace_rules(traces, device, dtype), strength,
        as_tensor(graph.size, device, dtype), as_tensor(graph.npmi, device, dtype),
        as_tensor(order, device), counts[order], facts.active is not None,
        bool((as_numpy(traces.npmi_min) > -np.inf).any()), len(traces.window_max),
    )  # fmt: skip


def steps(log: Log) -> Iterator[Step]:
    """Every event of every edge, block by block and ordinal by ordinal."""
    block = BLOCK if log.order.device.type == "cpu" else DEVICE_BLOCK
    rows = max(1, block // max(log.traces, 1))
    for start in range(0, len(log.order), rows):
        edge, counts = log.order[start : start + rows], log.events[start : start + rows]
        rules, first = log.rules.of(log.facts.namespace[edge]), log.facts.event_ptr[edge]
        carry = _nothing(log, len(edge))
        for ordinal in range(int(counts[0])):
            n = int(np.searchsorted(-counts, -ordinal))  # edges with more events than that
            event = first[:n] + ordinal
            step = _step(log, rules.first(n), ordinal, edge[:n], event, carry.first(n))
            yield step
            carry = step.after


def _nothing(log: Log, n: int) -> Carry:
    def zeros(dtype: torch.dtype) -> Tensor:
        return torch.zeros((n, log.traces), dtype=dtype, device=log.order.device)

    fixes = LEARNED_OBSERVED in log.rules.modes
    weight = zeros(log.strength.dtype)
    return Carry(
        weight, zeros(torch.int32),
        torch.zeros_like(weight) if fixes else None, zeros(torch.int64) if fixes else None,
    )  # fmt: skip


def _step(
    log: Log, rules: TraceRules, ordinal: int, edge: Tensor, event: Tensor, old: Carry
) -> Step:
    now, strength = log.facts.time[event][:, None], log.strength[event][:, None]
    found, before = (old, old.weight) if ordinal == 0 else _found(log, rules, event, now, old)
    weight, count = found.weight, found.reinforced
    gain = rules.learning_rate * torch.minimum(strength, rules.strength_max)
    if rules.shares:
        shared = gain / (log.size[event][:, None] - 1).clamp(min=1)
        gain = torch.where(rules.inverse_size, shared, gain)
    after = Carry(torch.minimum(rules.weight_cap, weight + gain), count + 1, None, None)
    known: Tensor = after.reinforced > 0
    if log.gates_new:
        known = (count > 0) | ~(log.npmi[event][:, None] < rules.npmi_min)
        after = Carry(after.weight * known, after.reinforced * known, None, None)
    if log.weakens:
        teaches, weaker = strength >= 0, _weakened(rules, strength, weight, count)
        known = (known & teaches) | (count > 0)
        after = Carry(
            torch.where(teaches, after.weight, weaker.weight),
            torch.where(teaches, after.reinforced, weaker.reinforced), None, None,
        )  # fmt: skip
    after = _with_half_life(rules, now, found, after, strength)
    if log.facts.state is None:
        return Step(ordinal, edge, event, before, after, None, known)
    told = log.facts.state[event] == event[:, None]  # [n, G]
    told = told[:, log.facts.column] if told.shape[1] > 1 else told
    kept: Any = [
        None if new is None or was is None else torch.where(told, new, was)
        for new, was in zip(after, old, strict=True)
    ]
    return Step(ordinal, edge, event, before * told, Carry(*kept), told, known & told)


def _found(
    log: Log, rules: TraceRules, event: Tensor, now: Tensor, old: Carry
) -> tuple[Carry, Tensor]:
    """(what the event acts on, the weight that it found)."""
    gap = log.facts.gap(event - 1, now)
    decayed, pruned = weight_as_of(rules, old.weight, old.reinforced, old.half_life, gap)
    alive = ~pruned
    before, count = decayed * alive, old.reinforced * alive
    weight, strength = before, log.strength[event][:, None]
    if not rules.always_decays:
        fades = rules.decay_before | rules.compounding | (strength < 0)
        weight = torch.where(fades, before, old.weight * alive)
    if rules.passes[1]:
        since = gap.at if gap.active is None else gap.active
        age = half_lives(rules, count, old.half_life, days_of(now - since, weight))
        again, gone = faded(rules, weight, count, age)  # one more pass
        both = rules.decay_before & rules.compounding & (strength >= 0)
        weight = torch.where(both, again * ~gone, weight)
        count = torch.where(both & gone, 0, count)
    return Carry(weight, count, old.half_life, old.born), before


def _weakened(rules: TraceRules, strength: Tensor, weight: Tensor, count: Tensor) -> Carry:
    """A penalty: it removes the edge at ≤ here, not at < as in decay (neuralmind.md §1.2)."""
    weaker = (weight - torch.minimum(-strength, torch.ones_like(strength))).clamp(min=0)
    gone = (rules.prune_below > 0) & (weaker <= rules.prune_below)
    stays = (~gone | (count >= rules.potentiation_count)) & (count > 0)
    return Carry(weaker * stays, count * stays, None, None)


def _with_half_life(
    rules: TraceRules, now: Tensor, found: Carry, after: Carry, strength: Tensor
) -> Carry:
    """Learned half-life as the shipped code stores it, at reinforcement (neuralmind.md §1.6)."""
    if found.half_life is None or found.born is None:
        return after
    taught = (strength >= 0) & (after.reinforced > 0)
    born = torch.where(taught & (found.reinforced == 0), now, found.born)
    learned = learned_days(rules, after.reinforced, after.weight.dtype)
    days = torch.where(now - born < DAY_US, rules.default_days, learned)
    half_life = torch.where(taught, clamped(rules, days), found.half_life)
    return Carry(after.weight, after.reinforced, half_life, born)


def replay(
    graph: GraphArrays, traces: TraceArrays, before: bool, *, device: torch.device,
    dtype: torch.dtype,
) -> ReplayState:  # fmt: skip
    """Every edge's state after each of its events; see Backend.replay.

    Tensors on the device, with gradients where ``traces`` has tensors that require one.
    """
    log = log_of(graph, traces, device, dtype)
    grows, events, width = requires_grad(tuple(traces)), len(log.facts.time), log.traces
    learned = LEARNED_OBSERVED in log.rules.modes
    weight = EventRows(events, width, log.strength, grows)
    found = EventRows(events if before else 0, width, log.strength, grows)
    half_life = EventRows(events if learned else 0, width, log.strength, grows)
    count = torch.zeros((events, width), dtype=torch.int32, device=device)
    for step in steps(log):
        after, told = step.after, step.told
        mine = after.reinforced
        weight.put(step.event, after.weight if told is None else after.weight * told)
        count[step.event] = mine if told is None else torch.where(told, mine, SKIPPED)
        if before:
            found.put(step.event, step.before)
        if after.half_life is not None:
            fixed = step.known & (log.rules.half_life_mode == LEARNED_OBSERVED)
            half_life.put(step.event, after.half_life * fixed)
    return ReplayState(weight.whole(), count, half_life.whole(), found.whole())  # type: ignore[arg-type]
