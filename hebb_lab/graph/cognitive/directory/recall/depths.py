"""Compiled walks of queries from hyperedge to hyperedge, depth first; see `walks`."""

# numba's decorator hides the types of what it compiles.
# mypy: disallow-untyped-decorators=False, warn-return-any=False

from __future__ import annotations

from typing import Any

import numpy as np

from hebb_lab.graph.cognitive.directory.recall.hops import write_down
from hebb_lab.kernels.cpu.compile import kernel, step


@kernel
def union(
    fill: bool, asked_ptr: Any, asked: Any, fan: Any, ptr: Any, entity: Any, weight: Any,
    incidence_ptr: Any, incidence: Any, hops: int, gain: float, row_hop: Any, row_via: Any,
    row_entity: Any, row_place: Any, rows: Any, is_visited: Any, entities: Any, line: Any,
    at: Any, vertex: Any, own: Any, out_ptr: Any, out_row: Any, out_value: Any, out_hop: Any,
    out_via: Any, out_entity: Any,
) -> None:  # fmt: skip
    """All hyperedges around each entity by itself, depth first, in the order of weights.

    An entity that was visited is not visited again, though it be nearer then. ``line``
    [hops, widest] are the hyperedges of the entities ``own`` [hops] on the way; ``at`` and
    ``vertex`` tell how far the walk is with them.
    """
    for q in range(len(asked_ptr) - 1):
        start = out_ptr[q]
        for a in range(asked_ptr[q], asked_ptr[q + 1]):
            touched = _deep(
                asked[a], ptr, entity, weight, incidence_ptr, incidence, hops, row_hop, row_via,
                row_entity, row_place, rows, is_visited, entities, line, at, vertex, own,
            )  # fmt: skip
            for t in range(touched):
                if fill:
                    out_value[start + t] = fan[asked[a]] * gain ** (row_hop[rows[t]] - 1)
            write_down(
                fill, start, touched, row_hop, row_via, row_entity, rows, out_row, out_hop,
                out_via, out_entity,
            )  # fmt: skip
            start += touched
        if not fill:
            out_ptr[q + 1] = start


@step
def _deep(
    root: int, ptr: Any, entity: Any, weight: Any, incidence_ptr: Any, incidence: Any, hops: int,
    row_hop: Any, row_via: Any, row_entity: Any, row_place: Any, rows: Any, is_visited: Any,
    entities: Any, line: Any, at: Any, vertex: Any, own: Any,
) -> Any:  # fmt: skip
    """Walk from one entity; returns how many hyperedges it has met."""
    visited, touched, level = np.int64(0), np.int64(0), np.int64(0)
    enter, via = np.int64(root), np.int64(-1)
    while level >= 0:
        if enter >= 0:
            is_visited[enter] = True
            entities[visited] = enter
            visited += 1
            own[level], at[level], vertex[level] = enter, 0, 0
            touched = _meet(
                enter, level, via, touched, weight, incidence_ptr, incidence, row_hop, row_via,
                row_entity, row_place, rows, line[level],
            )  # fmt: skip
            enter = np.int64(-1)
        e = own[level]
        if level == hops - 1 or at[level] == incidence_ptr[e + 1] - incidence_ptr[e]:
            level -= 1
            continue
        r = np.int64(line[level, at[level]])
        if vertex[level] == ptr[r + 1] - ptr[r]:
            at[level] += 1
            vertex[level] = 0
            continue
        other = np.int64(entity[ptr[r] + vertex[level]])
        vertex[level] += 1
        if not is_visited[other]:
            enter, via = other, np.int64(row_place[r])
            level += 1
    for t in range(visited):
        is_visited[entities[t]] = False
    return touched


@step
def _meet(
    e: int, level: int, via: int, touched: int, weight: Any, incidence_ptr: Any, incidence: Any,
    row_hop: Any, row_via: Any, row_entity: Any, row_place: Any, rows: Any, line: Any,
) -> Any:  # fmt: skip
    """The hyperedges of an entity, the heaviest first."""
    count = incidence_ptr[e + 1] - incidence_ptr[e]
    for i in range(count):
        line[i] = incidence[incidence_ptr[e] + i]
    _by_weight(line, count, weight)
    for i in range(count):
        r = line[i]
        if row_hop[r] == 0:
            rows[touched], row_place[r] = r, touched
            touched += 1
        if row_hop[r] == 0 or row_hop[r] > level + 1:
            row_hop[r], row_via[r], row_entity[r] = level + 1, via, e
    return touched


@step
def _by_weight(rows: Any, count: int, weight: Any) -> None:
    """Sort ascending rows by weight, the heaviest first."""
    for i in range(1, count):
        r = rows[i]
        j = np.int64(i)
        while j > 0 and weight[rows[j - 1]] < weight[r]:
            rows[j] = rows[j - 1]
            j -= 1
        rows[j] = r
