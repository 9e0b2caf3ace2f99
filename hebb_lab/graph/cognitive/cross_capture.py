"""Layer 4, cross-capture: from a query's tags over the tags that go with them to memories.

Source: "Memory Hebbian" (Spector Memory), "Cross-Capture Graph".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.graph.cognitive.layer import COGNITIVE_LAYERS, CUE, Cues, Expansion, Seeds, Step
from hebb_lab.graph.cognitive.paths import Paths, one_query
from hebb_lab.graph.cognitive.tagging.counts import PairTable, TagCounts
from hebb_lab.graph.cognitive.tagging.events import together_in_recall
from hebb_lab.graph.cognitive.tagging.postings import Postings, once_each
from hebb_lab.records import Lists

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.rules import CognitiveRules
    from hebb_lab.records import Memories


class _Reading(NamedTuple):
    """The rules that tell one config from another."""

    source: str
    neighbours: int
    per_tag: int
    gain: float
    least_activation: float
    summed: bool


class _Own(NamedTuple):
    """The tags that each query starts from."""

    tags: Lists
    origin: NDArray[np.int32]  # [Q] CUE, or the seed whose tags they are


class _Related(NamedTuple):
    """Own tag → related tag, [R], by query, own tag, count."""

    query: NDArray[np.int64]
    own: NDArray[np.int32]
    tag: NDArray[np.int32]
    strength: NDArray[np.float64]


class _Walks(NamedTuple):
    """Own tag → related tag → memory: one path each, [P]."""

    paths: Paths
    activation: NDArray[np.float64]
    base: NDArray[np.float64]  # the best seed's score
    origin: NDArray[np.int32]
    related: NDArray[np.int64]  # which of R
    steps: _Related


@COGNITIVE_LAYERS.register("cross_capture")
class CrossCaptureLayer:
    """Memories of the tags that go with the query's tags.

    From each tag of the query to at most ``cross_tag_neighbours`` tags that it was most often
    together with (equal counts by name; not to the query's own tags), from each of those to at most
    ``cross_memories_per_tag`` memories that carry it, the newest first. Activation = strength of
    the pair (see TagCounts) × 1/√(known memories that carry the related tag); energy = cross_gain ×
    best seed's score (1 without seeds) × activation, the best or the sum over the paths.

    The page says neither how many hops that is nor what a query without tags does: it is two, and
    such a query, or one whose tags no known memory carries, takes its best seed's tags (three).
    Memories that carry a tag of the query are no aim of this layer, but are found where they carry
    a related one too. Counts are those of what is written, or of what is recalled
    (``tag_counts_from``, through ``observe_recall``).
    """

    name = "cross_capture"
    reads = (
        "tag_counts_from", "cross_tag_neighbours", "cross_memories_per_tag", "cross_gain", "paths",
        "gate", "gate_threshold",
    )  # fmt: skip

    def __init__(self, memories: Memories, rules: Sequence[CognitiveRules]) -> None:
        self._memories = memories
        self._tags = once_each(memories.tags)
        self._postings = Postings(self._tags, len(memories.tag_names))
        self._known = 0
        self._readings = [_reading(each) for each in rules]
        self._counts = {
            source: TagCounts(memories.tag_names)
            for source in sorted({reading.source for reading in self._readings})
        }
        self.learns_from_recall = "recall" in self._counts
        """Whether ``observe_recall`` does anything."""

    def advance(self, known: int) -> None:
        """Learn up to memory ``known``, exclusively.

        Raises:
            ValueError: it would have to forget.
        """
        if known < self._known:
            raise ValueError(
                f"cross_capture knows {self._known} memories and cannot go back to {known}"
            )
        if "ingestion" in self._counts and known > self._known:
            self._counts["ingestion"].learn(self._tags.some(np.arange(self._known, known)))
        self._postings.advance(known)
        self._known = known

    def observe_recall(
        self, recalled: NDArray[np.integer], time_us: NDArray[np.int64] | None = None
    ) -> None:
        """Learn from what n recalls gave; a no-op where no config does.

        Args:
            recalled: [n, k] known memories, best first; −1 past the end.
            time_us: [n] of each recall; counts have no time.
        """
        if self.learns_from_recall:
            self._counts["recall"].learn(together_in_recall(self._tags, recalled))

    def expand(self, seeds: Seeds, cues: Cues, configs: Sequence[int]) -> list[Expansion]:
        """What related tags lead to: one for each config, shared by its likes."""
        asked = [self._readings[config] for config in configs]
        walks = {
            kind: self._walk(seeds, cues.tags, *kind) for kind in {reading[:3] for reading in asked}
        }
        found = {reading: _expansion(reading, walks[reading[:3]]) for reading in set(asked)}
        return [found[reading] for reading in asked]

    def explain(
        self, config: int, seeds: Seeds, cues: Cues, query: int, memory: int
    ) -> tuple[Step, ...]:
        """The edges of the best path; the weights multiply to its activation."""
        reading = self._readings[config]
        row = cues.tags.row(query)
        alone = Lists(np.array([0, len(row)], np.int64), row)
        walks = self._walk(one_query(seeds, query), alone, *reading[:3])
        best = walks.paths.best_to(memory, *_energies(reading, walks))
        if best is None:
            return ()
        names, at = self._memories.tag_names, int(walks.related[best])
        own, related = names[walks.steps.own[at]], names[walks.steps.tag[at]]
        strength, origin = float(walks.steps.strength[at]), int(walks.origin[best])
        edges = [(own, related, "together", strength)]
        if origin != CUE:
            edges.insert(0, (self._memories.names[origin], own, "tagged", 1.0))
        fan = float(walks.activation[best]) / strength
        edges.append((related, self._memories.names[memory], "tagged", fan))
        return tuple(Step(self.name, hop, *edge) for hop, edge in enumerate(edges, 1))

    def byte_count(self, config: int) -> int:
        """Counts of pairs and the inverted index of the known memories."""
        return self._counts[self._readings[config].source].byte_count() + (
            self._postings.byte_count()
        )

    def edge_count(self, config: int) -> int:
        """Pairs of tags that were together."""
        return len(self._counts[self._readings[config].source])

    def pairs(self, config: int) -> PairTable:
        """The pairs of one config, as files hold them."""
        return self._counts[self._readings[config].source].pairs()

    def _walk(
        self, seeds: Seeds, cues: Lists, source: str, neighbours: int, per_tag: int
    ) -> _Walks:
        """Every path: by query, own tag, related tag, the newest memory first."""
        own = self._own_tags(seeds, cues)
        steps = _related(self._counts[source], own.tags, neighbours)
        which, memory = self._postings.newest(steps.tag, per_tag)
        query = steps.query[which]
        degree = self._postings.length[steps.tag[which]]
        base = np.ones(len(own.origin))
        has_seeds = np.diff(seeds.ptr) > 0
        base[has_seeds] = seeds.score[seeds.ptr[:-1][has_seeds]]
        return _Walks(
            Paths.of(len(own.origin), query, memory), steps.strength[which] / np.sqrt(degree),
            base[query], own.origin[query], which, steps,
        )  # fmt: skip

    def _own_tags(self, seeds: Seeds, cues: Lists) -> _Own:
        """The tags that a query names and some known memory carries, else its best seed's."""
        queries = len(cues.ptr) - 1
        asked = np.repeat(np.arange(queries), np.diff(cues.ptr))
        is_known = self._postings.length[cues.ids] > 0
        needs = np.bincount(asked[is_known], minlength=queries) == 0
        needs &= np.diff(seeds.ptr) > 0
        origin = np.full(queries, CUE, np.int32)
        origin[needs] = seeds.memory[seeds.ptr[:-1][needs]]
        carried = self._tags.some(origin[needs])
        query = np.concatenate(
            [asked[is_known], np.repeat(np.flatnonzero(needs), np.diff(carried.ptr))]
        )
        order = np.argsort(query, kind="stable")
        ptr = np.searchsorted(query[order], np.arange(queries + 1)).astype(np.int64)
        tags = np.concatenate([cues.ids[is_known], carried.ids])[order]
        return _Own(once_each(Lists(ptr, tags.astype(np.int32))), origin)


def _reading(rules: CognitiveRules) -> _Reading:
    return _Reading(
        rules.tag_counts_from, rules.cross_tag_neighbours, rules.cross_memories_per_tag,
        rules.cross_gain, rules.least_activation(), rules.paths == "sum",
    )  # fmt: skip


def _related(counts: TagCounts, own: Lists, most: int) -> _Related:
    """The tags most often together with each own tag, but for the query's own."""
    query = np.repeat(np.arange(len(own.ptr) - 1), np.diff(own.ptr))
    tags, which = np.unique(own.ids, return_inverse=True)
    spare = int(np.diff(own.ptr).max(initial=0))  # so many at most are the query's own
    best = counts.associated(tags, most + spare)
    near, times = Lists(best.ptr, best.tag).some(which), Lists(best.ptr, best.times).some(which)
    of_own = np.repeat(np.arange(len(own.ids)), np.diff(near.ptr))
    span = max(len(counts.lists), 1)
    is_other = ~np.isin(query[of_own] * span + near.ids, query * span + own.ids)
    of_own, tag, times_together = of_own[is_other], near.ids[is_other], times.ids[is_other]
    start = np.searchsorted(of_own, np.arange(len(own.ids)))
    taken = np.arange(len(of_own)) - start[of_own] < most
    of_own, tag, times_together = of_own[taken], tag[taken], times_together[taken]
    strength = counts.strength(own.ids[of_own], tag, times_together)
    return _Related(query[of_own], own.ids[of_own], tag, strength)


def _energies(reading: _Reading, walks: _Walks) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """[P] each: the energy of a path, and whether the gate lets it through."""
    is_open = walks.activation >= reading.least_activation
    return reading.gain * walks.base * walks.activation, is_open


def _expansion(reading: _Reading, walks: _Walks) -> Expansion:
    energy, is_open = _energies(reading, walks)
    hop = np.where(walks.origin == CUE, 2, 3).astype(np.int8)
    return walks.paths.expansion(
        energy, walks.activation, walks.origin, hop, is_open=is_open, summed=reading.summed
    )
