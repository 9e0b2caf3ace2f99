"""Spreading activation on the CPU, each query in the graph as it was at its own time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit, prange

from hebb_lab.kernels.arrays import GraphArrays, QueryArrays, ReplayState
from hebb_lab.kernels.cpu_decay import decay_table, weight_as_of
from hebb_lab.kernels.cpu_select import best_nodes, keep_best
from hebb_lab.kernels.parameters import ReadArrays, TraceArrays

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHUNK = 512  # queries that one task walks through in time order


class RowCache(NamedTuple):
    """Rows of merged weights as of one time: questions of one moment share them.

    weight: [2E] by adjacency slot. degree, total, stamp: [N]; a row is good for the time that its
    stamp names.
    """

    weight: Any
    degree: Any
    total: Any
    stamp: Any


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
        _spread(graph, state, decay_table(traces), reads, queries, ids, scores, edges)
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
def row_weights(
    c: int, node: int, now: int, last: Any, row: Any,
    graph: GraphArrays, state: ReplayState, table: Any, reads: ReadArrays,
) -> tuple[int, float]:  # fmt: skip
    """Merged weights of a node's edges as of now into ``row``; (distinct neighbours, their sum).

    An edge's weight is averaged over the configuration's traces, times its namespace's read
    weight. A neighbour counts while an edge to it is alive, even at weight 0.
    """
    start, stop = graph.row_ptr[node], graph.row_ptr[node + 1]
    edge_id, namespace, time, strength = graph.edge_id, graph.namespace, graph.time, graph.strength
    row[: stop - start] = -1.0  # dead until an alive trace is found
    for k in range(reads.trace_ptr[c], reads.trace_ptr[c + 1]):
        counts, weights, half_lives = (
            state.reinforcements[k], state.weight[k], state.half_life_days[k],
        )  # fmt: skip
        share = reads.mix[k]
        for slot in range(start, stop):
            edge = edge_id[slot]
            m, space = last[edge], namespace[edge]
            if m < 0 or reads.read_weight[c, space] == 0.0:
                continue
            first = graph.event_ptr[edge]
            while m >= first and counts[m] < 0:
                m -= 1  # the rules skipped this event
            if m < first or counts[m] == 0:
                continue
            active = m
            while active > first and (strength[active] < 0.0 or counts[active] < 0):
                active -= 1
            weight, pruned = weight_as_of(
                table, k, space, weights[m], counts[m],
                half_lives[m] if len(half_lives) else 0.0, time[m], time[active], now,
            )  # fmt: skip
            if not pruned:
                seen = max(row[slot - start], 0.0)
                row[slot - start] = seen + share * weight * reads.read_weight[c, space]
    return _merge(row, graph.col[start:stop])


@njit(cache=True)
def _merge(row: Any, neighbours: Any) -> tuple[int, float]:
    """Count alive neighbours, add their weights, and set dead edges to 0."""
    degree, total, counted = 0, 0.0, -1
    for i in range(len(neighbours)):
        if row[i] >= 0.0 and neighbours[i] != counted:
            degree += 1
            counted = neighbours[i]
        row[i] = max(row[i], 0.0)
        total += row[i]
    return degree, total


@njit(cache=True)
def walk(
    c: int, q: int, last: Any, cache: RowCache, energy: Any, arrived: Any, score: Any, queue: Any,
    graph: GraphArrays, state: ReplayState, table: Any, reads: ReadArrays, queries: QueryArrays,
) -> tuple[int, int]:  # fmt: skip
    """Spread one query; (number of nodes reached, number of pairs read).

    Leaves ``score`` [N] filled. ``queue`` [3, N]: row 0 the nodes with a score, row 1 the frontier,
    row 2 the next one. All buffers come in zeroed and, but for ``score``, leave zeroed.
    """
    now = queries.time[q]
    frontier = _seed(q, energy, queue[1], queries)
    reached, edges = 0, 0
    for _ in range(reads.hops[c]):
        new = 0
        for f in range(frontier):
            node = queue[1, f]
            sent = energy[node] * reads.spread_decay[c]
            energy[node] = 0.0
            start, stop = graph.row_ptr[node], graph.row_ptr[node + 1]
            row = cache.weight[start:stop]
            if cache.stamp[node] != now:
                cache.degree[node], cache.total[node] = row_weights(
                    c, node, now, last, row, graph, state, table, reads
                )
                cache.stamp[node] = now
            degree, total = cache.degree[node], cache.total[node]
            edges += degree
            if degree > reads.hub_degree[c]:
                sent *= np.sqrt(reads.hub_degree[c] / degree)
            if reads.source_row[c] and total > 0.0:
                sent /= total
            new = _send(sent, row, graph.col[start:stop], arrived, queue[2], new)
        for f in range(new):
            node = queue[2, f]
            if score[node] == 0.0:
                queue[0, reached] = node
                reached += 1
            score[node] += arrived[node]
            energy[node], arrived[node] = arrived[node], 0.0
            queue[1, f] = node
        frontier = keep_best(queue[1], energy, new, reads.frontier[c])
    for f in range(frontier):
        energy[queue[1, f]] = 0.0
    return reached, edges


@njit(cache=True)
def _seed(q: int, energy: Any, frontier: Any, queries: QueryArrays) -> int:
    """Give the seeds their energy; the number of nodes in the frontier."""
    count = 0
    for i in range(queries.seed_ptr[q], queries.seed_ptr[q + 1]):
        seed = queries.seed_ids[i]
        if queries.seed_energy[i] > 0.0:
            if energy[seed] == 0.0:
                frontier[count] = seed
                count += 1
            energy[seed] += queries.seed_energy[i]
    return count


@njit(cache=True)
def _send(sent: float, row: Any, neighbours: Any, arrived: Any, reached: Any, count: int) -> int:
    """Send a node's energy along its edges; the number of nodes that anything has reached."""
    for i in range(len(neighbours)):
        gain = sent * row[i]
        if gain > 0.0:  # 0 for a dead edge, and where a product underflows
            target = neighbours[i]
            if arrived[target] == 0.0:
                reached[count] = target
                count += 1
            arrived[target] += gain
    return count


