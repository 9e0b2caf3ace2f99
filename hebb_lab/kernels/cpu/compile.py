"""How the kernels are compiled, and how they run in threads.

The first run on a machine waits for the compiler, so kernels are kept cheap to compile (their
seconds: the cold run of tests/benchmarks/test_runs.py):

- Every function is compiled for one set of types. A bare ``0`` is a type of its own, for which all
  that it is handed to would be compiled once more; ``ZERO`` is a plain int64.
- Threads are Python's. With numba's own (``parallel=True``) a kernel takes three times as long.
- NumPy allocates beforehand what a kernel works in; ``np.zeros`` would be compiled too.
- Divisors are above 0 (SynapseRules sees to it), so nothing looks for a division by 0.

numba looks at the file of a kernel alone to see whether what it kept is stale: after a change of
another file that the kernel calls, delete ``__pycache__`` (``make clean`` does).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads, njit

if TYPE_CHECKING:
    from collections.abc import Callable

ZERO: Any = np.int64(0)

_KERNEL: dict[str, Any] = {"cache": True, "nogil": True, "no_cfunc_wrapper": True}
_STEP: dict[str, Any] = {"forceinline": True, "no_cfunc_wrapper": True}
_PART: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

kernel = njit(error_model="numpy", **_KERNEL)
"""Called from Python: kept on the disk, and other threads run meanwhile."""

step = njit(error_model="numpy", **_STEP)
"""A few lines of an inner loop, always inlined: without, the walk takes a third longer."""

part = njit(error_model="numpy", **_PART)
"""Called from kernels alone: to unpack its tuples for Python would be compiled too."""


def pieces_of(count: int, size: int) -> list[tuple[int, int]]:
    """[0, count) in pieces of a size; the last one may be shorter.

    >>> pieces_of(5, 2)
    [(0, 2), (2, 4), (4, 5)]
    """
    return [(first, min(first + size, count)) for first in range(0, count, size)]


def in_threads(work: Callable[[int, int], None], pieces: list[tuple[int, int]]) -> None:
    """Call ``work`` with each piece, in as many threads as numba may use.

    Pieces write to different places, so the result is the same for any number of threads.

    Raises:
        Exception: what the first piece that failed has raised, when all have ended.
    """
    threads = min(get_num_threads(), len(pieces))
    if threads < 2:
        for piece in pieces:
            work(*piece)
        return
    with ThreadPoolExecutor(threads) as pool:
        running = [pool.submit(work, *piece) for piece in pieces]
    for each in running:
        each.result()
