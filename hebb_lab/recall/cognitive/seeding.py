"""Where expansion starts, and whether it does: seeds and the gate on the direct match."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.graph.cognitive.layer import Seeds
from hebb_lab.graph.cognitive.rules import RERANKERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.rules import CognitiveRules
    from hebb_lab.kernels.cpu.cognitive.lists import Lists
    from hebb_lab.recall.cognitive.scoring.profiles import Profile


def seed_rule(layer: str, rules: CognitiveRules) -> tuple[int | None, str]:
    """How many seeds a layer starts from, and which come first.

    A re-ranker has all direct results, ranked, whatever the rules say of seeds.

    >>> from hebb_lab.graph.cognitive.rules import CognitiveRules
    >>> rules = CognitiveRules(seed_count=3, seed_order="written")
    >>> seed_rule("chain", rules), seed_rule("stdp", rules)
    ((3, 'written'), (None, 'ranked'))
    """
    if layer in RERANKERS:
        return None, "ranked"
    return rules.seed_count, rules.seed_order


def seeds_of(lists: Lists, count: int | None, order: str) -> Seeds:
    """Seeds of each query, best first: direct results with a score above 0.

    Args:
        lists: of direct search.
        count: how many at most; None for all.
        order: ``ranked``, the best are taken; ``written``, those that were written first.
    """
    memory, score = lists.memory, lists.score
    if count is not None and count < memory.shape[1]:
        if order == "written":
            late = np.where(memory < 0, np.iinfo(np.int32).max, memory)
            first = np.sort(np.argsort(late, axis=1, kind="stable")[:, :count], axis=1)
            memory = np.take_along_axis(memory, first, axis=1)
            score = np.take_along_axis(score, first, axis=1)
        else:
            memory, score = memory[:, :count], score[:, :count]
    kept = (memory >= 0) & (score > 0)
    ptr = np.concatenate([[0], np.cumsum(kept.sum(axis=1))]).astype(np.int64)
    return Seeds(ptr, memory[kept], score[kept])


def some_seeds(seeds: Seeds, first: int, last: int) -> Seeds:
    """The seeds of queries [first, last)."""
    a, b = int(seeds.ptr[first]), int(seeds.ptr[last])
    return Seeds(seeds.ptr[first : last + 1] - a, seeds.memory[a:b], seeds.score[a:b])


def expanded_queries(
    match: NDArray[np.float32], rules: CognitiveRules, profiles: Sequence[Profile | None]
) -> NDArray[np.bool_]:
    """[Q] whether the gate lets a query be expanded.

    direct_match: only while its best direct match is below the threshold, which is its profile's
    where it has one. Otherwise always; the gate on neighbours is the layers' own.

    Args:
        match: [Q] how good the best direct match is.
        rules: say which gate.
        profiles: [Q].
    """
    if rules.gate != "direct_match":
        return np.ones(len(match), np.bool_)
    threshold = [rules.gate_threshold if p is None else p.threshold for p in profiles]
    expanded: NDArray[np.bool_] = match.astype(np.float64) < np.array(threshold, np.float64)
    return expanded
