"""From what layers found to an arm's lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.graph.cognitive.rules import RERANKERS
from hebb_lab.kernels.cpu.cognitive.lists import Lists
from hebb_lab.kernels.cpu.cognitive.merge import Offers, count_listed, merged_lists
from hebb_lab.recall.cognitive.direct import RRF_CONSTANT, WITHOUT_WORDS
from hebb_lab.recall.fusion import reciprocal_rank_fusion
from hebb_lab.records import Ranking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.layer import Expansion
    from hebb_lab.graph.cognitive.rules import CognitiveRules
    from hebb_lab.recall.cognitive.plan import Plan
    from hebb_lab.recall.cognitive.searching import Found


class Merged(NamedTuple):
    """Lists of an arm, and per layer and query: new candidates offered, and those in the list."""

    lists: Lists
    found: NDArray[np.int32]  # [L, Q]
    listed: NDArray[np.int32]  # [L, Q]


def offers_of(
    layers: Sequence[str], rules: CognitiveRules, expansions: Sequence[Expansion], queries: int
) -> Offers:
    """What layers offer under some rules: energies × merge_LAYER.

    Under ``similarity_plus`` rules a candidate of that layer counts its own similarity as well.
    """
    offset = np.cumsum([0, *(len(each.memory) for each in expansions)])
    ptr = np.array(
        [each.ptr + first for each, first in zip(expansions, offset[:-1], strict=True)], np.int64
    ).reshape(len(layers), queries + 1)
    memory = [np.zeros(0, np.int32), *(each.memory for each in expansions)]
    energy = [np.zeros(0, np.float32), *(each.energy for each in expansions)]
    return Offers(
        ptr,
        np.concatenate(memory),
        np.concatenate(energy),
        np.array([getattr(rules, f"merge_{layer}") for layer in layers], np.float64),
        np.array([adds_similarity(layer, rules) for layer in layers], np.bool_),
        np.array([layer in RERANKERS for layer in layers], np.bool_),
    )


def adds_similarity(layer: str, rules: CognitiveRules) -> bool:
    """Whether a candidate of that layer counts its own similarity beside its energy.

    >>> from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED
    >>> [adds_similarity("chain", rules) for rules in (DOCUMENTED, OBSERVED)]
    [False, True]
    """
    scores = {
        "hebbian": rules.hebbian_score, "chain": rules.temporal_score,
        "entities": rules.entity_score, "hyperedges": rules.entity_score,
    }  # fmt: skip
    return scores.get(layer, "seed_share") != "seed_share"


def merge(
    plan: Plan, found: Found, expansions: Sequence[Expansion], expanded: NDArray[np.bool_],
    words: Lists | None, name_rank: NDArray[np.int32], depth: int,
) -> Merged:  # fmt: skip
    """The lists of one arm.

    Args:
        plan: of the arm.
        found: by direct search.
        expansions: of the plan's layers, in their order.
        expanded: [Q] whether the gate lets a query be expanded.
        words: the lists of BM25 where it joins after expansion; then lists are fused by reciprocal
            rank, twice as deep before as after.
        name_rank: [N] what ties are settled by.
        depth: of the lists.
    """
    rules, scored, queries = plan.rules, found.scored, len(expanded)
    offers = offers_of(plan.layers, rules, expansions, queries)
    lists, offered = found.lists, np.zeros((0, queries), np.int32)
    if plan.layers:
        lists, offered = merged_lists(
            found.lists, scored.scores, scored.similarity, scored.allowed, offers, expanded,
            name_rank, rules.merge == "sum", rules.existing == "raised",
            depth if words is None else 2 * depth,
        )  # fmt: skip
    if words is not None:
        lists = fused(lists, words, name_rank, depth)
    listed = count_listed(found.lists, lists, offers, expanded, scored.scores.shape[1])
    return Merged(lists, offered, listed)


def fuses_later(plan: Plan) -> bool:
    """Whether BM25 joins after expansion: so the rules say, and the direct search has words."""
    return plan.rules.text_fusion == "after" and plan.seeder in WITHOUT_WORDS


def fused(first: Lists, second: Lists, name_rank: NDArray[np.int32], depth: int) -> Lists:
    """Reciprocal rank fusion (k = 60) under the tie rule of names."""
    by_rank = np.argsort(name_rank).astype(np.int32)
    rankings = [
        Ranking(np.where(memory >= 0, name_rank[memory], -1).astype(np.int32), score)
        for memory, score in (first, second)
    ]
    both = reciprocal_rank_fusion(rankings, depth, RRF_CONSTANT)
    return Lists(np.where(both.ids >= 0, by_rank[both.ids], -1).astype(np.int32), both.scores)
