"""The kernel that teaches offsets: each edge moves one offset, in the order of writing."""

from __future__ import annotations

from typing import Any

import numpy as np

from hebb_lab.kernels.cpu.compile import kernel


@kernel
def teach(table: Any, which: Any, source: Any, target: Any, rate: float) -> None:
    """O ← norm(o + rate × (target − source)) for one edge after the other, in place.

    Args:
        table: [n, d] float64 offsets.
        which: [m] int64 the offset that each edge teaches.
        source: [m, d] float32 vectors.
        target: [m, d] float32 vectors.
        rate: of learning.
    """
    for edge in range(len(which)):
        at = which[edge]
        squares = 0.0
        for i in range(table.shape[1]):
            moved = table[at, i] + rate * (np.float64(target[edge, i]) - source[edge, i])
            squares += moved * moved
        if squares == 0.0:
            continue
        length = np.sqrt(squares)
        for i in range(table.shape[1]):
            moved = table[at, i] + rate * (np.float64(target[edge, i]) - source[edge, i])
            table[at, i] = moved / length
