"""The directory of entities: who is named where, who is the same, and who is related to whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.graph.cognitive.directory.atoms import Atoms, Batch
from hebb_lab.graph.cognitive.directory.links import Links
from hebb_lab.graph.cognitive.directory.merging import Merging
from hebb_lab.graph.cognitive.directory.names import Names
from hebb_lab.graph.cognitive.directory.registry import TypeRegistry
from hebb_lab.graph.cognitive.rules import CognitiveRules
from hebb_lab.records.known_types import RELATION_TYPES

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

SUBJECT_OBJECT = np.array([1, 2], np.uint8)


class EntityDirectory:
    """Entities with dense ids, weighted links to memories, and typed relations to one another.

    A cycle of consolidation weakens links and relations (LTD), prunes them, and merges entities
    whose names are near. The links of a merged entity go to the canonical one with their weights;
    two links to the same memory add up (activation takes at most 1 of a weight). Its name leads to
    the canonical one from then on. Relations strengthen and weaken as links do (page: silent), are
    followed both ways, and a statement of an entity about itself is none.

    Source: "Memory Hebbian" (Spector Memory), Entity-Relationship Graph.

    >>> directory = EntityDirectory()
    >>> ada = directory.intern("Ada Lovelace", "PERSON")
    >>> for memory in (3, 8):
    ...     directory.link(ada, memory)
    >>> directory.find(" ADA lovelace") == ada, round(directory.fan_factor(ada), 3)
    (True, 0.707)
    """

    def __init__(
        self, rules: CognitiveRules | None = None, names: Names | None = None,
        kinds: TypeRegistry | None = None,
    ) -> None:  # fmt: skip
        self.rules = rules or CognitiveRules()
        self.names = names if names is not None else Names()
        self.kinds = kinds if kinds is not None else TypeRegistry(RELATION_TYPES)
        self.links = Links()
        self.relations = Atoms(
            self.rules.entity_degree_cap, weakest_goes=True, again=self.rules.mention_again
        )
        self.merging = Merging(self.names, self.rules.merge_distance, self.rules.merge_min_length)

    def __len__(self) -> int:
        return len(self.merging.canonical)

    @property
    def canonical(self) -> NDArray[np.int32]:
        """The entity that stands for each, [E]: itself, unless it was merged into another."""
        return self.merging.canonical

    def know(self, entities: int) -> None:
        """Know the first names of ``names``."""
        self.merging.grow(entities)
        self.links.grow(entities)
        self.relations.grow(entities)

    def intern(self, name: str, kind: str = "OTHER") -> int:
        """The id of a name, new or known; of a merged one the canonical id.

        Raises:
            InputError: a blank name.
        """
        number = self.names.intern(name, kind)
        if number >= len(self):
            self.know(number + 1)
        return int(self.canonical[number])

    def find(self, name: str) -> int | None:
        """The (canonical) id of a name, whatever its case; None where it is unknown."""
        number = self.names.find(name)
        return int(self.canonical[number]) if number is not None and number < len(self) else None

    def link(self, entity: int, memory: int) -> None:
        """A memory mentions an entity: a new link, or a stronger one.

        Raises:
            InputError: no such entity, or a memory below 0.
        """
        self._check(entity)
        if memory < 0:
            raise InputError(
                f"memory {memory} is below 0", "Give its place in the order of writing"
            )
        self.write(np.array([entity]), np.array([memory]))

    def write(self, entity: NDArray[np.integer], memory: NDArray[np.integer]) -> None:
        """Many mentions, in their order."""
        first, again = self.rules.mention_weight, self.rules.mention_again
        self.links.write(self.canonical[entity], memory, first, again)

    def relate(self, source: int, target: int, kind: str, memory: int = -1) -> None:
        """State a typed relation. The type is registered if it is new.

        Raises:
            InputError: no such entity.
        """
        self._check(source)
        self._check(target)
        self.write_relations(*(
            np.array([each], np.int32) for each in (source, target, self.kinds.intern(kind), memory)
        ))  # fmt: skip

    def write_relations(
        self, source: NDArray[np.int32], target: NDArray[np.int32], kind: NDArray[np.int32],
        memory: NDArray[np.int32],
    ) -> None:  # fmt: skip
        """Many relations, in their order."""
        ends = np.stack([self.canonical[source], self.canonical[target]], axis=1)
        other = ends[:, 0] != ends[:, 1]
        n = int(np.count_nonzero(other))
        weight = np.full(n, self.rules.mention_weight, np.float32)
        self.relations.write(
            Batch(
                np.arange(0, 2 * n + 1, 2),
                ends[other].reshape(-1),
                np.tile(SUBJECT_OBJECT, n),
                kind[other],
                weight,
                memory[other],
                memory[other],
            )
        )

    def cycle(self) -> int:
        """Weaken, prune, merge. Returns how many entities were merged."""
        self.decay(self.rules.mention_decay, self.rules.mention_prune_below)
        return self.merge()

    def decay(self, factor: float, least: float) -> int:
        """LTD: weights × factor, below ``least`` they go. Returns how many links went."""
        self.relations.decay(factor, least)
        return self.links.decay(factor, least)

    def merge(self) -> int:
        """Merge entities with near names. Returns how many were merged into another."""
        merged = self.merging.cycle()
        if merged:
            self.links.relabel(self.canonical)
            self.relations.relabel(self.canonical, 2)
        return merged

    def memories_of(self, entity: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """(memories, weights) that an entity is linked to, in the order of writing.

        Raises:
            InputError: no such entity.
        """
        self._check(entity)
        own = slice(*self.links.ptr[self.canonical[entity] :][:2].tolist())
        return self.links.memory[own], self.links.weight[own]

    def fan_factor(self, entity: int) -> float:
        """1/√(memories of the entity), 1 for one or none (ACT-R: associations share activation).

        Raises:
            InputError: no such entity.
        """
        return float(max(1, len(self.memories_of(entity)[0])) ** -0.5)

    def fan_factors(self) -> NDArray[np.float64]:
        """`fan_factor` of all, [E]."""
        fan: NDArray[np.float64] = np.maximum(self.links.counts(), 1) ** -0.5
        return fan

    def traverse(
        self, start: int, kinds: Collection[str] | None = None, max_hops: int = 2
    ) -> dict[int, int]:
        """Entities within so many relations of one, breadth first: id → hops; itself at 0.

        Raises:
            InputError: no such entity.
        """
        self._check(start)
        known = None if kinds is None else {self.kinds.find(kind) for kind in kinds}
        ptr, rows = self.relations.incidence()
        ends, kind = self.relations.entity.reshape(-1, 2), self.relations.kind
        reached = {int(self.canonical[start]): 0}
        line = list(reached)
        for entity in line:  # grows as it is walked
            if reached[entity] == max_hops:
                continue
            for row in rows[ptr[entity] : ptr[entity + 1]].tolist():
                other = int(ends[row].sum()) - entity
                if other not in reached and (known is None or int(kind[row]) in known):
                    reached[other] = reached[entity] + 1
                    line.append(other)
        return reached

    def collect_memories(
        self, start: int, kinds: Collection[str] | None = None, max_hops: int = 2
    ) -> list[int]:
        """Memories of all entities that `traverse` reaches, ascending."""
        reached = self.traverse(start, kinds, max_hops)
        return sorted({int(m) for entity in reached for m in self.memories_of(entity)[0]})

    def byte_count(self) -> int:
        """Bytes of links, relations, types and canonical ids.

        Names are not counted, as on the page; they are shared by all rule sets.
        """
        own = self.merging.canonical.nbytes + 4 * len(self)
        return own + self.links.byte_count() + self.relations.byte_count()

    def _check(self, entity: int) -> None:
        if not 0 <= entity < len(self):
            raise InputError(f"no entity {entity}", f"Intern it first; there are {len(self)}")
