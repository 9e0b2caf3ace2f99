"""Replay on the CPU: every edge's weight after each of its events, for all traces at once.

Sequential in an edge's events, parallel over edges (fitting.md, findings 1-3). Pruning with the
reset of the count is exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange

from hebb_lab.kernels.arrays import SKIPPED, GraphArrays, ReplayState
from hebb_lab.kernels.cpu_decay import (
    DAY_US,
    DEFAULT,
    HIGH,
    LOW,
    decay_table,
    faded,
    half_lives,
    learned_days,
    weight_as_of,
)
from hebb_lab.kernels.parameters import LEARNED_OBSERVED, TraceArrays


def replay(graph: GraphArrays, traces: TraceArrays) -> ReplayState:
    """All weights after each event. Deterministic: edges do not interact."""
    shape = (len(traces.learning_rate), len(graph.time))
    learned = shape if (traces.half_life_mode == LEARNED_OBSERVED).any() else (shape[0], 0)
    state = ReplayState(np.zeros(shape), np.full(shape, SKIPPED, np.int32), np.zeros(learned))
    _replay(graph, traces, decay_table(traces), state)
    return state


@njit(cache=True, parallel=True)
def _replay(graph: GraphArrays, p: TraceArrays, table: Any, out: ReplayState) -> None:
    for edge in prange(len(graph.namespace)):
        for k in range(len(p.learning_rate)):
            _replay_edge(k, edge, graph, p, table, out)


@njit(cache=True)
def _replay_edge(
    k: int, edge: int, graph: GraphArrays, p: TraceArrays, table: Any, out: ReplayState
) -> None:
    space = graph.namespace[edge]
    weight, count, half_life, alive = 0.0, 0, table[k, space, DEFAULT], False
    born_us = active_us = state_us = graph.time[graph.event_ptr[edge]]
    for m in range(graph.event_ptr[edge], graph.event_ptr[edge + 1]):
        now, strength = graph.time[m], graph.strength[m]
        if graph.size[m] > p.window_max[k]:
            continue
        if alive:
            decayed, pruned = weight_as_of(
                table, k, space, weight, count, half_life, state_us, active_us, now
            )
            alive = not pruned
            if p.decay_before[k] or p.compounding[k] or strength < 0.0:
                weight = decayed
            if alive and p.decay_before[k] and p.compounding[k] and strength >= 0.0:
                age = half_lives(table, k, space, count, half_life, now - active_us)
                weight, pruned = faded(table, k, space, weight, count, age)  # one more pass
                alive = not pruned
        if not alive:
            if strength < 0.0 or graph.npmi[m] < p.npmi_min[k]:
                continue
            alive, weight, count, born_us = True, 0.0, 0, now
        state_us = now
        if strength < 0.0:
            weight = max(0.0, weight - min(-strength, 1.0))
            alive = not _weakened_away(weight, count, p.prune_below[k], p.potentiation_count[k])
        else:
            weight = min(p.weight_cap[k], weight + _gain(k, strength, graph.size[m], p))
            count, active_us = count + 1, now
            if p.half_life_mode[k] == LEARNED_OBSERVED:
                half_life = _stored_half_life(table, k, space, count, now - born_us)
        if p.half_life_mode[k] == LEARNED_OBSERVED:
            out.half_life_days[k, m] = half_life
        out.weight[k, m] = weight if alive else 0.0
        out.reinforcements[k, m] = count if alive else 0


@njit(cache=True)
def _gain(k: int, strength: float, size: int, p: TraceArrays) -> float:
    gain = p.learning_rate[k] * min(strength, p.strength_max[k])
    return gain / (size - 1) if p.inverse_size[k] else gain


@njit(cache=True)
def _weakened_away(weight: float, count: int, prune_below: float, proven: int) -> bool:
    """Whether a penalty removes the edge: ≤ here, < in decay (neuralmind.md §1.2)."""
    return prune_below > 0.0 and weight <= prune_below and count < proven


@njit(cache=True)
def _stored_half_life(table: Any, k: int, space: int, count: int, age_us: int) -> float:
    """Learned half-life as the shipped code stores it (neuralmind.md §1.6)."""
    low, high = table[k, space, LOW], table[k, space, HIGH]
    days = table[k, space, DEFAULT] if age_us < DAY_US else learned_days(count, low, high)
    return min(max(days, low), high)
