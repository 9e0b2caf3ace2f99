"""How an arm ranks, and what that costs. Each method is a function of facts, a task and the arm."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.errors import ConfigError, MissingExtraError
from hebb_lab.experiment.arms.answerable import parts
from hebb_lab.experiment.arms.scored import MemoryScore
from hebb_lab.recall import floors, fusion
from hebb_lab.recall.injection_batch import Mode, cut_to_tokens, inject_batch
from hebb_lab.recall.known import empty_ranking
from hebb_lab.recall.memory import MemoryModel, cosine_relevance, word_relevance
from hebb_lab.records import Ranking
from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.evaluation.query_set import Task
    from hebb_lab.experiment.arms import Arm
    from hebb_lab.experiment.workshop import Workshop
    from hebb_lab.graph.synapse import SynapseLayer


class Answer(NamedTuple):
    """What a method gives.

    ranking: of the task's queries.
    edges: [Q] int64, pairs with a weight that were read; 0 where no graph is walked.
    memory_bytes: of all that was read to answer; None for what is no memory.
    """

    ranking: Ranking
    edges: NDArray[np.int64]
    memory_bytes: int | None


Method = Callable[["Workshop", "Task", "Arm"], Answer]
METHODS: Registry[Method] = Registry("method")


def in_parts(shop: Workshop, task: Task, arm: Arm) -> Answer:
    """The arm's answer: one call for each rule set of its schedule, put together in time order."""
    answers = [method_of(part.method)(shop, some, part) for part, some in parts(arm, task)]
    if len(answers) == 1:
        return answers[0]
    rankings = [answer.ranking for answer in answers]
    held = [answer.memory_bytes for answer in answers if answer.memory_bytes is not None]
    return Answer(
        Ranking(
            np.concatenate([ranking.ids for ranking in rankings]),
            np.concatenate([ranking.scores for ranking in rankings]),
        ),
        np.concatenate([answer.edges for answer in answers]),
        max(held, default=None),
    )


def _without_graph(ranking: Ranking, memory_bytes: int | None) -> Answer:
    return Answer(ranking, np.zeros(len(ranking), np.int64), memory_bytes)


@METHODS.register("random")
def random(shop: Workshop, task: Task, arm: Arm) -> Answer:
    """A seeded uniform order of the nodes known by then."""
    seed = int(np.random.SeedSequence([shop.settings.seed, 0x5EED]).generate_state(1)[0])
    born_us = shop.prepared.born_us
    ranking = floors.random_ranking(
        task.queries, shop.prepared.touches.nodes, born_us, shop.settings.recall.depth,
        np.random.default_rng(seed),
    )  # fmt: skip
    return _without_graph(ranking, born_us.nbytes)


@METHODS.register("popularity")
def popularity(shop: Workshop, task: Task, arm: Arm) -> Answer:
    """Nodes by number of touches so far."""
    touches = shop.prepared.touches
    ranking = floors.popularity(task.queries, touches, shop.settings.recall.depth)
    return _without_graph(ranking, touches.node.nbytes + touches.time_us.nbytes)


@METHODS.register("recency")
def recency(shop: Workshop, task: Task, arm: Arm) -> Answer:
    """Nodes by their last touch so far."""
    touches = shop.prepared.touches
    ranking = floors.recency(task.queries, touches, shop.settings.recall.depth)
    return _without_graph(ranking, touches.node.nbytes + touches.time_us.nbytes)


@METHODS.register("oracle")
def oracle(shop: Workshop, task: Task, arm: Arm) -> Answer:
    """Nodes by the very distribution that the simulator drew from: the ceiling."""
    truth = shop.prepared.dataset.truth
    if truth is None:
        raise MissingExtraError(
            "a real log has no oracle", "Use dataset=simulated to see the ceiling"
        )
    depth = shop.settings.recall.depth
    ranking = floors.oracle(task.queries, truth, shop.prepared.touches, depth)
    return _without_graph(ranking, None)


@METHODS.register("bm25")
def lexical(shop: Workshop, task: Task, arm: Arm) -> Answer:
    """BM25 of the query's words, or of the names of the nodes in view."""
    ranking = shop.lexical.rank(task.queries, shop.settings.recall.depth)
    return _without_graph(ranking, shop.lexical.byte_count())


@METHODS.register("dense")
def semantic(shop: Workshop, task: Task, arm: Arm) -> Answer:
    """Cosine of embeddings of the query and of the nodes' texts."""
    ranking = shop.semantic.rank(task.queries, shop.settings.recall.depth)
    return _without_graph(ranking, shop.semantic.byte_count())


@METHODS.register("hybrid")
def hybrid(shop: Workshop, task: Task, arm: Arm) -> Answer:
    """Reciprocal rank fusion of BM25 and dense."""
    recall = shop.settings.recall
    parts = [semantic(shop, task, arm), lexical(shop, task, arm)]
    rankings = [part.ranking for part in parts]
    ranking = fusion.reciprocal_rank_fusion(rankings, recall.depth, recall.rrf_k)
    return _without_graph(ranking, sum(part.memory_bytes or 0 for part in parts))


