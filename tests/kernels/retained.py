"""Memories and rules of decay for tests."""

import numpy as np

from hebb_lab.kernels.retention import MemoryArrays, RetentionArrays

DAY_US = 86_400_000_000
NOW_US = 20_000 * DAY_US


def some_memories(rng, count, days=400.0):
    """Some without importance, some of a later time than now, counts around any cap."""
    importance = rng.random(count).astype(np.float32)
    importance[rng.random(count) < 0.2] = 0.0
    return MemoryArrays(
        importance,
        NOW_US - (rng.uniform(-1, days, count) * DAY_US).astype(np.int64),
        NOW_US - (rng.uniform(-1, days / 9, count) * DAY_US).astype(np.int64),
        rng.choice(np.array([0, 1, 5, 99, 100, 101, 2**62]), count),
    )


def memory(importance=1.0, age_days=0.0, count=0):
    """One memory that was written and last accessed so long before NOW_US."""
    time = np.array([NOW_US - round(age_days * DAY_US)])
    return MemoryArrays(np.array([importance], np.float32), time, time, np.array([count]))


def retention(*rules):
    """(half-life in days, gain, cap, whether from the writing) of each configuration."""
    days, gain, cap, created = zip(*rules, strict=True)
    return RetentionArrays(
        np.array(days, np.float64) * DAY_US, np.array(gain, np.float64), np.array(cap, np.int64),
        np.array(created, np.bool_),
    )  # fmt: skip
