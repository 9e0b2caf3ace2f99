"""Writing atoms one after the other, each with its evictions; see `atoms`."""

# numba's decorator hides the types of what it compiles.
# mypy: disallow-untyped-decorators=False, warn-return-any=False

from __future__ import annotations

from typing import Any

import numpy as np

from hebb_lab.kernels.cpu.compile import ZERO, kernel, step

ALONE, SUMMED = -1.0, -2.0


@kernel
def by_entity(ptr: Any, entity: Any, takes_part: Any, place: Any, rows: Any) -> None:
    """The rows in which each entity takes part, ascending; ``place`` [E] is where each begins."""
    for r in range(len(ptr) - 1):
        for v in range(ptr[r], ptr[r + 1]):
            if takes_part[v]:
                e = entity[v]
                rows[place[e]] = r
                place[e] += 1


@step
def _is_worse(r: int, s: int, weight: Any, used: Any, weakest_goes: bool) -> bool:
    """Whether row r is to go before row s."""
    if weakest_goes and weight[r] != weight[s]:
        return weight[r] < weight[s]
    if used[r] != used[s]:
        return used[r] < used[s]
    return r < s


@step
def _vertex(e: int, r: int, ptr: Any, entity: Any) -> Any:
    """The vertex of an entity in an atom that holds it."""
    v = ZERO + ptr[r]
    while entity[v] != e:
        v += 1
    return v


@step
def _worst(
    e: int, ptr: Any, entity: Any, takes_part: Any, alive: Any, weight: Any, used: Any,
    incidence_ptr: Any, incidence: Any, chain: Any, row: Any, weakest_goes: bool,
) -> Any:  # fmt: skip
    """Which of an entity's atoms is to go."""
    worst, i, v = ZERO - 1, ZERO + incidence_ptr[e], ZERO + chain[0, e]
    while i < incidence_ptr[e + 1] or v >= 0:
        if i < incidence_ptr[e + 1]:
            r = ZERO + incidence[i]
            i += 1
        else:
            r, v = ZERO + row[v], ZERO + chain[1, v]
        if (
            alive[r]
            and takes_part[_vertex(e, r, ptr, entity)]
            and (worst < 0 or _is_worse(r, worst, weight, used, weakest_goes))
        ):
            worst = r
    return worst


@step
def _is_same(r: int, s: int, ptr: Any, entity: Any, kind: Any) -> bool:
    if kind[r] != kind[s] or ptr[r + 1] - ptr[r] != ptr[s + 1] - ptr[s]:
        return False
    same = True
    for i in range(ptr[r + 1] - ptr[r]):
        same = same and entity[ptr[r] + i] == entity[ptr[s] + i]
    return same


@step
def _like(
    r: int, ptr: Any, entity: Any, kind: Any, alive: Any, incidence_ptr: Any, incidence: Any,
    chain: Any, row: Any,
) -> Any:  # fmt: skip
    """The atom that is held already with the entities and the type of row r, −1 for none."""
    e = entity[ptr[r]]
    for i in range(incidence_ptr[e], incidence_ptr[e + 1]):
        s = np.int64(incidence[i])
        if alive[s] and _is_same(r, s, ptr, entity, kind):
            return s
    v = np.int64(chain[0, e])
    while v >= 0:
        s = np.int64(row[v])
        if alive[s] and _is_same(r, s, ptr, entity, kind):
            return s
        v = np.int64(chain[1, v])
    return np.int64(-1)


@step
def _leave(e: int, r: int, whole: bool, ptr: Any, entity: Any, takes_part: Any, alive: Any,
           counts: Any) -> None:  # fmt: skip
    """An entity leaves an atom, or all do; an atom that nobody takes part in any more is gone."""
    takes_part[_vertex(e, r, ptr, entity)] = False
    counts[e] -= 1
    left = ZERO
    for v in range(ptr[r], ptr[r + 1]):
        if takes_part[v] and whole:
            takes_part[v] = False
            counts[entity[v]] -= 1
        left += takes_part[v]
    if left == 0:
        alive[r] = False


@kernel
def write(
    held: int, vertices: int, ptr: Any, entity: Any, takes_part: Any, kind: Any, weight: Any,
    used: Any, alive: Any, incidence_ptr: Any, incidence: Any, counts: Any, chain: Any, row: Any,
    cap: int, weakest_goes: bool, again: float,
) -> None:  # fmt: skip
    """Bring rows ``held`` and after to life, in order.

    ``chain[0, e]`` is the last new vertex of entity e, ``chain[1, v]`` the one before vertex v;
    vertices are counted from the first new one. ``again`` is what an atom gains that is held
    already; `ALONE`: none is the same as another; `SUMMED`: equal ones add up. Where atoms can be
    the same (relations), one that is evicted is gone for all of its entities.
    """
    for r in range(held, len(ptr) - 1):
        if again != ALONE:
            s = _like(r, ptr, entity, kind, alive, incidence_ptr, incidence, chain, row)
            if s >= 0:
                weight[s] += weight[r] if again == SUMMED else again
                used[s] = max(used[s], used[r])
                continue
        for v in range(ptr[r], ptr[r + 1]):
            if takes_part[v] and counts[entity[v]] >= cap:
                gone = _worst(
                    entity[v], ptr, entity, takes_part, alive, weight, used, incidence_ptr,
                    incidence, chain, row, weakest_goes,
                )  # fmt: skip
                _leave(entity[v], gone, again != ALONE, ptr, entity, takes_part, alive, counts)
        alive[r] = True
        for v in range(ptr[r], ptr[r + 1]):
            if takes_part[v]:
                e = entity[v]
                counts[e] += 1
                chain[1, v - vertices] = chain[0, e]
                chain[0, e] = v - vertices
