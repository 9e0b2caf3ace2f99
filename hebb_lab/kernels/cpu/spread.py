"""Spreading activation on the CPU, each query in the graph as it was at its own time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.kernels.arrays import Found, GraphArrays, QueryArrays, ReplayState
from hebb_lab.kernels.cpu.compile import ZERO, in_threads, kernel, part, pieces_of
from hebb_lab.kernels.cpu.decay import rule_table, weight_as_of
from hebb_lab.kernels.cpu.select import best_nodes, keep_best, set_all
from hebb_lab.kernels.parameters import ReadArrays, Reading, TraceArrays, readings_of

if TYPE_CHECKING:
    pass

CHUNK = 512  # queries that one task walks through in time order


class Scratch(NamedTuple):
    """What one task works in.

    last: [E] the newest event of each edge before the query's time.
    weight [2E], degree, total [N]: rows of merged weights, good for the time in stamp [N]:
    queries of one moment share them.
    energy, arrived, score: [N], all 0 between queries.
    queue: [3, N] nodes: with a score, in the frontier, in the next one.
    barred: [N] no answers of this query.
    """

    last: Any
    weight: Any
    degree: Any
    total: Any
    stamp: Any
    energy: Any
    arrived: Any
    score: Any
    queue: Any
    barred: Any


def _scratch(graph: GraphArrays) -> Scratch:
    nodes, edges = len(graph.row_ptr) - 1, len(graph.namespace)
    return Scratch(
        last=np.full(edges, -1, np.int64),
        weight=np.zeros(len(graph.col)),
        degree=np.zeros(nodes, np.int64),
        total=np.zeros(nodes),
        stamp=np.full(nodes, -1, np.int64),
        energy=np.zeros(nodes),
        arrived=np.zeros(nodes),
        score=np.zeros(nodes),
        queue=np.zeros((3, nodes), np.int64),
        barred=np.zeros(nodes, np.bool_),
    )


def spread(
    graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays,
    queries: QueryArrays, k: int, memory_bytes: int = 0,
) -> Found:  # fmt: skip
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
    table, readings = rule_table(traces), readings_of(reads)

    def work(first: int, stop: int) -> None:
        for c in range(shape[0]):
            _spread(
                first, stop, _scratch(graph), graph, state, table, readings[c], queries,
                ids[c], scores[c], edges[c],
            )  # fmt: skip

    in_threads(work, pieces_of(shape[1], CHUNK))
    return Found(ids, scores, edges)


@part
def advance(last: Any, position: int, graph: GraphArrays, now: int) -> int:
    """Move ``last`` [E], the newest event of each edge, to strictly before now."""
    while position < len(graph.by_time) and graph.time[graph.by_time[position]] < now:
        event = graph.by_time[position]
        last[graph.edge_of[event]] = event
        position += 1
    return position


@part
def row_weights(
    node: int, now: int, last: Any, row: Any,
    graph: GraphArrays, state: ReplayState, table: Any, reads: Reading,
) -> tuple[int, float]:  # fmt: skip
    """Merged weights of a node's edges as of now into ``row``; (distinct neighbours, their sum).

    An edge's weight is averaged over the configuration's traces, times its namespace's read
    weight. A neighbour counts while an edge to it is alive, even at weight 0.
    """
    start, stop = graph.row_ptr[node], graph.row_ptr[node + 1]
    edge_id, namespace, time, strength = graph.edge_id, graph.namespace, graph.time, graph.strength
    row[: stop - start] = -1.0  # dead until an alive trace is found
    for k in range(reads.first_trace, reads.stop_trace):
        counts, weights, half_lives = (
            state.reinforcements[:, k], state.weight[:, k], state.half_life_days[:, k],
        )  # fmt: skip
        share = reads.mix[k]
        for slot in range(start, stop):
            edge = edge_id[slot]
            m, space = last[edge], namespace[edge]
            if m < 0 or reads.read_weight[space] == 0.0:
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
                table, k, space, weights[m], np.int64(counts[m]),
                half_lives[m] if len(half_lives) else 0.0, time[m], time[active], now,
            )  # fmt: skip
            if not pruned:
                seen = max(row[slot - start], 0.0)
                row[slot - start] = seen + share * weight * reads.read_weight[space]
    return _merge(row, graph.col[start:stop])


@part
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


@part
def walk(
    q: int, scratch: Scratch,
    graph: GraphArrays, state: ReplayState, table: Any, reads: Reading, queries: QueryArrays,
) -> tuple[int, int]:  # fmt: skip
    """Spread one query; (number of nodes reached, number of pairs read).

    Leaves ``score`` [N] filled. ``queue`` [3, N]: row 0 the nodes with a score, row 1 the frontier,
    row 2 the next one. All buffers come in zeroed and, but for ``score``, leave zeroed.
    """
    energy, arrived, score, queue = scratch.energy, scratch.arrived, scratch.score, scratch.queue
    now = queries.time[q]
    frontier = _seed(q, energy, queue[1], queries)
    reached, edges = ZERO, ZERO
    for _ in range(reads.hops):
        new = ZERO
        for f in range(frontier):
            node = queue[1, f]
            sent = energy[node] * reads.spread_decay
            energy[node] = 0.0
            start, stop = graph.row_ptr[node], graph.row_ptr[node + 1]
            row = scratch.weight[start:stop]
            if scratch.stamp[node] != now:
                scratch.degree[node], scratch.total[node] = row_weights(
                    node, now, scratch.last, row, graph, state, table, reads
                )
                scratch.stamp[node] = now
            degree, total = scratch.degree[node], scratch.total[node]
            edges += degree
            if degree > reads.hub_degree:
                sent *= np.sqrt(reads.hub_degree / degree)
            if reads.source_row and total > 0.0:
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
        frontier = keep_best(queue[1], energy, new, reads.frontier)
    for f in range(frontier):
        energy[queue[1, f]] = 0.0
    return reached, edges


@part
def _seed(q: int, energy: Any, frontier: Any, queries: QueryArrays) -> int:
    """Give the seeds their energy; the number of nodes in the frontier."""
    count = ZERO
    for i in range(queries.seed_ptr[q], queries.seed_ptr[q + 1]):
        seed = queries.seed_ids[i]
        if queries.seed_energy[i] > 0.0:
            if energy[seed] == 0.0:
                frontier[count] = seed
                count += 1
            energy[seed] += queries.seed_energy[i]
    return count


@part
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


@kernel
def _spread(
    first: int, stop: int, scratch: Scratch,
    graph: GraphArrays, state: ReplayState, table: Any, reads: Reading, queries: QueryArrays,
    ids: Any, scores: Any, edges: Any,
) -> None:  # fmt: skip
    barred, score, reached_nodes, position = scratch.barred, scratch.score, scratch.queue[0], ZERO
    for q in range(first, stop):
        position = advance(scratch.last, position, graph, queries.time[q])
        reached, edges[q] = walk(q, scratch, graph, state, table, reads, queries)
        excluded = queries.exclude_ids[queries.exclude_ptr[q] : queries.exclude_ptr[q + 1]]
        set_all(barred, excluded, True)
        best_nodes(reached_nodes, score, reached, barred, ids[q], scores[q])
        set_all(barred, excluded, False)
        set_all(score, reached_nodes[:reached], 0.0)


def spread_rows(rows: Any, reads: Any, queries: Any, k: int, memory_bytes: int) -> Found:
    raise NotImplementedError
