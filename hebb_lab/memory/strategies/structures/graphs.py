"""Structure by graph: which kinds of edges stand around a memory, and between two."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hebb_lab.memory.strategies.lists import Flat, Integers, Numbers
from hebb_lab.memory.strategies.view import View
from hebb_lab.memory.strategies.walks.walking import around
from hebb_lab.memory.values import EdgeKind

SLOTS = 2 * len(EdgeKind)  # kinds of edges that lead from a memory, then those that lead to it


class Neighbours:
    """All edges of some memories, both ways, as they were at the time of the questions.

    Args:
        view: state and time.
        rows: [n] of memories.
    """

    def __init__(self, view: View, rows: Integers) -> None:
        edges = view.state.edges
        parts = []
        for backward in (False, True):
            origin, other, edge = around(edges.csr(None, backward=backward), rows)
            then = (edges.time_us[edge] <= view.at_us) & view.there[other]
            slot = edges.kind[edge].astype(np.int64) - 1 + len(EdgeKind) * backward
            parts.append((origin[then], other[then], slot[then]))
        self.count = len(rows)
        self.origin, self.other, self.slot = (
            np.concatenate(column) for column in zip(*parts, strict=True)
        )

    def profile(self) -> NDArray[np.int64]:
        """[n, SLOTS] edges of each memory by kind and direction."""
        flat = np.bincount(self.origin * SLOTS + self.slot, minlength=self.count * SLOTS)
        return flat.reshape(self.count, SLOTS)

    def bits_to(self, count: int) -> tuple[Integers, Integers, Integers]:
        """(place, other row, kinds and directions as bits) of each pair that an edge links.

        Args:
            count: rows of the state.
        """
        keys, at = np.unique(self.origin * count + self.other, return_inverse=True)
        bits = np.zeros(len(keys), np.int64)
        np.bitwise_or.at(bits, at.reshape(-1), np.int64(1) << self.slot)
        return keys // count, keys % count, bits


def jaccard(one: NDArray[np.int64], other: NDArray[np.int64]) -> Numbers:
    """[n] Σ min / Σ max of two multisets, given as counts [n, m]; 0 where both are empty."""
    least, most = np.minimum(one, other).sum(1), np.maximum(one, other).sum(1)
    alike: Numbers = np.divide(
        least, most, out=np.zeros(len(least)), where=most > 0, dtype=np.float64
    ).astype(np.float32)
    return alike


def by_edges(view: View, stand_in: Integers, found: Flat) -> Numbers:
    """[n] multiset Jaccard of (edge kind, direction) around each found memory and the stand-in.

    Args:
        view: state and time.
        stand_in: [Q] the memory that stands for each question, −1 for none: structure 0.
        found: memories.
    """
    rows, at = np.unique(np.concatenate([found.row, stand_in]), return_inverse=True)
    there = rows >= 0
    profiles = np.zeros((len(rows), SLOTS), np.int64)
    profiles[there] = Neighbours(view, rows[there]).profile()
    at = at.reshape(-1)
    ours = profiles[at[len(found.row) :]][found.question]
    return jaccard(profiles[at[: len(found.row)]], ours)


def related_alike(view: View, stand_in: Integers, pattern: Integers) -> Flat:
    """What stands to each question's stand-in as B stands to A: by at least the same edges.

    Args:
        view: state and time.
        stand_in: [Q] rows, −1 for none.
        pattern: [Q] edges from A to B, and from B to A, by kind, as bits; 0: none.

    Returns:
        (question, row), value 1.
    """
    places = np.flatnonzero((stand_in >= 0) & (pattern > 0))
    near = Neighbours(view, stand_in[places])
    place, row, bits = near.bits_to(max(view.state.count, 1))
    question = places[place]
    alike = (bits & pattern[question]) == pattern[question]
    return Flat(question[alike], row[alike], np.ones(int(alike.sum()), np.float32))


def patterns_of(view: View, a: Integers, b: Integers) -> Integers:
    """[n] the edges between pairs of rows as bits, seen from A; 0 where an end is −1 or none is."""
    found = np.zeros(len(a), np.int64)
    both = np.flatnonzero((a >= 0) & (b >= 0))
    near = Neighbours(view, a[both])
    for slot in range(SLOTS):
        chosen = near.slot == slot
        linked = near.other[chosen] == b[both][near.origin[chosen]]
        found[both[near.origin[chosen][linked]]] |= 1 << slot
    return found
