"""What is left of memories: the plain formula, one memory and configuration at a time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.kernels.retention import MemoryArrays, RetentionArrays


def decay_scores(
    memories: MemoryArrays, rules: RetentionArrays, now_us: int
) -> NDArray[np.float32]:
    """Decay scores [N, C]; see Backend.decay_scores."""
    found = np.zeros((len(memories.importance), len(rules.half_life_us)), np.float32)
    for c, (half_life, gain, cap, from_created) in enumerate(zip(*rules, strict=True)):
        for n, (importance, created, accessed, count) in enumerate(zip(*memories, strict=True)):
            age = max(now_us - int(created if from_created else accessed), 0)
            found[n, c] = decay_score(
                float(importance), age, int(count), float(half_life), float(gain), int(cap)
            )
    return found


def decay_score(
    importance: float, age_us: int, count: int, half_life_us: float, gain: float, cap: int
) -> float:
    """What is left of one memory.

    >>> decay_score(0.8, 30, 0, 30.0, 0.0, 100)
    0.4
    """
    if importance <= 0:
        return 0.0
    lift = math.log2(1 + min(count, cap)) / math.log2(1 + cap) if cap else 0.0
    half_lives = age_us / (half_life_us * (1 + gain * importance))
    return importance * 2.0**-half_lives * (1 + lift)
