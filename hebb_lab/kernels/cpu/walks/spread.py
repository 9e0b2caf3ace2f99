"""Spreading activation on the CPU, each query in the graph as it was at its own time."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import get_num_threads

from hebb_lab.kernels.arrays import Found, nothing_found
from hebb_lab.kernels.cpu.compile import ZERO, in_workers, kernel, pieces_of
from hebb_lab.kernels.cpu.walks.pool import Pool, come_to
from hebb_lab.kernels.cpu.walks.travel import travel
from hebb_lab.kernels.cpu.walks.workspace import Workspace, arena_lines, workspace

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.kernels.arrays import GraphArrays, QueryArrays
    from hebb_lab.kernels.cpu.walks.readings import Reading

CACHED = 1 << 19  # bytes of rows that stay in the second cache
ALONE = 1 << 14  # visits that are over before a second thread is awake


class Spreading(NamedTuple):
    """The configurations of one gate, ready to be asked.

    cached: lines of the arena that stay in the second cache: what a moment's only query walks in.
    edges: [N] that walks from each node read at most.
    """

    reading: Reading
    cached: int
    edges: NDArray[np.int64]
    pool: Pool[Workspace]

    def walk(self, queries: QueryArrays, k: int) -> Found:
        """Energy that reaches each node; see Walk.spread."""
        chosen, timeline, facts, plan, passing = self.reading
        found = nothing_found(len(chosen), len(queries.time), k).turned()
        visits, moments, total = expected_visits(self.edges, queries)
        few = moments == len(queries.time)

        def work(space: Workspace, begin: int, end: int) -> None:
            if few:
                space = space._replace(
                    columns=space.columns[: self.cached], lines=space.lines[: self.cached]
                )
            come_to(space, queries.time[begin], 2 * visits[begin] > len(space.present))
            travel(begin, end, visits, timeline, facts, plan, passing, queries, space, *found)

        little = total * len(chosen) < ALONE
        size = len(queries.time) if little else piece_size(len(queries.time))
        pieces = pieces_of(len(queries.time), max(size, 1))
        in_workers(self.pool.take, work, pieces, self.pool.give_back)
        return found.turned()


def spreading(graph: GraphArrays, reading: Reading, memory_bytes: int) -> Spreading:
    """Make the configurations of one gate ready; a thread may take ``memory_bytes``."""
    configs, nodes, edges = len(reading.chosen), len(graph.row_ptr) - 1, len(graph.namespace)
    lines = arena_lines(graph.row_ptr, configs, memory_bytes)
    make = partial(
        workspace, nodes, graph.namespace, lines, configs, int(reading.plan.lane_ptr[-1]),
        8 * edges * configs <= memory_bytes,
    )  # fmt: skip
    cached = min(lines, arena_lines(graph.row_ptr, configs, CACHED))
    return Spreading(reading, cached, edges_from(graph, reading.passing.farthest), Pool(make))


def piece_size(queries: int) -> int:
    """Queries that a thread takes at a time: a few pieces for each, so that none waits long."""
    return max(16, -(-queries // (8 * get_num_threads())))


def edges_from(graph: GraphArrays, hops: int) -> NDArray[np.int64]:
    """[N] edges that two hops (or one) from each node read at most, from sums of degrees."""
    degree = np.diff(graph.row_ptr)
    edges = degree.copy()
    if hops > 1 and len(graph.col):
        sums = np.concatenate([[0], np.cumsum(degree[graph.col])])
        edges += sums[graph.row_ptr[1:]] - sums[graph.row_ptr[:-1]]
    return edges


def expected_visits(
    edges: NDArray[np.int64], queries: QueryArrays
) -> tuple[NDArray[np.int64], int, int]:
    """([Q] edges that all queries of each query's moment read at most, moments, sum over them).

    Known before anything is walked: the sparse engine makes the rows that a walk comes to, the
    dense one all lines first, which pays from about half of the edges on (stack.md §3).
    """
    visits = np.empty(len(queries.time), np.int64)
    return visits, *_visits(queries.time, queries.seed_ptr, queries.seed_ids, edges, visits)


@kernel
def _visits(time: Any, seed_ptr: Any, seed_ids: Any, edges: Any, visits: Any) -> tuple[int, int]:
    """Fill ``visits``; (moments, edges of all moments).

    Compiled: a dozen of NumPy's functions, none of them in the cache after other work, take a
    quarter of a millisecond.
    """
    moments, total, first = ZERO, ZERO, ZERO
    while first < len(time):
        end, count = first, ZERO
        while end < len(time) and time[end] == time[first]:
            for i in range(seed_ptr[end], seed_ptr[end + 1]):
                count += edges[seed_ids[i]]
            end += 1
        for q in range(first, end):
            visits[q] = count
        moments, total, first = moments + 1, total + count, end
    return moments, total
