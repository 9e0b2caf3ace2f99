"""Graph atoms: groups of entities with a type, a weight and a memory.

A hyperedge is an atom of 3 to 8 entities in their roles, a typed relation one of two. Each entity
takes part in a bounded number of atoms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

ARRAYS = ("number", "kind", "weight", "used", "memory")
"""What an atom has beside its entities."""


class Batch(NamedTuple):
    """Atoms to be written, in their order."""

    ptr: NDArray[np.int64]  # [B+1]
    entity: NDArray[np.int32]  # distinct in an atom
    role: NDArray[np.uint8]
    kind: NDArray[np.int32]  # [B]
    weight: NDArray[np.float32]  # [B]
    used: NDArray[np.int32]  # [B] place in the order of writing at which it was last used
    memory: NDArray[np.int32]  # [B]; −1 for none
    number: NDArray[np.int32] | None = None  # [B] ids, ascending; None: the next ones
    takes_part: NDArray[np.bool_] | None = None  # of each entity; None: all do


class Atoms:
    """Atoms in the order of their ids, and for each entity the atoms that it takes part in.

    Args:
        cap: atoms that an entity takes part in. For one more it leaves another, which stays with
            the others (and goes with the last of them); a relation goes at once.
        weakest_goes: it leaves the one of least weight (then the oldest); else the least recently
            used, where nothing but writing and strengthening is use, since recall leaves the graph
            as it is.
        again: what a stated once more atom gains, if the same entities and type are the same atom
            (relations); None: each atom that is written is one by itself (hyperedges).
    """

    def __init__(self, cap: int, *, weakest_goes: bool, again: float | None = None) -> None:
        self.cap, self.weakest_goes, self.again = cap, weakest_goes, again
        self.entities, self.next_number = 0, 0
        self.ptr = np.zeros(1, np.int32)
        self.entity, self.role = np.zeros(0, np.int32), np.zeros(0, np.uint8)
        self.takes_part = np.zeros(0, np.bool_)  # of each entity of each atom
        self.number, self.kind = np.zeros(0, np.int32), np.zeros(0, np.int32)
        self.weight = np.zeros(0, np.float32)
        self.used, self.memory = np.zeros(0, np.int32), np.zeros(0, np.int32)
        self._incidence: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None

    def __len__(self) -> int:
        return len(self.number)

    def grow(self, entities: int) -> None:
        """Have room for so many entities."""
        if entities > self.entities:
            self.entities, self._incidence = entities, None

    def incidence(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """(ptr [E+1], rows): the atoms that each entity takes part in, ascending."""
        if self._incidence is None:
            from hebb_lab.graph.cognitive.directory import writing

            counts = np.bincount(self.entity[self.takes_part], minlength=self.entities)
            ptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
            rows = np.empty(int(ptr[-1]), np.int32)
            writing.by_entity(self.ptr, self.entity, self.takes_part, ptr[:-1].copy(), rows)
            self._incidence = ptr, rows
        return self._incidence

    def write(self, batch: Batch) -> None:
        """Add atoms one by one, each evicting where one of its entities has no more room."""
        count = len(batch.ptr) - 1
        if not count or not self.cap:
            return
        from hebb_lab.graph.cognitive.directory import writing

        incidence_ptr, incidence = self.incidence()
        held, vertices = len(self), len(self.entity)
        numbers = batch.number
        if numbers is None:
            numbers = np.arange(self.next_number, self.next_number + count, dtype=np.int32)
        self.next_number = max(self.next_number, int(numbers[-1]) + 1)
        self.ptr = np.concatenate([self.ptr, vertices + batch.ptr[1:]]).astype(np.int32)
        self.entity = np.concatenate([self.entity, batch.entity])
        self.role = np.concatenate([self.role, batch.role])
        part = batch.takes_part
        part = np.ones(len(batch.entity), np.bool_) if part is None else part
        self.takes_part = np.concatenate([self.takes_part, part])
        for name, new in zip(ARRAYS, (numbers, *(batch[3:7])), strict=True):
            own = getattr(self, name)
            setattr(self, name, np.concatenate([own, new.astype(own.dtype)]))
        alive = np.arange(len(self)) < held
        chain = np.full((2, max(self.entities, len(batch.entity))), -1, np.int32)
        row = np.repeat(np.arange(held, len(self), dtype=np.int32), np.diff(batch.ptr))
        writing.write(
            held, vertices, self.ptr, self.entity, self.takes_part, self.kind, self.weight,
            self.used, alive, incidence_ptr, incidence, np.diff(incidence_ptr), chain, row,
            self.cap, self.weakest_goes, writing.ALONE if self.again is None else self.again,
        )  # fmt: skip
        self.keep(alive)

    def decay(self, factor: float, least: float) -> int:
        """Multiply all weights; atoms below ``least`` go. Returns how many went."""
        self.weight *= np.float32(factor)
        stays = self.weight >= np.float32(least)
        gone = len(stays) - int(np.count_nonzero(stays))
        if gone:
            self.keep(stays)
        return gone

    def keep(self, stays: NDArray[np.bool_]) -> None:
        """Drop the other atoms."""
        self._incidence = None
        if stays.all():
            return
        sizes = np.diff(self.ptr)
        vertex = np.repeat(stays, sizes)
        self.entity, self.role = self.entity[vertex], self.role[vertex]
        self.takes_part = self.takes_part[vertex]
        self.ptr = np.concatenate([[0], np.cumsum(sizes[stays])]).astype(np.int32)
        for name in ARRAYS:
            setattr(self, name, getattr(self, name)[stays])

    def relabel(self, canonical: NDArray[np.int32], least: int) -> None:
        """Put canonical entities for merged ones, as if all atoms were written anew in their order.

        Relations that have become equal add up. An entity that stands in an atom twice keeps its
        first role; an atom of fewer than ``least`` entities goes.
        """
        if (canonical[self.entity] == self.entity).all():
            return
        atom = np.repeat(np.arange(len(self)), np.diff(self.ptr))
        key = atom << 32 | canonical[self.entity]
        _, first, like = np.unique(key, return_index=True, return_inverse=True)
        part = np.bincount(like, self.takes_part) > 0
        order = np.argsort(first)
        first, part = first[order], part[order]
        sizes = np.bincount(atom[first], minlength=len(self))
        stays = sizes >= least
        part, first = part[stays[atom[first]]], first[stays[atom[first]]]
        batch = Batch(
            np.concatenate([[0], np.cumsum(sizes[stays])]).astype(np.int64),
            canonical[self.entity[first]], self.role[first], self.kind[stays],
            self.weight[stays], self.used[stays], self.memory[stays], self.number[stays], part,
        )  # fmt: skip
        from hebb_lab.graph.cognitive.directory import writing

        number, again = self.next_number, self.again
        equal = None if again is None else writing.SUMMED
        fresh = Atoms(self.cap, weakest_goes=self.weakest_goes, again=equal)
        fresh.grow(self.entities)
        fresh.write(batch)
        self.__dict__.update(fresh.__dict__)
        self.next_number, self.again = number, again

    def byte_count(self) -> int:
        """Bytes of the arrays, with those of the incidence."""
        own = (
            self.ptr,
            self.entity,
            self.role,
            self.takes_part,
            *(getattr(self, name) for name in ARRAYS),
        )
        return sum(each.nbytes for each in (*own, *self.incidence()))
