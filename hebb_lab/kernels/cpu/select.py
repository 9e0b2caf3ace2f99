"""Selection under the one tie rule: score as float32 descending, then id descending.

A score and an id make one whole number of 64 bits, the score's bits above the id's: a positive
float32 is ordered as its bits are. So a tie is settled by the same comparison as all else.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hebb_lab.kernels.cpu.compile import kernel, part, step
from hebb_lab.kernels.cpu.intrinsics import bits_of_float32, float32_of_bits

ABOVE_ALL = np.int64(np.iinfo(np.int64).max)
ID = np.int64((1 << 32) - 1)


class Best(NamedTuple):
    """What a thread ranks in.

    lists: [(N + 1) · C] int64, the best so far: a line for each rank, ascending, of all C
    configurations, and above them a line that nothing passes. keys: [C] int64, of the node in hand.
    """

    lists: Any
    keys: Any


def room_to_rank(nodes: int, configs: int) -> Best:
    """Room for the best k of a query, whatever k is: there are no more than all nodes."""
    return Best(np.empty((nodes + 1) * configs, np.int64), np.empty(configs, np.int64))


@step
def key_of(score: float, node: Any) -> Any:
    """Score and id as one number; 0 for what does not rank, for it has no score above 0."""
    rounded = np.float32(score)
    key = (np.int64(bits_of_float32(rounded)) << 32) | node
    return key if rounded > np.float32(0.0) else np.int64(0)


@part
def rank(
    q: int, first: int, lanes: int, reached: int, nodes: Any, score: Any, best: Best, ids: Any,
    scores: Any,
) -> None:  # fmt: skip
    """Fill ids and scores [Q, C, k] of query q with the best of ``nodes[:reached]``.

    ``score`` [reached, …] has a lane for each of the configurations [first, first + lanes).
    ``ids`` must come in as −1, ``scores`` as −inf.
    """
    k = min(ids.shape[2], reached)
    if k == 0:
        return
    lists, keys = best
    for i in range(k * lanes):
        lists[i] = 0
    for c in range(lanes):
        lists[k * lanes + c] = ABOVE_ALL
    if lanes == 1:
        _gather_one(reached, k, nodes, score, lists)
    else:
        _gather(reached, k, lanes, nodes, score, keys, lists)
    for c in range(lanes):
        for j in range(k):
            key = lists[(k - 1 - j) * lanes + c]
            if key > 0:
                ids[q, first + c, j] = key & ID
                scores[q, first + c, j] = float32_of_bits(np.int32(key >> 32))


@step
def _gather(
    reached: int, k: int, lanes: int, nodes: Any, score: Any, keys: Any, lists: Any
) -> None:
    """The best k into the lists, all lanes at once."""
    for place in range(reached):
        node, good = np.int64(nodes[place]), 0
        for c in range(lanes):
            keys[c] = key_of(score[place, c], node)
        for c in range(lanes):
            good += 1 if keys[c] > lists[c] else 0
        if good > 0:
            for rank in range(k):
                _insert(rank * lanes, lanes, keys, lists)


@step
def _insert(line: int, lanes: int, keys: Any, lists: Any) -> None:
    """One rank of all lists; ranks are asked ascending, and the smallest key falls out.

    A place takes what lies between its two neighbours and the new key: no branch.
    """
    here, above = max(line, 0), max(line + lanes, 0)
    for c in range(lanes):
        lists[here + c] = min(lists[above + c], max(lists[here + c], keys[c]))


@step
def _gather_one(reached: int, k: int, nodes: Any, score: Any, lists: Any) -> None:
    """``_gather`` for one configuration; a score below the worst of the best is soon passed by."""
    worst = np.float32(0.0)
    for place in range(reached):
        if np.float32(score[place, 0]) < worst:
            continue
        key = key_of(score[place, 0], np.int64(nodes[place]))
        if key > lists[0]:
            for rank in range(k):
                lists[rank] = min(lists[rank + 1], max(lists[rank], key))
            worst = float32_of_bits(np.int32(lists[0] >> 32))


@kernel
def best_nodes(nodes: Any, score: Any, count: int, barred: Any, ids: Any, scores: Any) -> None:
    """Fill ``ids`` and ``scores`` [k] with the best of ``nodes[:count]`` that are not barred.

    Only positive scores rank. ``scores`` must come in as −inf, ``ids`` as −1.
    """
    k = len(ids)
    if k == 0:
        return
    for i in range(count):
        node = nodes[i]
        value = np.float32(score[node])
        if barred[node] or not value > 0.0:
            continue
        if value < scores[k - 1] or (value == scores[k - 1] and node < ids[k - 1]):
            continue
        place = k - 1
        while place > 0 and (
            value > scores[place - 1] or (value == scores[place - 1] and node > ids[place - 1])
        ):
            scores[place], ids[place] = scores[place - 1], ids[place - 1]
            place -= 1
        scores[place], ids[place] = value, node


@part
def set_all(array: Any, places: Any, value: Any) -> None:
    """``array[places] = value``, which NumPy's indexing takes longer to compile."""
    for i in range(len(places)):
        array[places[i]] = value


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
