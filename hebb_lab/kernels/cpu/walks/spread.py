"""Spreading activation on the CPU, each query in the graph as it was at its own time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads

from hebb_lab.kernels.arrays import Found, GraphArrays, QueryArrays, ReplayState, nothing_found
from hebb_lab.kernels.cpu.compile import ZERO, in_workers, kernel, part, pieces_of, step
from hebb_lab.kernels.cpu.walks.carry import answer, send, send_last, set_off, set_out, settle
from hebb_lab.kernels.cpu.walks.readings import (
    Facts,
    Passing,
    Plan,
    Reading,
    Timeline,
    readings_by_gate,
)
from hebb_lab.kernels.cpu.walks.rows import advance, fill_edges, fill_rows
from hebb_lab.kernels.cpu.walks.thin import thin_edges, thin_rows
from hebb_lab.kernels.cpu.walks.workspace import (
    EPOCH,
    HEADS,
    NOW,
    SEEN,
    USED,
    WHOLE,
    Workspace,
    arena_lines,
    configurations_at_once,
    workspace,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.kernels.parameters import ReadArrays, TraceArrays

CACHED = 1 << 19  # bytes of rows that stay in the second cache
ALONE = 1 << 17  # visits that are over before a second thread has started


def spread(
    graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays,
    queries: QueryArrays, k: int, memory_bytes: int,
) -> Found:  # fmt: skip
    """Energy that reaches each node; see Backend.spread."""
    found = nothing_found(len(reads.hops), len(queries.time), k)
    nodes, slots = len(graph.row_ptr) - 1, len(graph.col)
    share = memory_bytes // get_num_threads()
    lines = slots + HEADS * nodes + len(graph.time)  # the last: weights that say how they stand
    most = configurations_at_once(nodes, lines, len(reads.hops), share)
    for first in range(0, len(reads.hops), most):
        some = np.arange(first, min(first + most, len(reads.hops)))
        for reading in readings_by_gate(graph, state, traces, reads.some(some.tolist())):
            part = _spread_alike(graph, reading, queries, k, share // 2)
            for name in Found._fields:
                getattr(found, name)[some[reading.chosen]] = getattr(part, name)
    return found


def _spread_alike(
    graph: GraphArrays, reading: Reading, queries: QueryArrays, k: int, memory_bytes: int
) -> Found:
    """The configurations of one gate."""
    configs, nodes, edges = len(reading.chosen), len(graph.row_ptr) - 1, len(graph.namespace)
    shared = len(np.unique(queries.time)) < len(queries.time)
    lines = arena_lines(graph.row_ptr, configs, memory_bytes if shared else CACHED)
    fits = 8 * edges * configs <= memory_bytes
    visits = expected_visits(graph, queries, reading.passing.farthest)
    found = nothing_found(configs, len(queries.time), k)
    _, timeline, facts, plan, passing = reading

    def make() -> Workspace:
        lanes = int(plan.lane_ptr[-1])
        return workspace(nodes, graph.namespace, lines, configs, lanes, fits)

    def work(space: Workspace, begin: int, end: int) -> None:
        _spread(begin, end, visits, timeline, facts, plan, passing, queries, space, *found)

    first_of_moment = np.diff(queries.time, prepend=-1) != 0
    little = int(visits[first_of_moment].sum()) * configs < ALONE
    size = len(queries.time) if little else piece_size(len(queries.time))
    in_workers(make, work, pieces_of(len(queries.time), max(size, 1)))
    return found


def piece_size(queries: int) -> int:
    """Queries that a thread takes at a time: a few pieces for each, so that none waits long."""
    return max(16, -(-queries // (8 * get_num_threads())))


def expected_visits(graph: GraphArrays, queries: QueryArrays, hops: int) -> NDArray[np.int64]:
    """[Q] edges that two hops (or one) at most read for all queries of each query's moment.

    From sums of degrees, before anything is walked: the sparse engine makes the rows that a walk
    comes to, the dense one all lines first, which pays from about half of the edges on
    (stack.md §3).
    """
    degree = np.diff(graph.row_ptr)
    per_node = degree.copy()
    if hops > 1 and len(graph.col):
        sums = np.concatenate([[0], np.cumsum(degree[graph.col])])
        per_node += sums[graph.row_ptr[1:]] - sums[graph.row_ptr[:-1]]
    own = np.concatenate([[0], np.cumsum(per_node[queries.seed_ids])])
    each = own[queries.seed_ptr[1:]] - own[queries.seed_ptr[:-1]]
    _, moment = np.unique(queries.time, return_inverse=True)
    total = np.bincount(moment, each, minlength=1).astype(np.int64)
    return total[moment] if len(moment) else np.zeros(0, np.int64)


@kernel
def _spread(
    begin: int, end: int, visits: Any, timeline: Timeline, facts: Facts, plan: Plan,
    passing: Passing, queries: QueryArrays, space: Workspace, ids: Any, scores: Any, edges: Any,
) -> None:  # fmt: skip
    for q in range(begin, end):
        now = queries.time[q]
        if now != space.clock[NOW]:
            begin_moment(now, visits[q], timeline, facts, plan, space)
        count = set_out(q, queries, space)
        reached = count
        for hop in range(passing.farthest):
            reached, count = _walk_on(
                hop, count, reached, now, facts, plan, passing, space, edges, q
            )
        answer(q, reached, queries, space, ids, scores)


@step
def begin_moment(
    now: int, visits: int, timeline: Timeline, facts: Facts, plan: Plan, space: Workspace
) -> None:
    """Let the events before ``now`` happen; no row is made yet, or all lines are."""
    clock = space.clock
    clock[SEEN] = advance(space.present, clock[SEEN], timeline, now)
    clock[EPOCH] += 1
    clock[USED], clock[WHOLE], clock[NOW] = 0, 0, now
    if 2 * visits > len(space.present) and len(space.edge_lines) > 0 and clock[SEEN] > 0:
        if plan.thin:
            thin_edges(now, facts, plan, space)
        else:
            fill_edges(now, facts, plan, space)
        clock[WHOLE] = 1


@part
def _walk_on(
    hop: int, count: int, reached: int, now: int, facts: Facts, plan: Plan, passing: Passing,
    space: Workspace, edges: Any, q: int,
) -> tuple[int, int]:  # fmt: skip
    """One hop of one query; (nodes reached, nodes of the new frontier)."""
    clock, lines, energy, side = space.clock, space.lines, space.energy, hop % 2
    done, arrived = ZERO, ZERO
    while done < count:
        if plan.thin:
            upto, clock[USED] = thin_rows(done, count, now, facts, plan, space)
        else:
            upto, clock[USED] = fill_rows(done, count, now, facts, plan, space)
        for f in range(done, upto):
            place = space.frontier[f]
            at = space.row_at[space.nodes[place]]
            size = space.row_size[space.nodes[place]]
            set_off(place, lines, at, hop, side, energy, passing, space.sent, edges, q)
            if hop == passing.farthest - 1:
                reached = send_last(
                    at + HEADS, size, space.sent, space.columns, lines, space.local, space.nodes,
                    space.score, reached,
                )  # fmt: skip
            else:
                reached, arrived = send(
                    at + HEADS, size, 1 - side, space.sent, space.columns, lines, space.local,
                    space.nodes, energy, space.score, space.waiting, space.following, reached,
                    arrived,
                )  # fmt: skip
        if upto < count:
            clock[EPOCH] += 1
            clock[USED] = 0
        done = upto
    settle(hop, arrived, passing, space)
    return reached, arrived
