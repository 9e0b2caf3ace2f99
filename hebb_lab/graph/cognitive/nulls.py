"""Null models: what a layer would find if it had learned nothing that matters.

``empty``: nothing. ``shuffled``: what the layer finds, under names that are permuted over all known
memories: who has how many neighbours, how many are found and with how much energy stays, who they
are does not. ``constant``: whom the layer finds, all of a query with the same activation, and the
same share of the seed's score: who is found stays, how strongly does not.

A layer that re-ranks what direct search found (stdp) is shuffled among the seeds of each query, so
that it still adds nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import ConfigError
from hebb_lab.graph.cognitive.layer import (
    CUE,
    Expansion,
    Step,
    empty_expansion,
    layer_maker,
)
from hebb_lab.graph.cognitive.rules import NULLS, RERANKERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.layer import CognitiveLayer, Cues, Seeds
    from hebb_lab.graph.cognitive.rules import CognitiveRules
    from hebb_lab.records import Memories

SEED = 0


def learned_layer(name: str, memories: Memories, rules: Sequence[CognitiveRules]) -> CognitiveLayer:
    """A registered layer under C rule sets, with a null model in its place where they name one.

    Raises:
        ConfigError: no layer has that name.
    """
    return with_null(layer_maker(name)(memories, rules), memories, rules)


def with_null(
    layer: CognitiveLayer, memories: Memories, rules: Sequence[CognitiveRules]
) -> CognitiveLayer:
    """The layer, behind the null models that its rule sets name for it; itself if none does."""
    kinds = [each.null_of(layer.name) for each in rules]
    return NullLayer(layer, memories, kinds) if any(kinds) else layer


class NullLayer:
    """A layer that hands on what another finds, through a null model for some of its rule sets.

    Args:
        inner: the layer that learns.
        memories: its facts.
        kinds: [C] null model of each rule set, or "" for the layer itself.

    Raises:
        ConfigError: an unknown kind.
    """

    def __init__(self, inner: CognitiveLayer, memories: Memories, kinds: Sequence[str]) -> None:
        for kind in kinds:
            if kind not in ("", *NULLS):
                raise ConfigError(f"unknown null model '{kind}'", f"Use one of {', '.join(NULLS)}")
        self.name = inner.name
        self.inner = inner
        self._memories = memories
        self._kinds = list(kinds)
        self._known = 0

    def advance(self, known: int) -> None:
        """Let the layer learn up to memory ``known``, exclusively."""
        self.inner.advance(known)
        self._known = known

    def observe_recall(
        self, recalled: NDArray[np.int32], time_us: NDArray[np.int64] | None = None
    ) -> None:
        """Let the layer learn from what was recalled, if it is one that does."""
        observe = getattr(self.inner, "observe_recall", None)
        if observe is not None:
            observe(recalled, time_us)

    def expand(self, seeds: Seeds, cues: Cues, configs: Sequence[int]) -> list[Expansion]:
        """What the layer finds, as the null models leave it; equal results are shared."""
        asked = [config for config in configs if self._kinds[config] != "empty"]
        found = iter(self.inner.expand(seeds, cues, asked))
        made: dict[tuple[int, str], Expansion] = {}
        empty = empty_expansion(len(seeds))
        expansions = []
        for config in configs:
            kind = self._kinds[config]
            if kind == "empty":
                expansions.append(empty)
                continue
            expansion = next(found)
            key = (id(expansion), kind)
            if key not in made:
                made[key] = self._as_null(kind, expansion, seeds)
            expansions.append(made[key])
        return expansions

    def _as_null(self, kind: str, expansion: Expansion, seeds: Seeds) -> Expansion:
        if kind == "shuffled" and self.name in RERANKERS:
            return shuffled_among(expansion, seeds, permutation(self._known))
        if kind == "shuffled":
            return shuffled(expansion, permutation(self._known))
        return constant(expansion, seeds) if kind == "constant" else expansion

    def explain(
        self, config: int, seeds: Seeds, cues: Cues, query: int, memory: int
    ) -> tuple[Step, ...]:
        """The edges of the layer; under ``shuffled`` the last one leads to the permuted name."""
        kind = self._kinds[config]
        if kind == "empty":
            return ()
        if kind != "shuffled":
            return self.inner.explain(config, seeds, cues, query, memory)
        true = self._who_stands_for(memory, seeds, query)
        steps = self.inner.explain(config, seeds, cues, query, true)
        renamed = [step._replace(receiver=self._memories.names[memory]) for step in steps[-1:]]
        return (*steps[:-1], *renamed)

    def _who_stands_for(self, memory: int, seeds: Seeds, query: int) -> int:
        """Whom the layer found where the shuffled one offers a memory."""
        stands_for = permutation(self._known)
        if self.name not in RERANKERS:
            return int(np.flatnonzero(stands_for == memory)[0])
        own = seeds.memory[seeds.ptr[query] : seeds.ptr[query + 1]]
        return int(own[np.argsort(stands_for[own]) == np.flatnonzero(own == memory)[0]][0])

    def byte_count(self, config: int) -> int:
        """Of the layer; 0 where it is empty."""
        return 0 if self._kinds[config] == "empty" else self.inner.byte_count(config)

    def edge_count(self, config: int) -> int:
        """Of the layer; 0 where it is empty."""
        return 0 if self._kinds[config] == "empty" else self.inner.edge_count(config)


def permutation(known: int) -> NDArray[np.int32]:
    """[known] the memory that stands for each, the same for the same number of known memories."""
    return np.random.default_rng((SEED, known)).permutation(known).astype(np.int32)


def shuffled(expansion: Expansion, stands_for: NDArray[np.int32]) -> Expansion:
    """The expansion with other memories in place of those found; each query's ascend again."""
    memory = stands_for[expansion.memory]
    query = np.repeat(np.arange(len(expansion)), np.diff(expansion.ptr))
    order = np.lexsort((memory, query))
    return Expansion(
        expansion.ptr, memory[order], expansion.energy[order], expansion.activation[order],
        expansion.origin[order], expansion.hop[order],
    )  # fmt: skip


