"""Hyperedges: one graph atom for all entities of an event, in their roles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.graph.cognitive.directory.atoms import Atoms, Batch
from hebb_lab.graph.cognitive.directory.registry import (
    HYPEREDGE_TYPES,
    RELATED_TO,
    ROLES,
    TypeRegistry,
)
from hebb_lab.graph.cognitive.rules import CognitiveRules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.directory.stream import Stream

SUBJECT, OBJECT, CONTEXT = (ROLES.index(role) for role in ("SUBJECT", "OBJECT", "CONTEXT"))
MOST_ROLES = 255  # a role takes a byte


class Hypergraph:
    """Hyperedges of 3 to 8 entities, each entity in at most 64 of them.

    At ingestion a memory that mentions at least ``hyperedge_min`` distinct entities gives one
    hyperedge of the first ``hyperedge_max`` of them: the first as subject, the others as context.
    Where hyperedges of two are let in, each stated relation is one too (subject, object), as in
    the code. An entity with no more room leaves the least recently used of its hyperedges: it is
    still named there, but leads there no more.

    Source: "Memory Hebbian" (Spector Memory), Hyperedge Entity Graph.

    >>> graph = Hypergraph()
    >>> graph.add([0, 1, 2], ["AGENT", "OBJECT", "LOCATION"], kind="MANAGES_AT", memory=7)
    0
    >>> graph.co_occurring(1)
    [0, 2]
    """

    def __init__(self, rules: CognitiveRules | None = None) -> None:
        self.rules = rules or CognitiveRules()
        self.kinds = TypeRegistry(HYPEREDGE_TYPES)
        self.roles = TypeRegistry(ROLES)
        self.atoms = Atoms(
            self.rules.hyperedge_cap, weakest_goes=self.rules.hyperedge_eviction == "weakest"
        )

    def __len__(self) -> int:
        return len(self.atoms)

    def add(
        self, entities: Sequence[int], roles: Sequence[str] = (), *,
        kind: str = HYPEREDGE_TYPES[RELATED_TO], weight: float = 1.0, memory: int = -1,
    ) -> int:  # fmt: skip
        """Write one hyperedge; the id that it gets is never given again.

        Args:
            entities: distinct ids.
            roles: one for each, registered if new; none: the first subject, the others context.
            kind: registered if it is new.
            weight: above 0.
            memory: that says so; −1 for none.

        Raises:
            InputError: too few or too many entities, one twice or below 0, roles that do not fit,
                a weight that is not above 0.
        """
        n, least, most = len(entities), self.rules.hyperedge_min, self.rules.hyperedge_max
        if not least <= n <= most:
            raise InputError(f"a hyperedge of {n} entities", f"Give {least} to {most}")
        if len(set(entities)) < n or min(entities) < 0:
            raise InputError(
                f"a hyperedge of entities {list(entities)}", "Give distinct ids from 0 up"
            )
        if roles and len(roles) != n:
            raise InputError(f"{len(roles)} roles for {n} entities", "Give one each, or none")
        if not 0 < weight < float("inf"):
            raise InputError(f"a hyperedge of weight {weight}", "Give a number above 0")
        given = [self.roles.intern(role) for role in roles] or [SUBJECT] + [CONTEXT] * (n - 1)
        if max(given) > MOST_ROLES:
            raise InputError(f"more than {MOST_ROLES + 1} roles", "Use those that there are")
        self.atoms.grow(max(entities) + 1)
        self._write(
            np.array([0, n], np.int64), np.array(entities, np.int32), np.array(given, np.uint8),
            np.array([self.kinds.intern(kind)], np.int32), np.array([memory], np.int32), weight,
        )  # fmt: skip
        return self.atoms.next_number - 1

    def learn(self, stream: Stream, canonical: NDArray[np.int32], first: int, stop: int) -> None:
        """The hyperedges of memories [first, stop), by canonical entities."""
        self.atoms.grow(len(canonical))
        least, most = self.rules.hyperedge_min, self.rules.hyperedge_max
        own = stream.mentions.ptr[first : stop + 1]
        memory = np.repeat(np.arange(first, stop), np.diff(own))
        key = memory << 32 | canonical[stream.mentions.ids[own[0] : own[-1]]]
        key = key[np.sort(np.unique(key, return_index=True)[1])]
        ptr = np.searchsorted(key >> 32, np.arange(first, stop + 1))
        rank = np.arange(len(key)) - np.repeat(ptr[:-1], np.diff(ptr))
        is_held = (rank < most) & np.repeat(np.diff(ptr) >= least, np.diff(ptr))
        entity, rank, memory = key[is_held] & 0xFFFFFFFF, rank[is_held], key[is_held] >> 32
        kind = np.full(len(rank), RELATED_TO)
        role = np.where(rank == 0, SUBJECT, CONTEXT)
        if least <= 2:
            said = stream.said(first, stop)
            ends = canonical[np.stack([said.source, said.target], axis=1)]
            valid = ends[:, 0] != ends[:, 1]
            names = [self.kinds.intern(stream.kinds.name_of(k)) for k in said.kind[valid].tolist()]
            order = np.argsort(
                np.concatenate([memory, np.repeat(said.memory[valid], 2)]), kind="stable"
            )
            entity = np.concatenate([entity, ends[valid].reshape(-1)])[order]
            role = np.concatenate([role, np.tile([SUBJECT, OBJECT], len(names))])[order]
            rank = np.concatenate([rank, np.tile([0, 1], len(names))])[order]
            kind = np.concatenate([kind, np.repeat(np.array(names, np.int64), 2)])[order]
            memory = np.concatenate([memory, np.repeat(said.memory[valid], 2)])[order]
        start = np.flatnonzero(rank == 0)
        self._write(
            np.append(start, len(rank)), entity.astype(np.int32), role.astype(np.uint8),
            kind[start].astype(np.int32), memory[start].astype(np.int32), 1.0,
        )  # fmt: skip

    def _write(
        self, ptr: NDArray[np.int64], entity: NDArray[np.int32], role: NDArray[np.uint8],
        kind: NDArray[np.int32], memory: NDArray[np.int32], weight: float,
    ) -> None:  # fmt: skip
        weights = np.full(len(kind), weight, np.float32)
        self.atoms.write(Batch(ptr, entity, role, kind, weights, memory, memory))

    def strengthen(self, number: int, amount: float) -> float:
        """Add to the weight of a hyperedge; returns the new one.

        Raises:
            InputError: no such hyperedge.
        """
        row = np.flatnonzero(self.atoms.number == number)
        if not len(row):
            raise InputError(f"no hyperedge {number}", "It was never written, or is evicted")
        self.atoms.weight[row] += np.float32(amount)
        return float(self.atoms.weight[row[0]])

    def of_entity(self, entity: int) -> list[tuple[int, float]]:
        """(id, weight) of the hyperedges of an entity, the heaviest first, then by id."""
        own = self._rows(entity)
        order = own[np.argsort(-self.atoms.weight[own], kind="stable")]
        return [(int(self.atoms.number[r]), float(self.atoms.weight[r])) for r in order]

    def co_occurring(self, entity: int) -> list[int]:
        """Entities that share a hyperedge with one, ascending."""
        atoms = self.atoms
        members = [atoms.entity[atoms.ptr[r] : atoms.ptr[r + 1]] for r in self._rows(entity)]
        found = {int(e) for row in members for e in row}
        return sorted(found - {entity})

    def _rows(self, entity: int) -> NDArray[np.int32]:
        if not 0 <= entity < self.atoms.entities:
            return np.zeros(0, np.int32)
        ptr, rows = self.atoms.incidence()
        return rows[ptr[entity] : ptr[entity + 1]]

    def decay(self, factor: float, least: float) -> int:
        """Multiply all weights; hyperedges below ``least`` go. Returns how many went."""
        return self.atoms.decay(factor, least)

    def cycle(self, canonical: NDArray[np.int32]) -> None:
        """Weaken and prune, then put canonical entities for merged ones.

        A hyperedge that so keeps fewer than ``hyperedge_min`` entities goes.
        """
        self.decay(self.rules.hyperedge_decay, self.rules.hyperedge_prune_below)
        self.atoms.relabel(canonical, self.rules.hyperedge_min)
