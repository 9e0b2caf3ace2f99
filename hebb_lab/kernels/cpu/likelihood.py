"""The likelihood of a point process on the CPU: a table per edge and trace, piece by piece.

No logarithm is taken per event: the rates at the events are multiplied, with their powers of two
counted apart, and one logarithm a trace is taken at the end of an edge. Loops over traces have no
branch and read few arrays, so that the compiler makes several at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.kernels.arrays import GraphArrays, ReplayState
from hebb_lab.kernels.cpu.compile import in_threads, kernel, step
from hebb_lab.kernels.cpu.intrinsics import bits_of_float64, float64_of_bits
from hebb_lab.kernels.cpu.traces.elementary import (
    FRACTION,
    LN2,
    ROUND_BITS,
    logarithm,
    lost,
)
from hebb_lab.kernels.cpu.traces.halving import ONE, ROUND
from hebb_lab.kernels.cpu.traces.pieces import edge_pieces, facts_of
from hebb_lab.kernels.cpu.traces.replay import replay
from hebb_lab.kernels.parameters import NEVER, NONE, TraceArrays

if TYPE_CHECKING:
    from numpy.typing import NDArray

DAY_US = 86_400_000_000.0
TINY = 1e-300
INVERSE, SCALE, STANDS, PROVEN, FLOOR, LIFT, PRUNE, BASE_RATE, GAIN = range(9)
"""Rows of a namespace's rules: INVERSE is 1 / half-life; without decay it is 0, as SCALE, STANDS 1.
"""


class Sums(NamedTuple):
    """What is summed for one edge, [K] float64 each.

    product: of the rates at the events, in [1, 2). power: the powers of 2 that were taken out.
    area: ∫ w dt. born: days from the edge's first event to the trace's first, below 0 if none yet.
    ends: where decay ends, at the floor of a potentiated edge or at pruning. held: the floor that a
    weight reached in this gap, or 0.
    """

    product: Any
    power: Any
    area: Any
    born: Any
    ends: Any
    held: Any


def log_likelihood(
    graph: GraphArrays, traces: TraceArrays, base_rate: NDArray[np.float64],
    gain: NDArray[np.float64], until_us: int,
) -> NDArray[np.float64]:  # fmt: skip
    """The table L[edge, trace] in float64; see Backend.log_likelihood for the formula."""
    gates = np.unique(traces.window_max)
    if len(gates) == 1:  # to put columns in their places takes as long as the rest
        rules = _rules(traces, base_rate, gain)
        return _of_one_gate(graph, traces, rules, int(gates[0]), int(until_us))
    found = np.zeros((len(graph.namespace), len(traces.learning_rate)))
    for gate in gates:
        chosen = np.flatnonzero(traces.window_max == gate)
        parts: dict[str, Any] = {name: part[chosen] for name, part in traces._asdict().items()}
        some = TraceArrays(**parts)
        rules = _rules(some, base_rate[chosen], gain[chosen])
        found[:, chosen] = _of_one_gate(graph, some, rules, int(gate), int(until_us))
    return found


def _of_one_gate(
    graph: GraphArrays, traces: TraceArrays, rules: NDArray[np.float64], gate: int, until_us: int
) -> NDArray[np.float64]:
    """The table for traces that the same windows teach."""
    width, least = len(traces.learning_rate), int(traces.potentiation_count.min())
    found = np.zeros((len(graph.namespace), width))

    def work(first: int, stop: int) -> None:
        piece = facts_of(graph, first, stop)
        state = replay(piece, traces, before=True)
        sums = Sums(*(np.zeros(width) for _ in Sums._fields))
        _likelihoods(piece, rules, gate, least, state, until_us, sums, found[first:stop])

    in_threads(work, edge_pieces(graph, width))
    return found


def _rules(
    p: TraceArrays, base_rate: NDArray[np.float64], gain: NDArray[np.float64]
) -> NDArray[np.float64]:
    """[S, 9, K]: what the integral reads; counts are exact below 2⁵³."""
    spaces = p.default_days.shape[1]
    proven = np.where(p.potentiation_count == NEVER, np.inf, p.potentiation_count)
    decays = p.half_life_mode != NONE
    rows = np.empty((spaces, 9, len(p.learning_rate)))
    for space in range(spaces):
        days = p.default_days[:, space]
        rows[space] = [
            np.where(decays, 1.0 / days, 0.0), np.where(decays, days / LN2, 0.0), ~decays,
            np.where(p.floor_holds[:, space], proven, np.inf), p.floor,
            np.where(p.floor_lifts, np.inf, 0.0), p.prune_below, base_rate, gain,
        ]  # fmt: skip
    return rows


@kernel
def _likelihoods(
    graph: GraphArrays, rules: Any, gate: int, least: int, state: ReplayState, until_us: int,
    sums: Sums, found: Any,
) -> None:  # fmt: skip
    """All edges of a piece; ``least`` reinforcements potentiate under any trace."""
    event_ptr, time, strength, size = graph.event_ptr, graph.time, graph.strength, graph.size
    weight, count, before = state.weight, state.reinforcements, state.before
    product, power, area, born, ends, held = sums
    for edge in range(len(graph.namespace)):
        space, begin, last = graph.namespace[edge], event_ptr[edge], event_ptr[edge] - 1
        _begin(product, power, area, born)
        for m in range(begin, event_ptr[edge + 1]):
            if time[m] >= until_us:
                break
            if size[m] > gate:
                continue
            if last >= begin:
                days, may_hold = (time[m] - time[last]) / DAY_US, last - begin + 1 >= least
                _add_area(rules, space, weight, count, last, days, may_hold, area, ends, held)
            if strength[m] >= 0.0:
                _multiply(rules, space, count, before, m, product, power, born)
                _bear(count, m, (time[m] - time[begin]) / DAY_US, born)
            last = m
        if last >= begin:
            days, may_hold = (until_us - time[last]) / DAY_US, last - begin + 1 >= least
            _add_area(rules, space, weight, count, last, days, may_hold, area, ends, held)
            days = (until_us - time[begin]) / DAY_US
            _conclude(rules, space, days, product, power, area, born, found, edge)


@step
def _begin(product: Any, power: Any, area: Any, born: Any) -> None:
    for k in range(len(area)):
        product[k] = 1.0
    for k in range(len(area)):
        power[k] = 0.0
    for k in range(len(area)):
        area[k] = 0.0
    for k in range(len(area)):
        born[k] = -1.0


@step
def _multiply(
    rules: Any, space: int, count: Any, before: Any, m: int, product: Any, power: Any, born: Any
) -> None:
    """The rate at an event that is not the trace's first times the rates before it."""
    for k in range(len(product)):
        rate = rules[space, BASE_RATE, k] + rules[space, GAIN, k] * before[m, k]
        rate = rate if count[m, k] > 0 else 1.0
        product[k] *= rate if born[k] >= 0.0 else 1.0
    for k in range(len(product)):
        # added to the last bits of ROUND, the bits of the exponent are a float
        power[k] += (
            float64_of_bits(ROUND_BITS + (bits_of_float64(product[k]) >> 52)) - ROUND - 1023.0
        )
    for k in range(len(product)):
        product[k] = float64_of_bits(bits_of_float64(product[k]) & FRACTION | ONE)