@METHODS.register("memory")
def memory(shop: Workshop, task: Task, arm: Arm) -> Answer:
    """Known nodes by the composite score of the memory model: relevant, recent, often touched."""
    score = arm.memory or MemoryScore()
    relevance, held = None, 0
    if score.relevance == "dense":
        relevance, held = cosine_relevance(shop.semantic), shop.semantic.byte_count()
    elif score.relevance == "bm25":
        relevance, held = word_relevance(shop.lexical), shop.lexical.byte_count()
    model = MemoryModel(shop.prepared.touches, score.rules, relevance)
    ranking = model.rank(task.queries, shop.settings.recall.depth)
    return _without_graph(ranking, model.byte_count() + held)


@METHODS.register("spread")
def spread(shop: Workshop, task: Task, arm: Arm) -> Answer:
    """Spreading activation from the nodes in view, through the arm's layers."""
    return spread_together(shop, task, [arm])[0]


def spread_together(shop: Workshop, task: Task, arms: Sequence[Arm]) -> list[Answer]:
    """The same for several arms in one walk: they have layers and seeds in common."""
    queries, depth = shop.seeded(task.queries, arms[0]), shop.settings.recall.depth
    configs = [shop.config_of(arm) for arm in arms]
    layers = [shop.layer(name) for name in arms[0].layers]
    found = [layer.spread_all(configs, queries, depth) for layer in layers]
    return [
        _of_layers(layers, config, [of_layer[place] for of_layer in found], len(queries), depth)
        for place, config in enumerate(configs)
    ]


def walks_with(shop: Workshop, task: Task, arm: Arm) -> Hashable:
    """What arms have in common that one walk can serve; None where the arm walks alone.

    An arm whose rules change with time does, since its queries fall into parts of their own.
    Beside layers and seeds it is what a walk costs, hops, frontier and exponentials, so that an
    arm's share of the time is about what it would take alone.
    """
    if arm.method != "spread" or arm.schedule:
        return None
    rules, unseeded = arm.rules, bool((np.diff(task.queries.seed_ptr) == 0).any())
    return (
        arm.layers, rules.hops, rules.frontier, rules.decay_shape,
        rules.seed_hits if unseeded else None,
    )  # fmt: skip


@METHODS.register("pagerank")
def pagerank(shop: Workshop, task: Task, arm: Arm) -> Answer:
    """Personalised PageRank from the nodes in view, in place of the walk."""
    queries, recall = shop.seeded(task.queries, arm), shop.settings.recall
    layers, config = [shop.layer(name) for name in arm.layers], shop.config_of(arm)
    found = [
        layer.personalised_pagerank(config, queries, recall.depth, recall.restart)
        for layer in layers
    ]
    return _of_layers(layers, config, found, len(queries), recall.depth)


def _of_layers(
    layers: Sequence[SynapseLayer],
    config: int,
    found: Sequence[tuple[Ranking, NDArray[np.int64]]],
    queries: int,
    depth: int,
) -> Answer:
    """Energies of all layers of an arm, summed; each layer hands on its best recall.depth."""
    if not layers:
        return _without_graph(empty_ranking(queries, depth), 0)
    return Answer(
        fusion.energy_sum([ranking for ranking, _ in found], depth),
        np.sum([edges for _, edges in found], axis=0, dtype=np.int64),
        sum(layer.byte_count(config) for layer in layers),
    )


@METHODS.register("budget_neutral")
def budget_neutral(shop: Workshop, task: Task, arm: Arm) -> Answer:
    """The lexical list, boosted, at most two of its hits displaced one for one."""
    return injected(shop, task, arm)[1]


@METHODS.register("additive")
def additive(shop: Workshop, task: Task, arm: Arm) -> Answer:
    """The lexical list with associated nodes added, cut to the tokens of the list alone."""
    return injected(shop, task, arm)[1]


def injected(shop: Workshop, task: Task, arm: Arm) -> tuple[Ranking, Answer]:
    """(the host's list, [Q, recall.inject]; the answer after injection, at the host's tokens).

    Energies start at the nodes in view, or at the first lexical hits where none is in view. Scores
    of the host are scaled so that rank 1 has 1.0, as the page has them.
    """
    recall = shop.settings.recall
    host = shop.lexical_hits(task.queries, recall.inject).scaled()
    energies = spread(shop, task, arm)
    mode: Mode = "additive" if arm.method == "additive" else "budget_neutral"
    most = arm.rules.displace_max
    mixed = inject_batch(host, energies.ranking, arm.rules, mode, recall.inject, limit=most)
    cut = cut_to_tokens(mixed, host, shop.prepared.tokens).padded(recall.depth)
    held = (energies.memory_bytes or 0) + shop.lexical.byte_count()
    return host, Answer(cut, energies.edges, held)


def method_of(name: str) -> Method:
    """The method of that name.

    Raises:
        ConfigError: unknown.
    """
    if name not in METHODS:
        raise ConfigError(f"unknown method '{name}'", f"Known: {', '.join(METHODS)}")
    return METHODS[name]
