"""The compiled part of `collect`."""

# numba's decorator hides the types of what it compiles.
# mypy: disallow-untyped-decorators=False, warn-return-any=False

from __future__ import annotations

from typing import Any

import numpy as np

from hebb_lab.kernels.cpu.compile import ZERO, kernel, step


@kernel
def collect(
    first: int, stop: int, visit_ptr: Any, row: Any, factor: Any, hop: Any, ptr: Any, memory: Any,
    weight: Any, gain: float, least: float, summed: bool, score: Any, best: Any, total: Any,
    nearest: Any, bits: Any, counts: Any, out_memory: Any, out_energy: Any, out_activation: Any,
    out_hop: Any,
) -> Any:  # fmt: skip
    """The memories of some queries, ascending, by a bit for each memory."""
    used = ZERO
    for q in range(first, stop):
        low, high = ZERO + len(bits), ZERO - 1
        for v in range(visit_ptr[q], visit_ptr[q + 1]):
            if factor[v] < least:
                continue
            for i in range(ptr[row[v]], ptr[row[v] + 1]):
                m = ZERO + memory[i]
                activation = min(1.0, np.float64(weight[i])) * factor[v]
                if m < 0 or activation < least:
                    continue
                word, bit = m >> 6, np.uint64(1) << np.uint64(m & 63)
                if bits[word] & bit == 0:
                    bits[word] |= bit
                    low, high = min(low, word), max(high, word)
                    best[m], nearest[m] = activation, hop[v]
                    if summed:
                        total[m] = activation
                else:
                    if summed:
                        total[m] += activation
                    if activation > best[m] or (activation == best[m] and hop[v] < nearest[m]):
                        best[m], nearest[m] = activation, hop[v]
        counts[q] = used
        for word in range(low, high + 1):
            used = _write(
                word, used, gain * score[q], summed, best, total, nearest, bits, out_memory,
                out_energy, out_activation, out_hop,
            )  # fmt: skip
        counts[q] = used - counts[q]
    return used


@step
def _write(
    word: int, used: int, scale: float, summed: bool, best: Any, total: Any, nearest: Any,
    bits: Any, out_memory: Any, out_energy: Any, out_activation: Any, out_hop: Any,
) -> Any:  # fmt: skip
    """Write down the memories of one word of bits, and forget them."""
    m = word << 6
    while bits[word] != 0:
        if bits[word] & np.uint64(1) != 0:
            out_memory[used] = m
            out_energy[used] = scale * (total[m] if summed else best[m])
            out_activation[used], out_hop[used] = best[m], nearest[m]
            used += 1
        bits[word] >>= np.uint64(1)
        m += 1
    return used
