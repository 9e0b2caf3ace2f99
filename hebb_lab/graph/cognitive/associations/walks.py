"""Spreading activation, compiled; see spreading.py for what is meant and for the arrays."""

# mypy: disable-error-code="untyped-decorator,no-any-return"

from __future__ import annotations

from typing import Any

from hebb_lab.kernels.cpu.compile import ZERO, kernel, once, step

LEAST_EMITTED, ATTENUATION = 0.01, 0.5


@step
def _credit(
    room: Any, reading: Any, found: int, memory: int, seed: int, score: float, activation: float,
    total: float, hop: int,
) -> int:  # fmt: skip
    """Credit a memory with what a seed sends it; how many are found now."""
    if activation < reading.least:
        return found
    strength, all_of_it = activation, total
    if reading.over_five:
        strength, all_of_it = min(activation / 5.0, 1.0), min(total / 5.0, 1.0)
    energy = reading.gain * score * strength
    if room.energy[memory] < 0.0:
        room.found[found] = memory
        found += 1
        room.energy[memory], room.best[memory] = 0.0, -1.0
    if energy > room.best[memory] or (
        energy == room.best[memory] and room.origin[memory] == seed
        and activation > room.activation[memory]
    ):  # fmt: skip
        room.best[memory], room.activation[memory] = energy, activation
        room.origin[memory], room.hop[memory] = seed, hop
    if reading.sums:
        room.energy[memory] += reading.gain * score * all_of_it
    else:
        room.energy[memory] = room.best[memory]
    return found


@step
def _hand_out(room: Any, found: int, buffers: Any, used: int) -> None:
    """Write what a query has found, memories ascending, and leave the room clean."""
    memory, energy, activation, origin, hop = buffers
    _ascend(room.found, found)
    for i in range(found):
        memory[used + i] = room.found[i]
    for i in range(used, used + found):
        node = memory[i]
        energy[i], activation[i] = room.energy[node], room.activation[node]
        origin[i], hop[i] = room.origin[node], room.hop[node]
        room.energy[node] = -1.0


@step
def _ascend(ids: Any, count: int) -> None:
    """Sort the first ``count`` ids in place, by a heap."""
    for build in range(count // 2):
        _sink(ids, count // 2 - 1 - build, count)
    for taken in range(1, count):
        last = count - taken
        ids[0], ids[last] = ids[last], ids[0]
        _sink(ids, ZERO, last)


@step
def _sink(ids: Any, root: int, count: int) -> None:
    while 2 * root + 1 < count:
        child = 2 * root + 1
        if child + 1 < count and ids[child + 1] > ids[child]:
            child += 1
        if ids[root] >= ids[child]:
            return
        ids[root], ids[child] = ids[child], ids[root]
        root = child


@kernel
def breadth_first(
    first: int, stop: int, paths: Any, reading: Any, seeds: Any, room: Any, buffers: Any,
    used: int, count: Any,
) -> Any:  # fmt: skip
    """Queries from ``first`` on; the one that did not fit, and what of the buffers is used."""
    for q in range(first, stop):
        found = ZERO
        for s in range(seeds.ptr[q], seeds.ptr[q + 1]):
            found = _levels(paths, reading, room, found, seeds.memory[s], seeds.score[s])
        if used + found > len(buffers[0]):
            for i in range(found):
                room.energy[room.found[i]] = -1.0
            return q, used
        _hand_out(room, found, buffers, used)
        count[q] = found
        used += found
    return stop, used


@once
def _levels(paths: Any, reading: Any, room: Any, found: int, seed: int, score: float) -> int:
    """All levels of one seed; how many memories the query has found now."""
    reached = ZERO + 1
    room.nodes[0, 0], room.level[0, seed], room.total[0, seed] = seed, 1.0, 1.0
    for hop in range(1, reading.depth + 1):
        here, there = (hop - 1) & 1, hop & 1
        further = ZERO
        for k in range(reached):
            sender = room.nodes[here, k]
            best, total = room.level[here, sender], room.total[here, sender]
            for i in range(paths.ptr[sender], paths.ptr[sender + 1]):
                memory = paths.neighbor[i]
                if memory == seed:
                    continue
                if room.level[there, memory] < 0.0:
                    room.nodes[there, further] = memory
                    further += 1
                room.level[there, memory] = max(room.level[there, memory], best * paths.scaled[i])
                room.total[there, memory] += total * paths.scaled[i]
            room.level[here, sender], room.total[here, sender] = -1.0, 0.0
        for k in range(further):
            memory = room.nodes[there, k]
            found = _credit(
                room, reading, found, memory, seed, score, room.level[there, memory],
                room.total[there, memory], hop,
            )  # fmt: skip
        reached = further
    for k in range(reached):
        memory = room.nodes[reading.depth & 1, k]
        room.level[reading.depth & 1, memory], room.total[reading.depth & 1, memory] = -1.0, 0.0
    return found


@kernel
def depth_first(
    first: int, stop: int, paths: Any, reading: Any, seeds: Any, room: Any, buffers: Any,
    used: int, count: Any,
) -> Any:  # fmt: skip
    """As ``breadth_first``, for the recursion of the code."""
    for q in range(first, stop):
        found = ZERO
        for s in range(seeds.ptr[q], seeds.ptr[q + 1]):
            found = _recursion(paths, reading, room, found, seeds.memory[s], seeds.score[s], s)
        if used + found > len(buffers[0]):
            for i in range(found):
                room.energy[room.found[i]] = -1.0
            return q, used
        _hand_out(room, found, buffers, used)
        count[q] = found
        used += found
    return stop, used


@once
def _recursion(
    paths: Any, reading: Any, room: Any, found: int, seed: int, score: float, turn: int
) -> int:
    """One seed, depth first, by a stack of rows; how many memories the query has found now."""
    at, end, node = room.stack
    hop = ZERO
    at[0], end[0], node[0] = paths.ptr[seed], paths.ptr[seed + 1], seed
    room.carried[0], room.mark[seed] = 1.0, turn
    while hop >= 0:
        if at[hop] == end[hop]:
            hop -= 1
            continue
        i = at[hop]
        at[hop] += 1
        memory, activation = paths.neighbor[i], paths.scaled[i] * room.carried[hop]
        if activation > LEAST_EMITTED and room.mark[memory] != turn:
            found = _credit(
                room, reading, found, memory, seed, score, activation, activation, hop + 1
            )
            if hop + 1 < reading.depth:
                hop += 1
                at[hop], end[hop], node[hop] = paths.ptr[memory], paths.ptr[memory + 1], memory
                room.carried[hop], room.mark[memory] = activation * ATTENUATION, turn
    return found
