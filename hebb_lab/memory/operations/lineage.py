"""lineage: where a memory came from, and what came from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.memory.errors import MemoryNotFoundError
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.operations.arriving.links import LINEAGE
from hebb_lab.memory.operations.forgetting.going import LINEAGE_OF
from hebb_lab.memory.values import EdgeKind, Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.changes import Journal, Tombstones
    from hebb_lab.memory.state import State


class Relative(NamedTuple):
    """A living memory of a lineage.

    Args:
        id: of it.
        kind: of it.
        by: edge over which it was reached first.
        distance: edges to it.
        superseded: whether a newer state replaces it.
    """

    id: str
    kind: Kind
    by: EdgeKind
    distance: int
    superseded: bool


class Gone(NamedTuple):
    """A memory of which only a tombstone is left."""

    id: str
    forgotten_us: int
    reason: str


class Lineage(NamedTuple):
    """The lineage of a memory.

    Args:
        id: of the memory.
        forgotten: its tombstone, None where it lives.
        ancestors: what it superseded and was drawn from, the nearest first, then by id.
        descendants: what superseded it or was drawn from it.
        gone: forgotten memories that it, or one of its ancestors, had come from.
    """

    id: str
    forgotten: Gone | None
    ancestors: tuple[Relative, ...]
    descendants: tuple[Relative, ...]
    gone: tuple[Gone, ...]


def lineage_of(state: State, journal: Journal, id: str) -> Lineage:
    """Ancestors and descendants along RevisedFrom and InsightFrom; circles end where they began.

    Of a forgotten memory the tombstone tells when and why; its edges are gone.

    Args:
        state: of the store.
        journal: where the tombstones are.
        id: of a memory, living or forgotten.

    Raises:
        MemoryNotFoundError: an id that no memory has and no tombstone names.
    """
    ids = Ids.parse([id])
    name, row = ids[0], int(state.rows_of(ids)[0])
    stones = journal.tombstones()
    buried = {one.id: one for one in _all_gone(stones)}
    if row < 0:
        if name not in buried:
            raise MemoryNotFoundError(
                f"no memory has the id {name}",
                "It was never written, or its tombstone is collected",
            )
        return Lineage(name, _plain(buried[name]), (), (), _gone(buried, [name]))
    ancestors = _walk(state, row, backward=False)
    descendants = _walk(state, row, backward=True)
    family = [name, *(one.id for one in ancestors)]
    return Lineage(name, None, ancestors, descendants, _gone(buried, family))


def _walk(state: State, start: int, *, backward: bool) -> tuple[Relative, ...]:
    ptr, col, edge = state.edges.csr(LINEAGE, backward)
    kinds = state.edges.kind
    found: dict[int, tuple[int, int]] = {}  # row → (distance, kind of edge)
    front, distance = [start], 0
    while front:
        distance += 1
        following = []
        for row in front:
            for at in range(int(ptr[row]), int(ptr[row + 1])):
                other = int(col[at])
                if other != start and other not in found:
                    found[other] = distance, int(kinds[edge[at]])
                    following.append(other)
        front = following
    rows = np.array(list(found), np.int64)
    relatives = [
        Relative(id, Kind(kind), EdgeKind(by), far, superseded)
        for id, kind, (far, by), superseded in zip(
            state.ids_of(rows), _of(state, "kind", rows), found.values(),
            _of(state, "superseded", rows), strict=True,
        )
    ]  # fmt: skip
    return tuple(sorted(relatives, key=lambda one: (one.distance, one.id)))


def _of(state: State, column: str, rows: NDArray[np.int64]) -> list[Any]:
    values: list[Any] = state.column(column)[rows].tolist()
    return values


def _all_gone(stones: Tombstones) -> list[Gone]:
    times = stones.time_us.tolist()
    return [Gone(*row) for row in zip(stones.ids, times, stones.reason, strict=True)]


def _plain(stone: Gone) -> Gone:
    return stone._replace(reason=stone.reason.partition(LINEAGE_OF)[0])


def _gone(buried: dict[str, Gone], family: list[str]) -> tuple[Gone, ...]:
    """Tombstones whose memory something of the family had come from, however far back."""
    came: dict[str, list[Gone]] = {}
    for stone in buried.values():
        for name in stone.reason.partition(LINEAGE_OF)[2].split():
            came.setdefault(name, []).append(stone)
    found: dict[str, Gone] = {}
    waiting = list(family)
    while waiting:
        for stone in came.get(waiting.pop(), []):
            if stone.id not in found and stone.id not in family:
                found[stone.id] = _plain(stone)
                waiting.append(stone.id)
    return tuple(sorted(found.values()))
