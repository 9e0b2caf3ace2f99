"""What memories say of entities, as the directory takes it in: dense ids in order of arrival."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.graph.cognitive.directory.names import Names, folded
from hebb_lab.graph.cognitive.directory.registry import TypeRegistry
from hebb_lab.records import Lists, Relations
from hebb_lab.records.known_types import RELATION_TYPES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.records import Memories


@dataclass(frozen=True)
class Stream:
    """Mentions and relations of N memories by dense ids, the same for all rule sets.

    An entity arrives with the first memory that mentions it or states a relation of it; mentions
    come first. Blank names are left out, with their mentions and relations. What is known before
    memory n is the first ``arrived(n)`` names.

    Args:
        names: in the order of arrival.
        kinds: types of relations, in the order of their first statement.
        number: [entities of ``Memories``] dense id, −1 for one that never arrives.
        arrival: [E] the memory with which it arrives, ascending.
        mentions: of each memory.
        relations: in the order of the memories that state them.
    """

    names: Names
    kinds: TypeRegistry
    number: NDArray[np.int32]
    arrival: NDArray[np.int32]
    mentions: Lists
    relations: Relations

    @classmethod
    def of(cls, memories: Memories) -> Stream:
        """Read the entities of memories."""
        like = _alike(memories.entity_names)
        mention = like[memories.mentions.ids]
        row = np.repeat(np.arange(len(memories)), np.diff(memories.mentions.ptr))
        stated = _stated(memories, like)
        end = np.stack([stated.source, stated.target], axis=1).reshape(-1)
        named = np.concatenate([memories.mentions.ids, end])
        entity = like[named]
        memory = np.concatenate([row, np.repeat(stated.memory, 2)])
        is_relation = np.arange(len(entity)) >= len(mention)
        order = np.lexsort((is_relation, memory))
        order = order[entity[order] >= 0]
        distinct, place = np.unique(entity[order], return_index=True)
        by_arrival = np.argsort(place)
        dense = np.full(len(like) + 1, -1, np.int32)  # the last for what is blank
        dense[distinct[by_arrival]] = np.arange(len(distinct), dtype=np.int32)
        names = Names()
        for each in named[order][place[by_arrival]].tolist():
            names.intern(memories.entity_names[each], memories.entity_types[each])
        kinds = TypeRegistry(RELATION_TYPES)
        kind = np.array([-1] * len(memories.relation_kinds), np.int32)
        for each in stated.kind[np.sort(np.unique(stated.kind, return_index=True)[1])].tolist():
            kind[each] = kinds.intern(memories.relation_kinds[each])
        number = dense[like]
        return cls(
            names, kinds, number, memory[order][place[by_arrival]].astype(np.int32),
            _present(Lists(memories.mentions.ptr, dense[mention])),
            Relations(number[stated.source], number[stated.target], kind[stated.kind],
                      stated.memory),
        )  # fmt: skip

    def arrived(self, known: int) -> int:
        """How many entities are known before memory ``known``."""
        return int(np.searchsorted(self.arrival, known))

    def said(self, first: int, stop: int) -> Relations:
        """Relations that some memories state."""
        own = slice(*np.searchsorted(self.relations.memory, [first, stop]).tolist())
        return Relations(*(part[own] for part in self.relations))


def _alike(names: tuple[str, ...]) -> NDArray[np.int64]:
    """The number of each name among the distinct ones, −1 if blank."""
    held: dict[str, int] = {}
    keys = map(folded, names)
    return np.array([held.setdefault(key, len(held)) if key else -1 for key in keys], np.int64)


def _stated(memories: Memories, like: NDArray[np.int64]) -> Relations:
    """Relations between entities with a name that a memory states, by memory."""
    own = memories.relations
    valid = (own.memory >= 0) & (own.memory < len(memories))
    valid &= (like[own.source] >= 0) & (like[own.target] >= 0)
    order = np.flatnonzero(valid)
    order = order[np.argsort(own.memory[order], kind="stable")]
    return Relations(*(part[order] for part in own))


def _present(lists: Lists) -> Lists:
    """Without the ids below 0."""
    held = np.concatenate([[0], np.cumsum(lists.ids >= 0)])
    return Lists(held[lists.ptr].astype(np.int64), lists.ids[lists.ids >= 0])
