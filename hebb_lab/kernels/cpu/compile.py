"""How the kernels are compiled, and how they run in threads.

The first run on a machine waits for the compiler, so kernels are kept cheap to compile (their
seconds: the cold run of tests/benchmarks/test_runs.py):

- Whatever is called is compiled, optimised and emitted by itself, and again inside each of its
  callers. So lines that stand in one place alone are ``once``, and no function hands many arrays
  to another that does little.
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

import os
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import config, get_num_threads, njit

if TYPE_CHECKING:
    from collections.abc import Callable

ZERO: Any = np.int64(0)

# "contract": a product and the sum it goes into are one instruction, rounded once.
# "_nrt": no counting of references, which takes 15 ns an array and call; nothing is allocated.
_ALL: dict[str, Any] = {"fastmath": {"contract"}, "_nrt": False, "no_cfunc_wrapper": True}
_KERNEL: dict[str, Any] = {**_ALL, "cache": True, "nogil": True}
_PART: dict[str, Any] = {**_ALL, "no_cpython_wrapper": True}
_STEP: dict[str, Any] = {**_PART, "forceinline": True}

kernel = njit(error_model="numpy", **_KERNEL)
"""Called from Python: kept on the disk, and other threads run meanwhile."""

step = njit(error_model="numpy", **_STEP)
"""A few lines of an inner loop, always inlined: without, the walk takes a third longer.

Called from kernels alone, as a ``part`` is.
"""

once = njit(error_model="numpy", inline="always", **_PART)
"""Lines of an inner loop that are called in one place alone: they are put there before anything is
compiled, which takes a fifth less than to compile, optimise and emit them by themselves first."""

part = njit(error_model="numpy", **_PART)
"""Called from kernels alone: to unpack its arrays for Python would be compiled too, a tenth of all
the time that compiling takes."""


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
        Exception: as ``in_workers``.
    """
    in_workers(lambda: None, lambda _, first, stop: work(first, stop), pieces)


def in_workers(
    make: Callable[[], Any],
    work: Callable[[Any, int, int], None],
    pieces: list[tuple[int, int]],
    give_back: Callable[[Any], None] | None = None,
) -> None:
    """Call ``work`` with each piece, a thread at a time with a thing of its own.

    The calling thread and as many others as numba may use beside it make one thing each and take
    the pieces that are next, so that a thread's pieces ascend. Whoever is done gives its thing
    back; one whose piece failed does not.

    Raises:
        Exception: what a piece has raised, when those that were begun have ended; no other is
            begun.
    """
    waiting, lock = iter(pieces), Lock()

    def next_piece() -> tuple[int, int] | None:
        with lock:
            return next(waiting, None)

    def take() -> None:
        _take(next_piece, make, work, give_back)

    if len(pieces) < 2:
        take()
        return
    beside = min(get_num_threads(), len(pieces)) - 1
    running = [_helpers(os.getpid()).submit(take) for _ in range(beside)]
    try:
        take()
    finally:
        ended = [each.exception() for each in running if not each.cancel()]
        failed = [error for error in ended if error is not None]
        # An error that this frame held on to would hold this frame, and what was made in it.
        del ended, running
    if failed:
        raise failed.pop(0)


def _take(
    next_piece: Callable[[], tuple[int, int] | None], make: Callable[[], Any],
    work: Callable[[Any, int, int], None], give_back: Callable[[Any], None] | None,
) -> None:  # fmt: skip
    """Work on pieces until there are none, or leave none to others where one has failed."""
    piece = next_piece()
    if piece is None:
        return
    try:
        thing = make()
        while piece is not None:
            work(thing, *piece)
            piece = next_piece()
    except BaseException:
        while next_piece() is not None:
            pass
        raise
    if give_back is not None:
        give_back(thing)


@lru_cache(maxsize=1)
def _helpers(_process: int) -> ThreadPoolExecutor:
    """The threads beside those that call: kept, since to start them takes a third of a millisecond.

    They wait between calls and end with the program. A process that was forked has none of its
    parent's threads, and starts its own.
    """
    settings: Any = config
    return ThreadPoolExecutor(settings.NUMBA_NUM_THREADS, "hebb_lab")
