"""The reference back end, the likelihood of a point process: plain loops in float64."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.kernels.arrays import SKIPPED, GraphArrays, ReplayState
from hebb_lab.kernels.parameters import NONE, TraceArrays
from hebb_lab.kernels.reference.replay import DAY_US, replay

if TYPE_CHECKING:
    from numpy.typing import NDArray


def log_likelihood(
    graph: GraphArrays, traces: TraceArrays, base_rate: NDArray[np.float64],
    gain: NDArray[np.float64], until_us: int,
) -> NDArray[np.float64]:  # fmt: skip
    """The table L[edge, trace]; see Backend.log_likelihood for the formula."""
    state = replay(graph, traces, before=True)
    found = np.zeros((len(graph.namespace), len(traces.learning_rate)))
    for edge, k in np.ndindex(*found.shape):
        mu, beta = float(base_rate[k]), float(gain[k])
        found[edge, k] = _of_edge(k, edge, graph, state, traces, mu, beta, int(until_us))
    return found


def _of_edge(
    k: int, edge: int, graph: GraphArrays, state: ReplayState, p: TraceArrays,
    mu: float, beta: float, until: int,
) -> float:  # fmt: skip
    """Σ ln(μ + β w(tᵢ−)) − μ (T − t₁) − β ∫ w dt of one edge and trace; rates are per day."""
    events = range(int(graph.event_ptr[edge]), int(graph.event_ptr[edge + 1]))
    counted = [m for m in events if graph.time[m] < until and state.reinforcements[m, k] != SKIPPED]
    # a penalty is no event of the process, nor is one that the NPMI gate kept out
    taught = [m for m in counted if graph.strength[m] >= 0 and state.reinforcements[m, k] > 0]
    if not taught:
        return 0.0
    logs = math.fsum(math.log(mu + beta * float(state.before[m, k])) for m in taught[1:])
    ends = [int(graph.time[m]) for m in counted[1:]] + [until]
    area = math.fsum(
        _area(k, edge, m, (end - int(graph.time[m])) / DAY_US, graph, state, p)
        for m, end in zip(counted, ends, strict=True)
    )
    return logs - mu * (until - int(graph.time[taught[0]])) / DAY_US - beta * area


def _area(
    k: int, edge: int, m: int, days: float, graph: GraphArrays, state: ReplayState, p: TraceArrays
) -> float:
    """∫ w dt over the ``days`` after event m: decay to where it ends, and what remains then."""
    space, count = int(graph.namespace[edge]), int(state.reinforcements[m, k])
    weight, half_life = float(state.weight[m, k]), float(p.default_days[k, space])
    if count == 0:
        return 0.0
    if count >= p.potentiation_count[k] and p.floor_holds[k, space]:
        end = float(p.floor[k]) if p.floor_lifts[k] else min(float(p.floor[k]), weight)
        remains = end
    else:
        end, remains = float(p.prune_below[k]), 0.0
        if weight < end:
            return 0.0
    if weight <= end and remains == end:
        return end * days
    if p.half_life_mode[k] == NONE:
        return weight * days
    falls = half_life * math.log2(weight / end) if end > 0 else math.inf  # days until the end
    if days <= falls:
        return -half_life / math.log(2) * weight * math.expm1(-math.log(2) * days / half_life)
    return half_life / math.log(2) * (weight - end) + remains * (days - falls)
