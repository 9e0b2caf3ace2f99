"""The reference back end, replay with derivatives: plain loops in float64 (fitting.md §3.2)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.kernels.arrays import SKIPPED, GraphArrays, Tangents
from hebb_lab.kernels.parameters import LEAST_DAYS, TraceArrays
from hebb_lab.kernels.reference.replay import DAY_US, faded, gain_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def replay_tangents(
    graph: GraphArrays, traces: TraceArrays, half_life_days: Floats, features: Floats
) -> Tangents:
    """One trace's state after each event, with derivatives; see Backend.replay_tangents."""
    events, width = features.shape
    out = Tangents(
        np.zeros(events), np.full(events, SKIPPED, np.int32), np.zeros(events),
        np.zeros((events, width)), np.zeros((events, width)),
    )  # fmt: skip
    days = np.maximum(half_life_days, LEAST_DAYS)
    for edge in range(len(graph.namespace)):
        _replay_edge(edge, graph, traces, days, features, out)
    return out


def _replay_edge(
    edge: int, graph: GraphArrays, p: TraceArrays, half_life: Floats, features: Floats,
    out: Tangents,
) -> None:  # fmt: skip
    space, nothing = int(graph.namespace[edge]), np.zeros(features.shape[1])
    alive, weight, slope, count, last = False, 0.0, nothing, 0, -1
    for m in range(int(graph.event_ptr[edge]), int(graph.event_ptr[edge + 1])):
        strength = float(graph.strength[m])
        if graph.size[m] > p.window_max[0]:
            continue
        if alive:
            age = (int(graph.time[m]) - int(graph.time[last])) / DAY_US / float(half_life[last])
            found, pruned = faded(0, space, weight, count, age, p)
            alive = not pruned
            if alive:
                found_slope = _faded_slope(space, weight, slope, count, age, features[last], p)
                out.before[m], out.before_tangent[m] = found, found_slope
                if p.decay_before[0] or strength < 0:
                    weight, slope = found, found_slope
        if not alive:
            if strength < 0 or graph.npmi[m] < p.npmi_min[0]:
                out.reinforcements[m] = 0
                continue
            alive, weight, slope, count = True, 0.0, nothing, 0
        last = m
        if strength < 0:
            left = weight - min(-strength, 1.0)
            weight, slope = (left, slope) if left > 0 else (0.0, nothing)
            weak = p.prune_below[0] > 0 and weight <= p.prune_below[0]
            alive = not weak or bool(count >= p.potentiation_count[0])
        else:
            grown, cap = weight + gain_of(0, m, graph, p), float(p.weight_cap[0])
            weight, slope = (grown, slope) if grown < cap else (cap, nothing)
            count += 1
        out.reinforcements[m] = count if alive else 0
        if alive:
            out.weight[m], out.weight_tangent[m] = weight, slope


def _faded_slope(
    space: int, weight: float, slope: Floats, count: int, age: float, feature: Floats,
    p: TraceArrays,
) -> Floats:  # fmt: skip
    """The derivative of the weight after ``age`` half-lives that do not prune the edge."""
    decayed = weight * 2.0**-age
    if count >= p.potentiation_count[0] and p.floor_holds[0, space]:
        floor, lifts = float(p.floor[0]), bool(p.floor_lifts[0])
        if weight < floor and not lifts:
            return slope  # the weight stands: its floor is itself
        if decayed <= floor:
            return np.zeros_like(slope)
    return 2.0**-age * slope + decayed * math.log(2.0) * age * feature
