"""The two forms of a revision: a new memory, or the old one rewritten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.memory.changes import SCALARS, Added, Change, Edges, Rewritten, Texts, Updated
from hebb_lab.memory.ids import Ids, made_ids
from hebb_lab.memory.operations.arriving.links import Linked, edges_of
from hebb_lab.memory.operations.marks import stale_marks
from hebb_lab.memory.operations.remember import added_with, first_scalars
from hebb_lab.memory.values import EdgeKind, Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State

CARRIED = ("accessed_us", "access_count")
"""What a new revision has from the state before it (hebbs.md §1.4: counters stay)."""


class Rewriting(NamedTuple):
    """n checked revisions.

    Args:
        ids, rows: of the memories.
        before, after: what they say.
        importance: [n] from now on.
        edges: that they bring, by place.
        at_us: when.
    """

    ids: Ids
    rows: NDArray[np.int64]
    before: Texts
    after: Texts
    importance: NDArray[np.float32]
    edges: Linked
    at_us: int


def as_new_memories(
    state: State, rules: MemoryRules, work: Rewriting, rng: np.random.Generator
) -> tuple[Change, Ids]:
    """revise=new: new memories of kind Revision that supersede the old ones."""
    time_us = np.full(len(work.rows), work.at_us, np.int64)
    kinds = np.full(len(work.rows), Kind.REVISION, np.int8)
    scalars = first_scalars(work.importance, kinds, time_us)
    scalars |= {name: state.column(name)[work.rows] for name in CARRIED}
    scalars["clock"] = state.column("clock")[work.rows] + np.int32(1)
    ids = made_ids(time_us, state.highest_id, rng)
    added = Added(ids, work.after, scalars)
    return added_with(state, rules, work.at_us, added, work.edges), ids


def in_their_place(
    state: State, rules: MemoryRules, work: Rewriting, rng: np.random.Generator
) -> tuple[Change, Ids]:
    """revise=in_place: the memories are rewritten, their old states get new ids."""
    count = len(work.rows)
    now: dict[str, NDArray[Any]] = {
        "kind": np.full(count, Kind.REVISION, np.int8),
        "importance": work.importance, "decay_score": work.importance,
        "updated_us": np.full(count, work.at_us, np.int64),
        "clock": state.column("clock")[work.rows] + np.int32(1),
        "stale": np.zeros(count, np.bool_), "flagged": np.zeros(count, np.bool_),
    }  # fmt: skip
    marks = stale_marks(state, work.rows, spared=work.rows) if rules.insight_stale else ()
    time_us = np.full(count, work.at_us, np.int64)
    edges = edges_of(work.edges, work.ids.array, time_us)
    added = None
    if rules.revisions_kept != 0:
        added = _old_states(state, work, time_us, rng)
        edges = _joined(edges, _from_old_states(work, added.ids, time_us))
    change = Change(
        work.at_us, added=added, rewritten=Rewritten(work.ids, work.after),
        updated=(Updated(work.ids, now), *marks), edges=edges if len(edges.source) else None,
    )  # fmt: skip
    return change, work.ids


def _old_states(
    state: State, work: Rewriting, time_us: NDArray[np.int64], rng: np.random.Generator
) -> Added:
    scalars = {name: state.column(name)[work.rows] for name in SCALARS}
    scalars["superseded"] = np.ones(len(work.rows), np.bool_)
    return Added(made_ids(time_us, state.highest_id, rng), work.before, scalars)


def _from_old_states(work: Rewriting, old: Ids, time_us: NDArray[np.int64]) -> Edges:
    count = len(old)
    return Edges(
        work.ids, old, np.full(count, EdgeKind.REVISED_FROM, np.int8),
        np.ones(count, np.float32), time_us,
    )  # fmt: skip


def _joined(one: Edges, other: Edges) -> Edges:
    return Edges(
        Ids(np.concatenate([one.source.array, other.source.array])),
        Ids(np.concatenate([one.target.array, other.target.array])),
        np.concatenate([one.kind, other.kind]),
        np.concatenate([one.confidence, other.confidence]),
        np.concatenate([one.time_us, other.time_us]),
    )
