"""What recall does to the memories that it returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hebb_lab.memory.changes import Change, Edges, Updated
from hebb_lab.memory.values import EdgeKind

if TYPE_CHECKING:
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State


def reinforced(
    state: State, rules: MemoryRules, rows: NDArray[np.int64], at_us: int,
    groups: Sequence[NDArray[np.int64]] = (),
) -> Change | None:  # fmt: skip
    """The change that accesses make. Which accesses count, the caller decides.

    A memory that is accessed r times: access_count + r (count_gain), accessed_us = at_us
    (access_moves_clock), importance i → 1 − (1 − i)(1 − importance_boost)^r, which is r steps of
    i += importance_boost × (1 − i) and never above 1.

    With co_recall, each pair among the first co_recall_first of a group is linked once a group by
    RelatedTo: c → 1 − (1 − c)(1 − co_recall_rate)^r over r groups; a new edge starts from 0. The
    edge that is there in either direction is the one that grows; a new one leads from the memory
    with the higher id to the other.

    Args:
        state: the memories.
        rules: count_gain, access_moves_clock, importance_boost, co_recall and its numbers.
        rows: accessed memories, with repeats, each −1 left out; a table of ranks will do.
        at_us: when.
        groups: rows that were returned, or named, together, best first; −1 is left out.

    Returns:
        None where nothing changes.
    """
    rows = np.asarray(rows, np.int64).ravel()
    distinct, repeats = np.unique(rows[rows >= 0], return_counts=True)
    scalars = _scalars(state, rules, distinct, repeats, at_us)
    updated = (Updated(state.ids_of(distinct), scalars),) if scalars and len(distinct) else ()
    edges = None if rules.co_recall == "off" else _linked(state, rules, groups, at_us)
    if not updated and edges is None:
        return None
    return Change(at_us, updated=updated, edges=edges)


def _scalars(
    state: State, rules: MemoryRules, rows: NDArray[np.int64], repeats: NDArray[np.int64],
    at_us: int,
) -> dict[str, NDArray[np.generic]]:  # fmt: skip
    made: dict[str, NDArray[np.generic]] = {}
    if rules.count_gain:
        made["access_count"] = state.column("access_count")[rows] + repeats
    if rules.access_moves_clock:
        made["accessed_us"] = np.full(len(rows), at_us, np.int64)
    if rules.importance_boost:
        before = state.column("importance")[rows].astype(np.float64)
        made["importance"] = _grown(before, rules.importance_boost, repeats)
    return made


def _grown(
    before: NDArray[np.float64], share: float, repeats: NDArray[np.int64]
) -> NDArray[np.float32]:
    """``repeats`` steps of x += share × (1 − x)."""
    grown: NDArray[np.float32] = (1 - (1 - before) * (1 - share) ** repeats).astype(np.float32)
    return grown


def _linked(
    state: State, rules: MemoryRules, groups: Sequence[NDArray[np.int64]], at_us: int
) -> Edges | None:
    pairs, repeats = _pairs(state, groups, rules.co_recall_first)
    if not len(pairs):
        return None
    newer, older = pairs[:, 0], pairs[:, 1]
    forward, against = _confidence(state, newer, older), _confidence(state, older, newer)
    turned = np.isnan(forward) & ~np.isnan(against)
    before = np.nan_to_num(np.where(turned, against, forward))
    count = len(pairs)
    return Edges(
        state.ids_of(np.where(turned, older, newer)), state.ids_of(np.where(turned, newer, older)),
        np.full(count, EdgeKind.RELATED_TO, np.int8),
        _grown(before, rules.co_recall_rate, repeats), np.full(count, at_us, np.int64),
    )  # fmt: skip


def _pairs(
    state: State, groups: Sequence[NDArray[np.int64]], first: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs [n, 2] of rows, the higher id first, and the number of groups [n] that have each."""
    found = []
    for group in groups:
        rows = np.asarray(group, np.int64).ravel()
        rows = rows[rows >= 0][:first]
        rows = np.unique(rows)
        one, other = np.triu_indices(len(rows), 1)
        found.append(np.stack([rows[one], rows[other]], axis=1))
    if not found:
        return np.zeros((0, 2), np.int64), np.zeros(0, np.int64)
    pairs, repeats = np.unique(np.concatenate(found), axis=0, return_counts=True)
    a, b = state.ids_of(pairs[:, 0]).array, state.ids_of(pairs[:, 1]).array
    later = (a[:, 0] > b[:, 0]) | ((a[:, 0] == b[:, 0]) & (a[:, 1] > b[:, 1]))
    return np.where(later[:, None], pairs, pairs[:, ::-1]), repeats


def _confidence(
    state: State, source: NDArray[np.int64], target: NDArray[np.int64]
) -> NDArray[np.float64]:
    """[n] of the RelatedTo edges source → target; NaN where there is none."""
    edges, missing = state.edges, np.full(len(source), np.nan)
    involved = np.zeros(state.count + 1, np.bool_)  # the last place stands for a target of −1
    involved[source] = True
    place = np.flatnonzero((edges.kind == EdgeKind.RELATED_TO) & involved[edges.source])
    if not len(place):
        return missing
    keys = edges.source[place] * state.count + edges.target[place]
    order = np.argsort(keys)
    wanted = source * state.count + target
    at = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)
    there = keys[order[at]] == wanted
    return np.where(there, edges.confidence[place[order[at]]].astype(np.float64), missing)
