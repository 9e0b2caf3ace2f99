"""How the kernels are compiled, and how they run in threads.

The first run on a machine waits for the compiler, so kernels are kept cheap to compile (their
seconds: the cold run of tests/benchmarks/test_runs.py):

- Every function is compiled for one set of types. A bare ``0`` is a type of its own, for which all
  that it is handed to would be compiled once more; ``ZERO`` is a plain int64.
- Threads are Python's. With numba's own (``parallel=True``) a kernel takes three times as long.
- NumPy allocates beforehand what a kernel works in; ``np.zeros`` would be compiled too, and so
  would a slice or a sum of an array.
- A loop over lanes writes one array and reads at most eight, so that the compiler can show that
  they do not overlap, and works on four or eight lanes with one instruction.
- Divisors are above 0 (SynapseRules sees to it), so nothing looks for a division by 0.

numba looks at the file of a kernel alone to see whether what it kept is stale: after a change of
another file that the kernel calls, delete ``__pycache__`` (``make clean`` does).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads, njit

if TYPE_CHECKING:
    from collections.abc import Callable

ZERO: Any = np.int64(0)

# "contract": a product and the sum it goes into are one instruction, rounded once.
# "_nrt": no counting of references, which takes 15 ns an array and call; nothing is allocated.
_ALL: dict[str, Any] = {"fastmath": {"contract"}, "_nrt": False, "no_cfunc_wrapper": True}
_KERNEL: dict[str, Any] = {**_ALL, "cache": True, "nogil": True}
_STEP: dict[str, Any] = {**_ALL, "forceinline": True}
_PART: dict[str, Any] = {**_ALL, "no_cpython_wrapper": True}

kernel = njit(error_model="numpy", **_KERNEL)
"""Called from Python: kept on the disk, and other threads run meanwhile."""

step = njit(error_model="numpy", **_STEP)
"""A few lines of an inner loop, always inlined: without, the walk takes a third longer."""

part = njit(error_model="numpy", **_PART)
"""Called from kernels alone: to unpack its tuples for Python would be compiled too."""


def is_compiled(function: Any) -> bool:
    """Whether numba has kept the kernel on the disk from an earlier run."""
    file = getattr(getattr(function, "_cache", None), "_cache_file", None)
    index = getattr(file, "_index_path", None)
    return index is None or Path(index).exists()


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


def in_workers(
    make: Callable[[], Any],
    work: Callable[[Any, int, int], None],
    pieces: list[tuple[int, int]],
) -> None:
    """Call ``work`` with each piece, a thread at a time with a thing of its own.

    Each of as many threads as numba may use makes one thing and takes the pieces that are next, so
    that its pieces ascend.

    Raises:
        Exception: what the first piece that failed has raised, when all have ended.
    """
    waiting = iter(pieces)
    lock = Lock()

    def take(_first: int, _stop: int) -> None:
        thing = None
        while True:
            with lock:
                piece = next(waiting, None)
            if piece is None:
                return
            thing = make() if thing is None else thing
            work(thing, *piece)

    in_threads(take, pieces[: get_num_threads()])
