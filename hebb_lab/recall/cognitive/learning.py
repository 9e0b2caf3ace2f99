"""Layers of the graph, learned once for all arms that share them; one that fails is a no-op."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.graph.cognitive.layer import (
    CognitiveLayer,
    Expansion,
    empty_expansion,
    switches_read,
)
from hebb_lab.graph.cognitive.rules import CognitiveRules

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.layer import Cues, Seeds
    from hebb_lab.recall.cognitive.searching import DirectKey
    from hebb_lab.records import Memories

    MakeLayer = Callable[[str, Memories, Sequence[CognitiveRules]], CognitiveLayer]

_LOG = logging.getLogger(__name__)
KEPT_RULE_SETS = 256  # of layers that are learned, before earlier plans' are let go


@lru_cache(maxsize=4096)
def layer_rules(rules: CognitiveRules, layer: str) -> CognitiveRules:
    """The rules as far as a layer can tell them apart: the switches that it reads, and its null.

    A gate that is not on neighbours is none to a layer.

    >>> rules = CognitiveRules(seed_count=3, hebbian_depth=1, temporal_hops=2)
    >>> layer_rules(rules, "chain") == CognitiveRules(temporal_hops=2)
    True
    """
    read = {name: getattr(rules, name) for name in switches_read(layer)}
    if read.get("gate", "neighbour") != "neighbour":
        read |= {"gate": "none", "gate_threshold": CognitiveRules.gate_threshold}
    null = rules.null_of(layer)
    return replace(CognitiveRules(), **read, nulls=(f"{layer}={null}",) if null else ())


class LayerKey(NamedTuple):
    """Which state of a layer: arms with the same key, and rules it cannot tell apart, share it."""

    layer: str
    importance: str
    teacher: DirectKey | None  # whose lists it learns from, where it learns from recall


class Grown(NamedTuple):
    """What a layer found for some queries, and what it is.

    seconds is a rule set's even share of an expansion that was made for several at once;
    learning_seconds that of all that was learned up to now, the making of the layer included.
    """

    expansion: Expansion
    seconds: float
    bytes: int
    edges: int
    failure: str
    learning_seconds: float = 0.0


@dataclass
class _Instance:
    """A layer under some rule sets, and the seconds that went into its state."""

    rules: tuple[CognitiveRules, ...]
    layer: CognitiveLayer | None = None
    known: int = 0
    taught: list[tuple[int, NDArray[np.int32]]] = field(default_factory=list)
    learned: int = 0  # how many of what it was taught
    seconds: float = 0.0

    def at(self, known: int, now_us: int) -> CognitiveLayer:
        """The layer as queries at ``now_us`` meet it: taught by those strictly before."""
        if self.layer is None:
            raise ValueError("the layer is not made yet")
        if known > self.known:
            self.layer.advance(known)
            self.known = known
        observe = getattr(self.layer, "observe_recall", None)
        while self.learned < len(self.taught) and self.taught[self.learned][0] < now_us:
            if observe is not None:
                time_us, lists = self.taught[self.learned]
                observe(lists, np.full(len(lists), time_us))
            self.learned += 1
        return self.layer


@dataclass
class Shelf:
    """The layers of one scope, in whatever state of learning they are.

    Args:
        memories: importance → the memories of the scope with it.
        make: (name, memories, rule sets) → a layer that has learned nothing.
    """

    memories: Callable[[str], Memories]
    make: MakeLayer
    failures: dict[tuple[LayerKey, CognitiveRules], str] = field(default_factory=dict)
    _shelf: dict[tuple[LayerKey, CognitiveRules], _Instance] = field(default_factory=dict)

    def prepare(self, key: LayerKey, rules: Sequence[CognitiveRules], known: int) -> None:
        """See that there is a layer for each rule set that need not forget to be at ``known``.

        What learns from recall starts anew: it is taught by the queries that follow.
        """
        stale = [
            each
            for each in dict.fromkeys(rules)
            if key.teacher is not None
            or (instance := self._shelf.get((key, each))) is None
            or instance.known > known
        ]
        self._put(key, stale)
        for each in stale:
            self.failures.pop((key, each), None)

    def keep(self, needed: set[tuple[LayerKey, CognitiveRules]]) -> None:
        """Let go of layers that are not needed where there are many."""
        if len(self._shelf) > KEPT_RULE_SETS:
            self._shelf = {key: each for key, each in self._shelf.items() if key in needed}
            self.failures = {key: each for key, each in self.failures.items() if key in needed}

    def expand(
        self, key: LayerKey, rules: Sequence[CognitiveRules], known: int, now_us: int,
        seeds: Seeds, cues: Cues,
    ) -> dict[CognitiveRules, Grown]:  # fmt: skip
        """What some rule sets find as of ``known`` memories and, where recall teaches, a time."""
        found: dict[CognitiveRules, Grown] = {}
        waiting = list(dict.fromkeys(rules))
        while waiting:
            instance = self._shelf[key, waiting[0]]
            here = [each for each in waiting if self._shelf[key, each] is instance]
            waiting = [each for each in waiting if each not in here]
            try:
                found |= self._expand(key, instance, here, known, now_us, seeds, cues)
            except Exception as error:  # whatever ails one layer, the others go on
                if len(instance.rules) > 1:
                    self._put_one_by_one(key, instance)
                    waiting += here
                else:
                    found[here[0]] = self._failed(key, here[0], error, len(seeds))
        return found

    def teach(
        self, key: LayerKey, rules: Sequence[CognitiveRules], time_us: int,
        lists: NDArray[np.int32],
    ) -> None:  # fmt: skip
        """Have the results of queries at a time learned when time has passed it.

        Args:
            key: names their lists as its teacher.
            rules: of the layers that learn.
            time_us: of all these queries.
            lists: [n, k] results, −1 past the end.
        """
        for instance in {id(i): i for i in (self._shelf[key, each] for each in rules)}.values():
            instance.taught.append((time_us, lists))

    def layer(self, key: LayerKey, rules: CognitiveRules) -> tuple[CognitiveLayer | None, int]:
        """The layer of a rule set, None where it failed, and the rule set's place in it."""
        instance = self._shelf[key, rules]
        failed = (key, rules) in self.failures
        return None if failed else instance.layer, instance.rules.index(rules)

    def _put(self, key: LayerKey, rules: Sequence[CognitiveRules]) -> None:
        if rules:
            instance = _Instance(tuple(rules))
            self._shelf.update({(key, each): instance for each in rules})

    def _put_one_by_one(self, key: LayerKey, instance: _Instance) -> None:
        """One of several rule sets fails: find out which, so that the others go on."""
        for each in instance.rules:
            self._shelf[key, each] = _Instance((each,), taught=list(instance.taught))

    def _expand(
        self, key: LayerKey, instance: _Instance, rules: Sequence[CognitiveRules], known: int,
        now_us: int, seeds: Seeds, cues: Cues,
    ) -> dict[CognitiveRules, Grown]:  # fmt: skip
        for each in rules:
            if failure := self.failures.get((key, each)):
                return dict.fromkeys(rules, _nothing(len(seeds), failure))
        memories = self.memories(key.importance)
        start = time.perf_counter()
        if instance.layer is None:
            instance.layer = self.make(key.layer, memories, instance.rules)
        layer = instance.at(known, now_us)
        learned = time.perf_counter()
        instance.seconds += learned - start
        configs = [instance.rules.index(each) for each in rules]
        expansions = layer.expand(seeds, cues, configs)
        seconds = (time.perf_counter() - learned) / len(rules)
        learning = instance.seconds / len(instance.rules)
        return {
            each: Grown(
                expansion, seconds, layer.byte_count(config), layer.edge_count(config), "", learning
            )
            for each, config, expansion in zip(rules, configs, expansions, strict=True)
        }

    def _failed(
        self, key: LayerKey, rules: CognitiveRules, error: Exception, queries: int
    ) -> Grown:
        failure = f"{type(error).__name__}: {error}".strip().rstrip(":")
        if (key, rules) not in self.failures and failure not in self.failures.values():
            _LOG.warning("layer %s is left out: %s", key.layer, failure)
            _LOG.debug("where layer %s failed", key.layer, exc_info=error)
        self.failures[key, rules] = failure
        return _nothing(queries, failure)


def _nothing(queries: int, failure: str) -> Grown:
    return Grown(empty_expansion(queries), 0.0, 0, 0, failure)


def joined(parts: Sequence[Grown]) -> Grown:
    """One expansion of those of consecutive queries."""
    if len(parts) == 1:
        return parts[0]
    expansions = [part.expansion for part in parts]
    offset = np.cumsum([0, *(int(each.ptr[-1]) for each in expansions)])
    ptr = np.concatenate([
        np.zeros(1, np.int64),
        *(each.ptr[1:] + first for each, first in zip(expansions, offset[:-1], strict=True)),
    ])  # fmt: skip
    rest = [
        np.concatenate([getattr(each, name) for each in expansions])
        for name in Expansion._fields[1:]
    ]
    failures = [part.failure for part in parts if part.failure]
    seconds = sum(part.seconds for part in parts)
    last = parts[-1]
    return Grown(
        Expansion(ptr, *rest), seconds, last.bytes, last.edges, failures[0] if failures else "",
        last.learning_seconds,
    )  # fmt: skip
