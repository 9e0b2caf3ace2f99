"""Spreading activation on the CPU through weights that stand still."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads

from hebb_lab.kernels.arrays import Found, QueryArrays, Rows, nothing_found
from hebb_lab.kernels.cpu.compile import ZERO, in_workers, kernel, part, pieces_of, step
from hebb_lab.kernels.cpu.walks.carry import answer, send, send_last, set_off, set_out, settle
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
    found = nothing_found(configs, len(queries.time), k)
    most = configurations_at_once(nodes, 0, configs, memory_bytes // get_num_threads())
    no_edges = np.zeros(0, np.int16)
    for first in range(0, configs, most):
        some = slice(first, min(first + most, configs))
        passing = passing_of(reads.some(range(configs)[some]))
        weight = np.ascontiguousarray(rows.weight[:, some])
        width = weight.shape[1]
        part = nothing_found(width, len(queries.time), k)

        def work(
            space: Workspace, begin: int, end: int, passing: Passing = passing,
            weight: Any = weight, part: Found = part,
        ) -> None:  # fmt: skip
            _spread_rows(begin, end, rows.row_ptr, rows.col, weight, passing, queries, space, *part)

        def make(width: int = width) -> Workspace:
            return workspace(nodes, no_edges, HEADS, width, 1, False)

        in_workers(make, work, pieces_of(len(queries.time), piece_size(len(queries.time))))
        for name in Found._fields:
            getattr(found, name)[some] = getattr(part, name)
    return found


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
    heads, energy, side, arrived = space.lines, space.energy, hop % 2, ZERO
    for f in range(count):
        place = space.frontier[f]
        node = space.nodes[place]
        _heads(row_ptr[node], row_ptr[node + 1], col, weight, heads)
        set_off(place, heads, ZERO, hop, side, energy, passing, space.sent, edges, q)
        begin, size = row_ptr[node], row_ptr[node + 1] - row_ptr[node]
        if hop == passing.farthest - 1:
            reached = send_last(
                begin, size, space.sent, col, weight, space.local, space.nodes, space.score, reached
            )
        else:
            reached, arrived = send(
                begin, size, 1 - side, space.sent, col, weight, space.local, space.nodes, energy,
                space.score, space.waiting, space.following, reached, arrived,
            )  # fmt: skip
    settle(hop, arrived, passing, space)
    return reached, arrived


@step
def _heads(begin: int, end: int, col: Any, weight: Any, heads: Any) -> None:
    """The degrees and total weights of a node into ``heads``; parallel edges are one neighbour."""
    if heads.shape[1] == 1:
        degree, total, last = ZERO, 0.0, -1
        for slot in range(begin, end):
            value = max(weight[slot, 0], 0.0)
            new = (value > 0.0) & (col[slot] != last)
            degree, last = degree + (1 if new else 0), col[slot] if new else last
            total += value
        heads[0, 0], heads[1, 0] = degree, total
        return
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
