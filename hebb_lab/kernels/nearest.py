"""Exact inner products through an index that rounds: search, settle, search wider.

An index finds candidates in float32, whose order near ties depends on the library and on what else
is in the index. Each candidate's product is summed in float64 and what is made of it rounded to
float32 once; the search is widened until rounding can have hidden no better node.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from hebb_lab.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    Settle = Callable[[int, NDArray[np.int64], float | None], bool]
    """(query, positions found, the least product among them) → whether that is enough."""

_LOG = logging.getLogger(__name__)
SPARE = 16  # nodes fetched beyond what is wanted, so that few searches must be widened
_PRODUCTS = 1 << 24  # products in memory at once, without FAISS


class VectorIndex(Protocol):
    """A store of vectors that finds the largest inner products, up to rounding and ties."""

    def add(self, vectors: Vectors) -> None:
        """Append vectors [n, d]."""

    def search(self, queries: Vectors, count: int) -> tuple[Vectors, NDArray[np.int64]]:
        """Products and positions [Q, count] in any order; count ≤ number of vectors."""


@dataclass
class NumpyIndex:
    """Matrix product and partition, for machines without FAISS."""

    vectors: Vectors  # [N, d], room for all
    held: int = 0

    def add(self, vectors: Vectors) -> None:
        """Append vectors [n, d]."""
        self.vectors[self.held : self.held + len(vectors)] = vectors
        self.held += len(vectors)

    def search(self, queries: Vectors, count: int) -> tuple[Vectors, NDArray[np.int64]]:
        """Products and positions [Q, count] in any order."""
        rows = max(_PRODUCTS // max(self.held, 1), 1)
        parts = [queries[first : first + rows] for first in range(0, len(queries), rows)]
        found = [self._search(part, count) for part in parts]
        return np.concatenate([f[0] for f in found]), np.concatenate([f[1] for f in found])

    def _search(self, queries: Vectors, count: int) -> tuple[Vectors, NDArray[np.int64]]:
        products = queries @ self.vectors[: self.held].T
        best = np.argpartition(products, -count, axis=1)[:, -count:]
        return np.take_along_axis(products, best, axis=1), best


def vector_index(
    kind: Literal["auto", "faiss", "numpy"], nodes: int, dimensions: int
) -> VectorIndex:
    """An empty index with room for so many vectors: FAISS, where it is installed, or NumPy.

    Raises:
        MissingExtraError: ``faiss`` is asked for and not installed.
    """
    if kind != "numpy":
        try:
            import faiss
        except ImportError as missing:
            if kind == "faiss":
                raise MissingExtraError(
                    "FAISS is not installed", "Run pip install 'hebb_lab[cpu]'"
                ) from missing
            _LOG.info("FAISS is not installed: exact search in NumPy, the same ranking")
        else:
            found: Any = faiss.IndexFlatIP(dimensions)
            return found
    return NumpyIndex(np.empty((nodes, dimensions), np.float32))


def search_until_settled(
    index: VectorIndex, held: int, queries: Vectors, fetch: int, settle: Settle
) -> None:
    """Search for all queries, then twice as wide for those that did not settle, and so on.

    Args:
        index: holds the vectors.
        held: how many it holds.
        queries: [Q, d].
        fetch: how many to begin with.
        settle: told of what was found; without a least product once everything was.
    """
    unsure = np.arange(len(queries))
    while len(unsure) and fetch < held:
        products, positions = index.search(queries[unsure], fetch)
        unsure = np.array(
            [
                q
                for q, product, position in zip(unsure.tolist(), products, positions, strict=True)
                if not settle(q, position[position >= 0], float(product.min()))
            ],
            dtype=np.int64,
        )
        fetch *= 2
    for q in unsure.tolist():
        settle(q, np.arange(held), None)


def exact_products(vectors: Vectors, query: Vectors) -> NDArray[np.float64]:
    """Inner products [n] of float32 vectors [n, d] with one, summed in float64."""
    products: NDArray[np.float64] = (vectors.astype(np.float64) * query.astype(np.float64)).sum(
        axis=1
    )
    return products


def rounding_of(dimensions: int, lengths: float = 1.0) -> float:
    """How far a float32 inner product, summed in any order, may be off.

    d · 2⁻²⁴ / (1 − d · 2⁻²⁴) times the product of the vectors' lengths, with a little to spare,
    and what products below float32's range lose. Infinite where they may be above it.
    """
    if not lengths < 1e38:
        return float("inf")
    return 1.01 * (dimensions + 4) * 2.0**-24 * lengths + dimensions * 2.0**-126


def write_best(
    nodes: NDArray[np.integer], scores: NDArray[np.float32], ids: NDArray[np.int32],
    out: NDArray[np.float32],
) -> int:  # fmt: skip
    """Write the best of some distinct nodes: score descending, then id descending.

    Args:
        nodes: [n] ids.
        scores: [n] float32, any sign, none NaN.
        ids: [k], filled from the front.
        out: [k] their scores.

    Returns:
        How many were written, min(n, k).
    """
    k = len(ids)
    if 0 < k < len(nodes):
        keep = scores >= np.partition(scores, len(scores) - k)[len(scores) - k]  # ties stay
        nodes, scores = nodes[keep], scores[keep]
    order = np.lexsort((-nodes, -scores))[:k]
    ids[: len(order)] = nodes[order]
    out[: len(order)] = scores[order]
    return len(order)


def none_better_outside(
    written: int, scores: NDArray[np.float32], lowest: float | None, rounding: float
) -> bool:
    """Whether no node outside the candidates can belong to the best k.

    No outsider's exact product is above ``lowest``, the least product among the candidates, by
    more than ``rounding``. None: there are no outsiders.
    """
    if lowest is None:
        return True
    k = len(scores)
    return written == k and bool(np.float32(lowest + rounding) < scores[k - 1])
