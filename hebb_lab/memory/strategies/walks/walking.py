"""Walks over edges, of many questions at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hebb_lab.memory.strategies.lists import Flat, Integers, best_of_each, joined

if TYPE_CHECKING:
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state.edges import Csr
    from hebb_lab.memory.strategies.view import View

_QUESTIONS = 256  # that walk at once
_REACHED = 1 << 22  # memories that they may reach together: what bounds the room they take


class Walked(NamedTuple):
    """Memories that walks reached, each (question, row) once, ordered by question, then row.

    question, row: [n]. closeness: [n] float64. distance: [n] edges of the walk that counts.
    """

    question: Integers
    row: Integers
    closeness: NDArray[np.float64]
    distance: Integers


class Ways(NamedTuple):
    """The edges that walks follow.

    tables: along, against or both. factor: [E] by place in the edge table, 0: not followed.
    """

    tables: Sequence[Csr]
    factor: NDArray[np.float64]


Passable = Callable[[Integers, Integers], NDArray[np.bool_]]


def ways_of(view: View, directions: str) -> Ways:
    """Edges that had been written by then, with confidence × weight of their kind, as rules say.

    Args:
        view: state, rules and time.
        directions: forward, backward or both.
    """
    edges, rules = view.state.edges, view.rules
    tables = [
        edges.csr(None, backward=backward)
        for backward, name in ((False, "forward"), (True, "backward"))
        if directions in (name, "both")
    ]
    weight = np.array([0.0] + [rules.weight_of(kind) for kind in range(1, 6)])
    factor = weight[edges.kind]
    if rules.edge_confidence:
        factor = factor * edges.confidence
    return Ways(tables, np.where(edges.time_us <= view.at_us, factor, 0.0))


def closeness_of(product: NDArray[np.float64], distance: int, rules: MemoryRules) -> NDArray[
    np.float64
]:  # fmt: skip
    """product/distance, or product × (1 − distance/causal_depth)."""
    if rules.causal_distance == "inverse":
        return product / distance
    return product * (1 - distance / rules.causal_depth)


def walk(ways: Ways, seeds: Integers, count: int, passable: Passable, rules: MemoryRules) -> Walked:
    """What lies within causal_depth edges of each seed; the seed itself does not.

    closeness = max over walks from the seed, of at most causal_depth edges, of form(number of
    edges) × Π factor. A walk passes only what is passable. It goes on from a memory that it has
    been at only with a greater product than before: that loses nothing, as the form never grows
    with the distance, and ends circles.

    Args:
        ways: edges and their factors.
        seeds: [Q] rows, −1 for none.
        count: rows of the state.
        passable: (questions [n], rows [n]) → [n] whether a walk may go there.
        rules: causal_depth, causal_distance.
    """
    size = min(max(_REACHED // count, 1), _QUESTIONS)
    parts = [
        _walk(ways, first, seeds[first : first + size], count, passable, rules)
        for first in range(0, len(seeds), size)
    ]
    if not parts:
        parts = [_nowhere()]
    return Walked(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _nowhere() -> Walked:
    none = np.zeros(0, np.int64)
    return Walked(none, none, np.zeros(0), none)


def _walk(
    ways: Ways, first: int, seeds: Integers, count: int, passable: Passable, rules: MemoryRules
) -> Walked:
    start = np.flatnonzero(seeds >= 0)
    front = Flat(start + first, seeds[start], np.ones(len(start)))
    reached, known = _nowhere(), np.zeros(0)  # and the greatest product of each that is reached
    for distance in range(1, rules.causal_depth + 1):
        front = _next(ways, front, count)
        onward = front.row != seeds[front.question - first]
        onward[onward] = passable(front.question[onward], front.row[onward])
        front = front.where(onward)
        at = _places(reached, front, count)
        product = np.concatenate([known, [0.0]])[at]
        front, at = front.where(front.value > product), at[front.value > product]
        if not len(front.row):
            break
        reached, known = _merged(reached, known, front, at, distance, count, rules)
    return reached


def _next(ways: Ways, front: Flat, count: int) -> Flat:
    """One edge further: each (question, row) with its greatest product."""
    parts = []
    for table in ways.tables:
        origin, row, edge = around(table, front.row)
        factor = ways.factor[edge]
        followed = factor > 0
        origin = origin[followed]
        parts.append(
            Flat(front.question[origin], row[followed], front.value[origin] * factor[followed])
        )
    return best_of_each(joined(parts), count)


def around(table: Csr, rows: Integers) -> tuple[Integers, Integers, Integers]:
    """All edges of some rows: place in ``rows``, the other end, place in the edge table; [n]."""
    first = table.ptr[rows]
    counts = table.ptr[rows + 1] - first
    origin = np.repeat(np.arange(len(rows)), counts)
    before = np.cumsum(counts) - counts
    at = np.arange(len(origin)) + (first - before)[origin]
    return origin, table.col[at], table.edge[at]


def _places(reached: Walked, front: Flat, count: int) -> Integers:
    """[n] place of each in what was reached, −1 where it was not."""
    if not len(reached.row):
        return np.full(len(front.row), -1, np.int64)
    keys, wanted = reached.question * count + reached.row, front.keys(count)
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[at] == wanted, at, -1)


def _merged(
    reached: Walked, known: NDArray[np.float64], front: Flat, at: Integers, distance: int,
    count: int, rules: MemoryRules,
) -> tuple[Walked, NDArray[np.float64]]:  # fmt: skip
    """What was reached before and now; a greater product counts only where it comes closer."""
    value = closeness_of(front.value, distance, rules)
    old, new = at >= 0, at < 0
    known[at[old]] = front.value[old]
    better = at[old][value[old] > reached.closeness[at[old]]]
    reached.closeness[better] = value[old][value[old] > reached.closeness[at[old]]]
    reached.distance[better] = distance
    grown = Walked(
        np.concatenate([reached.question, front.question[new]]),
        np.concatenate([reached.row, front.row[new]]),
        np.concatenate([reached.closeness, value[new]]),
        np.concatenate([reached.distance, np.full(int(new.sum()), distance, np.int64)]),
    )
    order = np.argsort(grown.question * count + grown.row)
    known = np.concatenate([known, front.value[new]])[order]
    question, row, closeness, distances = grown
    return Walked(question[order], row[order], closeness[order], distances[order]), known
