"""Replay on the CPU: every edge's weight after each of its events, for all traces at once.

Sequential in an edge's events, parallel over edges (fitting.md, findings 1-3). Pruning with the
reset of the count is exact.
"""

from __future__ import annotations

from typing import Any

from hebb_lab.kernels.arrays import GraphArrays, ReplayState
from hebb_lab.kernels.cpu.compile import ZERO, in_threads, kernel, part, pieces_of
from hebb_lab.kernels.cpu.decay import (
    CAP,
    COMPOUNDING,
    DAY_US,
    DECAY_BEFORE,
    DEFAULT,
    HIGH,
    INVERSE_SIZE,
    LOW,
    MODE,
    NPMI_MIN,
    PROVEN,
    PRUNE,
    RATE,
    STRENGTH_MAX,
    WINDOW_MAX,
    faded,
    half_lives,
    learned_days,
    rule_table,
    weight_as_of,
)
from hebb_lab.kernels.parameters import LEARNED_OBSERVED, TraceArrays
from hebb_lab.kernels.reference.replay import empty_state

PIECE = 2048  # edges that one thread replays at a time


def replay(
    graph: GraphArrays, traces: TraceArrays, before: bool = False, precision: str = "float64"
) -> ReplayState:
    """All weights after each event. Deterministic: edges do not interact."""
    state = empty_state(len(graph.time), traces, before)
    table = rule_table(traces)

    def work(first: int, stop: int) -> None:
        _replay(first, stop, graph, table, state)

    in_threads(work, pieces_of(len(graph.namespace), PIECE))
    return state


@kernel
def _replay(first: int, stop: int, graph: GraphArrays, table: Any, out: ReplayState) -> None:
    for edge in range(first, stop):
        for k in range(len(table)):
            _replay_edge(k, edge, graph, table, out)


@part
def _replay_edge(k: int, edge: int, graph: GraphArrays, table: Any, out: ReplayState) -> None:
    space = graph.namespace[edge]
    rule = table[k, space]
    weight, count, half_life, alive = 0.0, ZERO, rule[DEFAULT], False
    born_us = active_us = state_us = graph.time[graph.event_ptr[edge]]
    for m in range(graph.event_ptr[edge], graph.event_ptr[edge + 1]):
        now, strength = graph.time[m], graph.strength[m]
        if graph.size[m] > rule[WINDOW_MAX]:
            continue
        if alive:
            decayed, pruned = weight_as_of(
                table, k, space, weight, count, half_life, state_us, active_us, now
            )
            alive = not pruned
            if rule[DECAY_BEFORE] != 0.0 or rule[COMPOUNDING] != 0.0 or strength < 0.0:
                weight = decayed
            both = rule[DECAY_BEFORE] != 0.0 and rule[COMPOUNDING] != 0.0
            if alive and both and strength >= 0.0:
                age = half_lives(table, k, space, count, half_life, now - active_us)
                weight, pruned = faded(table, k, space, weight, count, age)  # one more pass
                alive = not pruned
        if not alive:
            if strength < 0.0 or graph.npmi[m] < rule[NPMI_MIN]:
                out.reinforcements[m, k] = 0
                continue
            alive, weight, count, born_us = True, 0.0, ZERO, now
        state_us = now
        if strength < 0.0:
            weight = max(0.0, weight - min(-strength, 1.0))
            alive = not _weakened_away(weight, count, rule[PRUNE], rule[PROVEN])
        else:
            weight = min(rule[CAP], weight + _gain(rule, strength, graph.size[m]))
            count, active_us = count + 1, now
            if rule[MODE] == LEARNED_OBSERVED:
                half_life = _stored_half_life(table, k, space, count, now - born_us)
        if rule[MODE] == LEARNED_OBSERVED:
            out.half_life_days[m, k] = half_life
        out.weight[m, k] = weight if alive else 0.0
        out.reinforcements[m, k] = count if alive else 0


@part
def _gain(rule: Any, strength: float, size: int) -> float:
    gain = rule[RATE] * min(strength, rule[STRENGTH_MAX])
    return gain / (size - 1) if rule[INVERSE_SIZE] != 0.0 else gain


@part
def _weakened_away(weight: float, count: int, prune_below: float, proven: float) -> bool:
    """Whether a penalty removes the edge: ≤ here, < in decay (neuralmind.md §1.2)."""
    return prune_below > 0.0 and weight <= prune_below and count < proven


@part
def _stored_half_life(table: Any, k: int, space: int, count: int, age_us: int) -> float:
    """Learned half-life as the shipped code stores it (neuralmind.md §1.6)."""
    low, high = table[k, space, LOW], table[k, space, HIGH]
    days = table[k, space, DEFAULT] if age_us < DAY_US else learned_days(count, low, high)
    return min(max(days, low), high)
