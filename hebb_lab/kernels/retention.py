"""What is left of memories: the arrays that the kernel ``decay_scores`` reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class MemoryArrays(NamedTuple):
    """N memories: all of them that decay reads. Times are µs since 1970.

    importance: [N] float32 in [0, 1]. created_us: [N] of the writing. accessed_us: [N] of the last
    access. access_count: [N] accesses so far.
    """

    importance: NDArray[np.float32]
    created_us: NDArray[np.int64]
    accessed_us: NDArray[np.int64]
    access_count: NDArray[np.int64]


class RetentionArrays(NamedTuple):
    """C configurations of decay, [C] each.

    half_life_us: above 0. importance_gain: half-life × (1 + this × importance). count_cap:
    accesses beyond it count no more; 0: accesses do not lift the score at all. from_created:
    decay counts from the writing, and not from the last access.
    """

    half_life_us: NDArray[np.float64]
    importance_gain: NDArray[np.float64]
    count_cap: NDArray[np.int64]
    from_created: NDArray[np.bool_]
