"""The walk of a thread through time: its queries one by one, each in the graph as it was then."""

from __future__ import annotations

from typing import Any

from hebb_lab.kernels.arrays import QueryArrays
from hebb_lab.kernels.cpu.compile import ZERO, kernel, part, step
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
from hebb_lab.kernels.cpu.walks.readings import Facts, Passing, Plan, Timeline
from hebb_lab.kernels.cpu.walks.rows import advance, fill_edges, fill_rows
from hebb_lab.kernels.cpu.walks.thin import thin_edges, thin_rows
from hebb_lab.kernels.cpu.walks.workspace import EPOCH, HEADS, NOW, SEEN, USED, WHOLE, Workspace


@kernel
def travel(
    begin: int, end: int, visits: Any, timeline: Timeline, facts: Facts, plan: Plan,
    passing: Passing, queries: QueryArrays, space: Workspace, ids: Any, scores: Any, edges: Any,
) -> None:  # fmt: skip
    """Queries [begin, end), in time order; fills ids and scores [Q, C, k] and edges [Q, C]."""
    for q in range(begin, end):
        now = queries.time[q]
        if now != space.clock[NOW]:
            begin_moment(now, visits[q], timeline, facts, plan, space)
        count = set_out(q, queries, space)
        reached = count
        for hop in range(passing.farthest):
            reached, count = _walk_on(
                hop, count, reached, now, facts, plan, passing, space, edges, q
            )
        answer(q, reached, queries, space, ids, scores)


@step
def begin_moment(
    now: int, visits: int, timeline: Timeline, facts: Facts, plan: Plan, space: Workspace
) -> None:
    """Let the events before ``now`` happen; no row is made yet, or all lines are."""
    clock = space.clock
    clock[SEEN] = advance(space.present, clock[SEEN], timeline, now)
    clock[EPOCH] += 1
    clock[USED], clock[WHOLE], clock[NOW] = 0, 0, now
    if 2 * visits > len(space.present) and len(space.edge_lines) > 0 and clock[SEEN] > 0:
        if plan.thin:
            thin_edges(now, facts, plan, space)
        else:
            fill_edges(now, facts, plan, space)
        clock[WHOLE] = 1


@part
def _walk_on(
    hop: int, count: int, reached: int, now: int, facts: Facts, plan: Plan, passing: Passing,
    space: Workspace, edges: Any, q: int,
) -> tuple[int, int]:  # fmt: skip
    """One hop of one query; (nodes reached, nodes of the new frontier)."""
    clock, lines, columns, side = space.clock, space.lines, space.columns, 1 - hop % 2
    line_of, made = space.line_of, space.edge_lines if clock[WHOLE] != 0 else lines
    last, done, arrived, known = hop == passing.farthest - 1, ZERO, ZERO, reached
    room_for(count, reached, facts.row_ptr, space)
    while done < count:
        if plan.thin:
            upto, clock[USED] = thin_rows(done, count, now, facts, plan, space)
        else:
            upto, clock[USED] = fill_rows(done, count, now, facts, plan, space)
        for f in range(done, upto):
            place = space.frontier[f]
            at, size = space.row_at[space.nodes[place]], space.row_size[space.nodes[place]]
            line = at + HEADS
            if plan.thin:
                set_off_one(place, lines[at, 0], lines[at + 1, 0], hop, passing, space, edges, q)
                if last:
                    reached = send_last_one(line, size, columns, lines, space, reached)
                else:
                    reached, arrived = send_one(
                        line, size, side, columns, lines, space, reached, arrived
                    )
                continue
            set_off(place, lines, at, hop, passing, space, edges, q)
            if last:
                reached = send_last(line, size, columns, line_of, made, space, reached)
            else:
                reached, arrived = send(
                    line, size, side, columns, line_of, made, space, reached, arrived
                )
        if upto < count:
            clock[EPOCH] += 1
            clock[USED] = 0
        done = upto
    settle(hop, arrived, known, passing, space)
    return reached, arrived
