"""Layer 3, entities: memories that mention what the query names, or what is related to it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.graph.cognitive.directory.directory import EntityDirectory
from hebb_lab.graph.cognitive.directory.learning import LEARNED, learn, pieces
from hebb_lab.graph.cognitive.directory.recall.asked import Asked
from hebb_lab.graph.cognitive.directory.recall.collect import Held, Visits
from hebb_lab.graph.cognitive.directory.recall.expanding import RECALLED, Expanding
from hebb_lab.graph.cognitive.directory.recall.queries import one_cue, one_query, way_back
from hebb_lab.graph.cognitive.directory.recall.walks import related
from hebb_lab.graph.cognitive.layer import COGNITIVE_LAYERS, Cues, Seeds, Step, distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hebb_lab.graph.cognitive.rules import CognitiveRules
    from hebb_lab.records import Memories

DIRECTORY = (*LEARNED, "entity_degree_cap", "entity_links")


@COGNITIVE_LAYERS.register("entities")
class EntityLayer(Expanding):
    """From the query's entities to the memories linked to them, and on along typed relations.

    Hop 1 are the memories that mention an entity of the query, hop h + 1 those that mention an
    entity h relations away (breadth first, both ways). Entities that a memory merely mentions side
    by side are not related; that is what hyperedges hold.

    activation = min(1, link weight) × fan factor of the linked entity × gain^(hop − 1), or, with
    ``entity_attenuation: once``, × fan factor of the query's entity alone;
    energy = gain × score of the query's best seed × activation. A path is an entity at its first
    hop and a link of it; ``paths: sum`` adds up all of them.

    Source: "Memory Hebbian" (Spector Memory), Entity-Relationship Graph, How It's Used.
    """

    name = "entities"
    reads = (*DIRECTORY, *RECALLED)

    def __init__(self, memories: Memories, rules: Sequence[CognitiveRules]) -> None:
        super().__init__(memories, rules)
        chosen, self._place = distinct(self.rules, DIRECTORY)
        self.directories = [
            EntityDirectory(each, self.stream.names, self.stream.kinds) for each in chosen
        ]

    def directory(self, config: int) -> EntityDirectory:
        """What was learned under a rule set."""
        return self.directories[self._place[config]]

    def _learn(self, first: int, known: int) -> None:
        for directory in self.directories:
            cycle = directory.rules.cycle_memories
            subjects = directory.rules.entity_links == "subject"
            for begin, stop, is_due in pieces(first, known, cycle):
                learn(directory, self.stream, begin, stop, subjects=subjects)
                if is_due:
                    directory.cycle()

    def _held(self, config: int) -> Held:
        links = self.directory(config).links
        return Held(links.ptr, links.memory, links.weight)

    def _visits(self, seeds: Seeds, cues: Cues, config: int) -> tuple[Asked, Visits]:
        begun, relations = self._begin(seeds, cues, config), self.directory(config).relations
        hops = self.rules[config].entity_hops
        return begun.asked, related(begun.asked, relations, begun.fan, hops=hops, gain=begun.gain)

    def explain(
        self, config: int, seeds: Seeds, cues: Cues, query: int, memory: int
    ) -> tuple[Step, ...]:
        """The relations to the best linked entity, then the link; empty where there is none."""
        _, visits = self._visits(one_query(seeds, query), one_cue(cues, query), config)
        held, least = self._held(config), self.rules[config].least_activation()
        way = way_back(visits, held, memory, least)
        if not way:
            return ()
        entities = [int(visits.row[v]) for v in way]
        steps = [
            self._relation(config, hop, sender, receiver)
            for hop, (sender, receiver) in enumerate(pairwise(entities), 1)
        ]
        memories, weights = self.directory(config).memories_of(entities[-1])
        weight = float(weights[int(np.searchsorted(memories, memory))])
        names = self.stream.names.written
        last = Step(
            self.name, len(way), names[entities[-1]], self.memories.names[memory], "mentions",
            weight,
        )  # fmt: skip
        return (*steps, last)

    def _relation(self, config: int, hop: int, sender: int, receiver: int) -> Step:
        """The heaviest relation between two entities."""
        directory = self.directory(config)
        relations = directory.relations
        ptr, rows = relations.incidence()
        own = rows[ptr[sender] : ptr[sender + 1]]
        own = own[relations.entity.reshape(-1, 2)[own].sum(axis=1) == sender + receiver]
        best = own[int(np.argmax(relations.weight[own]))]
        names = self.stream.names.written
        return Step(
            self.name, hop, names[sender], names[receiver],
            directory.kinds.name_of(int(relations.kind[best])), float(relations.weight[best]),
        )  # fmt: skip

    def byte_count(self, config: int) -> int:
        """Bytes of the directory: links, relations, types, canonical ids."""
        return self.directory(config).byte_count()

    def edge_count(self, config: int) -> int:
        """Links to memories and relations between entities."""
        directory = self.directory(config)
        return len(directory.links) + len(directory.relations)
