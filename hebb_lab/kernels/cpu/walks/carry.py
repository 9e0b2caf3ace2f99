"""Energy on its way, for all configurations at once: from seeds, hop by hop, to the best nodes.

``_one`` is the same for a single configuration: a loop over one lane costs as much to begin as to
run, and arms that are asked alone would wait for little else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hebb_lab.kernels.arrays import QueryArrays
from hebb_lab.kernels.cpu.compile import ZERO, step
from hebb_lab.kernels.cpu.intrinsics import AHEAD
from hebb_lab.kernels.cpu.select import keep_frontier, rank
from hebb_lab.kernels.cpu.walks.numbers import (
    begin_numbers,
    enter,
    fetch_entry,
    forget,
    make_room,
    number_of,
    slot_of,
)
from hebb_lab.kernels.cpu.walks.readings import Passing
from hebb_lab.kernels.cpu.walks.workspace import FACTOR, MASK, Workspace


@step
def set_out(q: int, queries: QueryArrays, space: Workspace) -> int:
    """Give the seeds of a query their energy; how many nodes they are."""
    first, stop = queries.seed_ptr[q], queries.seed_ptr[q + 1]
    table, energy, score, lanes = space.table, space.energy, space.score, len(space.sent)
    begin_numbers(space)
    make_room(ZERO, stop - first, space)
    mask, factor, count = space.clock[MASK], space.clock[FACTOR], ZERO
    for i in range(first, stop):
        node = np.int64(queries.seed_ids[i])
        if queries.seed_energy[i] > 0.0:
            at = slot_of(node, table, mask, factor)
            place = number_of(table[at])
            if place < 0:
                place, count = count, count + 1
                enter(node, place, at, table, space.nodes)
                space.frontier[place], space.waiting[place] = place, False
                for c in range(lanes):
                    score[place, c] = 0.0
                for c in range(lanes):
                    energy[0, place, c] = 0.0
            for c in range(lanes):
                energy[0, place, c] += queries.seed_energy[i]
    return count


@step
def room_for(count: int, reached: int, row_ptr: Any, space: Workspace) -> None:
    """Numbers for all that a frontier of ``count`` nodes may lead to."""
    if space.clock[MASK] + 1 < len(space.table):
        more = ZERO
        for f in range(count):
            node = space.nodes[space.frontier[f]]
            more += row_ptr[node + 1] - row_ptr[node]
        make_room(reached, more, space)


@step
def set_off(
    place: int, heads: Any, at: int, hop: int, passing: Passing, space: Workspace, edges: Any,
    q: int,
) -> None:  # fmt: skip
    """What a node sends along an edge of weight 1, into ``space.sent`` [C].

    ``heads[at]`` are the node's degrees, ``heads[at + 1]`` its total weights, [C] each.
    """
    hops, decay, hub_degree = passing.hops, passing.decay, passing.hub_degree
    sent, energy, side = space.sent, space.energy, hop % 2
    for c in range(len(sent)):
        arrived = energy[side, place, c]
        sent[c] = arrived if hop < hops[c] else 0.0
    for c in range(len(sent)):
        degree = np.int64(heads[at, c])
        edges[q, c] += degree if sent[c] > 0.0 else 0
    for c in range(len(sent)):
        sent[c] *= decay[c]
    for c in range(len(sent)):
        degree, most = heads[at, c], hub_degree[c]
        sent[c] *= np.sqrt(most / degree) if degree > most else 1.0
    for c in range(len(sent)):
        total, divides = heads[at + 1, c], passing.source_row[c] != 0.0
        sent[c] /= total if divides & (total > 0.0) else 1.0


@step
def set_off_one(
    place: int, degree: float, total: float, hop: int, passing: Passing, space: Workspace,
    edges: Any, q: int,
) -> None:  # fmt: skip
    """``set_off`` for one configuration."""
    sent = space.energy[hop % 2, place, 0] if hop < passing.hops[0] else 0.0
    edges[q, 0] += np.int64(degree) if sent > 0.0 else 0
    sent *= passing.decay[0]
    if degree > passing.hub_degree[0]:
        sent *= np.sqrt(passing.hub_degree[0] / degree)
    if (passing.source_row[0] != 0.0) & (total > 0.0):
        sent /= total
    space.sent[0] = sent


@step
def send(
    line: int, size: int, side: int, columns: Any, line_of: Any, weights: Any, space: Workspace,
    reached: int, count: int,
) -> tuple[int, int]:  # fmt: skip
    """Send along the lines [line, line + size); (nodes reached, nodes that anything came to).

    The weights of line i are ``weights[line_of[i]]``, or ``weights[i]`` where that is empty.
    """
    table, energy, waiting, sent = space.table, space.energy, space.waiting, space.sent
    mask, factor = space.clock[MASK], space.clock[FACTOR]
    for i in range(line, line + size):
        fetch_entry(columns[min(i + AHEAD, line + size - 1)], table, mask, factor)
        node, own = np.int64(columns[i]), max(line_of[i] if len(line_of) > 0 else i, 0)
        at = slot_of(node, table, mask, factor)
        place = number_of(table[at])
        new = place < 0
        if new:
            place, reached = reached, reached + 1
            enter(node, place, at, table, space.nodes)
        if new or not waiting[place]:
            waiting[place], space.following[count] = True, place
            count += 1
            for c in range(len(sent)):
                energy[side, place, c] = sent[c] * max(weights[own, c], 0.0)
        else:
            for c in range(len(sent)):
                energy[side, place, c] += sent[c] * max(weights[own, c], 0.0)
    return reached, count


@step
def send_one(
    line: int, size: int, side: int, columns: Any, weights: Any, space: Workspace, reached: int,
    count: int,
) -> tuple[int, int]:  # fmt: skip
    """``send`` for one configuration."""
    table, energy, waiting, sent = space.table, space.energy, space.waiting, space.sent[0]
    mask, factor = space.clock[MASK], space.clock[FACTOR]
    for i in range(line, line + size):
        fetch_entry(columns[min(i + AHEAD, line + size - 1)], table, mask, factor)
        node = np.int64(columns[i])
        at = slot_of(node, table, mask, factor)
        place = number_of(table[at])
        new = place < 0
        if new:
            place, reached = reached, reached + 1
            enter(node, place, at, table, space.nodes)
        if new or not waiting[place]:
            waiting[place], space.following[count], energy[side, place, 0] = True, place, 0.0
            count += 1
        energy[side, place, 0] += sent * max(weights[i, 0], 0.0)
    return reached, count


@step
def send_last(
    line: int, size: int, columns: Any, line_of: Any, weights: Any, space: Workspace, reached: int
) -> int:
    """``send`` on the last hop, straight to the scores, since nothing is sent on; nodes reached."""
    table, score, sent = space.table, space.score, space.sent
    mask, factor = space.clock[MASK], space.clock[FACTOR]
    for i in range(line, line + size):
        fetch_entry(columns[min(i + AHEAD, line + size - 1)], table, mask, factor)
        node, own = np.int64(columns[i]), max(line_of[i] if len(line_of) > 0 else i, 0)
        at = slot_of(node, table, mask, factor)
        place = number_of(table[at])
        if place < 0:
            place, reached = reached, reached + 1
            enter(node, place, at, table, space.nodes)
            for c in range(len(sent)):
                score[place, c] = sent[c] * max(weights[own, c], 0.0)
        else:
            for c in range(len(sent)):
                score[place, c] += sent[c] * max(weights[own, c], 0.0)
    return reached


@step
def send_last_one(
    line: int, size: int, columns: Any, weights: Any, space: Workspace, reached: int
) -> int:
    """``send_last`` for one configuration."""
    table, score, sent = space.table, space.score, space.sent[0]
    mask, factor = space.clock[MASK], space.clock[FACTOR]
    for i in range(line, line + size):
        fetch_entry(columns[min(i + AHEAD, line + size - 1)], table, mask, factor)
        node = np.int64(columns[i])
        at = slot_of(node, table, mask, factor)
        place = number_of(table[at])
        if place < 0:
            place, reached = reached, reached + 1
            enter(node, place, at, table, space.nodes)
            score[place, 0] = 0.0
        score[place, 0] += sent * max(weights[i, 0], 0.0)
    return reached


@step
def settle(hop: int, arrived: int, known: int, passing: Passing, space: Workspace) -> None:
    """The hop is over: what has arrived counts, and those it came to (or their best) send on.

    ``known`` nodes had been reached before the hop.
    """
    side, energy, score = 1 - hop % 2, space.energy, space.score
    for f in range(arrived):
        place = space.following[f]
        space.waiting[place], space.frontier[f] = False, place
        if place >= known:
            for c in range(score.shape[1]):
                score[place, c] = energy[side, place, c]
        else:
            for c in range(score.shape[1]):
                score[place, c] += energy[side, place, c]
    if passing.narrowest < arrived:
        keep_frontier(
            arrived, side, space.frontier, space.nodes, energy, passing.frontier, space.order
        )


@step
def answer(
    q: int, reached: int, queries: QueryArrays, space: Workspace, ids: Any, scores: Any
) -> None:
    """The best of the nodes that a query reached, but for those it excludes."""
    mask, factor = space.clock[MASK], space.clock[FACTOR]
    for i in range(queries.exclude_ptr[q], queries.exclude_ptr[q + 1]):
        place = number_of(
            space.table[slot_of(np.int64(queries.exclude_ids[i]), space.table, mask, factor)]
        )
        if place >= 0:
            for c in range(space.score.shape[1]):
                space.score[place, c] = 0.0
    lanes = space.score.shape[1]
    rank(q, ZERO, lanes, reached, space.nodes, space.score, space.best, ids, scores)
    forget(reached, space)