def shuffled_among(expansion: Expansion, seeds: Seeds, stands_for: NDArray[np.int32]) -> Expansion:
    """The expansion of a re-ranker, its shares dealt out anew among the seeds of each query."""
    query = np.repeat(np.arange(len(expansion)), np.diff(expansion.ptr))
    owner = np.repeat(np.arange(len(seeds)), np.diff(seeds.ptr))
    dealt = np.lexsort((stands_for[seeds.memory], owner))  # place of a seed → that of its stand-in
    place = _places(seeds, query, expansion.memory)
    old, new = seeds.score[place].astype(np.float64), seeds.score[dealt[place]]
    share = np.divide(expansion.energy, old, out=np.zeros(len(old)), where=old > 0)
    memory = seeds.memory[dealt[place]]
    order = np.lexsort((memory, query))
    return Expansion(
        expansion.ptr, memory[order], (share * new).astype(np.float32)[order],
        expansion.activation[order], memory[order], expansion.hop[order],
    )  # fmt: skip


def constant(expansion: Expansion, seeds: Seeds) -> Expansion:
    """The expansion with one activation, and one share of the seed's score, for all of a query.

    Both are the query's mean. A query's mean, and not the run's, so that no other query has a say.
    """
    query = np.repeat(np.arange(len(expansion)), np.diff(expansion.ptr))
    score = _origin_scores(expansion, seeds, query)
    share = np.divide(
        expansion.energy.astype(np.float64), score, out=np.zeros(len(score)), where=score > 0
    )
    energy = score * _mean(share, query, len(expansion), score > 0)[query]
    activation = _mean(expansion.activation, query, len(expansion), score >= 0)[query]
    return Expansion(
        expansion.ptr, expansion.memory, energy.astype(np.float32), activation.astype(np.float32),
        expansion.origin, expansion.hop,
    )  # fmt: skip


def _mean(
    values: NDArray[np.floating], query: NDArray[np.int64], queries: int, counted: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """[Q] mean of the values that count."""
    total = np.bincount(query, np.where(counted, values, 0.0), queries)
    return total / np.maximum(np.bincount(query, counted, queries), 1)


def _origin_scores(
    expansion: Expansion, seeds: Seeds, query: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The score that each candidate's energy is a share of; a cue's is the best seed's, or 1."""
    best = np.ones(len(seeds))
    some = np.diff(seeds.ptr) > 0
    best[some] = seeds.score[seeds.ptr[:-1][some]]
    score = best[query]
    from_seed = expansion.origin != CUE
    if from_seed.any():
        score[from_seed] = seeds.score[
            _places(seeds, query[from_seed], expansion.origin[from_seed])
        ]
    return score


def _places(seeds: Seeds, query: NDArray[np.int64], memory: NDArray[np.int32]) -> NDArray[np.int64]:
    """Where seeds of some queries stand in the flat arrays."""
    known = int(max(seeds.memory.max(initial=-1), memory.max(initial=-1))) + 1
    keys = np.repeat(np.arange(len(seeds)), np.diff(seeds.ptr)) * known + seeds.memory
    order = np.argsort(keys, kind="stable")
    place = np.searchsorted(keys[order], query * known + memory)
    return order[np.minimum(place, len(keys) - 1)]
