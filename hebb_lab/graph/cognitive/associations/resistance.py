"""Effective resistance of every edge of a graph, exactly, however its components look.

With unit conductances, R(a, b) = Z[a, a] + Z[b, b] − 2 Z[a, b], where Z is the inverse of the
Laplacian with one vertex of each component tied to the ground, through which no current of a pair
flows. Only entries of Z at edges are needed: they follow from the factors L D Lᵀ alone, from the
last column to the first (Takahashi, Fagan and Chen 1973), in about the time of the factorisation.
Edges whose removal cuts their component have R = 1 and are taken out first.
"""

# mypy: disable-error-code="untyped-decorator,no-any-return"

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.graph.cognitive.associations.trees import Undirected, _parts, cut_edges
from hebb_lab.kernels.cpu.compile import ZERO, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray


def effective_resistance(
    a: NDArray[np.int64], b: NDArray[np.int64], vertices: int
) -> NDArray[np.float64]:
    """[E] effective resistance of the edges {a, b}, distinct and without loops, in (0, 1].

    >>> k4 = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])
    >>> effective_resistance(k4[:, 0], k4[:, 1], 4).round(9).tolist()
    [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]
    """
    graph = Undirected.of(a, b, vertices)
    cut = cut_edges(graph)
    found = np.ones(len(a))
    if not cut.all():
        kept = np.flatnonzero(~cut)
        found[kept] = _inside(a[kept], b[kept], vertices)
    return found


def _inside(a: NDArray[np.int64], b: NDArray[np.int64], vertices: int) -> NDArray[np.float64]:
    """Resistances in a graph none of whose edges is cut."""
    from scipy.sparse import csc_array
    from scipy.sparse.linalg import splu

    graph = Undirected.of(a, b, vertices)
    n = len(graph.name)
    number = np.full(vertices, -1, np.int64)
    number[graph.name] = np.arange(n)
    one, other = number[a], number[b]
    diagonal = np.diff(graph.ptr).astype(np.float64)
    diagonal[_grounds(graph)] += 1.0
    rows = np.concatenate([one, other, np.arange(n)])
    columns = np.concatenate([other, one, np.arange(n)])
    values = np.concatenate([np.full(2 * len(a), -1.0), diagonal])
    laplacian = csc_array((values, (rows, columns)), shape=(n, n))
    factors = splu(
        laplacian, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )  # fmt: skip
    lower = factors.L.tocsc()
    lower.sort_indices()
    pivot = 1.0 / factors.U.diagonal()
    inverse = np.zeros(len(lower.data))
    _selected_inverse(
        lower.indptr.astype(np.int64), lower.indices.astype(np.int64), lower.data, pivot, inverse,
        np.full(n, -1, np.int64),
    )  # fmt: skip
    place = factors.perm_c.astype(np.int64)
    found = np.empty(len(a))
    _read(
        lower.indptr.astype(np.int64), lower.indices.astype(np.int64), inverse, place[one],
        place[other], found,
    )  # fmt: skip
    return found


def _grounds(graph: Undirected) -> NDArray[np.int64]:
    """A vertex of each component."""
    count = len(graph.name)
    order, bounds = np.empty(count, np.int64), np.empty(count + 1, np.int64)
    parts = _parts(graph, np.full(count, -1, np.int64), order, bounds)
    return order[bounds[:parts]]


@kernel
def _selected_inverse(ptr: Any, row: Any, lower: Any, pivot: Any, inverse: Any, where: Any) -> None:
    """Z = (L D Lᵀ)⁻¹ at the places of L. Columns hold their diagonal first, then rows ascending.

    Z[i, j] = [i = j]/D[j] − Σ over k > j of L[k, j] · Z[i, k].
    """
    for back in range(len(pivot)):
        j = len(pivot) - 1 - back
        begin, end = ptr[j] + 1, ptr[j + 1]
        for i in range(begin, end):
            where[row[i]] = i
        for k in range(begin, end):  # Z[i, k] for both i ≥ k and k ≥ i stand in column k or i
            factor, column = lower[k], row[k]
            inverse[k] -= factor * inverse[ptr[column]]
            for m in range(ptr[column] + 1, ptr[column + 1]):
                at = where[row[m]]
                if at >= 0:
                    inverse[at] -= factor * inverse[m]
                    inverse[k] -= lower[at] * inverse[m]
        total = pivot[j]
        for k in range(begin, end):
            total -= lower[k] * inverse[k]
            where[row[k]] = ZERO - 1
        inverse[ptr[j]] = total


@kernel
def _read(ptr: Any, row: Any, inverse: Any, one: Any, other: Any, found: Any) -> None:
    """Z[a, a] + Z[b, b] − 2 Z[a, b] for each edge."""
    for e in range(len(one)):
        column, low_row = min(one[e], other[e]), max(one[e], other[e])
        low, high = ptr[column], ptr[column + 1]
        while low < high:
            middle = (low + high) >> 1
            if row[middle] < low_row:
                low = middle + 1
            else:
                high = middle
        found[e] = inverse[ptr[column]] + inverse[ptr[low_row]] - 2.0 * inverse[low]
