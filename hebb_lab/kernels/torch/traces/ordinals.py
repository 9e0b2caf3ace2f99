"""Replay by ordinal: the j-th events of all edges at once, for all traces, under any rules.

Edges are ordered by their number of events, most first, so that those with a j-th event are a
prefix: a view, no gather. They go block by block, so that a block's state stays in the cache.
(fitting.md §2.3.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from hebb_lab.kernels.parameters import LEARNED_OBSERVED
from hebb_lab.kernels.torch.decay import (
    DAY_US,
    clamped,
    days_of,
    faded,
    half_lives,
    learned_days,
    weight_as_of,
)
from hebb_lab.kernels.torch.traces import plain
from hebb_lab.kernels.torch.traces.log import Carry, Log, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor

    from hebb_lab.kernels.torch.rules import TraceRules

BLOCK = 2**15  # edges × traces whose state is worked on at once on a processor: its cache
DEVICE_BLOCK = 2**24  # and on a device: few launches


def steps(log: Log) -> Iterator[Step]:
    """Every event of every edge, block by block and ordinal by ordinal."""
    block = BLOCK if log.order.device.type == "cpu" else DEVICE_BLOCK
    if log.plain:
        yield from plain.steps(log, block)
        return
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
    gain = log.gain(rules, event)
    after = Carry(torch.minimum(rules.weight_cap, weight + gain), count + 1, None, None)
    if log.gates_new:
        admitted = (count > 0) | ~(log.npmi[event][:, None] < rules.npmi_min)
        after = Carry(after.weight * admitted, after.reinforced * admitted, None, None)
    if log.weakens:
        teaches, weaker = strength >= 0, _weakened(rules, strength, weight, count)
        after = Carry(
            torch.where(teaches, after.weight, weaker.weight),
            torch.where(teaches, after.reinforced, weaker.reinforced), None, None,
        )  # fmt: skip
    known = None if old.half_life is None else (after.reinforced > 0) | (count > 0)
    after = _with_half_life(rules, now, found, after, strength)
    if log.facts.state is None:
        return Step(edge, event, before, after, None, known)
    told = log.facts.state[event] == event[:, None]  # [n, G]
    told = told[:, log.facts.column] if told.shape[1] > 1 else told
    kept: Any = [
        None if new is None or was is None else torch.where(told, new, was)
        for new, was in zip(after, old, strict=True)
    ]
    return Step(edge, event, before * told, Carry(*kept), told, known)


def _found(
    log: Log, rules: TraceRules, event: Tensor, now: Tensor, old: Carry
) -> tuple[Carry, Tensor]:
    """(what the event acts on, the weight that it found)."""
    gap = log.facts.gap(event - 1, now)
    if log.half_life_days is not None:
        last = log.facts.admitted(event - 1)[0].clamp(min=0)
        rules = rules._replace(default_days=log.half_life_days[last])
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
