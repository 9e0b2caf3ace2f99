"""Weighted links from entities to the memories that mention them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Links:
    """Links of an entity: ``memory[ptr[e]:ptr[e + 1]]``, ascending, with their weights.

    Always compact, 8 bytes a link and 4 an entity: what is written between two cycles is merged in
    at once, and what decays away leaves no hole.
    """

    def __init__(self) -> None:
        self.ptr = np.zeros(1, np.int32)
        self.memory = np.zeros(0, np.int32)
        self.weight = np.zeros(0, np.float32)

    def __len__(self) -> int:
        return len(self.memory)

    def counts(self) -> NDArray[np.int32]:
        """Memories that each entity is linked to, [E]: the degree of the fan factor."""
        return np.diff(self.ptr)

    def grow(self, entities: int) -> None:
        """Have room for so many entities."""
        self.ptr = np.concatenate(
            [self.ptr, np.full(entities + 1 - len(self.ptr), self.ptr[-1], np.int32)]
        )

    def write(
        self, entity: NDArray[np.integer], memory: NDArray[np.integer], first: float, again: float
    ) -> None:
        """Mentions in their order: a link begins with ``first``, each further one adds ``again``.

        Several mentions of an entity by one memory count one by one.
        """
        stated: NDArray[np.int64] = entity.astype(np.int64) << 32 | memory
        key, times = np.unique(stated, return_counts=True)
        own = self._keys()
        place = np.searchsorted(own, key)
        is_held = np.zeros(len(key), np.bool_)
        inside = place < len(own)
        is_held[inside] = own[place[inside]] == key[inside]
        self.weight[place[is_held]] += (again * times[is_held]).astype(np.float32)
        is_new = ~is_held
        key, place, times = key[is_new], place[is_new], times[is_new]
        self.memory = np.insert(self.memory, place, (key & 0xFFFFFFFF).astype(np.int32))
        weight = (first + again * (times - 1)).astype(np.float32)
        self.weight = np.insert(self.weight, place, weight)
        self._count(np.bincount(key >> 32, minlength=len(self.ptr) - 1) + self.counts())

    def decay(self, factor: float, least: float) -> int:
        """Multiply all weights; links below ``least`` go. Returns how many went."""
        if factor == 1.0 and least <= 0.0:
            return 0
        self.weight *= np.float32(factor)
        stays = self.weight >= np.float32(least)
        gone = len(stays) - int(np.count_nonzero(stays))
        if gone:
            entity = self._entities()[stays]
            self.memory, self.weight = self.memory[stays], self.weight[stays]
            self._count(np.bincount(entity, minlength=len(self.ptr) - 1))
        return gone

    def relabel(self, canonical: NDArray[np.int32]) -> None:
        """Give the links of merged entities to the canonical ones; two to one memory add up."""
        key = canonical[self._entities()].astype(np.int64) << 32 | self.memory
        order = np.argsort(key, kind="stable")
        start = np.flatnonzero(np.diff(key[order], prepend=-1))
        if len(start):
            self.weight = np.add.reduceat(self.weight[order], start)
        key = key[order][start]
        self.memory = (key & 0xFFFFFFFF).astype(np.int32)
        self._count(np.bincount(key >> 32, minlength=len(self.ptr) - 1))

    def byte_count(self) -> int:
        """Bytes of the arrays."""
        return self.ptr.nbytes + self.memory.nbytes + self.weight.nbytes

    def _entities(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(len(self.ptr) - 1), self.counts())

    def _keys(self) -> NDArray[np.int64]:
        """Entity · 2³² + memory of each link, ascending."""
        keys: NDArray[np.int64] = self._entities() << 32 | self.memory
        return keys

    def _count(self, counts: NDArray[np.integer]) -> None:
        self.ptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
