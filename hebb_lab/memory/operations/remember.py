"""remember: new memories, one or 10⁵ of them, with the edges that they bring."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.memory.changes import Added, Change, Texts, Updated
from hebb_lab.memory.ids import Ids, made_ids
from hebb_lab.memory.limits import checked_time, raised_for_batch
from hebb_lab.memory.operations.arriving.arrivals import Arrivals, as_batch, checked_arrivals
from hebb_lab.memory.operations.arriving.links import (
    Linked,
    edges_of,
    linked,
    refuse_circles,
    without_refused,
)
from hebb_lab.memory.operations.marks import stale_marks
from hebb_lab.memory.values import Batch, Draft, EdgeKind, Refused

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.operations.arriving.arrivals import Problems
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State

Embed = Callable[[Sequence[str]], "NDArray[np.float32]"]

_KEEP_OTHERS = "or give a list `refused` to keep the others"


def remembered(
    state: State,
    rules: MemoryRules,
    drafts: Draft | Sequence[Draft] | Batch,
    at_us: int,
    rng: np.random.Generator,
    embed: Embed | None = None,
    refused: list[Refused] | None = None,
) -> tuple[Change | None, Ids]:
    """New memories as a change.

    A memory begins with created = updated = accessed = its time, no access, a decay score of its
    importance and clock 0. A RevisedFrom edge that it brings supersedes its target (page: "the
    predecessor is superseded"; not under revise=in_place, as the code). All of a batch are kept
    or none; with ``refused`` the good ones are kept and the others listed there, and an edge from
    a good one to a refused one is left out and listed too.

    Args:
        state: of the store.
        rules: of the store.
        drafts: one, some, or columns.
        at_us: of the call.
        rng: where the ids' chance comes from.
        embed: gives vectors where none is given; without it such a memory has no vector and is
            found by time and edges alone.
        refused: where refused memories are listed.

    Returns:
        The change, None where nothing is left of the batch; and the new ids.

    Raises:
        InputError: a memory that `limits` refuses, a time that it refuses.
    """
    at_us = checked_time(at_us, state.clock_us, rules.clock_back)
    batch = as_batch(drafts)
    floor = state.clock_us if rules.clock_back == "refuse" else None
    arrivals, found = checked_arrivals(batch, state.dimensions, at_us, floor)
    edges: Linked | None = None
    if batch.links:
        edges = linked(state, batch.links, found, rules.dangling_edges)
        refuse_circles(state, edges, state.count + np.arange(len(batch)), found)
    if found:
        if refused is None:
            raise raised_for_batch(found, len(batch), _KEEP_OTHERS)
        refused.extend(Refused(place, *found[place]) for place in sorted(found))
    kept = np.ones(len(batch), np.bool_)
    kept[list(found)] = False
    if edges is not None:
        edges = _listed(edges, found, refused)
    if not kept.any():
        return None, Ids.none()
    return _change(state, rules, _kept(arrivals, kept) if found else arrivals, edges, kept,
                   at_us, rng, embed)  # fmt: skip


def _listed(edges: Linked, found: Problems, refused: list[Refused] | None) -> Linked:
    """The edges that are kept; those to refused memories are listed."""
    kept, gone = without_refused(edges, found)
    if refused is not None:
        refused.extend(
            Refused(
                place, f"its edge to memory {other}, which is refused, is left out",
                "Mend that memory",
            )
            for place, other in gone
        )  # fmt: skip
    return kept


def _kept(arrivals: Arrivals, kept: NDArray[np.bool_]) -> Arrivals:
    places = np.flatnonzero(kept).tolist()
    columns: Any = [[column[place] for place in places] for column in arrivals[:3]]
    columns += [column[kept] for column in arrivals[3:7]]
    return Arrivals._make([*columns, {}])


def _change(
    state: State, rules: MemoryRules, arrivals: Arrivals, edges: Linked | None,
    kept: NDArray[np.bool_], at_us: int, rng: np.random.Generator, embed: Embed | None,
) -> tuple[Change, Ids]:  # fmt: skip
    ids = made_ids(arrivals.time_us, state.highest_id, rng)
    vectors = arrivals.vectors
    if embed is not None:
        vectors = embedded(arrivals.contents, vectors, embed)
    scalars = first_scalars(arrivals.importance, arrivals.kinds, arrivals.time_us)
    texts = Texts(arrivals.contents, arrivals.contexts, arrivals.entities, vectors)
    if edges is not None:
        place = np.cumsum(kept) - 1  # place in the batch → place among those that are kept
        edges = edges._replace(
            owner=place[edges.owner], place=np.where(edges.place >= 0, place[edges.place], -1)
        )
    return added_with(state, rules, at_us, Added(ids, texts, scalars), edges), ids


def added_with(
    state: State, rules: MemoryRules, at_us: int, added: Added, edges: Linked | None
) -> Change:
    """New memories and their edges as a change; what they revise is superseded."""
    if edges is None or not len(edges.owner):
        return Change(at_us, added=added)
    updated: tuple[Updated, ...] = ()
    revises = edges.kind == EdgeKind.REVISED_FROM
    if rules.revise == "new" and revises.any():
        updated = _superseded(state, rules, edges.chosen(revises), added.scalars)
    return Change(
        at_us, added=added, updated=updated,
        edges=edges_of(edges, added.ids.array, added.scalars["created_us"]),
    )  # fmt: skip


def _superseded(
    state: State, rules: MemoryRules, revises: Linked, scalars: Mapping[str, NDArray[Any]]
) -> tuple[Updated, ...]:
    """What new RevisedFrom edges supersede, old and new, and the insights that makes stale."""
    scalars["superseded"][revises.owner[revises.incoming]] = True
    within = ~revises.incoming & (revises.place >= 0)
    scalars["superseded"][revises.place[within]] = True
    rows = np.unique(revises.rows[~revises.incoming & (revises.rows >= 0)])
    if not len(rows):
        return ()
    ids = state.ids_of(rows)
    flags = Updated(ids, {"superseded": np.ones(len(rows), np.bool_)})
    return (flags, *(stale_marks(state, rows) if rules.insight_stale else ()))


def embedded(
    contents: Sequence[str], vectors: NDArray[np.float32], embed: Embed
) -> NDArray[np.float32]:
    """Vectors [n, d], those that are zero made by the embedder."""
    missing = np.flatnonzero(~vectors.any(axis=1))
    if len(missing):
        vectors = vectors.copy()
        vectors[missing] = embed([contents[place] for place in missing.tolist()])
    return vectors


def first_scalars(
    importance: NDArray[np.float32], kinds: NDArray[np.int8], time_us: NDArray[np.int64]
) -> dict[str, NDArray[Any]]:
    """The numbers that n new memories begin with."""
    count = len(time_us)
    return {
        "kind": kinds, "importance": importance, "decay_score": importance,
        "created_us": time_us, "updated_us": time_us, "accessed_us": time_us,
        "access_count": np.zeros(count, np.int64), "clock": np.zeros(count, np.int32),
        "superseded": np.zeros(count, np.bool_), "stale": np.zeros(count, np.bool_),
        "flagged": np.zeros(count, np.bool_), "reflected": np.zeros(count, np.bool_),
    }  # fmt: skip
