"""The queries of one scope in time order, and what was found for them so far."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.graph.cognitive.layer import Cues, Seeds
from hebb_lab.recall.cognitive.learning import Grown, LayerKey, Shelf, joined, layer_rules
from hebb_lab.recall.cognitive.scoring.profiles import profiles_of
from hebb_lab.recall.cognitive.scoring.scorer import RESULTS
from hebb_lab.recall.cognitive.searching import DirectKey, DirectSearch, Found, spans_of_one_time
from hebb_lab.recall.cognitive.seeding import expanded_queries, seed_rule, seeds_of, some_seeds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.rules import CognitiveRules
    from hebb_lab.kernels.cpu.cognitive.lists import Lists
    from hebb_lab.recall.cognitive.direct import Collection
    from hebb_lab.recall.cognitive.plan import Asked, Plan
    from hebb_lab.recall.cognitive.scoring.profiles import Profile
    from hebb_lab.records import Memories

_LOG = logging.getLogger(__name__)
GROUP_CELLS = 1 << 22  # queries × memories scored at once
KEPT_BYTES = 1 << 26  # of expansions of earlier plans
TAUGHT = ("stdp", "cross_capture")  # layers that can learn from what was recalled


class GrowthKey(NamedTuple):
    """Which expansion of a layer: its state, its rules, and where it starts from."""

    layer: LayerKey
    rules: CognitiveRules
    direct: DirectKey
    seeds: tuple[int | None, str]


class PlanKeys(NamedTuple):
    """What of a plan is shared with others."""

    direct: DirectKey
    layers: tuple[GrowthKey, ...]


@lru_cache(maxsize=4096)
def keys_of(plan: Plan) -> PlanKeys:
    """The keys of a plan's direct search and of its layers."""
    direct = DirectKey.of(plan)
    return PlanKeys(direct, tuple(
        GrowthKey(
            LayerKey(layer, plan.importance, direct if _is_taught(layer, plan.rules) else None),
            layer_rules(plan.rules, layer), direct, seed_rule(layer, plan.rules),
        )
        for layer in plan.layers
    ))  # fmt: skip


def _is_taught(layer: str, rules: CognitiveRules) -> bool:
    return rules.tag_counts_from == "recall" and layer in TAUGHT


@dataclass
class Group:
    """Queries of one age: they know the same memories."""

    rows: slice
    known: int
    found: dict[DirectKey, Found] = field(default_factory=dict)
    grown: dict[GrowthKey, Grown] = field(default_factory=dict)
    seeds: dict[tuple[DirectKey, tuple[int | None, str]], Seeds] = field(default_factory=dict)
    words: dict[DirectKey, Lists] = field(default_factory=dict)

    def byte_count(self) -> int:
        """Memory of the expansions that are kept."""
        return sum(part.nbytes for each in self.grown.values() for part in each.expansion)

    def keep(self, needed: set[GrowthKey]) -> None:
        """Let go of the expansions that are not needed."""
        self.grown = {key: each for key, each in self.grown.items() if key in needed}

    def forget(self) -> None:
        """Let go of what was found."""
        for kept in (self.found, self.grown, self.seeds, self.words):
            kept.clear()


