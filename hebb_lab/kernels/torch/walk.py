"""Spreading activation of all configurations and queries at once, hop by hop.

The frontier is the pairs (query, node) that have energy in any configuration; each row carries the
energies of all C. So a pair's edges are found once for all configurations, and the arithmetic is
on contiguous rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import torch

from hebb_lab.kernels.arrays import Found, as_numpy, nothing_found
from hebb_lab.kernels.torch.as_of import AsOf
from hebb_lab.kernels.torch.frontier import added, pieces, positions_of, summed
from hebb_lab.kernels.torch.hop import (
    Frontier,
    Source,
    Standing,
    World,
    dense,
    next_frontier,
    reading_of,
    sparse,
)  # fmt: skip
from hebb_lab.kernels.torch.rules import as_tensor
from hebb_lab.kernels.torch.segments import NOTHING, best, packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor

    from hebb_lab.kernels.arrays import GraphArrays, QueryArrays, ReplayState, Rows
    from hebb_lab.kernels.parameters import ReadArrays, TraceArrays

Engine = Literal["auto", "sparse", "dense"]
DENSE_FROM = 4  # times a matrix's entries: a product of the whole costs about so many sparse reads
CACHED = 2**18  # values, of all columns, that are worked on at once on a processor


def spread(
    graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays,
    queries: QueryArrays, k: int, *, device: torch.device, dtype: torch.dtype, memory_bytes: int,
    engine: Engine = "auto",
) -> Found:  # fmt: skip
    """Energy that reaches each node; see Walk.spread for the formula."""
    with torch.no_grad():
        source = AsOf(graph, state, traces, reads, queries, device, dtype)
        return _found(source, reads, queries, k, device, memory_bytes, engine)


def spread_rows(
    rows: Rows, reads: ReadArrays, queries: QueryArrays, k: int, *, device: torch.device,
    memory_bytes: int, engine: Engine = "auto",
) -> Found:  # fmt: skip
    """The same walk through weights that stand still."""
    with torch.no_grad():
        source = Standing(rows, device)
        return _found(source, reads, queries, k, device, memory_bytes, engine)


def energies(
    graph: GraphArrays, state: ReplayState, traces: TraceArrays, reads: ReadArrays,
    queries: QueryArrays, *, device: torch.device, dtype: torch.dtype = torch.float64,
    memory_bytes: int = 10**9,
) -> Tensor:  # fmt: skip
    """All energies of ``spread``, [C, Q, N], 0 where none arrives, with their gradient.

    Gradients flow to every tensor of ``traces``, ``reads`` (mix, read_weight, spread_decay) and
    ``state`` that requires one; a state that ``replay`` made hands them on to its own traces.
    Which edges live, and which nodes send on, is taken as it is. Exclusions do not matter.
    """
    source = AsOf(graph, state, traces, reads, queries, device, dtype)
    world = world_of(source, reads, queries, device, memory_bytes)
    configs, count = world.edges.shape
    found = torch.zeros((count * world.nodes, configs), dtype=torch.float64, device=device)
    for key, energy in _walk(world, seeds_of(queries, world), "sparse"):
        found = found.index_add(0, key, energy)
    return found.T.reshape(configs, count, world.nodes)


def world_of(
    source: Source, reads: ReadArrays, queries: QueryArrays, device: torch.device,
    memory_bytes: int,
) -> World:  # fmt: skip
    """What a walk goes through, with a count of pairs read that starts at 0."""
    shape = (len(reads.hops), len(queries.time))
    held = memory_bytes // source.slot_bytes
    most = held if device.type != "cpu" else min(held, CACHED // source.columns)
    return World(
        source, reading_of(reads, device), len(source.row_ptr) - 1,
        max(1, most), max(1, held),
        torch.zeros(shape, dtype=torch.int64, device=device),
    )  # fmt: skip


def seeds_of(queries: QueryArrays, world: World) -> Frontier:
    """Energies of the seeds, above 0; a seed named twice has both."""
    device, configs = world.edges.device, len(world.edges)
    query = torch.repeat_interleave(as_tensor(queries.seed_ptr, device).diff())
    key = query * world.nodes + as_tensor(queries.seed_ids, device, torch.int64)
    level = as_tensor(queries.seed_energy, device, torch.float64)
    lit = level > 0
    key, energy = summed(key[lit], level[lit, None])
    return Frontier(key, energy.expand(-1, configs))


def _walk(world: World, seeds: Frontier, engine: Engine) -> Iterator[Frontier]:
    """All nodes that are reached with their scores, some queries at a time.

    Before a hop the entries of the frontier's rows are counted; where they are more than is to be
    worked on at once, the queries go on in groups.
    """
    last = int(world.reading.hops.max()) if len(world.reading.hops) else 0
    nothing: list[Frontier] = []
    waiting = [(1, next_frontier(world, *seeds, 1), nothing)]
    while waiting:
        hop, frontier, arrived = waiting.pop()
        if hop > last or not len(frontier.key):
            if arrived:
                yield _summed(arrived)
            continue
        heavy = _heavy(world, frontier, engine, DENSE_FROM if hop == last else 1)
        groups = _groups(world, frontier, world.held if bool(heavy.any()) else world.most)
        if len(groups) > 1:
            for group in reversed(groups):
                parts = [_queries(world, part, *group) for part in (frontier, *arrived)]
                waiting.append((hop, parts[0], parts[1:]))
            continue
        fresh = _hop(world, frontier, heavy)
        if hop < last:
            fresh = [_summed(fresh)]
            frontier = next_frontier(world, *fresh[0], hop + 1)
        waiting.append((hop + 1, frontier, arrived + fresh))


def _heavy(world: World, frontier: Frontier, engine: Engine, times: int) -> Tensor:
    """[F] rows whose matrix is better multiplied as a whole: each entry is read so many times.

    Before the last hop once is enough: the next hop reads more, of queries that stay together.
    """
    if engine != "auto":
        return torch.full_like(frontier.key, engine == "dense", dtype=torch.bool)
    entries = int(world.source.row_ptr[-1])
    degree = world.degree(frontier.key)
    # a matrix with energies of one query must fit; and most walks read less than any matrix has
    fits = entries + world.source.columns * world.nodes <= world.held
    if not fits or int(degree.sum()) <= times * entries:
        return torch.zeros_like(frontier.key, dtype=torch.bool)
    query = torch.div(frontier.key, world.nodes, rounding_mode="floor")
    matrix = world.source.matrix_of(query)
    return (added(matrix, degree, world.edges.shape[1]) > times * entries)[matrix]


def _hop(world: World, frontier: Frontier, heavy: Tensor) -> list[Frontier]:
    """One hop, each row by the engine that suits it."""
    light = Frontier(frontier.key[~heavy], frontier.energy[~heavy])
    parts = [Frontier(*part) for part in sparse(world, light)]
    if bool(heavy.any()):
        query = torch.div(frontier.key, world.nodes, rounding_mode="floor")
        matrix = world.source.matrix_of(query)
        for number in torch.unique(matrix[heavy]).tolist():
            mine = heavy & (matrix == number)
            parts.append(Frontier(*dense(world, Frontier(*(part[mine] for part in frontier)))))
    return parts


def _groups(world: World, frontier: Frontier, most: int) -> list[tuple[int, int]]:
    """Runs of queries [first, stop) whose rows have at most so many entries, if they can."""
    query = torch.div(frontier.key, world.nodes, rounding_mode="floor")
    own, place = torch.unique_consecutive(query, return_inverse=True)
    entries = added(place, world.degree(frontier.key), len(own))
    first = own.tolist() if len(own) > 1 else []
    runs = pieces(entries, most)
    if len(runs) < 2:
        return runs
    starts = [first[a] for a, _ in runs]
    return list(zip([0, *starts[1:]], [*starts[1:], world.edges.shape[1]], strict=True))


def _queries(world: World, part: Frontier, first: int, stop: int) -> Frontier:
    """What belongs to the queries [first, stop); keys ascend."""
    ends = torch.tensor([first, stop], device=part.key.device) * world.nodes
    a, b = torch.searchsorted(part.key, ends).tolist()
    return Frontier(part.key[a:b], part.energy[a:b])


def _summed(parts: list[Frontier]) -> Frontier:
    key, energy = (torch.cat(column) for column in zip(*parts, strict=True))
    return Frontier(*summed(key, energy))


def _found(
    source: Source, reads: ReadArrays, queries: QueryArrays, k: int, device: torch.device,
    memory_bytes: int, engine: Engine,
) -> Found:  # fmt: skip
    world = world_of(source, reads, queries, device, memory_bytes)
    found = nothing_found(len(reads.hops), len(queries.time), k)
    barred = barred_keys(queries, world.nodes, device)
    for key, energy in _walk(world, seeds_of(queries, world), engine):
        fill(found, key, energy, barred, world.nodes)
    return found._replace(edges=as_numpy(world.edges))


def barred_keys(queries: QueryArrays, nodes: int, device: torch.device) -> Tensor:
    """(query, node) pairs that are no answers, ascending."""
    query = torch.repeat_interleave(as_tensor(queries.exclude_ptr, device).diff())
    key = query * nodes + as_tensor(queries.exclude_ids, device, torch.int64)
    return torch.sort(key).values


def fill(found: Found, key: Tensor, score: Tensor, barred: Tensor, nodes: int) -> None:
    """Write the best k of each query, by (score as float32, id), both descending.

    Only scores above 0 as float32 rank.
    """
    k = found.ids.shape[2]
    if k == 0 or not len(key):
        return
    query = torch.div(key, nodes, rounding_mode="floor")
    own, length = torch.unique_consecutive(query, return_counts=True)
    level = score.T.to(torch.float32)
    fit = (level > 0) & ~positions_of(key, barred)[1]
    chosen = best(packed(level, key % nodes).masked_fill_(~fit, NOTHING), length, k)
    scores, ids = unpacked(chosen)
    at = as_numpy(own)
    found.ids[:, at], found.scores[:, at] = as_numpy(ids), as_numpy(scores)
