"""Batched recall on the CPU: candidates from an index, exact sums with the graph's energies."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.kernels.arrays import Found, QueryArrays, nothing_found
from hebb_lab.kernels.nearest import (
    SPARE,
    exact_products,
    none_better_outside,
    rounding_of,
    search_until_settled,
    vector_index,
    write_best,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHUNK = 1024  # queries searched at once


def recall(
    vectors: NDArray[np.float32], asked: NDArray[np.float32], energies: Found,
    boost: NDArray[np.float64], queries: QueryArrays, k: int,
) -> Found:  # fmt: skip
    """The best k by similarity + boost · energy, over all nodes; see Backend.recall.

    All nodes with an energy are candidates, so that no other node has more than its similarity;
    the search for these is widened until rounding can have hidden none (see ``nearest``).
    """
    found = nothing_found(len(boost), len(asked), k)
    if not (k and len(vectors) and len(asked)):
        return found
    nodes, dimensions = vectors.shape
    index = vector_index("auto", nodes, dimensions)
    index.add(np.ascontiguousarray(vectors, np.float32))
    longest = _lengths(vectors).max(initial=0.0)
    rounding = [rounding_of(dimensions, float(longest * own)) for own in _lengths(asked)]

    def settle(first: int, at: int, positions: NDArray[np.int64], lowest: float | None) -> bool:
        q = first + at
        barred = queries.exclude_ids[queries.exclude_ptr[q] : queries.exclude_ptr[q + 1]]
        near, scores = _exact(vectors, asked[q], energies, boost, q, positions, barred)
        sure = [
            none_better_outside(
                write_best(near, scores[c], found.ids[c, q], found.scores[c, q]),
                found.scores[c, q], lowest, rounding[q],
            )
            for c in range(len(boost))
        ]  # fmt: skip
        return all(sure)

    fetch = k + int(np.diff(queries.exclude_ptr).max(initial=0)) + SPARE
    for first in range(0, len(asked), CHUNK):
        part = np.ascontiguousarray(asked[first : first + CHUNK], np.float32)
        search_until_settled(index, nodes, part, fetch, partial(settle, first))
    return found


def _exact(
    vectors: NDArray[np.float32], query: NDArray[np.float32], energies: Found,
    boost: NDArray[np.float64], q: int, positions: NDArray[np.int64], barred: NDArray[np.int32],
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:  # fmt: skip
    """(candidates [n], ascending; their scores [C, n]): what was found, and all with an energy."""
    lit = energies.ids[:, q]  # [C, depth]
    nodes = np.setdiff1d(np.concatenate([positions, lit[lit >= 0]]), barred)
    similarity = exact_products(vectors[nodes], query)
    place = np.searchsorted(nodes, lit)
    place[place == len(nodes)] = -1  # above all candidates, so it is none of them
    config, at = np.nonzero(nodes[place] == lit) if len(nodes) else np.nonzero(lit < -1)
    level = np.zeros((len(boost), len(nodes)))
    level[config, place[config, at]] = energies.scores[config, q, at]
    return nodes, (similarity + boost[:, None] * level).astype(np.float32)


def _lengths(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    lengths: NDArray[np.float64] = np.sqrt(np.einsum("nd,nd->n", vectors, vectors, dtype=float))
    return lengths
