"""Which entities and which hyperedges queries visit.

``gain`` is what each further hop is worth. None, as in the code: further hops cost nothing, and
the fan factor is that of the entity asked for alone, not of those that it leads to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.graph.cognitive.directory.recall.collect import Visits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.directory.atoms import Atoms
    from hebb_lab.graph.cognitive.directory.recall.asked import Asked


def related(
    asked: Asked, relations: Atoms, fan: NDArray[np.float64], *, hops: int, gain: float | None
) -> Visits:
    """Entities that typed relations lead to, breadth first, followed both ways.

    The asked ones are at hop 1, those h relations away at hop h + 1. Each is visited once, at its
    first hop, from the one that was visited first. factor = fan factor × gain^(hop − 1); with no
    gain, the fan factor of the asked entity that it was reached from.
    """
    query = np.repeat(np.arange(len(asked.ptr) - 1), np.diff(asked.ptr))
    entity, via = asked.entity.astype(np.int64), np.full(len(query), -1, np.int64)
    incidence_ptr, incidence = relations.incidence()
    ends = relations.entity.reshape(-1, 2).sum(axis=1, dtype=np.int64)
    root = entity
    levels, before = [(query, entity, via, root)], 0
    seen = np.unique(query << 32 | entity)
    for _ in range(hops - 1 if len(relations) else 0):
        counts = np.diff(incidence_ptr)[entity]
        sender = np.repeat(np.arange(len(entity)), counts)
        offset = np.arange(len(sender)) - np.repeat(np.cumsum(counts) - counts, counts)
        other = ends[incidence[incidence_ptr[:-1][entity][sender] + offset]] - entity[sender]
        key, place = np.unique(query[sender] << 32 | other, return_index=True)
        place = np.sort(place[~np.isin(key, seen, assume_unique=True)])
        seen = np.union1d(seen, key)
        sender, via = sender[place], sender[place] + before
        before += len(entity)
        query, entity, root = query[sender], other[place], root[sender]
        levels.append((query, entity, via, root))
    query, entity, via, root = (np.concatenate(parts) for parts in zip(*levels, strict=True))
    hop = np.repeat(np.arange(1, len(levels) + 1), [len(level[0]) for level in levels])
    order = np.argsort(query, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    via = np.where(via >= 0, place[via], -1)[order]
    entity, hop, root = entity[order], hop[order], root[order]
    factor = fan[root] if gain is None else fan[entity] * gain ** (hop - 1.0)
    return Visits(
        np.searchsorted(query[order], np.arange(len(asked.ptr))).astype(np.int64),
        entity.astype(np.int32), factor, hop.astype(np.int8), via, entity.astype(np.int32),
    )  # fmt: skip


def together(
    asked: Asked, atoms: Atoms, fan: NDArray[np.float64], *, hops: int, gain: float | None,
    least: float,
) -> Visits:  # fmt: skip
    """Hyperedges that hold most of a query's entities: the incidence lists of two intersect.

    Hop 1: those that hold at least two of the query's entities; one, where none holds two.
    factor = Σ fan(e) over the query's entities e that it holds / the query's entities
    × min(1, weight): each source gives its part (ACT-R). Hop h + 1: the hyperedges of their other
    entities, factor = that of the hyperedge before × fan(e) × gain × min(1, weight), with no gain
    × min(1, weight) alone. Each is visited at its first hop, by the best way; none through an
    entity below ``least``.
    """
    from hebb_lab.graph.cognitive.directory.recall import hops as compiled

    rows, entities = len(atoms), atoms.entities
    scratch = (
        np.zeros(rows, np.int32), np.zeros(rows), np.zeros(rows, np.int8),
        np.zeros(rows, np.int64), np.zeros(rows, np.int32), np.zeros(rows, np.int32),
        np.zeros(entities), np.zeros(entities, np.int8), np.zeros(entities, np.int64),
        np.zeros(entities, np.int32),
    )  # fmt: skip
    onward = np.ones(entities) if gain is None else fan * gain
    return _filled(compiled.together, asked, atoms, fan, (hops, onward, least, *scratch))


def union(
    asked: Asked, atoms: Atoms, fan: NDArray[np.float64], *, hops: int, gain: float | None
) -> Visits:
    """All hyperedges around each entity of a query by itself, depth first, as the code walks.

    factor = fan of the asked entity × gain^(hop − 1), whatever the hyperedges weigh; weights give
    the order. A hyperedge counts at the least hop at which the walk meets it.
    """
    from hebb_lab.graph.cognitive.directory.recall import depths as compiled

    rows, entities = len(atoms), atoms.entities
    widest = int(np.diff(atoms.incidence()[0]).max(initial=0))
    scratch = (
        np.zeros(rows, np.int8), np.zeros(rows, np.int64), np.zeros(rows, np.int32),
        np.zeros(rows, np.int64), np.zeros(rows, np.int32), np.zeros(entities, np.bool_),
        np.zeros(entities, np.int32), np.zeros((hops, widest), np.int32),
        *np.zeros((3, hops), np.int64),
    )  # fmt: skip
    each = 1.0 if gain is None else gain
    return _filled(compiled.union, asked, atoms, fan, (hops, each, *scratch))


def _filled(
    walk: Any, asked: Asked, atoms: Atoms, fan: NDArray[np.float64], rest: tuple[Any, ...]
) -> Visits:
    """Walk twice: to count the visits, and to write them down."""
    ptr = np.zeros(len(asked.ptr), np.int64)
    visits = Visits(ptr, *_room(0))
    for fill in (False, True):
        visits = Visits(ptr, *_room(int(ptr[-1])))
        walk(
            fill, asked.ptr, asked.entity, fan, atoms.ptr, atoms.entity, atoms.weight,
            *atoms.incidence(), *rest, ptr, visits.row, visits.factor, visits.hop, visits.via,
            visits.entity,
        )  # fmt: skip
    return visits


def _room(count: int) -> tuple[Any, ...]:
    return (
        np.zeros(count, np.int32), np.zeros(count), np.zeros(count, np.int8),
        np.zeros(count, np.int64), np.zeros(count, np.int32),
    )  # fmt: skip
