"""Of many paths to the same memory: the best, or the sum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.graph.cognitive.layer import Expansion, Seeds, empty_expansion

if TYPE_CHECKING:
    from numpy.typing import NDArray


def one_query(seeds: Seeds, query: int) -> Seeds:
    """The seeds of a single query."""
    own = slice(int(seeds.ptr[query]), int(seeds.ptr[query + 1]))
    return Seeds(np.array([0, own.stop - own.start], np.int64), seeds.memory[own], seeds.score[own])


@dataclass(frozen=True)
class Paths:
    """P paths, each from a query to a memory, put together by query and memory.

    Of equally good paths the one that was given first is the best.

    Args:
        queries: Q.
        order: [P] int64, the paths by (query, memory), in the order given where both are equal.
        start: [G] int64, where each (query, memory) begins in that order.
        query: [G] int64, ascending.
        memory: [G] int32, ascending in a query.
    """

    queries: int
    order: NDArray[np.int64]
    start: NDArray[np.int64]
    query: NDArray[np.int64]
    memory: NDArray[np.int32]

    @classmethod
    def of(cls, queries: int, query: NDArray[np.int64], memory: NDArray[np.int32]) -> Paths:
        """Put P paths together.

        >>> Paths.of(1, np.array([0, 0, 0]), np.array([7, 3, 7], np.int32)).start.tolist()
        [0, 1]
        """
        span = int(memory.max(initial=0)) + 1
        key = query.astype(np.int64) * span + memory
        order = np.argsort(key, kind="stable")
        start = np.flatnonzero(np.diff(key[order], prepend=-1))
        first = order[start]
        return cls(queries, order, start, query[first].astype(np.int64), memory[first])

    def expansion(
        self, energy: NDArray[np.float64], activation: NDArray[np.float64],
        origin: NDArray[np.int32], hop: NDArray[np.int8], *,
        is_open: NDArray[np.bool_], summed: bool,
    ) -> Expansion:  # fmt: skip
        """What the paths come to for each query and memory.

        Args:
            energy: [P], from 0 up.
            activation: [P].
            origin: [P].
            hop: [P].
            is_open: [P], whether the gate lets a path through; the others do not exist.
            summed: the energy of all paths together, in place of the best one's.
        """
        best, group = self.best(energy, is_open)
        if not len(best):
            return empty_expansion(self.queries)
        value = energy[best]
        if summed:
            passed = np.where(is_open, energy, 0.0)[self.order]
            value = np.add.reduceat(passed, self.start)[group]
        ptr = np.searchsorted(self.query[group], np.arange(self.queries + 1))
        return Expansion(
            ptr.astype(np.int64), self.memory[group], value.astype(np.float32),
            activation[best].astype(np.float32), origin[best].astype(np.int32),
            hop[best].astype(np.int8),
        )  # fmt: skip

    def best(
        self, energy: NDArray[np.float64], is_open: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The best open path to each (query, memory) that one leads to, and which of G it is."""
        if not len(self.order):
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        value = np.where(is_open, energy, -1.0)[self.order]
        most = np.maximum.reduceat(value, self.start)
        group = np.repeat(np.arange(len(self.start)), np.diff(self.start, append=len(self.order)))
        is_best = np.flatnonzero((value == most[group]) & (value >= 0))
        first = is_best[np.diff(group[is_best], prepend=-1) > 0]
        return self.order[first], group[first]

    def best_to(
        self, memory: int, energy: NDArray[np.float64], is_open: NDArray[np.bool_]
    ) -> int | None:
        """Of the paths of a single query the best open one to a memory; None where none is."""
        best, group = self.best(energy, is_open)
        place = np.flatnonzero(self.memory[group] == memory)
        return int(best[place[0]]) if len(place) else None
