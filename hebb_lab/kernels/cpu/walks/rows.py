"""The rows of the graph as it was: weights of a node's edges for all configurations at once.

A row is made when a walk first comes to its node, and kept until time moves on or the arena, where
rows lie one behind the other, is full. In the arena a row has two heads: the degrees and the total
weights of the node, one of each a configuration; then one line an edge that there was by then, or
only which line it is (``line_of``), where those of all edges are made.

Where a moment's queries will read most of the graph, the lines of all edges are made first, edge
by edge: each once instead of once from either side, and in the order in which they lie in memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hebb_lab.kernels.cpu.compile import ZERO, part, step
from hebb_lab.kernels.cpu.traces.fade import DEAD, fade, fade_by, is_plain, shares_left, signed_left
from hebb_lab.kernels.cpu.traces.lanes import DAY_US, FIRST, FLOOR, LANE, LIFT, PRUNE
from hebb_lab.kernels.cpu.walks.readings import Facts, Plan, Timeline
from hebb_lab.kernels.cpu.walks.workspace import (
    EPOCH,
    FEW_MOMENTS,
    HEADS,
    MOMENTS,
    USED,
    WHOLE,
    Workspace,
)

M, TIME, ACTIVE, SPACE = range(4)  # columns of the edges' present: see advance


@step
def advance(present: Any, position: int, timeline: Timeline, now: int) -> int:
    """Move the edges' present to strictly before now; the number of events it has seen.

    present: [E, 4] int64: the newest event that teaches (−1 before any), its time, the time of the
    last reinforcement, and the edge's namespace; side by side, for a walk reads them together.
    """
    by_time, time, edge_of, size, active, gate = timeline
    while position < len(by_time) and time[by_time[position]] < now:
        event = by_time[position]
        if size[event] <= gate:
            edge = edge_of[event]
            present[edge, M], present[edge, TIME] = event, time[event]
            present[edge, ACTIVE] = active[event]
        position += 1
    return position


@part
def fill_rows(
    first: int, stop: int, now: int, facts: Facts, plan: Plan, space: Workspace
) -> tuple[int, int]:
    """Rows of the nodes of frontier[first:stop] that are not there yet.

    Returns:
        (the place up to which the rows are there, lines of the arena in use): when the arena is
        full the caller walks what is there and empties it.
    """
    row_ptr, col, edge_id = facts.row_ptr, facts.col, facts.edge_id
    row_at, row_size, row_epoch = space.row_at, space.row_size, space.row_epoch
    columns, lines, present = space.columns, space.lines, space.present
    line_of, epoch, used = space.line_of, space.clock[EPOCH], space.clock[USED]
    whole = space.clock[WHOLE] != 0
    made = space.edge_lines if whole else lines
    for f in range(first, stop):
        node = space.nodes[space.frontier[f]]
        if row_epoch[node] == epoch:
            continue
        begin, end = row_ptr[node], row_ptr[node + 1]
        if used + end - begin + HEADS > len(columns):
            return f, used
        at = used
        used += HEADS
        clear_heads(at, lines)
        same_from = used
        for slot in range(begin, end):
            edge = np.int64(edge_id[slot])
            if present[edge, M] < 0:
                continue
            if not whole:
                edge_line(edge, now, facts, plan, space, FEW_MOMENTS, used, lines)
            if used == at + HEADS or columns[used - 1] != col[slot]:
                same_from = used
            columns[used], line_of[used] = col[slot], edge if whole else used
            count_line(at, used, same_from, plan.totals, line_of, made, lines)
            used += 1
        row_at[node], row_size[node], row_epoch[node] = at, used - at - HEADS, epoch
    return stop, used


@part
def fill_edges(now: int, facts: Facts, plan: Plan, space: Workspace) -> None:
    """The lines of all edges."""
    for edge in range(len(space.edge_lines)):
        if space.present[edge, M] >= 0:
            edge_line(edge, now, facts, plan, space, MOMENTS, edge, space.edge_lines)


@part
def edge_line(
    edge: int, now: int, facts: Facts, plan: Plan, space: Workspace, moments: int, line: int,
    lines: Any,
) -> None:  # fmt: skip
    """The weights of an edge at ``now`` in the merged read, into ``lines[line]``.

    Edges that were last taught together fade alike: what is left is kept for some ``moments``
    (``moment`` [L, 2], ``left`` [L, lanes]), since powers of two are most of the work.
    """
    present, moment, left, faded = space.present, space.moment, space.left, space.faded
    rules, runs, epoch = plan.rules, plan.runs, space.clock[EPOCH]
    m, then, where = present[edge, M], present[edge, TIME], present[edge, SPACE]
    key = then * len(rules) + where
    place = (key ^ (key >> 20)) & (moments - 1)
    known = moment[place, 0] == key and moment[place, 1] == epoch
    moment[place, 0], moment[place, 1] = key, epoch
    if plan.single and len(runs) == 1 and is_plain(runs, ZERO):
        if not known:
            shares_left(rules, where, runs, ZERO, (now - then) / DAY_US, left, place)
        fade_and_read(rules, where, runs, facts.signed, m, left, place, plan.read, line, lines)
        return
    for r in range(len(runs)):
        if is_plain(runs, r):
            if not known:
                shares_left(rules, where, runs, r, (now - then) / DAY_US, left, place)
            fade_by(rules, where, runs, r, facts.signed, m, left, place, faded)
        else:
            fade(
                rules, where, runs, r, facts.weight, facts.count, facts.half_life, m, then,
                present[edge, ACTIVE], now, faded, runs[r, LANE],
            )  # fmt: skip
    if plan.single:
        put_line(line, faded, plan.read, where, lines)
    else:
        mix_lanes(plan.lane_ptr, plan.mix, faded, space.merged)
        put_line(line, space.merged, plan.read, where, lines)


@step
def fade_and_read(
    rules: Any, space: int, runs: Any, signed: Any, m: int, left: Any, place: int, read: Any,
    line: int, lines: Any,
) -> None:  # fmt: skip
    """``fade_by`` and ``put_line`` in one loop, where lanes are configurations of one plain run."""
    first = max(runs[0, FIRST], 0)
    for c in range(lines.shape[1]):
        weight, share = signed_left(
            signed[m, c], left[place, c], rules[space, FLOOR, first + c],
            rules[space, LIFT, first + c], rules[space, PRUNE, first + c],
        ), read[space, c]  # fmt: skip
        lines[line, c] = weight * share if (weight >= 0.0) & (share > 0.0) else DEAD


@step
def clear_heads(at: int, lines: Any) -> None:
    """No neighbour yet, no weight."""
    for c in range(lines.shape[1]):
        lines[at, c] = 0.0
        lines[at + 1, c] = 0.0


@step
def mix_lanes(lane_ptr: Any, mix: Any, faded: Any, merged: Any) -> None:
    """The mean of a configuration's traces; DEAD where none is alive."""
    for c in range(len(merged)):
        total = DEAD
        for lane in range(lane_ptr[c], lane_ptr[c + 1]):
            if faded[lane] >= 0.0:
                total = max(total, 0.0) + mix[lane] * faded[lane]
        merged[c] = total


@step
def put_line(line: int, faded: Any, read: Any, space: int, lines: Any) -> None:
    """An edge's weights times its namespace's; DEAD where the namespace is not read."""
    for c in range(lines.shape[1]):
        weight, share = faded[c], read[space, c]
        lines[line, c] = weight * share if (weight >= 0.0) & (share > 0.0) else DEAD


@step
def count_line(
    at: int, line: int, same_from: int, totals: bool, line_of: Any, made: Any, lines: Any
) -> None:
    """Add a line to its row's heads; lines from ``same_from`` on lead to the same neighbour."""
    own = max(line_of[line], 0)
    if same_from == line:
        for c in range(lines.shape[1]):
            lines[at, c] += 1.0 if made[own, c] >= 0.0 else 0.0
    else:
        for c in range(lines.shape[1]):
            known = made[own, c] < 0.0
            for other in range(same_from, line):
                known = known or made[line_of[other], c] >= 0.0
            lines[at, c] += 0.0 if known else 1.0
    if totals:
        for c in range(lines.shape[1]):
            lines[at + 1, c] += max(made[own, c], 0.0)
