"""Replay on the CPU: every edge's weight after each of its events, for all traces at once.

Sequential in an edge's events, parallel over edges and over the lanes of a run (fitting.md,
findings 1-3). Pruning with the reset of the count is exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.kernels.arrays import SKIPPED, GraphArrays, ReplayState
from hebb_lab.kernels.cpu.compile import ZERO, in_threads, kernel, once, pieces_of
from hebb_lab.kernels.cpu.traces.fade import fade, fade_plainly, is_plain
from hebb_lab.kernels.cpu.traces.grow import (
    add,
    count_up,
    one_more_pass,
    store_half_lives,
    weaken,
)
from hebb_lab.kernels.cpu.traces.lanes import (
    COMPOUNDING,
    DAY_US,
    FIRST,
    GATE,
    MODE,
    STOP,
    lanes_of,
)
from hebb_lab.kernels.parameters import LEARNED_OBSERVED

if TYPE_CHECKING:
    from hebb_lab.kernels.backend import Precision
    from hebb_lab.kernels.parameters import TraceArrays

PIECE = 2048  # edges that one thread replays at a time


class Now(NamedTuple):
    """The state of one edge, one column a trace: weight, count, half-life, birth; what it found.

    weight, half_life: [1, K] float64; count: [1, K] int32; born: [K] int64; found: [K] float64.
    """

    weight: Any
    count: Any
    half_life: Any
    born: Any
    found: Any


def replay(
    graph: GraphArrays, traces: TraceArrays, before: bool, into: ReplayState | None = None,
    precision: Precision = "float64",
) -> ReplayState:  # fmt: skip
    """All weights after each event. Deterministic: edges do not interact."""
    lanes, width = lanes_of(traces), len(traces.learning_rate)
    state = into or _memory(len(graph.time), traces, before, precision)
    state.half_life_days.fill(0.0)  # where an event is kept out, nothing is written
    state.before.fill(0.0)
    graph = GraphArrays(*graph)  # one type for the compiler

    def work(first: int, stop: int) -> None:
        now = Now(
            np.zeros((1, width)), np.zeros((1, width), np.int32), np.ones((1, width)),
            np.zeros(width, np.int64), np.zeros(width),
        )  # fmt: skip
        for r in range(len(lanes.runs)):
            _replay(first, stop, graph, lanes.rules, lanes.runs, r, now, state)

    in_threads(work, pieces_of(len(graph.namespace), PIECE))
    return state


def _memory(events: int, traces: TraceArrays, before: bool, precision: Precision) -> ReplayState:
    """Arrays for a state, not written yet."""
    width = len(traces.learning_rate)
    learned = bool((traces.half_life_mode == LEARNED_OBSERVED).any())
    return ReplayState(
        np.empty((events, width), precision), np.empty((events, width), np.int32),
        np.empty((events * learned, width), precision),
        np.empty((events * before, width), precision),
    )  # fmt: skip


@kernel
def _replay(
    first: int, stop: int, graph: GraphArrays, rules: Any, runs: Any, r: int, now: Now,
    out: ReplayState,
) -> None:  # fmt: skip
    """Edges [first, stop) under the traces of one run, which share the events that teach."""
    event_ptr, time, strength, size = graph.event_ptr, graph.time, graph.strength, graph.size
    for edge in range(first, stop):
        space = np.int64(graph.namespace[edge])
        _forget(runs, r, now.weight, now.count)
        if event_ptr[edge] == event_ptr[edge + 1]:
            continue
        state_us = active_us = time[event_ptr[edge]]
        for m in range(event_ptr[edge], event_ptr[edge + 1]):
            if size[m] > runs[r, GATE]:
                _keep_out(m, runs, r, out.weight, out.reinforcements)
                continue
            _find(time[m], state_us, active_us, rules, space, runs, r, now)
            if len(out.before) > 0:
                _keep_found(m, runs, r, now.found, out.before)
            if strength[m] < 0.0:
                by = min(-strength[m], 1.0)
                weaken(rules, space, runs, r, by, now.weight, now.count, now.found)
            else:
                _reinforce(m, active_us, graph, rules, space, runs, r, now)
                active_us = time[m]
            state_us = time[m]
            _keep(m, runs, r, now.weight, now.count, out.weight, out.reinforcements)
            if len(out.half_life_days) > 0:
                _keep_half_lives(m, runs, r, now.half_life, out.half_life_days)


@once
def _find(
    at: int, state_us: int, active_us: int, rules: Any, space: int, runs: Any, r: int, now: Now
) -> None:
    """What the event finds: the weights as they have faded until then."""
    first = runs[r, FIRST]
    if is_plain(runs, r):
        days = (at - state_us) / DAY_US
        fade_plainly(rules, space, runs, r, now.weight, now.count, ZERO, days, now.found, first)
    else:
        fade(
            rules, space, runs, r, now.weight, now.count, now.half_life, ZERO, state_us, active_us,
            at, now.found, first,
        )  # fmt: skip


@once
def _reinforce(
    m: int, active_us: int, graph: GraphArrays, rules: Any, space: int, runs: Any, r: int, now: Now
) -> None:
    """One reinforcement: what the weights gain, and what goes with it."""
    at, size, strength, npmi = graph.time[m], graph.size[m], graph.strength[m], graph.npmi[m]
    if runs[r, COMPOUNDING] != 0:
        days = (at - active_us) / DAY_US
        one_more_pass(rules, space, runs, r, days, now.count, now.half_life, now.found)
    add(rules, space, runs, r, size, strength, npmi, now.weight, now.found)
    count_up(rules, space, runs, r, npmi, now.count, now.found)
    if runs[r, MODE] == LEARNED_OBSERVED:
        store_half_lives(rules, space, runs, r, at, now.count, now.half_life, now.born, now.found)


@once
def _forget(runs: Any, r: int, weight: Any, count: Any) -> None:
    first = max(runs[r, FIRST], 0)
    for i in range(runs[r, STOP] - first):
        k = first + i
        weight[0, k] = 0.0
        count[0, k] = 0


@once
def _keep_out(m: int, runs: Any, r: int, out_weight: Any, out_count: Any) -> None:
    first = max(runs[r, FIRST], 0)
    for i in range(runs[r, STOP] - first):
        k = first + i
        out_weight[m, k] = 0.0
        out_count[m, k] = SKIPPED


@once
def _keep(
    m: int, runs: Any, r: int, weight: Any, count: Any, out_weight: Any, out_count: Any
) -> None:
    first = max(runs[r, FIRST], 0)
    for i in range(runs[r, STOP] - first):
        k = first + i
        out_weight[m, k] = weight[0, k]
    for i in range(runs[r, STOP] - first):
        k = first + i
        out_count[m, k] = count[0, k]


@once
def _keep_found(m: int, runs: Any, r: int, found: Any, out_before: Any) -> None:
    first = max(runs[r, FIRST], 0)
    for i in range(runs[r, STOP] - first):
        k = first + i
        out_before[m, k] = max(found[k], 0.0)


@once
def _keep_half_lives(m: int, runs: Any, r: int, half_life: Any, out_half_life: Any) -> None:
    first = max(runs[r, FIRST], 0)
    for i in range(runs[r, STOP] - first):
        k = first + i
        out_half_life[m, k] = half_life[0, k]
