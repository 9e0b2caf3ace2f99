"""Compiled walks of queries from hyperedge to hyperedge; see `walks`."""

# numba's decorator hides the types of what it compiles.
# mypy: disallow-untyped-decorators=False, warn-return-any=False

from __future__ import annotations

from typing import Any

import numpy as np

from hebb_lab.kernels.cpu.compile import kernel, step


@kernel
def together(
    fill: bool, asked_ptr: Any, asked: Any, fan: Any, ptr: Any, entity: Any, weight: Any,
    incidence_ptr: Any, incidence: Any, hops: int, onward: Any, least: float, held: Any,
    value: Any, row_hop: Any, row_via: Any, row_entity: Any, rows: Any, reach: Any,
    entity_hop: Any, entity_via: Any, entities: Any, out_ptr: Any, out_row: Any, out_value: Any,
    out_hop: Any, out_via: Any, out_entity: Any,
) -> None:  # fmt: skip
    """Hyperedges that hold most of the query's entities, and what they lead to, breadth first."""
    for q in range(len(asked_ptr) - 1):
        begin, reached = np.int64(0), asked_ptr[q + 1] - asked_ptr[q]
        end = _holding(
            asked, asked_ptr[q], asked_ptr[q + 1], fan, weight, incidence_ptr, incidence, held,
            value, row_hop, row_via, row_entity, rows, entity_hop, entities,
        )  # fmt: skip
        for hop in range(2, hops + 1):
            begun = reached
            reached = _members(
                begin, end, hop, reached, ptr, entity, value, rows, reach, entity_hop, entity_via,
                entities,
            )  # fmt: skip
            begin = end
            for t in range(begun, reached):
                share = reach[entities[t]] * onward[entities[t]]
                if share >= least:  # else nothing beyond reaches it either
                    end = _around(
                        entities[t], share, hop, end, weight, incidence_ptr, incidence, value,
                        row_hop, row_via, row_entity, rows, entity_via,
                    )  # fmt: skip
        for t in range(end):
            if fill:
                out_value[out_ptr[q] + t] = value[rows[t]]
        write_down(
            fill, out_ptr[q], end, row_hop, row_via, row_entity, rows, out_row, out_hop, out_via,
            out_entity,
        )  # fmt: skip
        for t in range(reached):
            entity_hop[entities[t]] = 0
        if not fill:
            out_ptr[q + 1] = out_ptr[q] + end


@step
def _members(
    begin: int, end: int, hop: int, reached: int, ptr: Any, entity: Any, value: Any, rows: Any,
    reach: Any, entity_hop: Any, entity_via: Any, entities: Any,
) -> Any:  # fmt: skip
    """The entities of some hyperedges that no earlier hop has met, by the best hyperedge."""
    for t in range(begin, end):
        r = rows[t]
        for v in range(ptr[r], ptr[r + 1]):
            e = entity[v]
            if entity_hop[e] == 0:
                entities[reached] = e
                reached += 1
                entity_hop[e], reach[e], entity_via[e] = hop, value[r], t
            elif entity_hop[e] == hop and value[r] > reach[e]:
                reach[e], entity_via[e] = value[r], t
    return reached


@step
def _around(
    e: int, share: float, hop: int, end: int, weight: Any, incidence_ptr: Any, incidence: Any,
    value: Any, row_hop: Any, row_via: Any, row_entity: Any, rows: Any, entity_via: Any,
) -> Any:  # fmt: skip
    """The hyperedges of an entity that no earlier hop has met, by the best entity."""
    for i in range(incidence_ptr[e], incidence_ptr[e + 1]):
        r = incidence[i]
        activation = share * min(1.0, np.float64(weight[r]))
        if row_hop[r] == 0:
            rows[end] = r
            end += 1
            row_hop[r], value[r], row_via[r], row_entity[r] = hop, activation, entity_via[e], e
        elif row_hop[r] == hop and activation > value[r]:
            value[r], row_via[r], row_entity[r] = activation, entity_via[e], e
    return end


@step
def _holding(
    asked: Any, first: int, stop: int, fan: Any, weight: Any, incidence_ptr: Any,
    incidence: Any, held: Any, value: Any, row_hop: Any, row_via: Any, row_entity: Any, rows: Any,
    entity_hop: Any, entities: Any,
) -> Any:  # fmt: skip
    """Put first those that hold two and more of the entities, or where none does, one."""
    touched, most = np.int64(0), np.int64(0)
    for a in range(first, stop):
        e = asked[a]
        entity_hop[e], entities[a - first] = 1, e
        for i in range(incidence_ptr[e], incidence_ptr[e + 1]):
            r = incidence[i]
            if held[r] == 0:
                rows[touched], value[r] = r, 0.0
                touched += 1
                row_via[r], row_entity[r] = -1, e
            held[r] += 1
            value[r] += fan[e]
            most = max(most, np.int64(held[r]))
    emitted = np.int64(0)
    for t in range(touched):
        r = rows[t]
        if held[r] >= min(most, 2):
            rows[emitted] = r
            emitted += 1
            row_hop[r] = 1
            value[r] = value[r] / (stop - first) * min(1.0, np.float64(weight[r]))
        held[r] = 0
    return emitted


@step
def write_down(
    fill: bool, start: int, count: int, row_hop: Any, row_via: Any, row_entity: Any, rows: Any,
    out_row: Any, out_hop: Any, out_via: Any, out_entity: Any,
) -> None:  # fmt: skip
    """Write the visits down if there is room for them yet, and forget them."""
    for t in range(count):
        r = rows[t]
        if fill:
            out_row[start + t], out_hop[start + t] = r, row_hop[r]
            out_via[start + t] = start + row_via[r] if row_via[r] >= 0 else -1
            out_entity[start + t] = row_entity[r]
        row_hop[r] = 0
