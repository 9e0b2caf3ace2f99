"""Layer 3, hyperedges: memories whose entities are those of the query, together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.graph.cognitive.directory.directory import EntityDirectory
from hebb_lab.graph.cognitive.directory.hypergraph import Hypergraph
from hebb_lab.graph.cognitive.directory.learning import LEARNED, learn, pieces
from hebb_lab.graph.cognitive.directory.recall import walks
from hebb_lab.graph.cognitive.directory.recall.asked import Asked
from hebb_lab.graph.cognitive.directory.recall.collect import Held, Visits
from hebb_lab.graph.cognitive.directory.recall.expanding import RECALLED, Expanding
from hebb_lab.graph.cognitive.directory.recall.queries import one_cue, one_query, way_back
from hebb_lab.graph.cognitive.layer import COGNITIVE_LAYERS, Cues, Seeds, Step, distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hebb_lab.graph.cognitive.rules import CognitiveRules
    from hebb_lab.records import Memories

HYPERGRAPH = (
    *LEARNED, "hyperedge_min", "hyperedge_max", "hyperedge_cap", "hyperedge_eviction",
    "hyperedge_decay", "hyperedge_prune_below",
)  # fmt: skip


@COGNITIVE_LAYERS.register("hyperedges")
class HyperedgeLayer(Expanding):
    """From the query's entities to the memories of the hyperedges that hold them together.

    ``traversal: intersection`` is `walks.together`: hyperedges that hold two and more of the
    query's entities (one, where none holds two), then those of their other entities.
    ``union`` is `walks.union`: what the code does.

    activation (intersection) = the share of the query's entities that the hyperedge holds, each
    with its fan factor, × min(1, weight); energy = gain × score of the query's best seed
    × activation. The fan factor is the directory's, 1/√(memories of the entity). A path is a
    hyperedge; ``paths: sum`` adds up those of the same memory.

    Source: "Memory Hebbian" (Spector Memory), Hyperedge Entity Graph.
    """

    name = "hyperedges"
    reads = (*HYPERGRAPH, *RECALLED, "traversal")

    def __init__(self, memories: Memories, rules: Sequence[CognitiveRules]) -> None:
        super().__init__(memories, rules)
        chosen, self._place = distinct(self.rules, HYPERGRAPH)
        beside, self._beside = distinct(chosen, LEARNED)
        self.graphs = [Hypergraph(each) for each in chosen]
        self.directories = [
            EntityDirectory(each, self.stream.names, self.stream.kinds) for each in beside
        ]

    def graph(self, config: int) -> Hypergraph:
        """What was learned under a rule set."""
        return self.graphs[self._place[config]]

    def directory(self, config: int) -> EntityDirectory:
        """Its companion, which says which entities are one and in how many memories each is.

        Relations are not kept here.
        """
        return self.directories[self._beside[self._place[config]]]

    def _learn(self, first: int, known: int) -> None:
        for own, directory in enumerate(self.directories):
            graphs = [
                graph
                for graph, beside in zip(self.graphs, self._beside, strict=True)
                if beside == own
            ]
            cycle = directory.rules.cycle_memories
            for begin, stop, is_due in pieces(first, known, cycle):
                learn(directory, self.stream, begin, stop, relations=False)
                for graph in graphs:
                    graph.learn(self.stream, directory.canonical, begin, stop)
                if is_due:
                    directory.cycle()
                    for graph in graphs:
                        graph.cycle(directory.canonical)

    def _held(self, config: int) -> Held:
        """The memory of each hyperedge; weights are in the visits already."""
        memory = self.graph(config).atoms.memory
        rows = np.arange(len(memory) + 1, dtype=np.int32)
        return Held(rows, memory, np.ones(len(memory), np.float32))

    def _visits(self, seeds: Seeds, cues: Cues, config: int) -> tuple[Asked, Visits]:
        rules, atoms = self.rules[config], self.graph(config).atoms
        start, fan, gain = self._begin(seeds, cues, config)
        hops, least = rules.entity_hops, rules.least_activation()
        if rules.traversal == "union":
            return start, walks.union(start, atoms, fan, hops=hops, gain=gain)
        return start, walks.together(start, atoms, fan, hops=hops, gain=gain, least=least)

    def explain(
        self, config: int, seeds: Seeds, cues: Cues, query: int, memory: int
    ) -> tuple[Step, ...]:
        """The hyperedges on the best way to a memory, each with the entities that led to it.

        Depth first (``union``) one may be met nearer after it led on: then fewer steps than hops.
        """
        start, visits = self._visits(one_query(seeds, query), one_cue(cues, query), config)
        least = self.rules[config].least_activation()
        way = way_back(visits, self._held(config), memory, least)
        atoms, names = self.graph(config).atoms, self.stream.names.written
        steps = []
        for hop, v in enumerate(way, 1):
            row = int(visits.row[v])
            entities = [int(visits.entity[v])]
            if hop == 1 and self.rules[config].traversal == "intersection":
                own = slice(int(atoms.ptr[row]), int(atoms.ptr[row + 1]))
                members = atoms.entity[own][atoms.takes_part[own]]
                entities = [e for e in start.entity.tolist() if e in members]
            said = int(atoms.memory[row])
            sender = " + ".join(names[e] for e in entities)
            receiver = self.memories.names[said] if said >= 0 else f"hyperedge {atoms.number[row]}"
            kind = self.graph(config).kinds.name_of(int(atoms.kind[row]))
            steps.append(Step(self.name, hop, sender, receiver, kind, float(atoms.weight[row])))
        return tuple(steps)

    def byte_count(self, config: int) -> int:
        """Bytes of the hyperedges, and of the companion directory."""
        return self.graph(config).atoms.byte_count() + self.directory(config).byte_count()

    def edge_count(self, config: int) -> int:
        """Hyperedges."""
        return len(self.graph(config))
