"""Memories of what queries have visited: the best path to each, and the sum over all."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.graph.cognitive.layer import Expansion, empty_expansion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.directory.recall.asked import Asked

ROOM = 1 << 22  # memories, counted once a link, of the queries that are collected at a time


class Visits(NamedTuple):
    """Rows (entities, hyperedges) that each of Q queries visits."""

    ptr: NDArray[np.int64]  # [Q+1]
    row: NDArray[np.int32]
    factor: NDArray[np.float64]  # activation of a link of weight 1 of that row
    hop: NDArray[np.int8]
    via: NDArray[np.int64]  # the visit from which it was reached, −1 for the first ones
    entity: NDArray[np.int32]  # through which it was reached


class Held(NamedTuple):
    """The memories of each row: ``memory[ptr[r]:ptr[r + 1]]``, distinct, −1 for none."""

    ptr: NDArray[np.int32]
    memory: NDArray[np.int32]
    weight: NDArray[np.float32]


def collect(
    visits: Visits, held: Held, asked: Asked, *, gain: float, least: float, summed: bool
) -> Expansion:
    """What the visits come to.

    activation = min(1, weight) × factor; energy = gain × score × activation, of the best path (the
    nearer, then the earlier of equal ones), or summed over all. A path whose activation is below
    ``least`` is none. Costs as much as links are touched.
    """
    queries = len(visits.ptr) - 1
    room = np.concatenate([[0], np.cumsum(np.diff(held.ptr)[visits.row])]).astype(np.int64)
    room = room[visits.ptr]  # [Q+1] links touched before each query
    if not room[-1]:
        return empty_expansion(queries)
    from hebb_lab.graph.cognitive.directory.recall import kernels

    size = int(held.memory.max()) + 1
    scratch = (
        np.zeros(size), np.zeros(size if summed else 1), np.zeros(size, np.int8),
        np.zeros((size >> 6) + 1, np.uint64),
    )  # fmt: skip
    found, counts, first = [], np.zeros(queries, np.int64), 0
    while first < queries:
        stop = max(first + 1, int(np.searchsorted(room, room[first] + ROOM, "right")) - 1)
        widest = int(room[stop] - room[first])
        out = tuple(np.empty(widest, kind) for kind in (np.int32, np.float32, np.float32, np.int8))
        used = kernels.collect(
            first, stop, visits.ptr, visits.row, visits.factor, visits.hop, *held, gain, least,
            summed, asked.score, *scratch, counts, *out,
        )  # fmt: skip
        found.append([part[:used].copy() for part in out])
        first = stop
    memory, energy, activation, hop = (np.concatenate(parts) for parts in zip(*found, strict=True))
    ptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Expansion(ptr, memory, energy, activation, np.repeat(asked.origin, counts), hop)
