"""Inner products of pairs of vectors, summed in float64."""

from __future__ import annotations

from typing import Any

import numpy as np

from hebb_lab.kernels.cpu.compile import kernel

_LANES = 8


@kernel
def inner_products(
    vectors: Any, rows: Any, queries: Any, asked: Any, places: Any, out: Any, begin: int, stop: int
) -> None:
    """out[places[i]] = vectors[rows[i]] · queries[asked[i]] for i in [begin, stop).

    Eight sums side by side, which do not wait for each other; the same for a pair wherever it
    stands, so that equal vectors have equal products.

    Args:
        vectors: [n, d] float32.
        rows: [m] int64.
        queries: [Q, d] float32.
        asked: [m] int64.
        places: [m] int64.
        out: float64.
        begin: the first pair.
        stop: the end of the pairs.
    """
    width = queries.shape[1]
    even = width - width % _LANES
    for i in range(begin, stop):
        row, q = rows[i], asked[i]
        s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0.0
        for j in range(0, even, _LANES):
            s0 += np.float64(vectors[row, j]) * np.float64(queries[q, j])
            s1 += np.float64(vectors[row, j + 1]) * np.float64(queries[q, j + 1])
            s2 += np.float64(vectors[row, j + 2]) * np.float64(queries[q, j + 2])
            s3 += np.float64(vectors[row, j + 3]) * np.float64(queries[q, j + 3])
            s4 += np.float64(vectors[row, j + 4]) * np.float64(queries[q, j + 4])
            s5 += np.float64(vectors[row, j + 5]) * np.float64(queries[q, j + 5])
            s6 += np.float64(vectors[row, j + 6]) * np.float64(queries[q, j + 6])
            s7 += np.float64(vectors[row, j + 7]) * np.float64(queries[q, j + 7])
        rest = 0.0
        for j in range(even, width):
            rest += np.float64(vectors[row, j]) * np.float64(queries[q, j])
        out[places[i]] = ((s0 + s4) + (s1 + s5)) + ((s2 + s6) + (s3 + s7)) + rest
