"""Where memory does not last, fewer queries at a time."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.kernels.arrays import Found, nothing_found

if TYPE_CHECKING:
    from collections.abc import Callable

    from hebb_lab.kernels.arrays import QueryArrays

log = logging.getLogger(__name__)


def in_halves(
    name: str, queries: QueryArrays, configs: int, k: int, walk: Callable[[QueryArrays], Found]
) -> Found:
    """Walk all queries at once, or, where memory does not last, in halves, and so on."""
    count = len(queries.time)
    if count == 0:
        return nothing_found(configs, count, k)
    try:
        return walk(queries)
    except Exception as error:
        size = _half(name, count, error)
    # The error held what the walk had made; from here on it is gone.
    found, first = nothing_found(configs, count, k), 0
    while first < count:
        stop = min(first + size, count)
        try:
            part = walk(queries.part(first, stop))
        except Exception as error:
            size = _half(name, size, error)
            continue
        for field in Found._fields:
            getattr(found, field)[:, first:stop] = getattr(part, field)
        first = stop
    log.warning("%s: %d queries at a time held", name, size)
    return found


def _half(name: str, size: int, error: Exception) -> int:
    """Half as many queries where memory did not last for ``size``; any other error goes on."""
    if not _out_of_memory(error) or size == 1:
        raise error
    half = -(-size // 2)
    log.warning("%s: out of memory; now %d queries at a time", name, half)
    return half


def _out_of_memory(error: Exception) -> bool:
    """NumPy, torch and CuPy each have an error of their own, the last two by this name."""
    return isinstance(error, MemoryError) or type(error).__name__ in (
        "OutOfMemoryError", "CUDAOutOfMemoryError",
    )  # fmt: skip


def address_of(array: Any) -> int:
    """Where an array of NumPy, torch or CuPy begins in memory."""
    if isinstance(array, np.ndarray):
        return array.ctypes.data
    return int(array.data_ptr() if hasattr(array, "data_ptr") else array.data.ptr)
