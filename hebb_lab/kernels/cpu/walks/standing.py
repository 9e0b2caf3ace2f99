"""Spreading activation on the CPU through weights that stand still."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads

from hebb_lab.kernels.arrays import Found, QueryArrays, Rows, nothing_found
from hebb_lab.kernels.cpu.compile import ZERO, in_workers, kernel, part, pieces_of, step
from hebb_lab.kernels.cpu.intrinsics import prefetch
from hebb_lab.kernels.cpu.walks.carry import (
    answer,
    room_for,
    send,
    send_last,
    send_last_one,
    send_one,
    set_off,
    set_off_one,
    set_out,
    settle,
)
from hebb_lab.kernels.cpu.walks.pool import Pool
from hebb_lab.kernels.cpu.walks.readings import Passing, passing_of
from hebb_lab.kernels.cpu.walks.spread import piece_size
from hebb_lab.kernels.cpu.walks.workspace import (
    HEADS,
    Workspace,
    configurations_at_once,
    workspace,
)

if TYPE_CHECKING:
    from hebb_lab.kernels.parameters import ReadArrays


def spread_rows(
    rows: Rows, reads: ReadArrays, queries: QueryArrays, k: int, memory_bytes: int
) -> Found:
    """Energy that reaches each node; see Backend.spread_rows."""
    nodes, configs = len(rows.row_ptr) - 1, len(reads.hops)
    most = configurations_at_once(nodes, 0, configs, memory_bytes // get_num_threads())
    if configs <= most:
        return _together(rows, rows.weight, reads, queries, k)
    found = nothing_found(configs, len(queries.time), k)
    for first in range(0, configs, most):
        some = range(configs)[first : first + most]
        weight = np.ascontiguousarray(rows.weight[:, first : first + most])
        part = _together(rows, weight, reads.some(some), queries, k)
        for name in Found._fields:
            getattr(found, name)[first : first + most] = getattr(part, name)
    return found


def _together(rows: Rows, weight: Any, reads: ReadArrays, queries: QueryArrays, k: int) -> Found:
    """Configurations that are walked at once."""
    configs, passing = len(reads.hops), passing_of(reads)
    found = nothing_found(configs, len(queries.time), k).turned()

    def work(space: Workspace, begin: int, end: int) -> None:
        _spread_rows(begin, end, rows.row_ptr, rows.col, weight, passing, queries, space, *found)

    pool = _pool(len(rows.row_ptr) - 1, configs)
    pieces = pieces_of(len(queries.time), piece_size(len(queries.time)))
    in_workers(pool.take, work, pieces, pool.give_back)
    return found.turned()


@lru_cache(maxsize=2)
def _pool(nodes: int, configs: int) -> Pool[Workspace]:
    """Workspaces of the sizes that were asked for last; a walk leaves them as it found them."""

    def make() -> Workspace:
        space = workspace(nodes, np.zeros(0, np.int16), HEADS, configs, 1, False)
        return space._replace(line_of=space.line_of[:0])

    return Pool(make)


@kernel
def _spread_rows(
    begin: int, end: int, row_ptr: Any, col: Any, weight: Any, passing: Passing,
    queries: QueryArrays, space: Workspace, ids: Any, scores: Any, edges: Any,
) -> None:  # fmt: skip
    for q in range(begin, end):
        count = set_out(q, queries, space)
        reached = count
        for hop in range(passing.farthest):
            reached, count = _walk_on(
                hop, count, reached, row_ptr, col, weight, passing, space, edges, q
            )
        answer(q, reached, queries, space, ids, scores)


@part
def _walk_on(
    hop: int, count: int, reached: int, row_ptr: Any, col: Any, weight: Any, passing: Passing,
    space: Workspace, edges: Any, q: int,
) -> tuple[int, int]:  # fmt: skip
    """One hop of one query; (nodes reached, nodes of the new frontier)."""
    heads, side, arrived, known = space.lines, 1 - hop % 2, ZERO, reached
    last = hop == passing.farthest - 1
    room_for(count, reached, row_ptr, space)
    for f in range(count):
        place = space.frontier[f]
        node = space.nodes[place]
        begin, size = row_ptr[node], row_ptr[node + 1] - row_ptr[node]
        if heads.shape[1] == 1:
            ahead(f + 1, count, row_ptr, col, weight, space)
            degree, total = _head(begin, row_ptr[node + 1], col, weight, passing)
            set_off_one(place, degree, total, hop, passing, space, edges, q)
            if last:
                reached = send_last_one(begin, size, col, weight, space, reached)
            else:
                reached, arrived = send_one(begin, size, side, col, weight, space, reached, arrived)
            continue
        _heads(begin, row_ptr[node + 1], col, weight, heads)
        set_off(place, heads, ZERO, hop, passing, space, edges, q)
        if last:
            reached = send_last(begin, size, col, space.line_of, weight, space, reached)
        else:
            reached, arrived = send(
                begin, size, side, col, space.line_of, weight, space, reached, arrived
            )
    settle(hop, arrived, known, passing, space)
    return reached, arrived


@step
def ahead(f: int, count: int, row_ptr: Any, col: Any, weight: Any, space: Workspace) -> None:
    """Fetch the beginning of a row, while the one before it is walked."""
    if f < count:
        node = space.nodes[space.frontier[f]]
        begin = row_ptr[node]
        for slot in range(begin, min(row_ptr[node + 1], begin + 32), 8):
            prefetch(weight, slot)
            prefetch(col, slot)


@step
def _head(begin: int, end: int, col: Any, weight: Any, passing: Passing) -> tuple[float, float]:
    """The degree and total weight of a node; parallel edges are one neighbour."""
    degree, alike, total = ZERO, ZERO, 0.0
    for i in range(end - begin):
        degree += 1 if weight[begin + i, 0] > 0.0 else 0
    for i in range(end - begin - 1):
        alike += 1 if col[begin + i] == col[begin + i + 1] else 0
    if alike > 0:
        degree, last = ZERO, -1
        for slot in range(begin, end):
            new = (weight[slot, 0] > 0.0) & (col[slot] != last)
            degree, last = degree + (1 if new else 0), col[slot] if new else last
    if passing.source_row[0] != 0.0:
        for slot in range(begin, end):
            total += max(weight[slot, 0], 0.0)
    return float(degree), total


@step
def _heads(begin: int, end: int, col: Any, weight: Any, heads: Any) -> None:
    """The degrees and total weights of a node into ``heads``; parallel edges are one neighbour."""
    for c in range(heads.shape[1]):
        heads[0, c] = 0.0
        heads[1, c] = 0.0
    same_from = begin
    for slot in range(begin, end):
        if col[slot] != col[same_from]:
            same_from = slot
        for c in range(heads.shape[1]):
            heads[1, c] += max(weight[slot, c], 0.0)
        for c in range(heads.shape[1]):
            counts = weight[slot, c] > 0.0
            for other in range(same_from, slot):
                counts = counts and weight[other, c] <= 0.0
            heads[0, c] += 1.0 if counts else 0.0
