"""Rows of a single configuration: numbers in place of lanes.

A loop over one lane costs as much to begin as to run; this is what arms that are asked alone, and
decay that everybody knows, spend their time in.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hebb_lab.kernels.cpu.compile import part, step
from hebb_lab.kernels.cpu.traces.fade import DEAD, learned_half_lives, signed_left
from hebb_lab.kernels.cpu.traces.halving import halved, quotient
from hebb_lab.kernels.cpu.traces.lanes import (
    DAY_US,
    DEFAULT,
    FIRST,
    FLOOR,
    INVERSE,
    LIFT,
    MODE,
    PRUNE,
)
from hebb_lab.kernels.cpu.walks.readings import Facts, Plan
from hebb_lab.kernels.cpu.walks.rows import ACTIVE, SPACE, TIME, M
from hebb_lab.kernels.cpu.walks.workspace import EPOCH, HEADS, USED, WHOLE, Workspace
from hebb_lab.kernels.parameters import LEARNED


@part
def thin_rows(
    first: int, stop: int, now: int, facts: Facts, plan: Plan, space: Workspace
) -> tuple[int, int]:
    """``fill_rows`` for one lane: edges that are not alive are left out, parallel ones summed."""
    row_ptr, col, edge_id, present = facts.row_ptr, facts.col, facts.edge_id, space.present
    columns, lines, edge_lines = space.columns, space.lines, space.edge_lines
    epoch, used, whole = space.clock[EPOCH], space.clock[USED], space.clock[WHOLE] != 0
    for f in range(first, stop):
        node = space.nodes[space.frontier[f]]
        if space.row_epoch[node] == epoch:
            continue
        begin, end = row_ptr[node], row_ptr[node + 1]
        if used + end - begin + HEADS > len(columns):
            return f, used
        at = used
        used += HEADS
        total = 0.0
        for slot in range(begin, end):
            edge = np.int64(edge_id[slot])
            m = present[edge, M]
            if m < 0:
                continue
            value = edge_lines[edge, 0] if whole else thin_line(edge, m, now, present, facts, plan)
            if value >= 0.0:
                total += value
                if used > at + HEADS and columns[used - 1] == col[slot]:
                    lines[used - 1, 0] += value
                else:
                    columns[used], lines[used, 0] = col[slot], value
                    used += 1
        lines[at, 0], lines[at + 1, 0] = used - at - HEADS, total
        space.row_at[node], space.row_size[node] = at, used - at - HEADS
        space.row_epoch[node] = epoch
    return stop, used


@part
def thin_edges(now: int, facts: Facts, plan: Plan, space: Workspace) -> None:
    """``fill_edges`` for one lane, without a branch: several edges are worked on at once."""
    present, edge_lines = space.present, space.edge_lines
    for edge in range(len(edge_lines)):
        m = max(present[edge, M], 0)
        value = thin_line(edge, m, now, present, facts, plan)
        edge_lines[edge, 0] = value if present[edge, M] >= 0 else DEAD


@step
def thin_line(edge: int, m: int, now: int, present: Any, facts: Facts, plan: Plan) -> float:
    """The weight of an edge at ``now`` in the merged read, DEAD where there is none."""
    rules, where, k = plan.rules, present[edge, SPACE], plan.runs[0, FIRST]
    then, active = present[edge, TIME], present[edge, ACTIVE]
    if plan.runs[0, MODE] == LEARNED:
        count = facts.count[m, k]
        times = learned_half_lives(rules, where, k, count, (now - active) / DAY_US)
        if then > active:
            times -= learned_half_lives(rules, where, k, count, (then - active) / DAY_US)
    else:
        age = (now - then) / DAY_US
        times = quotient(age, rules[where, DEFAULT, k], rules[where, INVERSE, k])
    value, read = facts.signed[m, 0], plan.read[where, 0]
    value = signed_left(
        value, halved(times), rules[where, FLOOR, k], rules[where, LIFT, k], rules[where, PRUNE, k]
    )
    return value * read if (value >= 0.0) & (read > 0.0) else DEAD
