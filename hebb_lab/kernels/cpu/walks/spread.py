"""Spreading activation on the CPU, each query in the graph as it was at its own time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import get_num_threads

from hebb_lab.kernels.arrays import Found, GraphArrays, QueryArrays, ReplayState, nothing_found
from hebb_lab.kernels.cpu.compile import in_workers, pieces_of
from hebb_lab.kernels.cpu.walks.readings import Reading, readings_by_gate
from hebb_lab.kernels.cpu.walks.travel import travel
from hebb_lab.kernels.cpu.walks.workspace import (
    HEADS,
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
    """Energy that reaches each node; see Walk.spread."""
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
        travel(begin, end, visits, timeline, facts, plan, passing, queries, space, *found)

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
