"""The reference back end, batched recall: the exact inner product with every node."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.kernels.arrays import Found, QueryArrays, nothing_found

if TYPE_CHECKING:
    from numpy.typing import NDArray


def recall(
    vectors: NDArray[np.float32], asked: NDArray[np.float32], energies: Found,
    boost: NDArray[np.float64], queries: QueryArrays, k: int,
) -> Found:  # fmt: skip
    """The best k by similarity + boost · energy; see Backend.recall."""
    found = nothing_found(len(boost), len(asked), k)
    for q in range(len(asked)):
        # products of float32 numbers are exact in float64, and fsum rounds their sum once
        wide = asked[q].astype(np.float64)
        similarity = [math.fsum((row * wide).tolist()) for row in vectors.astype(np.float64)]
        barred = set(
            queries.exclude_ids[queries.exclude_ptr[q] : queries.exclude_ptr[q + 1]].tolist()
        )
        for c in range(len(boost)):
            energy = dict(
                zip(energies.ids[c, q].tolist(), energies.scores[c, q].tolist(), strict=True)
            )
            ranked = sorted(
                (
                    (np.float32(value + float(boost[c]) * energy.get(node, 0.0)), node)
                    for node, value in enumerate(similarity)
                    if node not in barred
                ),
                reverse=True,
            )[:k]
            for place, (score, node) in enumerate(ranked):
                found.ids[c, q, place], found.scores[c, q, place] = node, score
    return found
