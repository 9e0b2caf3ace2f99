"""Layer 1: memories that were written together recall each other.

Learned by co-ingestion and stated hints (associations/learning.py), forgotten in consolidation
cycles (associations/cycle.py) that spare bridges (associations/bridges.py), and read by spreading
activation (associations/walks.py). Source: spector.md §1.1.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.graph.cognitive.associations.bridges import bridging_of, score_bridges
from hebb_lab.graph.cognitive.associations.cycle import consolidate, fading_of
from hebb_lab.graph.cognitive.associations.importance import worth_of
from hebb_lab.graph.cognitive.associations.learning import increments_of, learn, partners_of
from hebb_lab.graph.cognitive.associations.modulator import MemoryState, decay_factors
from hebb_lab.graph.cognitive.associations.paths import best_walk
from hebb_lab.graph.cognitive.associations.spreading import (
    Paths,
    Reading,
    by_weight,
    scaled_weights,
    spread,
)
from hebb_lab.graph.cognitive.associations.table import (
    CO_INGESTED,
    EDGE_BYTES,
    NODE_BYTES,
    AssociationGraph,
    EdgeTable,
    graph_of,
)
from hebb_lab.graph.cognitive.layer import (
    COGNITIVE_LAYERS,
    Cues,
    Expansion,
    Seeds,
    Step,
    distinct,
    empty_expansion,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hebb_lab.graph.cognitive.rules import CognitiveRules
    from hebb_lab.records import Memories

LEARNING = (
    "co_ingestion", "session_window", "hebbian_increment", "degree_cap", "eviction_signals",
    "eviction_at", "cycle_memories", "hebbian_decay", "hebbian_prune_below", "bridge_protect",
    "bridge_score", "bridge_trees", "decay_modulator",
)  # fmt: skip
"""The switches that tell learned states apart."""
READING = (
    "walk", "hebbian_depth", "weight_scale", "hebbian_gain", "hebbian_score", "paths", "gate",
    "gate_threshold",
)  # fmt: skip
"""The switches that tell results on one state apart."""


@COGNITIVE_LAYERS.register("hebbian")
class HebbianLayer:
    """Hebbian association of memories, for C rule sets at once.

    Rule sets that learn alike share a state. Cycles are counted from the first memory on: one
    after every ``cycle_memories`` of them.

    Args:
        memories: N facts in the order of writing.
        rules: C rule sets; only the switches of layer 1, paths and the gate are read.
    """

    name = "hebbian"
    reads = (*LEARNING, *READING)

    def __init__(self, memories: Memories, rules: Sequence[CognitiveRules]) -> None:
        self.memories = memories
        self.known = 0
        self._rules = list(rules)
        learned, self._place = distinct(rules, LEARNING)
        state = MemoryState.of(memories)
        self._worth = worth_of(learned, state)
        self._how = increments_of(learned, len(memories))
        self._fading = fading_of(learned, decay_factors(learned, state))
        self._bridging = bridging_of(learned)
        self._cycle_memories = np.array([each.cycle_memories for each in learned], np.int64)
        self._cycle = np.zeros(len(learned), np.int64)
        self._partners = partners_of(memories)
        rows = len(learned) * len(memories)
        self._table = EdgeTable.with_room(np.zeros(rows, np.int64))
        self._dirty = np.zeros(rows, np.bool_)
        self._paths: dict[tuple[object, ...], Paths] = {}

    def advance(self, known: int) -> None:
        """Learn memories [0, known), with every consolidation cycle that ends among them.

        Raises:
            ValueError: it would have to forget, or there are not so many memories.
        """
        if not self.known <= known <= len(self.memories):
            raise ValueError(
                f"the layer knows {self.known} of {len(self.memories)} memories: it cannot"
                f" advance to {known}"
            )
        while self.known < known:
            ends = (self.known // self._cycle_memories + 1) * self._cycle_memories
            stop = min(known, int(ends.min()))
            self._table = learn(
                self._table, self._partners, self._how, self._worth, self._cycle, self.known, stop,
                self._dirty,
            )  # fmt: skip
            self.known = stop
            self._consolidate(ends == stop)
            self._paths.clear()

    def _consolidate(self, due: np.ndarray) -> None:
        if due.any():
            self._cycle += due
            self._table = consolidate(
                self._table, self._fading, self._worth, self._cycle, due, self._dirty
            )
            score_bridges(self._table, self._bridging, self._cycle, due, self._dirty)

    def expand(self, seeds: Seeds, cues: Cues, configs: Sequence[int]) -> list[Expansion]:
        """The memories that Q queries' seeds lead to; cues are not looked at.

        Raises:
            ValueError: a seed that is not known yet.
        """
        if len(seeds.memory) and not 0 <= seeds.memory.min() <= seeds.memory.max() < self.known:
            raise ValueError(f"a seed is none of the {self.known} memories known")
        found: dict[tuple[object, ...], Expansion] = {}
        for config in configs:
            key = (self._place[config], *(getattr(self._rules[config], name) for name in READING))
            if key not in found:
                found[key] = (
                    spread(self._paths_of(config), reading_of(self._rules[config]), seeds)
                    if self.known
                    else empty_expansion(len(seeds))
                )
        keys = (
            (self._place[config], *(getattr(self._rules[config], name) for name in READING))
            for config in configs
        )
        return [found[key] for key in keys]

    def explain(
        self, config: int, seeds: Seeds, cues: Cues, query: int, memory: int
    ) -> tuple[Step, ...]:
        """The edges of the best walk to a memory, each with its weight as of then."""
        begin, end = int(seeds.ptr[query]), int(seeds.ptr[query + 1])
        asked = Seeds(np.array([0, end - begin]), seeds.memory[begin:end], seeds.score[begin:end])
        found = self.expand(asked, cues, [config])[0]
        at = np.flatnonzero(found.memory == memory)
        if not len(at):
            return ()
        origin, hops = int(found.origin[at[0]]), int(found.hop[at[0]])
        reading = reading_of(self._rules[config])
        walk = best_walk(self._paths_of(config), reading, origin, memory, hops)
        graph = self.graph(config)
        return tuple(self._step(graph, hop, a, b) for hop, (a, b) in enumerate(pairwise(walk), 1))

    def _step(self, graph: AssociationGraph, hop: int, sender: int, receiver: int) -> Step:
        row = slice(int(graph.offsets[sender]), int(graph.offsets[sender + 1]))
        place = int(graph.offsets[sender] + np.searchsorted(graph.neighbor[row], receiver))
        relation = "co_ingested" if graph.flags[place] & CO_INGESTED else "stated"
        names = self.memories.names
        return Step(
            self.name, hop, names[sender], names[receiver], relation, float(graph.weight[place])
        )

    def graph(self, config: int) -> AssociationGraph:
        """The edges of one rule set as of now, as compressed sparse rows."""
        place = self._place[config]
        return graph_of(self._table, len(self.memories), place, self.known, int(self._cycle[place]))

    def byte_count(self, config: int) -> int:
        """12 bytes an edge and 4 a memory: what ``graph(config)`` takes."""
        return EDGE_BYTES * self.edge_count(config) + NODE_BYTES * (self.known + 1)

    def edge_count(self, config: int) -> int:
        """Directed edges: two where both memories lead to each other."""
        n, place = len(self.memories), self._place[config]
        return int(self._table.ptr[place * n + self.known] - self._table.ptr[place * n])

    def _paths_of(self, config: int) -> Paths:
        rules = self._rules[config]
        key = (self._place[config], rules.weight_scale, rules.walk)
        if key not in self._paths:
            graph = self.graph(config)
            scaled = scaled_weights(graph.offsets, graph.weight, rules.weight_scale)
            paths = Paths(graph.offsets.astype(np.int64), graph.neighbor, scaled)
            self._paths[key] = by_weight(paths) if rules.walk == "dfs" else paths
        return self._paths[key]


def reading_of(rules: CognitiveRules) -> Reading:
    """What a rule set says on walks."""
    return Reading(
        rules.hebbian_depth, float(rules.hebbian_gain), rules.least_activation(),
        rules.hebbian_score == "similarity_plus", rules.paths == "sum", rules.walk == "dfs",
    )  # fmt: skip
