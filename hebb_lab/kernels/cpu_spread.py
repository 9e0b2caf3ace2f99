"""Spreading activation on the CPU, each query in the graph as it was at its own time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit, prange

from hebb_lab.kernels.arrays import GraphArrays, QueryArrays, ReplayState
from hebb_lab.kernels.cpu_replay import weight_as_of
from hebb_lab.kernels.cpu_select import best_nodes, keep_best
from hebb_lab.kernels.parameters import ReadArrays, TraceArrays

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHUNK = 512  # queries that one task walks through in time order


def spread(
    graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays,
    queries: QueryArrays, k: int,
) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.int64]]:  # fmt: skip
    """Energy that reaches each node; the best k by (score as float32, id), both descending.

    energy(v) = Σ over hops and senders u: energy(u) · w(u, v, t) · spread_decay · hub(u) / sum(u),
    w merged over namespaces and traces as of the query's time; hub(u) = √(hub_degree/degree)
    above hub_degree; sum(u) the sender's total weight, or 1. No visited set: energy walks back.

    Returns:
        ids [C, Q, k] int32 (−1 past the end), scores [C, Q, k] float32, edges [C, Q] int64: how
        many pairs had a weight where energy passed.
    """
    shape = (len(reads.hops), len(queries.time))
    ids = np.full((*shape, k), -1, np.int32)
    scores = np.full((*shape, k), -np.inf, np.float32)
    edges = np.zeros(shape, np.int64)
    if shape[1]:
        _spread(graph, state, traces, reads, queries, ids, scores, edges)
    return ids, scores, edges


@njit(cache=True)
def advance(last: Any, position: int, graph: GraphArrays, now: int) -> int:
    """Move ``last`` [E], the newest event of each edge, to strictly before now."""
    while position < len(graph.by_time) and graph.time[graph.by_time[position]] < now:
        event = graph.by_time[position]
        last[graph.edge_of[event]] = event
        position += 1
    return position


@njit(cache=True)
def merged_weight(
    c: int, edge: int, event: int, now: int,
    graph: GraphArrays, state: ReplayState, p: TraceArrays, reads: ReadArrays,
) -> float:  # fmt: skip
    """Weight of one edge as of now, averaged over traces, times the namespace's read weight."""
    space = graph.namespace[edge]
    total = 0.0
    for k in range(reads.trace_ptr[c], reads.trace_ptr[c + 1]):
        m = event
        start = graph.event_ptr[edge]
        while m >= start and state.reinforcements[k, m] < 0:
            m -= 1  # the rules skipped this event
        if m < start:
            continue
        active = m
        while active > start and (
            graph.strength[active] < 0.0 or state.reinforcements[k, active] < 0
        ):
            active -= 1
        half_life = state.half_life_days[k, m] if state.half_life_days.shape[1] else 0.0
        weight, pruned = weight_as_of(
            k, space, state.weight[k, m], state.reinforcements[k, m], half_life,
            graph.time[m], graph.time[active], now, p,
        )  # fmt: skip
        if not pruned:
            total += reads.mix[k] * weight
    return total * reads.read_weight[c, space]


@njit(cache=True)
def row_weights(
    c: int, node: int, now: int, last: Any, row: Any,
    graph: GraphArrays, state: ReplayState, p: TraceArrays, reads: ReadArrays,
) -> tuple[int, float]:  # fmt: skip
    """Weights of a node's edges into ``row``; (number of distinct neighbours, their sum)."""
    start, stop = graph.row_ptr[node], graph.row_ptr[node + 1]
    degree, total, counted = 0, 0.0, -1
    for slot in range(start, stop):
        edge = graph.edge_id[slot]
        event = last[edge]
        weight = 0.0
        if event >= 0:
            weight = merged_weight(c, edge, event, now, graph, state, p, reads)
        row[slot - start] = weight
        total += weight
        if weight > 0.0 and graph.col[slot] != counted:
            degree += 1
            counted = graph.col[slot]
    return degree, total


