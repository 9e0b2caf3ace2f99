"""Personalised PageRank on the CPU, each query in the graph as it was at its own time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.kernels.arrays import Found, GraphArrays, QueryArrays, ReplayState
from hebb_lab.kernels.cpu.compile import ZERO, in_threads, kernel, part, pieces_of
from hebb_lab.kernels.cpu.decay import rule_table
from hebb_lab.kernels.cpu.select import best_nodes, set_all
from hebb_lab.kernels.cpu.spread import CHUNK, advance, row_weights
from hebb_lab.kernels.parameters import ReadArrays, Reading, TraceArrays, readings_of

if TYPE_CHECKING:
    pass


def personalised_pagerank(
    graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays,
    queries: QueryArrays, k: int, restart: float, tolerance: float,
    memory_bytes: int = 0,
) -> Found:  # fmt: skip
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
    table, readings = rule_table(traces), readings_of(reads)

    def work(first: int, stop: int) -> None:
        for c in range(shape[0]):
            _pagerank(
                first, stop, _scratch(graph, queries), graph, state, table, readings[c], queries,
                restart, tolerance, ids[c], scores[c], edges[c],
            )  # fmt: skip

    in_threads(work, pieces_of(shape[1], CHUNK))
    return Found(ids, scores, edges)


class Scratch(NamedTuple):
    """What one task works in.

    last: [E] the newest event of each edge before the query's time.
    share, neighbour [2E], alive [N]: rows as of the time in stamp [N]: the shares of alive
    neighbours, packed at the row's start.
    rank, residual: [N]. queue: [N+1] nodes to push, a ring; queued: [N] those in it.
    barred: [N] no answers of this query. everyone: [N] all nodes.
    home: the seeds' shares, as many as a query has seeds at most.
    """

    last: Any
    share: Any
    neighbour: Any
    alive: Any
    stamp: Any
    rank: Any
    residual: Any
    queue: Any
    queued: Any
    barred: Any
    everyone: Any
    home: Any


def _scratch(graph: GraphArrays, queries: QueryArrays) -> Scratch:
    nodes, slots = len(graph.row_ptr) - 1, len(graph.col)
    return Scratch(
        last=np.full(len(graph.namespace), -1, np.int64),
        share=np.zeros(slots),
        neighbour=np.zeros(slots, np.int32),
        alive=np.zeros(nodes, np.int64),
        stamp=np.full(nodes, -1, np.int64),
        rank=np.zeros(nodes),
        residual=np.zeros(nodes),
        queue=np.zeros(nodes + 1, np.int64),
        queued=np.zeros(nodes, np.bool_),
        barred=np.zeros(nodes, np.bool_),
        everyone=np.arange(nodes),
        home=np.zeros(int(np.diff(queries.seed_ptr).max(initial=0))),
    )


@kernel
def _pagerank(
    first: int, stop: int, scratch: Scratch,
    graph: GraphArrays, state: ReplayState, table: Any, reads: Reading, queries: QueryArrays,
    restart: float, tolerance: float, ids: Any, scores: Any, edges: Any,
) -> None:  # fmt: skip
    rank, barred, nodes, position = scratch.rank, scratch.barred, len(scratch.rank), ZERO
    for q in range(first, stop):
        position = advance(scratch.last, position, graph, queries.time[q])
        edges[q] = _push(q, scratch, restart, tolerance, graph, state, table, reads, queries)
        excluded = queries.exclude_ids[queries.exclude_ptr[q] : queries.exclude_ptr[q + 1]]
        set_all(barred, excluded, True)
        best_nodes(scratch.everyone, rank, nodes, barred, ids[q], scores[q])
        set_all(barred, excluded, False)


@part
def _push(
    q: int, scratch: Scratch, restart: float, tolerance: float,
    graph: GraphArrays, state: ReplayState, table: Any, reads: Reading, queries: QueryArrays,
) -> int:  # fmt: skip
    """Push residuals, oldest first, until none exceeds the tolerance; pairs read."""
    share, neighbour, alive, rank = scratch.share, scratch.neighbour, scratch.alive, scratch.rank
    residual, queue, queued = scratch.residual, scratch.queue, scratch.queued
    rank[:], residual[:] = 0.0, 0.0
    now, edges = queries.time[q], ZERO
    home = queries.seed_ids[queries.seed_ptr[q] : queries.seed_ptr[q + 1]]
    mine = scratch.home[: len(home)]
    _share_out(queries.seed_energy[queries.seed_ptr[q] : queries.seed_ptr[q + 1]], mine)
    head, tail = ZERO, _spread_mass(1.0, mine, home, residual, queue, queued, ZERO, 0.0)
    while head != tail:
        node = queue[head]
        head = head + 1 if head + 1 < len(queue) else ZERO
        queued[node] = False
        mass, residual[node] = residual[node], 0.0
        rank[node] += restart * mass
        start, stop = graph.row_ptr[node], graph.row_ptr[node + 1]
        if scratch.stamp[node] != now:
            row = share[start:stop]
            degree, total = row_weights(node, now, scratch.last, row, graph, state, table, reads)
            alive[node] = _pack(row, neighbour[start:stop], graph.col[start:stop], total)
            scratch.stamp[node] = now
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


@part
def _share_out(energy: Any, shares: Any) -> None:
    """Energies over their sum."""
    total = 0.0
    for i in range(len(energy)):
        total += energy[i]
    for i in range(len(energy)):
        shares[i] = energy[i] / max(total, 1e-300)


@part
def _pack(row: Any, packed: Any, neighbours: Any, total: float) -> int:
    """Move the shares of neighbours with a weight to the front; their number."""
    count = 0
    for i in range(len(neighbours)):
        if row[i] > 0.0:
            row[count], packed[count] = row[i] / total, neighbours[i]
            count += 1
    return count


@part
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
