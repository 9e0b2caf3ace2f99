"""Personalised PageRank on the CPU: queries of one moment at once, in the graph as it was then.

Mass is pushed from node to node, oldest first, until no residual exceeds the tolerance (forward
push: Andersen, Chung, Lang 2006). Queries of one moment are lanes: a node is pushed for all of them
when it is due for one, and its row is read once for all.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.kernels.arrays import QueryArrays, nothing_found
from hebb_lab.kernels.cpu.compile import ZERO, in_workers, kernel, step
from hebb_lab.kernels.cpu.select import Best, rank, room_to_rank
from hebb_lab.kernels.cpu.walks.pool import Pool, come_to, turn_back
from hebb_lab.kernels.cpu.walks.readings import Facts, Plan, Timeline
from hebb_lab.kernels.cpu.walks.rows import fill_rows
from hebb_lab.kernels.cpu.walks.thin import thin_rows
from hebb_lab.kernels.cpu.walks.travel import begin_moment
from hebb_lab.kernels.cpu.walks.workspace import HEADS, NOW, USED, WHOLE, Workspace, workspace

if TYPE_CHECKING:
    from hebb_lab.kernels.arrays import Found, GraphArrays
    from hebb_lab.kernels.cpu.walks.readings import Reading
    from hebb_lab.kernels.parameters import ReadArrays

ONE: Any = np.int64(1)
MOST_LANES = 32  # queries of one moment that are walked at once


class Push(NamedTuple):
    """What queries of one moment are pushed in; B lanes.

    mass, home: [B], of the node in hand and of the seeds. residual, probability: [N, B]. queue:
    [N+1] int32, a ring of the nodes that are due; due: [N] bool. everyone: [N]. best: see select.
    """

    mass: Any
    residual: Any
    probability: Any
    queue: Any
    due: Any
    everyone: Any
    best: Best


@dataclass
class Space:
    """What a thread walks in, and the configuration that it was last walked for."""

    rows: Workspace
    push: Push
    config: int = -1


class Pushing(NamedTuple):
    """What is ready for all configurations, one after the other; ``lanes`` queries at once."""

    lanes: int
    pool: Pool[Space]

    def walk(
        self, c: int, reading: Reading, queries: QueryArrays, pieces: list[tuple[int, int]], k: int,
        restart: float, tolerance: float,
    ) -> Found:  # fmt: skip
        """Random walk with restart at the seeds; see Walk.personalised_pagerank."""
        found = nothing_found(1, len(queries.time), k)
        _, timeline, facts, plan, _ = reading
        plan = plan._replace(totals=True)

        def work(space: Space, begin: int, end: int) -> None:
            if space.config != c:
                turn_back(space.rows)
                space.config = c
            come_to(space.rows, queries.time[begin], True)
            _pagerank(
                begin, end, timeline, facts, plan, queries, space.rows, space.push, restart,
                tolerance, found.ids, found.scores, found.edges[0],
            )  # fmt: skip

        in_workers(self.pool.take, work, pieces, self.pool.give_back)
        return found


def pushing(graph: GraphArrays, reads: ReadArrays, memory_bytes: int) -> Pushing:
    """Make ready what any of the configurations is walked in.

    Whole rows must stay, since mass comes back to them.
    """
    nodes, slots = len(graph.row_ptr) - 1, len(graph.col)
    lanes = int(max(1, min(MOST_LANES, memory_bytes // (64 * (nodes + 1)))))
    traces = int((reads.trace_stop - reads.trace_first).max(initial=1))

    def make() -> Space:
        return Space(
            workspace(nodes, graph.namespace, slots + HEADS * nodes, 1, traces, True),
            Push(
                np.empty(lanes), np.zeros((nodes, lanes)), np.zeros((nodes, lanes)),
                np.empty(nodes + 1, np.int32), np.zeros(nodes, np.bool_),
                np.arange(nodes, dtype=np.int32), room_to_rank(nodes, lanes),
            ),
        )  # fmt: skip

    return Pushing(lanes, Pool(make))


def runs_of_moments(queries: QueryArrays, lanes: int) -> list[tuple[int, int]]:
    """Runs of queries of one moment, at most ``lanes`` of them."""
    later = np.flatnonzero(queries.time[1:] != queries.time[:-1]) + 1
    ends = [0, *later.tolist(), len(queries.time)]
    return [
        (first, min(first + lanes, end))
        for start, end in pairwise(ends)
        for first in range(start, end, lanes)
    ]


@kernel
def _pagerank(
    begin: int, end: int, timeline: Timeline, facts: Facts, plan: Plan, queries: QueryArrays,
    space: Workspace, push: Push, restart: float, tolerance: float, ids: Any, scores: Any,
    edges: Any,
) -> None:  # fmt: skip
    """Queries [begin, end), all of one moment. ids, scores: [1, Q, k]; edges: [Q]."""
    residual, probability = push.residual, push.probability
    nodes, lanes = len(residual), end - begin
    if queries.time[begin] != space.clock[NOW]:
        begin_moment(queries.time[begin], len(facts.col), timeline, facts, plan, space)
    waiting = _home(begin, end, queries, push)
    head = ZERO
    while head != waiting:
        node = push.queue[head]
        head = head + 1 if head + 1 < len(push.queue) else ZERO
        push.due[node] = False
        _row(node, queries.time[begin], facts, plan, space)
        at, size = space.row_at[node], space.row_size[node]
        total = space.lines[at + 1, 0]
        _settle(node, begin, end, space.lines[at, 0], restart, push, edges)
        if total > 0.0:
            share = (1.0 - restart) / total
            waiting = _spread_mass(
                at + HEADS, size, lanes, share, tolerance, waiting, push, plan.thin, space
            )
        else:
            waiting = _send_home(begin, end, 1.0 - restart, tolerance, waiting, push, queries)
    _bar(begin, end, queries, push)
    rank(ZERO, begin, lanes, nodes, push.everyone, probability, push.best, ids, scores)
    for node in range(nodes):
        for b in range(lanes):
            residual[node, b], probability[node, b] = 0.0, 0.0


@step
def _home(begin: int, end: int, queries: QueryArrays, push: Push) -> int:
    """All mass at the seeds; the number of nodes that are due."""
    waiting = ZERO
    for q in range(begin, end):
        total = 0.0
        for i in range(queries.seed_ptr[q], queries.seed_ptr[q + 1]):
            total += queries.seed_energy[i]
        for i in range(queries.seed_ptr[q], queries.seed_ptr[q + 1]):
            node = queries.seed_ids[i]
            if queries.seed_energy[i] > 0.0:
                push.residual[node, q - begin] += queries.seed_energy[i] / total
                if not push.due[node]:
                    push.due[node], push.queue[waiting] = True, node
                    waiting += 1
    return waiting


@step
def _bar(begin: int, end: int, queries: QueryArrays, push: Push) -> None:
    """What a query excludes does not rank."""
    for q in range(begin, end):
        for i in range(queries.exclude_ptr[q], queries.exclude_ptr[q + 1]):
            push.probability[queries.exclude_ids[i], q - begin] = 0.0


@step
def _row(node: int, now: int, facts: Facts, plan: Plan, space: Workspace) -> None:
    """Make the node's row, if it is not there."""
    space.nodes[0], space.frontier[0] = node, 0
    if plan.thin:
        _, space.clock[USED] = thin_rows(ZERO, ONE, now, facts, plan, space)
    else:
        _, space.clock[USED] = fill_rows(ZERO, ONE, now, facts, plan, space)


