"""Energy on its way, for all configurations at once: from seeds, hop by hop, to the best nodes.

Nodes that a query reaches get consecutive local numbers, so that what a walk holds follows its
frontier and not the number of nodes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hebb_lab.kernels.arrays import QueryArrays
from hebb_lab.kernels.cpu.compile import ZERO, part, step
from hebb_lab.kernels.cpu.prefetch import AHEAD, prefetch
from hebb_lab.kernels.cpu.walks.readings import Passing
from hebb_lab.kernels.cpu.walks.workspace import Workspace

LEAST = np.float32(1e-45)  # the smallest number above 0: what has less does not rank


@step
def number_node(
    node: int, reached: int, local: Any, nodes: Any, energy: Any, score: Any
) -> tuple[int, int]:
    """(local number of a node, how many nodes have one)."""
    if local[node] >= 0:
        return local[node], reached
    local[node], nodes[reached] = reached, node
    for c in range(score.shape[1]):
        score[reached, c] = 0.0
    for c in range(score.shape[1]):
        energy[0, reached, c] = 0.0
    for c in range(score.shape[1]):
        energy[1, reached, c] = 0.0
    return reached, reached + 1


@step
def seed(
    first: int, stop: int, seed_ids: Any, seed_energy: Any, local: Any, nodes: Any, energy: Any,
    score: Any, waiting: Any, frontier: Any,
) -> int:  # fmt: skip
    """Give the seeds [first, stop) their energy; how many nodes they are."""
    count = ZERO
    for i in range(first, stop):
        if seed_energy[i] > 0.0:
            place, count = number_node(seed_ids[i], count, local, nodes, energy, score)
            for c in range(score.shape[1]):
                energy[0, place, c] += seed_energy[i]
    for place in range(count):
        frontier[place], waiting[place] = place, False
    return count


@step
def set_off(
    place: int, heads: Any, at: int, hop: int, side: int, energy: Any, passing: Passing, sent: Any,
    edges: Any, q: int,
) -> None:  # fmt: skip
    """What a node sends along an edge of weight 1, ``sent`` [C]; its own energy is spent.

    ``heads[at]`` are the node's degrees, ``heads[at + 1]`` its total weights, [C] each.
    """
    hops, decay, hub_degree = passing.hops, passing.decay, passing.hub_degree
    for c in range(len(sent)):
        arrived = energy[side, place, c]
        sent[c] = arrived if hop < hops[c] else 0.0
    for c in range(len(sent)):
        degree = np.int64(heads[at, c])
        edges[c, q] += degree if sent[c] > 0.0 else 0
    for c in range(len(sent)):
        sent[c] *= decay[c]
    for c in range(len(sent)):
        degree, most = heads[at, c], hub_degree[c]
        sent[c] *= np.sqrt(most / degree) if degree > most else 1.0
    for c in range(len(sent)):
        total, divides = heads[at + 1, c], passing.source_row[c] != 0.0
        sent[c] /= total if divides & (total > 0.0) else 1.0
    for c in range(len(sent)):
        energy[side, place, c] = 0.0


@step
def send(
    line: int, size: int, side: int, sent: Any, columns: Any, weights: Any,
    local: Any, nodes: Any, energy: Any, score: Any, waiting: Any, following: Any, reached: int,
    count: int,
) -> tuple[int, int]:  # fmt: skip
    """Send along the lines [line, line + size); (nodes reached, nodes that anything came to)."""
    for i in range(line, line + size):
        prefetch(local, columns[min(i + AHEAD, line + size - 1)])
        target, before = columns[i], reached
        place, reached = number_node(target, reached, local, nodes, energy, score)
        if reached > before or not waiting[place]:
            waiting[place], following[count] = True, place
            count += 1
        for c in range(len(sent)):
            energy[side, place, c] += sent[c] * max(weights[i, c], 0.0)
    return reached, count


@step
def send_last(
    line: int, size: int, sent: Any, columns: Any, weights: Any, local: Any, nodes: Any,
    score: Any, reached: int,
) -> int:  # fmt: skip
    """``send`` on the last hop, straight to the scores, since nothing is sent on; nodes reached."""
    for i in range(line, line + size):
        prefetch(local, columns[min(i + AHEAD, line + size - 1)])
        target = columns[i]
        place = local[target]
        if place < 0:
            place, local[target], nodes[reached] = reached, reached, target
            reached += 1
            for c in range(len(sent)):
                score[place, c] = sent[c] * max(weights[i, c], 0.0)
        else:
            for c in range(len(sent)):
                score[place, c] += sent[c] * max(weights[i, c], 0.0)
    return reached


@step
def arrive(count: int, side: int, following: Any, frontier: Any, waiting: Any, energy: Any,
           score: Any) -> None:  # fmt: skip
    """What has arrived counts; those it came to are the new frontier."""
    for f in range(count):
        place = following[f]
        waiting[place], frontier[f] = False, place
        for c in range(score.shape[1]):
            score[place, c] += energy[side, place, c]


@part
def keep_frontier(
    count: int, side: int, frontier: Any, nodes: Any, energy: Any, most: Any, order: Any
) -> None:
    """Only the ``most[c]`` nodes of most energy (ties: higher id) send on, the others lose it."""
    for c in range(len(most)):
        if most[c] >= count:
            continue
        for f in range(count):
            order[f] = frontier[f]
        for chosen in range(most[c]):
            best = chosen
            for f in range(chosen + 1, count):
                here, there = energy[side, order[f], c], energy[side, order[best], c]
                if here > there or (here == there and nodes[order[f]] > nodes[order[best]]):
                    best = f
            order[chosen], order[best] = order[best], order[chosen]
        for f in range(most[c], count):
            energy[side, order[f], c] = 0.0


@step
def rank(q: int, reached: int, nodes: Any, score: Any, cut: Any, ids: Any, scores: Any) -> None:
    """Fill ids and scores [C, Q, k] of query q: score as float32 descending, then id descending."""
    k = ids.shape[2]
    if k == 0:
        return
    for c in range(len(cut)):
        cut[c] = LEAST
    for place in range(reached):
        node = nodes[place]
        good = 0
        for c in range(len(cut)):
            good += 1 if np.float32(score[place, c]) >= cut[c] else 0
        if good == 0:
            continue
        for c in range(len(cut)):
            value = np.float32(score[place, c])
            if value < cut[c] or (value == scores[c, q, k - 1] and node < ids[c, q, k - 1]):
                continue
            at = k - 1
            while at > 0 and (
                value > scores[c, q, at - 1]
                or (value == scores[c, q, at - 1] and node > ids[c, q, at - 1])
            ):
                scores[c, q, at], ids[c, q, at] = scores[c, q, at - 1], ids[c, q, at - 1]
                at -= 1
            scores[c, q, at], ids[c, q, at] = value, node
            cut[c] = max(scores[c, q, k - 1], LEAST)


@step
def bar(first: int, stop: int, exclude_ids: Any, local: Any, score: Any) -> None:
    """Take the scores of the excluded nodes [first, stop) away."""
    for i in range(first, stop):
        place = local[exclude_ids[i]]
        if place >= 0:
            for c in range(score.shape[1]):
                score[place, c] = 0.0


@step
def forget(reached: int, local: Any, nodes: Any) -> None:
    """Take the local numbers back."""
    for place in range(reached):
        local[nodes[place]] = -1


@step
def set_out(q: int, queries: QueryArrays, space: Workspace) -> int:
    """Give the seeds of a query their energy; how many nodes they are."""
    return seed(
        queries.seed_ptr[q], queries.seed_ptr[q + 1], queries.seed_ids, queries.seed_energy,
        space.local, space.nodes, space.energy, space.score, space.waiting, space.frontier,
    )  # fmt: skip


@step
def settle(hop: int, arrived: int, passing: Passing, space: Workspace) -> None:
    """The hop is over: what has arrived counts, and those it came to (or their best) send on."""
    side, energy, frontier = 1 - hop % 2, space.energy, space.frontier
    arrive(arrived, side, space.following, frontier, space.waiting, energy, space.score)
    if passing.narrowest < arrived:
        keep_frontier(arrived, side, frontier, space.nodes, energy, passing.frontier, space.order)


@step
def answer(
    q: int, reached: int, queries: QueryArrays, space: Workspace, ids: Any, scores: Any
) -> None:
    """The best of the nodes that a query reached, but for those it excludes."""
    first, stop = queries.exclude_ptr[q], queries.exclude_ptr[q + 1]
    bar(first, stop, queries.exclude_ids, space.local, space.score)
    rank(q, reached, space.nodes, space.score, space.cut, ids, scores)
    forget(reached, space.local, space.nodes)