@njit(cache=True)
def walk(
    c: int, q: int, last: Any, row: Any, energy: Any, arrived: Any, score: Any, queue: Any,
    graph: GraphArrays, state: ReplayState, p: TraceArrays, reads: ReadArrays, queries: QueryArrays,
) -> tuple[int, int]:  # fmt: skip
    """Spread one query; (number of nodes reached, number of pairs read).

    Leaves ``score`` [N] filled. ``queue`` [3, N]: row 0 the nodes with a score, row 1 the frontier,
    row 2 the next one. All buffers come in zeroed and, but for ``score``, leave zeroed.
    """
    now = queries.time[q]
    frontier = 0
    for i in range(queries.seed_ptr[q], queries.seed_ptr[q + 1]):
        seed = queries.seed_ids[i]
        if not queries.seed_energy[i] > 0.0:
            continue
        if energy[seed] == 0.0:
            queue[1, frontier] = seed
            frontier += 1
        energy[seed] += queries.seed_energy[i]
    reached, edges = 0, 0
    for _ in range(reads.hops[c]):
        new = 0
        for f in range(frontier):
            node = queue[1, f]
            sent = energy[node] * reads.spread_decay[c]
            energy[node] = 0.0
            if sent <= 0.0:
                continue
            degree, total = row_weights(c, node, now, last, row, graph, state, p, reads)
            if degree > reads.hub_degree[c]:
                sent *= np.sqrt(reads.hub_degree[c] / degree)
            if reads.source_row[c] and total > 0.0:
                sent /= total
            start = graph.row_ptr[node]
            edges += degree
            for slot in range(start, graph.row_ptr[node + 1]):
                gain = sent * row[slot - start]
                if gain > 0.0:  # 0 for a dead edge, and where a product underflows
                    target = graph.col[slot]
                    if arrived[target] == 0.0:
                        queue[2, new] = target
                        new += 1
                    arrived[target] += gain
        for f in range(new):
            node = queue[2, f]
            if score[node] == 0.0 and arrived[node] > 0.0:
                queue[0, reached] = node
                reached += 1
            score[node] += arrived[node]
            energy[node], arrived[node] = arrived[node], 0.0
            queue[1, f] = node
        frontier = keep_best(queue[1], energy, new, reads.frontier[c])
    for f in range(frontier):
        energy[queue[1, f]] = 0.0
    return reached, edges


@njit(cache=True, parallel=True)
def _spread(
    graph: GraphArrays, state: ReplayState, p: TraceArrays, reads: ReadArrays,
    queries: QueryArrays, ids: Any, scores: Any, edges: Any,
) -> None:  # fmt: skip
    chunks = (len(queries.time) + CHUNK - 1) // CHUNK
    nodes = len(graph.row_ptr) - 1
    widest = np.max(np.diff(graph.row_ptr)) if nodes else 0
    for task in prange(len(reads.hops) * chunks):
        c, first = task // chunks, task % chunks * CHUNK
        last = np.full(len(graph.namespace), -1, np.int64)
        row = np.zeros(widest)
        energy, arrived, score = np.zeros(nodes), np.zeros(nodes), np.zeros(nodes)
        queue = np.zeros((3, nodes), np.int64)
        barred = np.zeros(nodes, np.bool_)
        position = 0
        for q in range(first, min(first + CHUNK, len(queries.time))):
            position = advance(last, position, graph, queries.time[q])
            reached, read = walk(
                c, q, last, row, energy, arrived, score, queue, graph, state, p, reads, queries
            )
            edges[c, q] = read
            excluded = queries.exclude_ids[queries.exclude_ptr[q] : queries.exclude_ptr[q + 1]]
            barred[excluded] = True
            best_nodes(queue[0], score, reached, barred, ids[c, q], scores[c, q])
            barred[excluded] = False
            score[queue[0, :reached]] = 0.0