@dataclass
class Session:
    """All queries of a scope, cut into groups.

    Args:
        asked: the queries.
        depth: of direct lists.
        groups: in time order.
        direct: direct search over the scope.
        shelf: the layers.
    """

    asked: Asked
    depth: int
    groups: list[Group]
    direct: DirectSearch
    shelf: Shelf
    profiles: Callable[[str | None], Sequence[Profile | None]]

    @classmethod
    def of(
        cls, asked: Asked, depth: int, collection: Collection, shelf: Shelf,
        memories: Callable[[str], Memories],
    ) -> Session:  # fmt: skip
        """A session in which nothing was found yet.

        Raises:
            ValueError: the queries are not in time order.
        """
        known = asked.known
        if (np.diff(known) < 0).any() or (np.diff(asked.time_us) < 0).any():
            raise ValueError("the queries are not in time order")
        if len(known) and not 0 <= known[0] <= known[-1] <= len(collection.names):
            raise ValueError("a query knows more memories than there are")
        kept: dict[str | None, Sequence[Profile | None]] = {}

        def profiles(name: str | None) -> Sequence[Profile | None]:
            if name not in kept:
                kept[name], unknown = profiles_of(name, asked.profile, len(asked))
                if unknown:
                    _LOG.warning("%d queries name an unknown profile: BALANCED stands in", unknown)
            return kept[name]

        direct = DirectSearch(collection, memories, asked, depth, profiles)
        return cls(asked, depth, groups_of(known), direct, shelf, profiles)

    def is_small(self, cells: int) -> bool:
        """Whether there are few enough scores to keep them all."""
        return int(self.asked.known.sum()) <= cells

    def prepare(self, plans: Sequence[Plan]) -> None:
        """See that the layers of what is not found yet are ready to start from the first query.

        Where much is kept already, only what these plans need of it stays.
        """
        if not self.groups:
            return
        needed = {key for plan in plans for key in keys_of(plan).layers}
        if sum(group.byte_count() for group in self.groups) > KEPT_BYTES:
            for group in self.groups:
                group.keep(needed)
        self.shelf.keep({(key.layer, key.rules) for key in needed})
        wanted: dict[LayerKey, dict[CognitiveRules, None]] = {}
        for plan in plans:
            for key in keys_of(plan).layers:
                if key not in self.groups[0].grown:
                    wanted.setdefault(key.layer, {})[key.rules] = None
        for layer, rules in wanted.items():
            self.shelf.prepare(layer, list(rules), self.groups[0].known)

    def search(self, group: Group, plans: Sequence[Plan]) -> None:
        """Direct lists of all plans."""
        for key in dict.fromkeys(DirectKey.of(plan) for plan in plans):
            if key not in group.found:
                group.found[key] = self.direct.find(key, group.rows)

    def expand(self, group: Group, plans: Sequence[Plan]) -> None:
        """Expansions of all layers of all plans."""
        missing: dict[LayerKey, dict[GrowthKey, None]] = {}
        for plan in plans:
            for key in keys_of(plan).layers:
                if key not in group.grown:
                    missing.setdefault(key.layer, {})[key] = None
        for layer, keys in missing.items():
            self._grow(group, layer, list(keys))

    def expanded(self, group: Group, plan: Plan) -> NDArray[np.bool_]:
        """[q] whether the gate lets each query of a group be expanded."""
        match = group.found[DirectKey.of(plan)].scored.match
        return expanded_queries(match, plan.rules, self.profiles(plan.profile)[group.rows])

    def words(self, group: Group, key: DirectKey) -> Lists:
        """BM25's lists of a group, of what phases allow."""
        if key not in group.words:
            allowed = group.found[key].scored.allowed
            group.words[key] = self.direct.words_alone(group.rows, allowed)
        return group.words[key]

    def seeds(self, group: Group, key: GrowthKey) -> Seeds:
        """Where an expansion of a group starts."""
        place = (key.direct, key.seeds)
        if place not in group.seeds:
            group.seeds[place] = seeds_of(group.found[key.direct].lists, *key.seeds)
        return group.seeds[place]

    def cues(self, rows: slice) -> Cues:
        """What some queries name."""
        chosen = np.arange(rows.start, rows.stop)
        return Cues(self.asked.cues.tags.some(chosen), self.asked.cues.entities.some(chosen))

    def _grow(self, group: Group, layer: LayerKey, keys: Sequence[GrowthKey]) -> None:
        """Expand by one layer; where it learns from recall, time by time."""
        first, last = group.rows.start, group.rows.stop
        spans = [(0, last - first)]
        if layer.teacher is not None:
            spans = list(spans_of_one_time(self.asked.time_us[group.rows]))
        rules_of: dict[tuple[DirectKey, tuple[int | None, str]], list[GrowthKey]] = {}
        for key in keys:
            rules_of.setdefault((key.direct, key.seeds), []).append(key)
        parts: dict[GrowthKey, list[Grown]] = {key: [] for key in keys}
        for a, b in spans:
            now = int(self.asked.time_us[first + a])
            cues = self.cues(slice(first + a, first + b))
            for same in rules_of.values():
                seeds = some_seeds(self.seeds(group, same[0]), a, b)
                rules = [key.rules for key in same]
                grown = self.shelf.expand(layer, rules, group.known, now, seeds, cues)
                for key in same:
                    parts[key].append(grown[key.rules])
            if layer.teacher is not None:
                results = group.found[layer.teacher].lists.memory[a:b, :RESULTS]
                self.shelf.teach(layer, list({key.rules for key in keys}), now, results)
        group.grown.update({key: joined(each) for key, each in parts.items()})


def groups_of(known: NDArray[np.int64]) -> list[Group]:
    """Stretches of queries that know the same memories, none of too many scores.

    >>> [(g.rows.start, g.rows.stop, g.known) for g in groups_of(np.array([2, 2, 5]))]
    [(0, 2, 2), (2, 3, 5)]
    """
    groups = []
    for start, stop in spans_of_one_time(known):
        here = int(known[start])
        size = max(GROUP_CELLS // max(here, 1), 1)
        groups += [
            Group(slice(first, min(first + size, stop)), here) for first in range(start, stop, size)
        ]
    return groups
