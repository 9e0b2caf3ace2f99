"""Personalised PageRank on the CPU, each query in the graph as it was at its own time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit, prange

from hebb_lab.kernels.arrays import GraphArrays, QueryArrays, ReplayState
from hebb_lab.kernels.cpu_decay import decay_table
from hebb_lab.kernels.cpu_select import best_nodes
from hebb_lab.kernels.cpu_spread import CHUNK, advance, row_weights
from hebb_lab.kernels.parameters import ReadArrays, TraceArrays

if TYPE_CHECKING:
    from numpy.typing import NDArray


def personalised_pagerank(
    graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays,
    queries: QueryArrays, k: int, restart: float = 0.15, tolerance: float = 1e-6,
) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.int64]]:  # fmt: skip
    """Random walk with restart at the seeds; the best k by (probability, id), both descending.

    p = restart · s + (1 − restart) · Wᵀ p, s the seeds' energies summing to 1, W the merged weights
    with rows summing to 1; a node without edges sends its walker home. Solved by forward push
    (Andersen, Chung, Lang 2006) until no residual exceeds ``tolerance``; p is then below the exact
    one by at most the residuals' sum.

    Returns:
        ids [C, Q, k] int32, scores [C, Q, k] float32, edges [C, Q] int64 read.
    """
    shape = (len(reads.hops), len(queries.time))
    ids = np.full((*shape, k), -1, np.int32)
    scores = np.full((*shape, k), -np.inf, np.float32)
    edges = np.zeros(shape, np.int64)
    if shape[1]:
        table = decay_table(traces)
        _pagerank(graph, state, table, reads, queries, restart, tolerance, ids, scores, edges)
    return ids, scores, edges


@njit(cache=True, parallel=True)
def _pagerank(
    graph: GraphArrays, state: ReplayState, table: Any, reads: ReadArrays,
    queries: QueryArrays, restart: float, tolerance: float, ids: Any, scores: Any, edges: Any,
) -> None:  # fmt: skip
    chunks = (len(queries.time) + CHUNK - 1) // CHUNK
    nodes = len(graph.row_ptr) - 1
    for task in prange(len(reads.hops) * chunks):
        c, first = task // chunks, task % chunks * CHUNK
        last = np.full(len(graph.namespace), -1, np.int64)
        # rows as of the stamp's time: shares of alive neighbours, packed at the row's start
        share, neighbour = np.zeros(len(graph.col)), np.zeros(len(graph.col), np.int32)
        alive, stamp = np.zeros(nodes, np.int64), np.full(nodes, -1, np.int64)
        rank, residual = np.zeros(nodes), np.zeros(nodes)
        queue = np.zeros(nodes + 1, np.int64)
        queued, barred = np.zeros(nodes, np.bool_), np.zeros(nodes, np.bool_)
        everyone = np.arange(nodes)
        position = 0
        for q in range(first, min(first + CHUNK, len(queries.time))):
            position = advance(last, position, graph, queries.time[q])
            rank[:], residual[:] = 0.0, 0.0
            edges[c, q] = _push(
                c, q, last, share, neighbour, alive, stamp, rank, residual, queue, queued, restart,
                tolerance, graph, state, table, reads, queries,
            )  # fmt: skip
            excluded = queries.exclude_ids[queries.exclude_ptr[q] : queries.exclude_ptr[q + 1]]
            barred[excluded] = True
            best_nodes(everyone, rank, nodes, barred, ids[c, q], scores[c, q])
            barred[excluded] = False


@njit(cache=True)
def _push(
    c: int, q: int, last: Any, share: Any, neighbour: Any, alive: Any, stamp: Any, rank: Any,
    residual: Any, queue: Any, queued: Any, restart: float, tolerance: float,
    graph: GraphArrays, state: ReplayState, table: Any, reads: ReadArrays, queries: QueryArrays,
) -> int:  # fmt: skip
    """Push residuals, oldest first, until none exceeds the tolerance; pairs read."""
    now, edges = queries.time[q], 0
    home = queries.seed_ids[queries.seed_ptr[q] : queries.seed_ptr[q + 1]]
    mine = queries.seed_energy[queries.seed_ptr[q] : queries.seed_ptr[q + 1]].astype(np.float64)
    mine /= max(mine.sum(), 1e-300)
    head, tail = 0, _spread_mass(1.0, mine, home, residual, queue, queued, 0, 0.0)
    while head != tail:
        node = queue[head]
        head = head + 1 if head + 1 < len(queue) else 0
        queued[node] = False
        mass, residual[node] = residual[node], 0.0
        rank[node] += restart * mass
        start, stop = graph.row_ptr[node], graph.row_ptr[node + 1]
        if stamp[node] != now:
            row = share[start:stop]
            degree, total = row_weights(c, node, now, last, row, graph, state, table, reads)
            alive[node] = _pack(row, neighbour[start:stop], graph.col[start:stop], total)
            stamp[node] = now
            edges += degree
        sent = (1.0 - restart) * mass
        if alive[node] > 0:
            stop = start + alive[node]
            tail = _spread_mass(
                sent, share[start:stop], neighbour[start:stop], residual, queue, queued, tail,
                tolerance,
            )  # fmt: skip
        else:
            tail = _spread_mass(sent, mine, home, residual, queue, queued, tail, tolerance)
    return edges


@njit(cache=True)
def _pack(row: Any, packed: Any, neighbours: Any, total: float) -> int:
    """Move the shares of neighbours with a weight to the front; their number."""
    count = 0
    for i in range(len(neighbours)):
        if row[i] > 0.0:
            row[count], packed[count] = row[i] / total, neighbours[i]
            count += 1
    return count


@njit(cache=True)
def _spread_mass(
    sent: float, shares: Any, targets: Any, residual: Any, queue: Any, queued: Any,
    tail: int, tolerance: float,
) -> int:  # fmt: skip
    """Add to residuals; queue what exceeds the tolerance; the queue's new end."""
    for i in range(len(targets)):
        target = targets[i]
        residual[target] += sent * shares[i]
        if residual[target] > tolerance and not queued[target]:
            queued[target], queue[tail] = True, target
            tail = tail + 1 if tail + 1 < len(queue) else 0
    return tail
