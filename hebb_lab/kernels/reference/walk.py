"""The reference back end, walks: plain loops in float64, the meaning of the kernels.

Same signatures as the fast ones. Slow on purpose: nothing here is clever.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.kernels.arrays import (
    SKIPPED,
    Found,
    GraphArrays,
    QueryArrays,
    ReplayState,
    Rows,
    nothing_found,
)
from hebb_lab.kernels.parameters import ReadArrays, TraceArrays
from hebb_lab.kernels.reference.replay import weight_as_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray


class RowsAsOf(dict[int, dict[int, float]]):
    """Merged weights of alive edges as of strictly before a time: node → neighbour → weight.

    A node's row is worked out when it is first asked for.
    """

    def __init__(
        self, c: int, now: int, graph: GraphArrays, state: ReplayState, p: TraceArrays,
        reads: ReadArrays,
    ) -> None:  # fmt: skip
        super().__init__()
        self._world = (c, now, graph, state, p, reads)

    def __missing__(self, node: int) -> dict[int, float]:
        self[node] = _row(node, *self._world)
        return self[node]


def adjacency_as_of(
    c: int, now: int, graph: GraphArrays, state: ReplayState, p: TraceArrays, reads: ReadArrays
) -> dict[int, dict[int, float]]:
    """Merged weights of all alive edges as of strictly before ``now``."""
    rows = RowsAsOf(c, now, graph, state, p, reads)
    found = {node: rows[node] for node in range(len(graph.row_ptr) - 1)}
    return {node: row for node, row in found.items() if row}


def _row(
    node: int, c: int, now: int, graph: GraphArrays, state: ReplayState, p: TraceArrays,
    reads: ReadArrays,
) -> dict[int, float]:  # fmt: skip
    row: dict[int, float] = {}
    for slot in range(int(graph.row_ptr[node]), int(graph.row_ptr[node + 1])):
        edge, target = int(graph.edge_id[slot]), int(graph.col[slot])
        space = int(graph.namespace[edge])
        found = [
            (reads.mix[k], trace_weight(k, edge, now, graph, state, p))
            for k in range(int(reads.trace_first[c]), int(reads.trace_stop[c]))
        ]
        alive = [share * weight for share, weight in found if weight is not None]
        if alive and reads.read_weight[c, space] > 0:
            weight = float(sum(alive) * reads.read_weight[c, space])
            row[target] = row.get(target, 0.0) + weight
    return row


def trace_weight(
    k: int, edge: int, now: int, graph: GraphArrays, state: ReplayState, p: TraceArrays
) -> float | None:
    """The weight under one trace; None where there is no edge any more, or none yet."""
    events = range(int(graph.event_ptr[edge]), int(graph.event_ptr[edge + 1]))
    past = [m for m in events if graph.time[m] < now and state.reinforcements[m, k] != SKIPPED]
    if not past or state.reinforcements[past[-1], k] == 0:
        return None
    active = [m for m in past if graph.strength[m] >= 0][-1]
    m = past[-1]
    half_life = float(state.half_life_days[m, k]) if len(state.half_life_days) else 0.0
    weight, pruned = weight_as_of(
        k, int(graph.namespace[edge]), float(state.weight[m, k]), int(state.reinforcements[m, k]),
        half_life, int(graph.time[m]), int(graph.time[active]), now, p,
    )  # fmt: skip
    return None if pruned else weight


def spread(
    graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays,
    queries: QueryArrays, k: int,
) -> Found:  # fmt: skip
    """Energy that reaches each node; see Walk.spread for the formula."""
    found = nothing_found(len(reads.hops), len(queries.time), k)
    for c in range(len(reads.hops)):
        for q in range(len(queries.time)):
            rows = RowsAsOf(c, int(queries.time[q]), graph, state, traces, reads)
            _spread_one(c, q, rows, reads, queries, found)
    return found


def spread_rows(rows: Rows, reads: ReadArrays, queries: QueryArrays, k: int) -> Found:
    """The same walk through weights that stand still."""
    found = nothing_found(len(reads.hops), len(queries.time), k)
    for c in range(len(reads.hops)):
        as_rows = standing_rows(rows, c)
        for q in range(len(queries.time)):
            _spread_one(c, q, as_rows, reads, queries, found)
    return found


def standing_rows(rows: Rows, c: int) -> dict[int, dict[int, float]]:
    """Node → neighbour → weight of one configuration; parallel edges are summed."""
    found: dict[int, dict[int, float]] = {}
    for node in range(len(rows.row_ptr) - 1):
        row = found[node] = {}
        for slot in range(int(rows.row_ptr[node]), int(rows.row_ptr[node + 1])):
            weight, target = float(rows.weight[slot, c]), int(rows.col[slot])
            if weight > 0:
                row[target] = row.get(target, 0.0) + weight
    return found


def _spread_one(
    c: int, q: int, rows: Mapping[int, dict[int, float]], reads: ReadArrays,
    queries: QueryArrays, found: Found,
) -> None:  # fmt: skip
    score: dict[int, float] = {}
    for _, _, receiver, _, level in carried_energy(c, seeds_of(queries, q), rows, reads):
        score[receiver] = score.get(receiver, 0.0) + level
        found.edges[c, q] += 1
    _fill(score, queries, q, found.ids[c, q], found.scores[c, q])


def seeds_of(queries: QueryArrays, q: int) -> dict[int, float]:
    """Energies of the seeds of one query, above 0; a seed named twice has both."""
    energy: dict[int, float] = {}
    for i in range(int(queries.seed_ptr[q]), int(queries.seed_ptr[q + 1])):
        seed, level = int(queries.seed_ids[i]), float(queries.seed_energy[i])
        if level > 0:
            energy[seed] = energy.get(seed, 0.0) + level
    return energy


def carried_energy(
    c: int, energy: dict[int, float], rows: Mapping[int, dict[int, float]], reads: ReadArrays
) -> Iterator[tuple[int, int, int, float, float]]:
    """(hop from 1, sender, receiver, weight, energy that arrives), hop by hop."""
    for hop in range(1, int(reads.hops[c]) + 1):
        arrived: dict[int, float] = {}
        for node, level in energy.items():
            row = rows[node]
            sent = level * float(reads.spread_decay[c])
            if len(row) > reads.hub_degree[c]:
                sent *= math.sqrt(reads.hub_degree[c] / len(row))
            if reads.source_row[c] and sum(row.values()) > 0:
                sent /= sum(row.values())
            for target, weight in row.items():
                yield hop, node, target, weight, sent * weight
                if sent * weight > 0:
                    arrived[target] = arrived.get(target, 0.0) + sent * weight
        best = sorted(arrived, key=lambda node: (-arrived[node], -node))
        energy = {node: arrived[node] for node in best[: int(reads.frontier[c])]}


def personalised_pagerank(
    graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays,
    queries: QueryArrays, k: int, restart: float, tolerance: float,
) -> Found:  # fmt: skip
    """Random walk with restart at the seeds by power iteration, to the end of float64.

    ``tolerance`` is that of the fast ones; here the answer is exact, and the edges are those of all
    nodes that the walk comes to. A query without energy at its seeds finds nothing.
    """
    found = nothing_found(len(reads.hops), len(queries.time), k)
    for c in range(len(reads.hops)):
        for q in range(len(queries.time)):
            seeds = seeds_of(queries, q)
            if sum(seeds.values()) > 0:
                rows = RowsAsOf(c, int(queries.time[q]), graph, state, traces, reads)
                rank = stationary(seeds, rows, restart)
                found.edges[c, q] = sum(len(rows[node]) for node in rank)
                _fill(rank, queries, q, found.ids[c, q], found.scores[c, q])
    return found


def stationary(seeds: Mapping[int, float], rows: RowsAsOf, restart: float) -> dict[int, float]:
    """P = restart · s + (1 − restart) · Wᵀ p; a node without edges sends its walker home."""
    whole = sum(seeds.values())
    home = {node: level / whole for node, level in seeds.items()}
    rank = dict(home)
    for _ in range(400):
        fresh = {node: restart * level for node, level in home.items()}
        for node, mass in rank.items():
            row = rows[node]
            total = sum(row.values()) if row else 0.0
            shares = {t: w / total for t, w in row.items()} if row and total > 0 else home
            for target, share in shares.items():
                fresh[target] = fresh.get(target, 0.0) + (1 - restart) * mass * share
        rank = fresh
    return rank


def _fill(
    score: Mapping[int, float], queries: QueryArrays, q: int,
    ids: NDArray[np.int32], scores: NDArray[np.float32],
) -> None:  # fmt: skip
    barred = set(queries.exclude_ids[queries.exclude_ptr[q] : queries.exclude_ptr[q + 1]].tolist())
    ranked = sorted(
        (
            (np.float32(v), node)
            for node, v in score.items()
            if np.float32(v) > 0 and node not in barred
        ),
        reverse=True,
    )[: len(ids)]
    for place, (value, node) in enumerate(ranked):
        ids[place], scores[place] = node, value
