"""Edges that new memories bring: to ids, to places of their own batch, and no circle of lineage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.memory.changes import Edges
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.limits import Problem
from hebb_lab.memory.values import EdgeKind, Link

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.operations.arriving.arrivals import Problems
    from hebb_lab.memory.state import State

LINEAGE = (int(EdgeKind.REVISED_FROM), int(EdgeKind.INSIGHT_FROM))
_NO_ID = Problem("the target of an edge is no id of a memory", "Give a ULID of 26 characters")
_NOT_THERE = Problem(
    "an edge leads to a memory that is not there", "Give a living id, or set dangling_edges=keep"
)
_CIRCLE = Problem(
    "an edge of lineage closes a circle", "Let RevisedFrom and InsightFrom lead to older memories"
)


class Linked(NamedTuple):
    """m edges of new memories, not yet with their ids.

    Args:
        owner: [m] place of the memory that brings it.
        place: [m] place of the other end, −1 where that is an id.
        ids: [m, 2] of the other end, 0 where that is a place.
        rows: [m] row of that id, −1 where there is none.
        kind, confidence, incoming: [m].
    """

    owner: NDArray[np.int64]
    place: NDArray[np.int64]
    ids: NDArray[np.uint64]
    rows: NDArray[np.int64]
    kind: NDArray[np.int8]
    confidence: NDArray[np.float32]
    incoming: NDArray[np.bool_]

    def chosen(self, which: NDArray[np.bool_]) -> Linked:
        """Some of them."""
        columns: Any = [column[which] for column in self]
        return Linked(*columns)


def linked(
    state: State, links: Mapping[int, Sequence[Link]], found: Problems, dangling_edges: str
) -> Linked:
    """The edges of the memories that nothing is wrong with.

    Args:
        state: of the store.
        links: place → edges.
        found: what is wrong with memories; unknown targets are added.
        dangling_edges: ``rules.dangling_edges``.
    """
    flat = [
        (owner, link) for owner, brought in links.items() if owner not in found for link in brought
    ]
    by_id = np.array([isinstance(link.target, str) for _, link in flat], np.bool_)
    ids = np.zeros((len(flat), 2), np.uint64)
    rows = np.full(len(flat), -1, np.int64)
    owner = np.array([place for place, _ in flat], np.int64)
    known = by_id.copy()
    if by_id.any():
        ids[by_id], known[by_id] = _parsed([str(link.target) for _, link in flat
                                            if isinstance(link.target, str)])  # fmt: skip
        rows[known] = state.rows_of(Ids(ids[known]))
        for at in np.flatnonzero(by_id & ~known).tolist():
            found.setdefault(int(owner[at]), _NO_ID)
        if dangling_edges == "refuse":
            for at in np.flatnonzero(known & (rows < 0)).tolist():
                found.setdefault(int(owner[at]), _NOT_THERE)
    made = Linked(
        owner,
        np.array([-1 if isinstance(link.target, str) else link.target for _, link in flat],
                 np.int64),
        ids, rows,
        np.array([link.kind for _, link in flat], np.int8),
        np.array([link.confidence for _, link in flat], np.float32),
        np.array([link.incoming for _, link in flat], np.bool_),
    )  # fmt: skip
    return made.chosen(_not_of(made.owner, found))


def _not_of(places: NDArray[np.int64], found: Problems) -> NDArray[np.bool_]:
    return ~np.isin(places, np.array(list(found), np.int64))


def _parsed(texts: list[str]) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
    """Ids [m, 2] of texts, and which of them are ids."""
    try:
        return Ids.parse(texts).array, np.ones(len(texts), np.bool_)
    except InputError:
        ids, known = np.zeros((len(texts), 2), np.uint64), np.zeros(len(texts), np.bool_)
        for at, text in enumerate(texts):
            try:
                ids[at] = Ids.parse([text]).array[0]
                known[at] = True
            except InputError:
                continue
        return ids, known


def refuse_circles(state: State, edges: Linked, nodes: NDArray[np.int64], found: Problems) -> None:
    """Refuse the memories that bring an edge of a circle of RevisedFrom and InsightFrom.

    Every circle that new memories can close has an edge into one of them, so batches without such
    an edge are not searched.

    Args:
        state: of the store.
        edges: of the memories.
        nodes: [n] of their places: rows of memories that are there, ``state.count`` and more of
            new ones.
        found: what is wrong with memories; the circles are added.
    """
    lineage = edges.chosen(np.isin(edges.kind, LINEAGE))
    into_new = lineage.incoming | (lineage.place >= 0)
    if not into_new.any() and (nodes[lineage.owner] >= state.count).all():
        return
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    new = nodes[lineage.owner]
    first_free = max(state.count, int(nodes.max()) + 1)
    # An id that is not there yet gets a node of its own, behind the new memories.
    _, waiting = np.unique(lineage.ids, axis=0, return_inverse=True)
    other = np.where(
        lineage.place >= 0,
        nodes[lineage.place],
        np.where(lineage.rows >= 0, lineage.rows, first_free + waiting.ravel()),
    )
    source = np.where(lineage.incoming, other, new)
    target = np.where(lineage.incoming, new, other)
    table = state.edges
    old = np.isin(table.kind, LINEAGE) & (table.source >= 0) & (table.target >= 0)
    every = (np.append(table.source[old], source), np.append(table.target[old], target))
    size = first_free + len(lineage.owner)
    graph = coo_array((np.ones(len(every[0]), np.int8), every), shape=(size, size))
    _, component = connected_components(graph, directed=True, connection="strong")
    for place in lineage.owner[component[source] == component[target]].tolist():
        found.setdefault(place, _CIRCLE)


def without_refused(edges: Linked, found: Problems) -> tuple[Linked, list[tuple[int, int]]]:
    """The edges between memories that are kept; and (place, place of a refused one) of the rest."""
    mine = edges.chosen(_not_of(edges.owner, found))
    kept = _not_of(mine.place, found)
    gone = mine.chosen(~kept)
    return mine.chosen(kept), list(zip(gone.owner.tolist(), gone.place.tolist(), strict=True))


def edges_of(edges: Linked, ids: NDArray[np.uint64], time_us: NDArray[np.int64]) -> Edges:
    """Edges with their ids.

    Args:
        edges: of new memories, by place.
        ids: [n, 2] of the places.
        time_us: [n] of the writing of each; an edge has the time of the memory that brings it.
    """
    new = ids[edges.owner]
    other = np.where((edges.place >= 0)[:, None], ids[np.maximum(edges.place, 0)], edges.ids)
    incoming = edges.incoming[:, None]
    return Edges(
        Ids(np.where(incoming, other, new)), Ids(np.where(incoming, new, other)), edges.kind,
        edges.confidence, time_us[edges.owner],
    )  # fmt: skip