@step
def _settle(
    node: int, begin: int, end: int, degree: float, restart: float, push: Push, edges: Any
) -> None:
    """Take the node's residual in hand; a part of it stays. A row counts when it is first read."""
    mass, residual, probability = push.mass, push.residual, push.probability
    for b in range(end - begin):
        first = residual[node, b] > 0.0 and probability[node, b] == 0.0
        edges[begin + b] += np.int64(degree) if first else 0
    for b in range(end - begin):
        mass[b] = residual[node, b]
    for b in range(end - begin):
        probability[node, b] += restart * mass[b]
    for b in range(end - begin):
        residual[node, b] = 0.0


@step
def _spread_mass(
    line: int, size: int, lanes: int, share: float, tolerance: float, waiting: int, push: Push,
    thin: bool, space: Workspace,
) -> int:  # fmt: skip
    """Send the mass in hand along a row; the queue's new end."""
    mass, residual, columns, lines = push.mass, push.residual, space.columns, space.lines
    made = space.edge_lines if space.clock[WHOLE] != 0 else lines
    for i in range(line, line + size):
        node, weight = columns[i], lines[i, 0] if thin else made[space.line_of[i], 0]
        weight = share * max(weight, 0.0)
        for b in range(lanes):
            residual[node, b] += weight * mass[b]
        if not push.due[node]:
            over = 0
            for b in range(lanes):
                over += 1 if residual[node, b] > tolerance else 0
            if over > 0:
                push.due[node], push.queue[waiting] = True, node
                waiting = waiting + 1 if waiting + 1 < len(push.queue) else ZERO
    return waiting


@step
def _send_home(
    begin: int, end: int, share: float, tolerance: float, waiting: int, push: Push,
    queries: QueryArrays,
) -> int:  # fmt: skip
    """Send the mass of a node without edges back to the seeds; the queue's new end."""
    for q in range(begin, end):
        total, mass = 0.0, share * push.mass[q - begin]
        for i in range(queries.seed_ptr[q], queries.seed_ptr[q + 1]):
            total += queries.seed_energy[i]
        for i in range(queries.seed_ptr[q], queries.seed_ptr[q + 1]):
            node = queries.seed_ids[i]
            if queries.seed_energy[i] > 0.0:
                push.residual[node, q - begin] += mass * queries.seed_energy[i] / total
                if push.residual[node, q - begin] > tolerance and not push.due[node]:
                    push.due[node], push.queue[waiting] = True, node
                    waiting = waiting + 1 if waiting + 1 < len(push.queue) else ZERO
    return waiting