@step
def _bear(count: Any, m: int, days: float, born: Any) -> None:
    for k in range(len(born)):
        newborn = days if count[m, k] > 0 else -1.0
        born[k] = newborn if born[k] < 0.0 else born[k]


@step
def _conclude(
    rules: Any, space: int, days: float, product: Any, power: Any, area: Any, born: Any,
    found: Any, edge: int,
) -> None:  # fmt: skip
    for k in range(len(area)):
        logs = logarithm(product[k]) + LN2 * power[k]
        likelihood = logs - rules[space, GAIN, k] * area[k]
        likelihood -= rules[space, BASE_RATE, k] * (days - born[k])
        found[edge, k] = likelihood if born[k] >= 0.0 else 0.0


@step
def _add_area(
    rules: Any, space: int, weight: Any, count: Any, m: int, days: float, may_hold: bool,
    area: Any, ends: Any, held: Any,
) -> None:  # fmt: skip
    """∫ w dt over the days after event m: decay to the floor or to pruning, and what stays.

    Where it ends in time, the weight loses what is above the end, and the floor stands from
    half-life · log2(weight/floor) on. ``may_hold``: whether any trace can have a floor by now.
    """
    for k in range(len(area)):
        floor = min(rules[space, FLOOR, k], max(weight[m, k], rules[space, LIFT, k]))
        ends[k] = floor if count[m, k] >= rules[space, PROVEN, k] else rules[space, PRUNE, k]
    for k in range(len(area)):
        held[k] = weight[m, k] * lost(days * rules[space, INVERSE, k])
    for k in range(len(area)):
        above = weight[m, k] - ends[k]
        area[k] += rules[space, SCALE, k] * min(held[k], max(above, 0.0))
        area[k] += rules[space, STANDS, k] * days * (weight[m, k] if above >= 0.0 else 0.0)
    if not may_hold:
        return
    for k in range(len(area)):
        floor = ends[k] if held[k] > weight[m, k] - ends[k] else 0.0
        floor = floor if count[m, k] >= rules[space, PROVEN, k] else 0.0
        held[k] = floor if count[m, k] > 0 else 0.0
    for k in range(len(area)):
        falls = rules[space, SCALE, k] * max(logarithm(weight[m, k] / max(held[k], TINY)), 0.0)
        area[k] += held[k] * (days - falls)
