"""Replay on the CPU: every edge's weight after each of its events, for all traces at once.

Sequential in an edge's events, parallel over edges (fitting.md, findings 1-3). Pruning with the
reset of the count is exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange

from hebb_lab.kernels.arrays import SKIPPED, GraphArrays, ReplayState
from hebb_lab.kernels.parameters import LEARNED, LEARNED_OBSERVED, NONE, TraceArrays

DAY_US = 86_400_000_000.0
LN2 = float(np.log(2.0))


def replay(graph: GraphArrays, traces: TraceArrays) -> ReplayState:
    """All weights after each event. Deterministic: edges do not interact."""
    shape = (len(traces.learning_rate), len(graph.time))
    learned = shape if (traces.half_life_mode == LEARNED_OBSERVED).any() else (shape[0], 0)
    state = ReplayState(np.zeros(shape), np.full(shape, SKIPPED, np.int32), np.zeros(learned))
    _replay(
        graph.event_ptr, graph.time, graph.strength, graph.size, graph.npmi, graph.namespace,
        traces, state,
    )  # fmt: skip
    return state


@njit(cache=True)
def learned_days(count: int, low: float, high: float) -> float:
    """Half-life lo + (hi − lo) · r/(1 + r), r = ln(1 + count/10); freq · age is the count."""
    ratio = np.log(1.0 + count / 10.0)
    return low + (high - low) * ratio / (1.0 + ratio)


@njit(cache=True)
def weight_as_of(
    k: int, space: int, weight: float, count: int, half_life: float,
    state_us: int, active_us: int, now_us: int, p: TraceArrays,
) -> tuple[float, bool]:  # fmt: skip
    """(weight at ``now_us``, whether the edge is pruned by then).

    ``k`` and ``space`` name trace and namespace; ``weight``, ``count`` and ``half_life`` are the
    state after the last applied event, at ``state_us``; ``active_us`` is the time of the last
    reinforcement, which a penalty does not move.
    """
    if p.compounding[k]:
        interval = p.interval_us[k]
        passes = now_us // interval - state_us // interval
        if passes <= 0:
            return weight, False
        first = (state_us // interval + 1) * interval
        exponent = _passes(k, space, count, half_life, first, passes, active_us, p)
    else:
        exponent = _half_lives(k, space, count, half_life, active_us, now_us, p)
        if state_us > active_us:
            exponent -= _half_lives(k, space, count, half_life, active_us, state_us, p)
    return faded(k, space, weight, count, exponent, p)


@njit(cache=True)
def faded(
    k: int, space: int, weight: float, count: int, exponent: float, p: TraceArrays
) -> tuple[float, bool]:
    """(weight · 2^−exponent, not below the floor of a potentiated edge; whether it is pruned)."""
    decayed = weight * np.exp(-LN2 * exponent)
    if count >= p.potentiation_count[k] and p.floor_holds[k, space]:
        floor = p.floor[k] if p.floor_lifts[k] else min(p.floor[k], weight)
        return max(decayed, floor), False
    return decayed, decayed < p.prune_below[k]


@njit(cache=True)
def _half_lives(
    k: int, space: int, count: int, half_life: float, active_us: int, now_us: int, p: TraceArrays
) -> float:
    """Age since the last reinforcement in half-lives.

    A learned half-life is read at that age: confidence = 2^(−age/default), half-life =
    (1 − confidence) · default + confidence · learned.
    """
    if p.half_life_mode[k] == NONE:
        return 0.0
    age, default = (now_us - active_us) / DAY_US, p.default_days[k, space]
    if p.half_life_mode[k] == LEARNED_OBSERVED:
        return age / half_life
    if p.half_life_mode[k] != LEARNED:
        return age / default
    confidence = np.exp(-LN2 * age / default)
    learned = learned_days(count, p.low_days[k, space], p.high_days[k])
    mixed = (1.0 - confidence) * default + confidence * learned
    return age / min(max(mixed, p.low_days[k, space]), p.high_days[k])


@njit(cache=True)
def _passes(
    k: int, space: int, count: int, half_life: float,
    first_us: int, passes: int, active_us: int, p: TraceArrays,
) -> float:  # fmt: skip
    """Half-lives that compounding passes apply: each the whole age again (neuralmind.md §1.4)."""
    interval = p.interval_us[k]
    if p.half_life_mode[k] == NONE:
        return 0.0
    if p.half_life_mode[k] == LEARNED:
        total = 0.0
        for i in range(passes):
            tick = first_us + i * interval
            total += _half_lives(k, space, count, half_life, active_us, tick, p)
        return total
    age = passes * ((first_us - active_us) / DAY_US)
    age += interval / DAY_US * (passes * (passes - 1.0) / 2.0)
    days = half_life if p.half_life_mode[k] == LEARNED_OBSERVED else p.default_days[k, space]
    return age / days


@njit(cache=True, parallel=True)
def _replay(
    event_ptr: Any, time: Any, strength: Any, size: Any, npmi: Any, namespace: Any,
    p: TraceArrays, out: ReplayState,
) -> None:  # fmt: skip
    for edge in prange(len(namespace)):
        for k in range(len(p.learning_rate)):
            _replay_edge(
                k, namespace[edge], event_ptr[edge], event_ptr[edge + 1],
                time, strength, size, npmi, p, out,
            )  # fmt: skip


@njit(cache=True)
def _replay_edge(
    k: int, space: int, start: int, stop: int,
    time: Any, strength: Any, size: Any, npmi: Any, p: TraceArrays, out: ReplayState,
) -> None:  # fmt: skip
    weight, count, half_life = 0.0, 0, p.default_days[k, space]
    alive = False
    born_us = active_us = state_us = time[start]
    for m in range(start, stop):
        now = time[m]
        if size[m] > p.window_max[k]:
            continue
        if alive:
            decayed, pruned = weight_as_of(
                k, space, weight, count, half_life, state_us, active_us, now, p
            )
            alive = not pruned
            if p.decay_before[k] or p.compounding[k]:
                weight = decayed
            if alive and p.decay_before[k] and p.compounding[k] and strength[m] >= 0.0:
                age = _half_lives(k, space, count, half_life, active_us, now, p)
                weight, pruned = faded(k, space, weight, count, age, p)  # one more pass
                alive = not pruned
        if strength[m] < 0.0:
            if not alive:
                continue
            weight = max(0.0, weight - min(-strength[m], 1.0))
            alive = not (
                p.prune_below[k] > 0.0
                and weight <= p.prune_below[k]  # ≤ here, < in decay (neuralmind.md §1.2)
                and count < p.potentiation_count[k]
            )
            state_us = now
        else:
            if not alive:
                if npmi[m] < p.npmi_min[k]:
                    continue
                alive, weight, count, born_us = True, 0.0, 0, now
            gain = p.learning_rate[k] * min(strength[m], p.strength_max[k])
            if p.inverse_size[k]:
                gain /= size[m] - 1
            weight = min(p.weight_cap[k], weight + gain)
            count += 1
            state_us = active_us = now
        if p.half_life_mode[k] == LEARNED_OBSERVED:
            if strength[m] >= 0.0:
                half_life = _half_life_at_reinforcement(k, space, count, now - born_us, p)
            out.half_life_days[k, m] = half_life
        out.weight[k, m] = weight if alive else 0.0
        out.reinforcements[k, m] = count if alive else 0


@njit(cache=True)
def _half_life_at_reinforcement(
    k: int, space: int, count: int, age_us: int, p: TraceArrays
) -> float:
    """Learned half-life as the shipped code stores it (neuralmind.md §1.6)."""
    low, high = p.low_days[k, space], p.high_days[k]
    if age_us < DAY_US:
        return min(max(p.default_days[k, space], low), high)
    return min(max(learned_days(count, low, high), low), high)
