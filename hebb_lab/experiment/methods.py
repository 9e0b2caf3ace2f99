"""How an arm ranks. Each method is a function of facts, a task and the arm."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import ConfigError, MissingExtraError
from hebb_lab.recall import floors, fusion
from hebb_lab.recall.injection_batch import Mode, cut_to_tokens, inject_batch
from hebb_lab.records import Ranking
from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from hebb_lab.evaluation.query_set import Task
    from hebb_lab.experiment.arms import Arm
    from hebb_lab.experiment.workshop import Workshop
    from hebb_lab.records import Ranking


Method = Callable[["Workshop", "Task", "Arm"], "Ranking"]
METHODS: Registry[Method] = Registry("method")


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
        shop.config_of(arm), shop.seeded(task.queries, arm), shop.settings.recall.depth
    )
    return ranking


@METHODS.register("pagerank")
def pagerank(shop: Workshop, task: Task, arm: Arm) -> Ranking:
    """Personalised PageRank from the nodes in view, in place of the walk."""
    ranking, _ = shop.synapses.personalised_pagerank(
        shop.config_of(arm), shop.seeded(task.queries, arm), shop.settings.recall.depth,
        shop.settings.recall.restart,
    )  # fmt: skip
    return ranking


@METHODS.register("transitions")
def transitions(shop: Workshop, task: Task, arm: Arm) -> Ranking:
    """What followed the nodes in view before: directed transitions, next-likely."""
    ranking, _ = shop.transitions.spread(
        shop.config_of(arm), shop.seeded(task.queries, arm), shop.settings.recall.depth
    )
    return ranking


@METHODS.register("budget_neutral")
def budget_neutral(shop: Workshop, task: Task, arm: Arm) -> Ranking:
    """The lexical list, boosted, at most two of its hits displaced one for one."""
    return injected(shop, task, arm)[1].padded(shop.settings.recall.depth)


@METHODS.register("additive")
def additive(shop: Workshop, task: Task, arm: Arm) -> Ranking:
    """The lexical list with associated nodes added, cut to the tokens of the list alone."""
    return injected(shop, task, arm)[1].padded(shop.settings.recall.depth)


def injected(shop: Workshop, task: Task, arm: Arm) -> tuple[Ranking, Ranking]:
    """(the host's list, the list after injection), both [Q, recall.inject], at the host's tokens.

    Energies start at the nodes in view, or at the first lexical hits where none is in view. Scores
    of the host are scaled so that rank 1 has 1.0, as the page has them.
    """
    recall = shop.settings.recall
    host = shop.lexical_hits(task.queries, recall.inject).scaled()
    energies, _ = shop.synapses.spread(
        shop.config_of(arm), shop.seeded(task.queries, arm), recall.depth
    )
    mode: Mode = "additive" if arm.method == "additive" else "budget_neutral"
    most = arm.rules.displace_max
    mixed = inject_batch(host, energies, arm.rules, mode, recall.inject, limit=most)
    return host, cut_to_tokens(mixed, host, shop.prepared.tokens)


def method_of(name: str) -> Method:
    """The method of that name.

    Raises:
        ConfigError: unknown.
    """
    if name not in METHODS:
        raise ConfigError(f"unknown method '{name}'", f"Known: {', '.join(METHODS)}")
    return METHODS[name]
