"""Replay of one trace with derivatives on the CPU: an edge at a time, P derivatives at once.

What an event makes of a derivative is a share of the derivative before it and a share of the
features of the half-life in force. Both shares hang on weights alone, so rules are looked at once
an event, whatever P is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.kernels.arrays import SKIPPED, GraphArrays, Tangents
from hebb_lab.kernels.cpu.compile import in_threads, kernel, pieces_of, step
from hebb_lab.kernels.cpu.traces.elementary import LN2
from hebb_lab.kernels.cpu.traces.fade import DEAD
from hebb_lab.kernels.cpu.traces.halving import halved
from hebb_lab.kernels.cpu.traces.lanes import (
    CAP,
    DAY_US,
    DECAYS_FIRST,
    FLOOR,
    INVERSE_SIZE,
    LIFT,
    NPMI_MIN,
    PROVEN,
    PROVEN_WEAK,
    PRUNE,
    PRUNE_WEAK,
    RATE,
    STRENGTH_MAX,
    rule_rows,
)
from hebb_lab.kernels.cpu.traces.replay import PIECE
from hebb_lab.kernels.parameters import LEAST_DAYS, TraceArrays

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def replay_tangents(
    graph: GraphArrays, traces: TraceArrays, half_life_days: Floats, features: Floats
) -> Tangents:
    """One trace's state after each event, with derivatives; see Backend.replay_tangents."""
    events, width = features.shape
    days = np.maximum(half_life_days, LEAST_DAYS, dtype=np.float64)
    slopes = np.ascontiguousarray(features, np.float64)
    rules, gate = rule_rows(traces)[:, :, 0].copy(), int(traces.window_max[0])
    # derivatives are 0 before an edge's first event, which reads its own row
    out = Tangents(
        np.empty(events), np.empty(events, np.int32), np.empty(events),
        np.zeros((events, width)), np.empty((events, width)),
    )  # fmt: skip
    graph = GraphArrays(*graph)  # one type for the compiler

    def work(first: int, stop: int) -> None:
        _replay(first, stop, graph, rules, gate, days, slopes, out)

    in_threads(work, pieces_of(len(graph.namespace), PIECE))
    return out


@kernel
def _replay(
    first: int, stop: int, graph: GraphArrays, rules: Any, gate: int, half_life: Any,
    features: Any, out: Tangents,
) -> None:  # fmt: skip
    """Edges [first, stop); ``last`` is the event whose half-life is in force."""
    event_ptr, time, strength, size = graph.event_ptr, graph.time, graph.strength, graph.size
    for edge in range(first, stop):
        space = np.int64(graph.namespace[edge])
        weight, count, last = 0.0, np.int32(0), event_ptr[edge]
        for m in range(event_ptr[edge], event_ptr[edge + 1]):
            if size[m] > gate:
                _keep(m, 0.0, np.int32(SKIPPED), 0.0, out)
                _carry(m, last, 0.0, 0.0, features, out.before_tangent, out.weight_tangent)
                _carry(m, last, 0.0, 0.0, features, out.weight_tangent, out.weight_tangent)
                continue
            found, by_slope, by_feature = DEAD, 0.0, 0.0
            if count > 0:
                age = (time[m] - time[last]) / DAY_US / half_life[last]
                found, by_slope, by_feature = _found(rules, space, weight, count, age)
            _carry(m, last, by_slope, by_feature, features, out.before_tangent, out.weight_tangent)
            if strength[m] < 0.0:
                by = min(-strength[m], 1.0)
                weight, count, held = _weakened(rules, space, by, found, count)
            else:
                gain = _gain(rules, space, size[m], strength[m])
                if found >= 0.0 and rules[space, DECAYS_FIRST] == 0.0:
                    by_slope, by_feature = 1.0, 0.0
                    weight, count, held = _grown(rules, space, gain, weight, count)
                elif found >= 0.0:
                    weight, count, held = _grown(rules, space, gain, found, count)
                else:
                    weight, count, held = _born(rules, space, gain, graph.npmi[m])
            by_slope, by_feature = by_slope * held, by_feature * held
            _carry(m, last, by_slope, by_feature, features, out.weight_tangent, out.weight_tangent)
            _keep(m, weight, count, max(found, 0.0), out)
            last = m


@step
def _found(
    rules: Any, space: int, weight: float, count: int, age: float
) -> tuple[float, float, float]:
    """(weight after ``age`` half-lives, its derivative's shares of slope and of features)."""
    left = halved(age)
    faded = weight * left
    if count >= rules[space, PROVEN]:
        floor, lift = rules[space, FLOOR], rules[space, LIFT]
        if weight < floor and lift == 0.0:
            return weight, 1.0, 0.0  # the weight stands: its floor is itself
        if faded <= floor:
            return floor, 0.0, 0.0
    elif faded < rules[space, PRUNE]:
        return DEAD, 0.0, 0.0
    return faded, left, faded * (LN2 * age)


@step
def _gain(rules: Any, space: int, size: int, strength: float) -> float:
    gain = rules[space, RATE] * min(strength, rules[space, STRENGTH_MAX])
    return gain / (size - 1) if rules[space, INVERSE_SIZE] != 0.0 else gain


@step
def _grown(
    rules: Any, space: int, gain: float, weight: float, count: int
) -> tuple[float, Any, float]:
    """(weight, count, 1.0 where the derivative goes on or 0.0 where the cap binds)."""
    grown, cap = weight + gain, rules[space, CAP]
    return min(grown, cap), np.int32(count + 1), 1.0 if grown < cap else 0.0


@step
def _born(rules: Any, space: int, gain: float, npmi: float) -> tuple[float, Any, float]:
    """As ``_grown``, of an edge that was not alive: a newborn, or none if it is not admitted."""
    if npmi >= rules[space, NPMI_MIN]:
        return min(gain, rules[space, CAP]), np.int32(1), 0.0
    return 0.0, np.int32(0), 0.0


@step
def _weakened(
    rules: Any, space: int, by: float, found: float, count: int
) -> tuple[float, Any, float]:
    """As ``_grown``, of a penalty; ≤ removes here, < in decay (neuralmind.md §1.2)."""
    weight = max(0.0, found - by)
    gone = weight <= rules[space, PRUNE_WEAK] and count < rules[space, PROVEN_WEAK]
    if found < 0.0 or gone:
        return 0.0, np.int32(0), 0.0
    return weight, np.int32(count), 1.0 if weight > 0.0 else 0.0


@step
def _carry(
    m: int, last: int, by_slope: float, by_feature: float, features: Any, into: Any, slopes: Any
) -> None:
    """Shares of the derivative after the last event and of its half-life's features."""
    for p in range(features.shape[1]):
        into[m, p] = by_slope * slopes[last, p] + by_feature * features[last, p]


@step
def _keep(m: int, weight: float, count: int, before: float, out: Tangents) -> None:
    out.weight[m] = weight
    out.reinforcements[m] = count
    out.before[m] = before
