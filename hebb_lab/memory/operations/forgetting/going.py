"""What goes with what is forgotten, and what is left of it."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.memory.changes import Tombstones, Updated
from hebb_lab.memory.operations.arriving.links import LINEAGE
from hebb_lab.memory.operations.marks import stale_marks
from hebb_lab.memory.reflection import stale_insights
from hebb_lab.memory.values import EdgeKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.changes import Journal
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State

LINEAGE_OF = "; lineage of "
"""What stands in a tombstone's reason before the ids of what had come from it."""
_SALT_BYTES = 16


class Doomed(NamedTuple):
    """What a forgetting takes.

    Args:
        rows: of all memories that go, ascending.
        cascaded: [len(rows)] which of them were not asked for.
        marks: insights that are marked stale.
        standing: insights drawn from what goes that stay, marked or not.
    """

    rows: NDArray[np.int64]
    cascaded: NDArray[np.bool_]
    marks: tuple[Updated, ...]
    standing: int


def doomed(
    state: State, rules: MemoryRules, rows: NDArray[np.int64],
    spared: NDArray[np.int64] | None = None,
) -> Doomed:  # fmt: skip
    """What goes when some memories are forgotten.

    forget_revisions: the states that they superseded go too, however far back, except one that a
    memory that stays has superseded as well. forget_insights=forget: the insights drawn from what
    goes go too, and the insights drawn from those, and their superseded states; =mark: they are
    marked stale; =keep: nothing happens to them, and both leave what they quote of their sources.

    A newer state than the forgotten one stays, and its text may be the same: forget the newest
    state to forget all of them.

    Args:
        state: of the store.
        rules: of the store.
        rows: living memories.
        spared: memories that nothing takes along or marks; none of ``rows``.
    """
    asked = np.unique(rows)
    stay = np.zeros(0, np.int64) if spared is None else spared
    goes = asked
    while True:
        following = goes
        if rules.forget_revisions:
            following = np.union1d(following, superseded_states(state, following))
        if rules.forget_insights == "forget":
            following = np.union1d(following, stale_insights(state, following))
        following = np.setdiff1d(following, stay)
        if len(following) == len(goes):
            break
        goes = following
    standing = len(np.setdiff1d(stale_insights(state, goes), goes))
    unmarked = np.union1d(goes, stay)
    marks = stale_marks(state, goes, spared=unmarked) if rules.forget_insights == "mark" else ()
    return Doomed(goes, ~np.isin(goes, asked), marks, standing)


def superseded_states(state: State, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The states that some memories superseded, along RevisedFrom however far back.

    Left out is what a memory outside of them has superseded as well.

    Returns:
        [m] rows, ascending, without the given ones.
    """
    edges = state.edges
    places = np.flatnonzero(edges.kind == EdgeKind.REVISED_FROM)
    source, target = edges.source[places], edges.target[places]
    there = (source >= 0) & (target >= 0)
    source, target = source[there], target[there]
    goes = np.zeros(state.count, np.bool_)
    goes[rows] = True
    while len(source):
        held = np.zeros(state.count, np.bool_)
        held[target[~goes[source]]] = True  # someone who stays has superseded it
        step = target[goes[source]]
        step = step[~held[step] & ~goes[step]]
        if not len(step):
            break
        goes[step] = True
    goes[rows] = False
    return np.flatnonzero(goes)


def tombstones_of(
    state: State,
    journal: Journal,
    goes: Doomed,
    at_us: int,
    reason: str,
    rng: np.random.Generator,
) -> Tombstones:
    """What is left of memories: salted hashes, and ids of what had come from them.

    digest = sha256(salt + content); the salt is fresh for each, so equal contents have unequal
    digests and a guessed content must be tried against each.

    Args:
        state: of the store, the memories still in it.
        journal: where their texts are.
        goes: what is forgotten.
        at_us: when.
        reason: of what was asked for; what went with it has "cascade of " before it.
        rng: where the salts come from.
    """
    ids = state.ids_of(goes.rows)
    chance = rng.bytes(_SALT_BYTES * len(ids))
    salts = [chance[at : at + _SALT_BYTES] for at in range(0, len(chance), _SALT_BYTES)]
    digests = [
        sha256(salt + content.encode()).digest()
        for salt, content in zip(salts, journal.contents(ids), strict=True)
    ]
    reasons = [f"cascade of {reason}" if with_it else reason for with_it in goes.cascaded.tolist()]
    for place, names in _came_from(state, goes.rows).items():
        reasons[place] += LINEAGE_OF + " ".join(names)
    return Tombstones(ids, np.full(len(ids), at_us, np.int64), salts, digests, reasons)


def _came_from(state: State, rows: NDArray[np.int64]) -> dict[int, Sequence[str]]:
    """Place → ids of the revisions of, and insights from, that memory."""
    edges = state.edges
    places = np.flatnonzero(np.isin(edges.kind, LINEAGE))
    places = places[np.isin(edges.target[places], rows) & (edges.source[places] >= 0)]
    found: dict[int, list[str]] = {}
    at = np.searchsorted(rows, edges.target[places]).tolist()
    for place, name in zip(at, state.ids_of(edges.source[places]), strict=True):
        found.setdefault(place, []).append(name)
    return dict(found)
