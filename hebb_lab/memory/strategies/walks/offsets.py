"""What edges teach: for each kind, the way that leads from a source's vector to its target's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hebb_lab.memory.strategies.lists import Flat, Integers, best_of_each, joined
from hebb_lab.memory.values import EdgeKind

if TYPE_CHECKING:
    from hebb_lab.memory.strategies.view import View

_BLOCK = 4096  # edges whose vectors are gathered at once
_KINDS = len(EdgeKind)
_MOST_KEPT = 8  # tables of offsets: one for each time in the past that is asked about
TEACHING = (EdgeKind.CAUSED_BY, EdgeKind.RELATED_TO, EdgeKind.FOLLOWED_BY)
Doubles = NDArray[np.float64]


class Offsets(NamedTuple):
    """groups: number → row of ``table``; 0 for all with offset_scope=global.

    table: [groups, kinds, d] float64, of length 1, or 0 where nothing was taught.
    """

    groups: dict[int, int]
    table: Doubles


def offsets_of(view: View) -> Offsets:
    """O ← norm(o + offset_rate × (target − source)) from 0, for each edge in the order of writing.

    CausedBy, RelatedTo and FollowedBy teach, revisions and insights do not (hebbs.md §1.4, §4.6),
    where the edge had been written by then and both its ends have a vector. With
    offset_scope=entity, an edge teaches the entity of its source alone. A sum of length 0 leaves
    the offset as it was. The state keeps those of the last few times that were asked about, until
    its edges or vectors change.
    """
    state, rules = view.state, view.rules
    later = (state.edges.time_us > view.at_us).any() or (state.alive & ~view.there).any()
    until = view.at_us if later else None
    key = rules.offset_rate, rules.offset_scope, until, state.version_of_vectors
    kept: dict[Any, Offsets] = state.edges.derived.setdefault("offsets", {})
    if key not in kept:
        while len(kept) >= _MOST_KEPT:
            del kept[next(iter(kept))]  # the oldest
        kept[key] = _taught(view)
    return kept[key]


def _taught(view: View) -> Offsets:
    state, edges, rules = view.state, view.state.edges, view.rules
    source, target = edges.source, edges.target
    teaches = (source >= 0) & (target >= 0) & (edges.time_us <= view.at_us)
    teaches &= np.isin(edges.kind, TEACHING)
    usable = view.there & state.has_vector
    place = np.flatnonzero(teaches)
    place = place[usable[source[place]] & usable[target[place]]]
    source, target = source[place], target[place]
    owner = state.entity[source] if rules.offset_scope == "entity" else np.zeros(len(place), int)
    numbers, group = np.unique(owner, return_inverse=True)
    table = np.zeros((max(len(numbers), 1), _KINDS, state.dimensions))
    which = (group.reshape(-1) * _KINDS + edges.kind[place] - 1).astype(np.int64)
    learn(table.reshape(-1, state.dimensions), which, source, target, state, rules.offset_rate)
    return Offsets({int(number): row for row, number in enumerate(numbers)}, table)


def learn(
    table: Doubles, which: Integers, source: Integers, target: Integers, state: Any, rate: float
) -> None:
    """Teach offsets in place.

    Args:
        table: [n, d] offsets.
        which: [m] the offset that each edge teaches.
        source: [m] rows.
        target: [m] rows.
        state: has the vectors.
        rate: of learning.
    """
    from hebb_lab.kernels.cpu.plasticity.offsets import teach

    for first in range(0, len(which), _BLOCK):
        part = slice(first, first + _BLOCK)
        teach(
            table, which[part], state.vectors.take(source[part]),
            state.vectors.take(target[part]), float(rate),
        )  # fmt: skip


def found_by_offsets(view: View, seeds: Integers, k: int) -> Flat:
    """The memories nearest to norm(seed ± offset) of each kind of edges; relevance max(0, cosine).

    Kinds come in the order of their numbers, along before against. With offset_order=first, a
    memory has the relevance of the first that found it, else its best one. A kind that was not
    taught finds nothing, or with offset_untaught=similar what is similar to the seed.

    Args:
        view: what may be seen.
        seeds: [Q] rows, −1 for none; one without a vector finds nothing.
        k: memories for each kind and direction.
    """
    places = np.flatnonzero(seeds >= 0)
    places = places[view.state.has_vector[seeds[places]]]
    if not len(places):
        return joined([])
    queries, question = _queries(view, seeds, places)
    rows, cosine = view.nearest(queries, question, k + 1, view.wanted)
    asked = np.broadcast_to(question[:, None], rows.shape)
    there = (rows >= 0) & (rows != seeds[asked])
    there &= np.cumsum(there, axis=1) <= k
    found = Flat(asked[there], rows[there], np.clip(cosine[there], 0, 1))
    if view.rules.offset_order == "best":
        return best_of_each(found, view.state.count)
    _, first = np.unique(found.keys(view.state.count), return_index=True)
    return found.where(first)


def _queries(view: View, seeds: Integers, places: Integers) -> tuple[NDArray[np.float32], Integers]:
    """Query points [n, d] and the question [n] of each, kind by kind, along before against."""
    offsets = offsets_of(view)
    vectors = view.state.vectors.take(seeds[places]).astype(np.float64)
    group = _groups(view, offsets, seeds[places])
    blank = np.zeros((1, *offsets.table.shape[1:]))  # of entities that nothing was taught
    own = np.concatenate([offsets.table, blank])[group]  # [n, kinds, d]
    signs = {"forward": (1,), "backward": (-1,), "both": (1, -1)}[view.rules.causal_direction]
    parts, questions = [], []
    for kind in range(_KINDS):
        taught = own[:, kind].any(axis=1)
        for sign in signs:
            asks = taught
            if view.rules.offset_untaught == "similar" and sign == signs[0]:
                asks = np.ones(len(places), np.bool_)
            parts.append(vectors[asks] + sign * own[asks, kind])
            questions.append(places[asks])
    points = np.concatenate(parts)
    length = np.linalg.norm(points, axis=1, keepdims=True)
    points = np.divide(points, length, out=np.zeros_like(points), where=length > 0)
    return points.astype(np.float32), np.concatenate(questions)


def _groups(view: View, offsets: Offsets, rows: Integers) -> Integers:
    if view.rules.offset_scope == "global":
        return np.zeros(len(rows), np.int64)
    last = len(offsets.table)
    entities = view.state.entity[rows].tolist()
    return np.array([offsets.groups.get(number, last) for number in entities], np.int64)
