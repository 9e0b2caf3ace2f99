"""What the layers of the directory share: time goes forward, and like rule sets expand once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from hebb_lab.graph.cognitive.directory.recall.asked import Asked, asked
from hebb_lab.graph.cognitive.directory.recall.collect import Held, Visits, collect
from hebb_lab.graph.cognitive.directory.stream import Stream
from hebb_lab.graph.cognitive.layer import Cues, Expansion, Seeds, distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.directory.directory import EntityDirectory
    from hebb_lab.graph.cognitive.rules import CognitiveRules
    from hebb_lab.records import Memories

RECALLED = (
    "query_entities", "entity_hops", "entity_gain", "entity_attenuation", "fan_factor", "paths",
    "gate", "gate_threshold",
)  # fmt: skip
"""The switches of recall that these layers look at."""


class Begun(NamedTuple):
    """Where the walks of queries begin, and what their hops are worth; see `walks`."""

    asked: Asked
    fan: NDArray[np.float64]  # of each entity
    gain: float | None


class Expanding(ABC):
    """A layer that goes from the entities of a query to memories."""

    reads: ClassVar[tuple[str, ...]]

    def __init__(self, memories: Memories, rules: Sequence[CognitiveRules]) -> None:
        self.memories, self.rules = memories, tuple(rules)
        self.stream = Stream.of(memories)
        self.known = 0

    @abstractmethod
    def directory(self, config: int) -> EntityDirectory:
        """The entities as learned under a rule set."""

    @abstractmethod
    def _learn(self, first: int, known: int) -> None:
        """Learn the memories ``first`` to ``known``, exclusively."""

    @abstractmethod
    def _held(self, config: int) -> Held:
        """The memories of what is visited."""

    @abstractmethod
    def _visits(self, seeds: Seeds, cues: Cues, config: int) -> tuple[Asked, Visits]:
        """What the queries start from, and what they visit."""

    def advance(self, known: int) -> None:
        """Learn up to memory ``known``, exclusively.

        Raises:
            ValueError: it would have to forget.
        """
        if known < self.known:
            raise ValueError(f"known up to {self.known}, cannot go back to {known}")
        self._learn(self.known, known)
        self.known = known

    def expand(self, seeds: Seeds, cues: Cues, configs: Sequence[int]) -> list[Expansion]:
        """What some rule sets find: see the class."""
        _, places = distinct([self.rules[c] for c in configs], self.reads)
        found: dict[int, Expansion] = {}
        for config, place in zip(configs, places, strict=True):
            if place not in found:
                found[place] = self._expand(seeds, cues, config)
        return [found[place] for place in places]

    def _expand(self, seeds: Seeds, cues: Cues, config: int) -> Expansion:
        rules = self.rules[config]
        start, visits = self._visits(seeds, cues, config)
        return collect(
            visits, self._held(config), start,
            gain=rules.entity_gain, least=rules.least_activation(), summed=rules.paths == "sum",
        )  # fmt: skip

    def _begin(self, seeds: Seeds, cues: Cues, config: int) -> Begun:
        rules, directory = self.rules[config], self.directory(config)
        start = asked(
            seeds, cues, self.stream, directory.canonical,
            top_result=rules.query_entities == "top_result",
        )  # fmt: skip
        fan = directory.fan_factors() if rules.fan_factor else np.ones(len(directory))
        return Begun(
            start, fan, rules.entity_gain if rules.entity_attenuation == "per_hop" else None
        )
