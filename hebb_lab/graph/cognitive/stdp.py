"""Layer 1b, predictive tags: results whose tags the context foretells are raised.

Source: "Memory Hebbian" (Spector Memory), "CoActivationTracker"; constants as the code has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.graph.cognitive.layer import COGNITIVE_LAYERS, CUE, Cues, Expansion, Seeds, Step
from hebb_lab.graph.cognitive.paths import Paths, one_query
from hebb_lab.graph.cognitive.tagging.edges import EdgeTable, Foretold, TagEdges
from hebb_lab.graph.cognitive.tagging.events import (
    followed_in_recall,
    followed_in_writing,
    previous_in_session,
)
from hebb_lab.graph.cognitive.tagging.postings import once_each
from hebb_lab.records import Lists

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.rules import CognitiveRules
    from hebb_lab.records import Memories

CONTEXT_SEEDS = 3  # results whose tags are the context


class _Reading(NamedTuple):
    """Where the edges of a config lie, and how it reads them."""

    source: str
    column: int
    gain: float


class _Context(NamedTuple):
    """The tags of each query's context, and whose each is: a seed's, or CUE."""

    tags: Lists
    owner: NDArray[np.int32]


@COGNITIVE_LAYERS.register("stdp")
class StdpLayer:
    """Directed edges between tags by spike-timing-dependent plasticity (see TagEdges).

    They are learned from the tags of memories written one after another in a session, with their
    real gap (``tag_counts_from=ingestion``), or from the tags of recalls, with the rank as time
    (``recall``, through ``observe_recall``). Tags of one memory do not follow each other.

    A re-ranker: it finds the seeds themselves and adds none, so that neither the gate nor the sum
    over paths concerns it. Context are the query's own tags and those of its first 3 seeds;
    activation = the heaviest edge from a tag of the context to a tag of the seed, energy =
    stdp_gain × score × activation, so that score + energy is the page's score × (1 + 0.3 ×
    predictive strength). Seeds that nothing foretells are left out.
    """

    name = "stdp"
    reads = ("tag_counts_from", "stdp_plus", "stdp_minus", "stdp_tau_seconds", "stdp_gain")

    def __init__(self, memories: Memories, rules: Sequence[CognitiveRules]) -> None:
        self._memories = memories
        self._tags = once_each(memories.tags)
        self._previous = previous_in_session(memories)
        self._known = 0
        learned: dict[str, list[tuple[float, float, float]]] = {}
        self._readings = []
        for each in rules:
            kinds = learned.setdefault(each.tag_counts_from, [])
            kind = each.stdp_plus, each.stdp_minus, each.stdp_tau_seconds * 1000
            if kind not in kinds:
                kinds.append(kind)
            place = kinds.index(kind)
            self._readings.append(_Reading(each.tag_counts_from, place, each.stdp_gain))
        self._edges = {
            source: TagEdges(len(memories.tag_names), np.array(kinds, np.float64).T)
            for source, kinds in learned.items()
        }
        self.learns_from_recall = "recall" in self._edges
        """Whether ``observe_recall`` does anything."""

    def advance(self, known: int) -> None:
        """Learn up to memory ``known``, exclusively.

        Raises:
            ValueError: it would have to forget.
        """
        if known < self._known:
            raise ValueError(f"stdp knows {self._known} memories and cannot go back to {known}")
        if "ingestion" in self._edges:
            for followed in followed_in_writing(
                self._tags, self._memories.time_us, self._previous, self._known, known
            ):
                self._edges["ingestion"].learn(followed)
        self._known = known

    def observe_recall(
        self, recalled: NDArray[np.integer], time_us: NDArray[np.int64] | None = None
    ) -> None:
        """Learn from what n recalls gave, in their order; a no-op where no config does.

        Args:
            recalled: [n, k] known memories, best first; −1 past the end.
            time_us: [n] of each recall.
        """
        if self.learns_from_recall:
            self._edges["recall"].learn(followed_in_recall(self._tags, recalled, time_us))

    def expand(self, seeds: Seeds, cues: Cues, configs: Sequence[int]) -> list[Expansion]:
        """The seeds that the context foretells: one for each config, shared by its likes."""
        context, lists = self._context(seeds, cues), self._tags.some(seeds.memory)
        asked = [self._readings[config] for config in configs]
        foretold = {
            source: self._edges[source].foretold(context.tags, seeds.ptr, lists)
            for source in {reading.source for reading in asked}
        }
        query = np.repeat(np.arange(len(seeds)), np.diff(seeds.ptr))
        paths = Paths.of(len(seeds), query, seeds.memory)
        found = {
            reading: _expansion(reading, foretold[reading.source], paths, seeds, context)
            for reading in set(asked)
        }
        return [found[reading] for reading in asked]

    def explain(
        self, config: int, seeds: Seeds, cues: Cues, query: int, memory: int
    ) -> tuple[Step, ...]:
        """The edge from the context's tag to the memory's."""
        reading = self._readings[config]
        own = one_query(seeds, query)
        at = np.flatnonzero(own.memory == memory)
        if not len(at):
            return ()
        row = cues.tags.row(query)
        alone = Cues(Lists(np.array([0, len(row)], np.int64), row), cues.entities)
        context, lists = self._context(own, alone), self._tags.some(own.memory)
        foretold = self._edges[reading.source].foretold(context.tags, own.ptr, lists)
        sender, receiver = (int(each[at[0], reading.column]) for each in foretold[1:])
        if sender < 0:
            return ()
        names = self._memories.tag_names
        before, after = names[context.tags.ids[sender]], names[lists.ids[receiver]]
        weight = float(foretold.weight[at[0], reading.column])
        return (Step(self.name, 1, before, after, "foretells", weight),)

    def byte_count(self, config: int) -> int:
        """20 bytes an edge, 8 a tag."""
        return self._edges[self._readings[config].source].byte_count()

    def edge_count(self, config: int) -> int:
        """Directed edges, also those of weight 0."""
        return len(self._edges[self._readings[config].source])

    def edges(self, config: int) -> EdgeTable:
        """The edges of one config, as files hold them."""
        reading = self._readings[config]
        return self._edges[reading.source].edges(reading.column)

    def _context(self, seeds: Seeds, cues: Cues) -> _Context:
        """The query's own tags first, then those of its first seeds."""
        count = np.diff(seeds.ptr)
        query = np.repeat(np.arange(len(seeds)), count)
        first = np.arange(len(seeds.memory)) - seeds.ptr[:-1][query] < CONTEXT_SEEDS
        carried = self._tags.some(seeds.memory[first])
        each = np.diff(carried.ptr)
        asked = np.repeat(np.arange(len(seeds)), np.diff(cues.tags.ptr))
        of_query = np.concatenate([asked, np.repeat(query[first], each)])
        owner = np.concatenate(
            [np.full(len(asked), CUE, np.int32), np.repeat(seeds.memory[first], each)]
        )
        order = np.argsort(of_query, kind="stable")
        ptr = np.searchsorted(of_query[order], np.arange(len(seeds) + 1)).astype(np.int64)
        tags = np.concatenate([cues.tags.ids, carried.ids])[order]
        return _Context(Lists(ptr, tags.astype(np.int32)), owner[order].astype(np.int32))


def _expansion(
    reading: _Reading, foretold: Foretold, paths: Paths, seeds: Seeds, context: _Context
) -> Expansion:
    activation = foretold.weight[:, reading.column].astype(np.float64)
    sender = foretold.sender[:, reading.column]
    origin = np.append(context.owner, np.int32(CUE))[sender]
    return paths.expansion(
        reading.gain * seeds.score * activation, activation, origin,
        np.ones(len(sender), np.int8), is_open=activation > 0, summed=False,
    )  # fmt: skip
