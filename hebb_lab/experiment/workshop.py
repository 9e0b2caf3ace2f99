"""What the arms of a run share: the facts, one replay for all rule sets, the seeders' indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import MissingExtraError
from hebb_lab.graph.layers import LAYERS
from hebb_lab.places import place
from hebb_lab.recall import bm25, dense
from hebb_lab.recall.embedders import made_embedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.experiment.arms import Arm
    from hebb_lab.experiment.prepare import Prepared
    from hebb_lab.experiment.settings import Settings
    from hebb_lab.graph.rules import SynapseRules
    from hebb_lab.graph.synapse import SynapseLayer
    from hebb_lab.kernels.backend import Backend
    from hebb_lab.records import Queries, Ranking


@dataclass(frozen=True)
class Workshop:
    """What the arms share: the facts, one replay for all rule sets, the seeders' indices."""

    prepared: Prepared
    settings: Settings
    arms: Sequence[Arm]
    backend: Backend
    _layers: dict[str, SynapseLayer] = field(default_factory=dict)
    _hits: dict[tuple[str, tuple[str, ...], int], Ranking] = field(default_factory=dict)

    def layer(self, name: str) -> SynapseLayer:
        """The layer of that name: one replay for all arms, when an arm first asks for it."""
        if name not in self._layers:
            branch = self.settings.recall.branch
            self._layers[name] = LAYERS[name](self.prepared, self._rules, self.backend, branch)
        return self._layers[name]

    @cached_property
    def lexical(self) -> bm25.Bm25:
        """BM25 over names and texts."""
        prepared = self.prepared
        return bm25.Bm25(prepared.touches.nodes, prepared.dataset.texts, prepared.born_us)

    @cached_property
    def semantic(self) -> dense.Dense:
        """Dense vectors, where an embedding model was chosen and is installed."""
        name = self.settings.recall.embedder
        if name is None:
            raise MissingExtraError(
                "recall.embedder is null", "Set recall.embedder to minilm or hashing"
            )
        name = "minilm" if name == "auto" else name
        prepared, cache = self.prepared, place(self.settings.paths.cache)
        return dense.Dense(
            made_embedder(name, cache), prepared.touches.nodes, prepared.dataset.texts,
            prepared.born_us, cache,
        )  # fmt: skip

    def config_of(self, arm: Arm) -> int:
        """Place of the arm's rules on the config axis."""
        return self._rules.index(arm.rules)

    @cached_property
    def _rules(self) -> list[SynapseRules]:
        """The config axis: each rule set that an arm has, once."""
        return list(dict.fromkeys(rules for arm in self.arms for rules in arm.all_rules()))

    def seeded(self, queries: Queries, arm: Arm) -> Queries:
        """The queries, those without nodes in view seeded by the arm's first lexical hits."""
        without = np.diff(queries.seed_ptr) == 0
        if not without.any():
            return queries
        hits = self.lexical_hits(queries, arm.rules.seed_hits or self.settings.recall.inject)
        return seeded_by(queries, hits, without)

    def forget_hits(self) -> None:
        """Make the next arm look its lexical hits up itself, so that its time holds them."""
        self._hits.clear()

    def lexical_hits(self, queries: Queries, k: int) -> Ranking:
        """The best k lexical hits, looked up once for each task, its queries and k."""
        asked = (queries.task, queries.query_ids, k)
        if asked not in self._hits:
            self._hits[asked] = self.lexical.rank(queries, k)
        return self._hits[asked]


def seeded_by(queries: Queries, hits: Ranking, chosen: NDArray[np.bool_]) -> Queries:
    """The chosen queries with the hits' nodes as seeds, energy 1 each; the others as they are."""
    ids, energies = [], []
    for q in range(len(queries)):
        if chosen[q]:
            found = hits.ids[q][hits.ids[q] >= 0]
            ids.append(found)
            energies.append(np.ones(len(found), np.float32))
        else:
            own = slice(queries.seed_ptr[q], queries.seed_ptr[q + 1])
            ids.append(queries.seed_ids[own])
            energies.append(queries.seed_energy[own])
    pointer = np.concatenate([[0], np.cumsum([len(row) for row in ids])]).astype(np.int64)
    return replace(
        queries,
        seed_ptr=pointer,
        seed_ids=np.concatenate(ids).astype(np.int32),
        seed_energy=np.concatenate(energies).astype(np.float32),
    )
