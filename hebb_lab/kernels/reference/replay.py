"""The reference back end, replay: plain loops in float64, the meaning of the kernel."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hebb_lab.kernels.arrays import SKIPPED, GraphArrays, ReplayState
from hebb_lab.kernels.parameters import LEARNED, LEARNED_OBSERVED, NONE, TraceArrays

DAY_US = 86_400_000_000.0


def replay(
    graph: GraphArrays, p: TraceArrays, before: bool = False, into: ReplayState | None = None
) -> ReplayState:
    """All weights after each event, per trace; ``into`` is written over."""
    state = empty_state(len(graph.time), p, before)
    if into is not None:
        own: Any
        for own, nothing_yet in zip(into, state, strict=True):
            own[...] = nothing_yet
        state = into
    for k in range(len(p.learning_rate)):
        for edge in range(len(graph.namespace)):
            _replay_edge(k, edge, graph, p, state)
    return state


def empty_state(events: int, p: TraceArrays, before: bool) -> ReplayState:
    """The arrays that a replay fills."""
    shape, nothing = (events, len(p.learning_rate)), (0, len(p.learning_rate))
    learned = (p.half_life_mode == LEARNED_OBSERVED).any()
    return ReplayState(
        np.zeros(shape), np.full(shape, SKIPPED, np.int32),
        np.zeros(shape if learned else nothing), np.zeros(shape if before else nothing),
    )  # fmt: skip


def _replay_edge(k: int, edge: int, graph: GraphArrays, p: TraceArrays, out: ReplayState) -> None:
    space = int(graph.namespace[edge])
    alive, weight, count, half_life = False, 0.0, 0, float(p.default_days[k, space])
    born = active = at = 0
    for m in range(int(graph.event_ptr[edge]), int(graph.event_ptr[edge + 1])):
        now, strength = int(graph.time[m]), float(graph.strength[m])
        if graph.size[m] > p.window_max[k]:
            continue
        if alive:
            decayed, pruned = weight_as_of(k, space, weight, count, half_life, at, active, now, p)
            alive = not pruned
            if len(out.before):
                out.before[m, k] = decayed if alive else 0.0
            if p.decay_before[k] or p.compounding[k] or strength < 0:
                weight = decayed
            if alive and p.decay_before[k] and p.compounding[k] and strength >= 0:
                age = _half_lives(k, space, count, half_life, now - active, p)
                weight, pruned = faded(k, space, weight, count, age, p)  # one more pass
                alive = not pruned
        if not alive:
            if strength < 0 or graph.npmi[m] < p.npmi_min[k]:
                out.reinforcements[m, k] = 0
                continue
            alive, weight, count, born = True, 0.0, 0, now
        at = now
        if strength < 0:
            weight = max(0.0, weight - min(-strength, 1.0))
            weak = p.prune_below[k] > 0 and weight <= p.prune_below[k]
            alive = not weak or bool(count >= p.potentiation_count[k])
        else:
            weight = min(float(p.weight_cap[k]), weight + gain_of(k, m, graph, p))
            count, active = count + 1, now
            young = now - born < DAY_US
            days = float(p.default_days[k, space]) if young else _learned_days(count, k, space, p)
            half_life = _clamped(days, k, space, p)
        if p.half_life_mode[k] == LEARNED_OBSERVED:
            out.half_life_days[m, k] = half_life
        out.weight[m, k] = weight if alive else 0.0
        out.reinforcements[m, k] = count if alive else 0


def gain_of(k: int, m: int, graph: GraphArrays, p: TraceArrays) -> float:
    """What a reinforcement adds."""
    gain = float(p.learning_rate[k]) * min(float(graph.strength[m]), float(p.strength_max[k]))
    return gain / (int(graph.size[m]) - 1) if p.inverse_size[k] else gain


def weight_as_of(
    k: int, space: int, weight: float, count: int, half_life: float,
    at: int, active: int, now: int, p: TraceArrays,
) -> tuple[float, bool]:  # fmt: skip
    """(weight at ``now``, whether the edge is pruned by then); times in µs.

    ``at`` is the time of the state, ``active`` that of the last reinforcement.
    """
    if p.compounding[k]:
        interval = int(p.interval_us[k])
        ticks = [tick * interval for tick in range(at // interval + 1, now // interval + 1)]
        if not ticks:
            return weight, False
        age = sum(_half_lives(k, space, count, half_life, tick - active, p) for tick in ticks)
    else:
        age = _half_lives(k, space, count, half_life, now - active, p)
        age -= _half_lives(k, space, count, half_life, at - active, p)
    return faded(k, space, weight, count, age, p)


def faded(
    k: int, space: int, weight: float, count: int, age: float, p: TraceArrays
) -> tuple[float, bool]:
    """(weight after ``age`` half-lives, whether that prunes the edge)."""
    decayed = weight * 2.0**-age
    if count >= p.potentiation_count[k] and p.floor_holds[k, space]:
        floor = p.floor[k] if p.floor_lifts[k] else min(p.floor[k], weight)
        return max(decayed, float(floor)), False
    return decayed, bool(decayed < p.prune_below[k])


def _half_lives(
    k: int, space: int, count: int, half_life: float, age_us: int, p: TraceArrays
) -> float:
    """Age in half-lives; a learned half-life is read at that age."""
    if p.half_life_mode[k] == NONE:
        return 0.0
    age, default = age_us / DAY_US, float(p.default_days[k, space])
    if p.half_life_mode[k] == LEARNED_OBSERVED:
        return age / half_life
    if p.half_life_mode[k] != LEARNED:
        return age / default
    confidence = 2.0 ** (-age / default)
    learned = _learned_days(count, k, space, p)
    return age / _clamped((1 - confidence) * default + confidence * learned, k, space, p)


def _learned_days(count: int, k: int, space: int, p: TraceArrays) -> float:
    ratio = math.log(1 + count / 10)
    low, high = p.low_days[k, space], p.high_days[k]
    return float(low + (high - low) * ratio / (1 + ratio))


def _clamped(days: float, k: int, space: int, p: TraceArrays) -> float:
    return float(min(max(days, p.low_days[k, space]), p.high_days[k]))
