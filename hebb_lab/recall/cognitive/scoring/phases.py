"""The six-phase scorer: what of likeness, importance, age, feeling and tags makes a score.

Pure functions on arrays that broadcast, one for each step. Source: fact sheet, §2.1.

1. drop what is not there; 2. tags; 3. valence; 4. importance and age; 5. distance; 6.
score = sim × (1 + β × importance/10 × decay × storage) × alignment × (1 + 0.3 × overlap) × boost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.floating]
    Whole = NDArray[np.integer]

HOUR_US = 3_600_000_000
BUCKET_EDGES_HOURS = (1, 6, 24, 72, 168, 672, 2160, 4320, 8760, 17520, 43800)
"""1 h, 6 h, 24 h, 3 d, 7 d, 28 d, 90 d, 180 d, 365 d, 2 y, 5 y."""
MIDPOINTS_HOURS = (0.5, 3.5, 15, 48, 120, 420, 1440, 3240, 6480, 13140, 30660, 61320)
OLDEST_BUCKET = 11
DECAY = (0.15, 0.10)  # exponent and floor
AROUSAL_MODIFIERS = np.array([1.0, 1.15, 1.35, 1.65], np.float32)
TAG_BOOST = 0.3
BETA = 0.4


def time_decay(exponent: float, floor: float) -> NDArray[np.float64]:
    """[12] what importance counts by age: D[b] = max(floor, (mid_b/mid_0)^−exponent).

    >>> time_decay(*DECAY).round(4)[:3].tolist()
    [1.0, 0.7469, 0.6004]
    """
    middle = np.array(MIDPOINTS_HOURS)
    decay: NDArray[np.float64] = np.maximum(floor, (middle / middle[0]) ** -exponent)
    return decay


def age_bucket(age_us: Whole) -> NDArray[np.int64]:
    """Bucket of an age, 0 to 11: how many edges it has reached.

    >>> age_bucket(np.array([0, HOUR_US - 1, HOUR_US, 50_000 * HOUR_US])).tolist()
    [0, 0, 1, 11]
    """
    edges = np.array(BUCKET_EDGES_HOURS, dtype=np.int64) * HOUR_US
    return np.searchsorted(edges, age_us, side="right")


def reconsolidated(bucket: Whole, recalls: Whole) -> NDArray[np.int64]:
    """A memory that was recalled n times counts as younger: bucket halved min(n, 5) times.

    >>> reconsolidated(np.full(5, 10), np.arange(5)).tolist()
    [10, 5, 2, 1, 0]
    """
    return np.right_shift(bucket, np.minimum(recalls, 5)).astype(np.int64)


def wakeful(
    bucket: Whole, resolved: NDArray[np.bool_], pinned: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Zeigarnik: what is unresolved and not pinned does not age, bucket 0."""
    return np.where(~resolved & ~pinned, 0, bucket).astype(np.int64)


def forgotten(
    bucket: Whole, importance: Floats, resolved: NDArray[np.bool_], pinned: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Dropped for age: the oldest bucket, importance below 1, not pinned, resolved."""
    return (bucket >= OLDEST_BUCKET) & (importance < 1.0) & ~pinned & resolved


def arousal_of(arousal: Whole, valence: Whole) -> NDArray[np.int64]:
    """Arousal, 0 to 255; where it is not given (−1), min(255, 2·|valence|)."""
    derived = np.minimum(255, 2 * np.abs(valence.astype(np.int64)))
    return np.where(arousal < 0, derived, arousal).astype(np.int64)


def arousal_modifier(arousal: Whole) -> NDArray[np.float32]:
    """Time decay × this: 1, 1.15, 1.35, 1.65 by quarter of the byte.

    >>> arousal_modifier(np.array([0, 64, 128, 255])).round(2).tolist()
    [1.0, 1.149999976158142, 1.350000023841858, 1.649999976158142]
    """
    return AROUSAL_MODIFIERS[np.asarray(arousal) // 64]


def strict_similarity(similarity: Floats, strictness: Floats) -> NDArray[np.float64]:
    """1/(1 + L2 × strictness), of a similarity that is 1/(1 + L2); 0 stays 0.

    >>> strict_similarity(np.array([0.5, 0.0]), np.array(10.0)).round(4).tolist()
    [0.0909, 0.0]
    """
    wide = np.asarray(similarity, np.float64)
    distance = 1.0 / np.where(wide > 0, wide, 1.0) - 1.0
    return np.where(wide > 0, 1.0 / (1.0 + distance * strictness), 0.0)


def valence_alignment(query_valence: Floats, valence: Whole) -> NDArray[np.float64]:
    """1 − |difference|/255; 1 where the query has no valence (NaN).

    >>> valence_alignment(np.array([-128.0, np.nan]), np.array([127, 5])).tolist()
    [0.0, 1.0]
    """
    apart = np.abs(query_valence - valence.astype(np.float64))
    return np.where(np.isnan(apart), 1.0, 1.0 - apart / 255.0)


def cognitive_score(
    similarity: Floats,
    importance: Floats,
    decay: Floats,
    beta: Floats | float = BETA,
    overlap: Floats | float = 0.0,
    alignment: Floats | float = 1.0,
    storage: float = 1.0,
    boost: Floats | float = 1.0,
) -> NDArray[np.float32]:
    """Phase 6, from the parts above.

    score = similarity × (1 + β × importance/10 × decay × storage) × alignment
            × (1 + 0.3 × overlap) × boost

    Args:
        similarity: in [0, 1].
        importance: 0.05 to 10.
        decay: in [0, 1], min(1, D[bucket] × arousal's modifier).
        beta: how much importance counts.
        overlap: share of the tags asked for that a memory has.
        alignment: of valence.
        storage: storage strength's boost; the code never has another than 1.
        boost: of hyperfocus.

    >>> float(cognitive_score(np.array(0.8), np.array(0.0), np.array(1.0), overlap=1.0).round(2))
    1.0399999618530273
    """
    weighed = 1.0 + beta * np.asarray(importance, np.float64) / 10.0 * decay * storage
    score = similarity * weighed * alignment * (1.0 + TAG_BOOST * np.asarray(overlap)) * boost
    return np.asarray(score, np.float32)


def lateral_score(
    distance: Floats, overlap: Floats, importance: Floats, decay: Floats
) -> NDArray[np.float64]:
    """Of far memories with the right tags, for profiles that wander; 0 for others.

    max(0, 1 − ¼(L2² − 2)²) × overlap × (1 + importance/10 × decay), if L2 > 1.2 and overlap ≥ ½:
    the best are at a right angle to the query.

    >>> one = np.ones(2)
    >>> lateral_score(np.array([2**0.5, 1.0]), one, 0 * one, one).round(6).tolist()
    [1.0, 0.0]
    """
    hump = np.maximum(0.0, 1.0 - 0.25 * (np.square(distance) - 2.0) ** 2)
    score = hump * overlap * (1.0 + np.asarray(importance, np.float64) / 10.0 * decay)
    return np.where((distance > 1.2) & (overlap >= 0.5), score, 0.0)
