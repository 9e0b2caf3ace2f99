"""The composite score that orders what recall found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from hebb_lab.memory.rules import MemoryRules

DAY_US = 86_400_000_000


def recency(
    created_us: ArrayLike, accessed_us: ArrayLike, now_us: int, rules: MemoryRules
) -> NDArray[np.float64]:
    """How new a memory is, in [0, 1], by the rules' anchor, shape and days.

    linear: max(0, 1 − age/recency_days); half_life: 2^(−age/recency_days). 1 where recency_days is
    0 or the age is not positive.

    Args:
        created_us: int64 of any shape, when it was written.
        accessed_us: the same, when it was last accessed.
        now_us: the time of the question.
        rules: recency_anchor, recency_shape, recency_days.
    """
    anchor = np.asarray(created_us if rules.recency_anchor == "created" else accessed_us, np.int64)
    if not rules.recency_days:
        return np.ones(anchor.shape)
    age = np.maximum(now_us - anchor, 0) / (rules.recency_days * DAY_US)
    return np.exp2(-age) if rules.recency_shape == "half_life" else np.maximum(1 - age, 0)


def reinforcement(count: ArrayLike, rules: MemoryRules) -> NDArray[np.float64]:
    """min(1, log2(1 + n)/log2(1 + cap)) for n accesses; 0 where the cap is 0."""
    accesses = np.asarray(count, np.float64)
    if not rules.reinforcement_cap:
        return np.zeros(accesses.shape)
    share = np.log2(1 + accesses) / np.log2(1 + rules.reinforcement_cap)
    bounded: NDArray[np.float64] = np.minimum(share, 1)
    return bounded


def composite(
    relevance: ArrayLike, created_us: ArrayLike, accessed_us: ArrayLike, importance: ArrayLike,
    decay: ArrayLike, count: ArrayLike, now_us: int, rules: MemoryRules,
) -> NDArray[np.float32]:  # fmt: skip
    """The score of memories that recall found.

    score = w_relevance × relevance + w_recency × recency + w_importance × clip(importance, 0, 1)
    + w_reinforcement × min(1, log2(1 + n)/log2(1 + cap)). Weights are not normalised. With
    decay_in_rank=importance the decay score, clipped to [0, 1], takes the place of importance;
    with factor all of it is × min(1, decay score/importance), 0 where importance is 0.

    Args:
        relevance: in [0, 1], of any shape; all others have the same.
        created_us: int64, when it was written.
        accessed_us: int64, when it was last accessed.
        importance: as it is kept.
        decay: decay score at ``now_us``; what accesses add to it may lift it above importance.
        count: accesses before this recall.
        now_us: the time of the question.
        rules: weights, recency, decay_in_rank, reinforcement_cap.

    Returns:
        float32 of that shape; summed in float64 and rounded once.
    """
    importance, decay = np.asarray(importance, np.float64), np.asarray(decay, np.float64)
    weighed = decay if rules.decay_in_rank == "importance" else importance
    total: NDArray[Any] = (
        rules.weight_relevance * np.asarray(relevance, np.float64)
        + rules.weight_recency * recency(created_us, accessed_us, now_us, rules)
        + rules.weight_importance * np.clip(weighed, 0, 1)
        + rules.weight_reinforcement * reinforcement(count, rules)
    )
    if rules.decay_in_rank == "factor":
        left = np.divide(decay, importance, out=np.zeros_like(total), where=importance > 0)
        total = total * np.clip(left, 0, 1)
    return total.astype(np.float32)