@njit(cache=True, parallel=True)
def _spread(
    graph: GraphArrays, state: ReplayState, table: Any, reads: ReadArrays,
    queries: QueryArrays, ids: Any, scores: Any, edges: Any,
) -> None:  # fmt: skip
    chunks = (len(queries.time) + CHUNK - 1) // CHUNK
    nodes = len(graph.row_ptr) - 1
    for task in prange(len(reads.hops) * chunks):
        c, first = task // chunks, task % chunks * CHUNK
        last = np.full(len(graph.namespace), -1, np.int64)
        cache = RowCache(
            np.zeros(len(graph.col)), np.zeros(nodes, np.int64), np.zeros(nodes),
            np.full(nodes, -1, np.int64),
        )  # fmt: skip
        energy, arrived, score = np.zeros(nodes), np.zeros(nodes), np.zeros(nodes)
        queue = np.zeros((3, nodes), np.int64)
        barred = np.zeros(nodes, np.bool_)
        position = 0
        for q in range(first, min(first + CHUNK, len(queries.time))):
            position = advance(last, position, graph, queries.time[q])
            reached, read = walk(
                c,
                q,
                last,
                cache,
                energy,
                arrived,
                score,
                queue,
                graph,
                state,
                table,
                reads,
                queries,
            )
            edges[c, q] = read
            excluded = queries.exclude_ids[queries.exclude_ptr[q] : queries.exclude_ptr[q + 1]]
            barred[excluded] = True
            best_nodes(queue[0], score, reached, barred, ids[c, q], scores[c, q])
            barred[excluded] = False
            score[queue[0, :reached]] = 0.0
