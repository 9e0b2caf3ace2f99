"""What a decay sweep over memories may not be started with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.kernels.arrays import as_numpy
from hebb_lab.kernels.checks.entries import (
    REAL,
    WHOLE,
    all_good,
    check_kind,
    check_length,
    number_good,
)  # fmt: skip

if TYPE_CHECKING:
    from hebb_lab.kernels.retention import MemoryArrays, RetentionArrays


def check_memories(memories: MemoryArrays) -> None:
    """Columns of one length, of numbers that memories can have.

    Raises:
        InputError: importance that is not in [0, 1], a time before 1970, a negative count.
    """
    if not isinstance(memories.importance, np.ndarray):
        return
    for name, values in memories._asdict().items():
        check_kind(f"memories' {name}", values, REAL if name == "importance" else WHOLE)
        check_length(f"memories' {name}", values, len(memories.importance))
    _check_range("importance", memories.importance, 0.0, 1.0)
    for name in ("created_us", "accessed_us", "access_count"):
        _check_range(name, getattr(memories, name), 0, np.iinfo(np.int64).max)


def _check_range(name: str, values: Any, least: float, most: float) -> None:
    if len(values) and not (values.min() >= least and values.max() <= most):  # NaN is not either
        good = (values >= least) & (values <= most)
        all_good(f"memories' {name}", f"is outside [{least:g}, {most:g}]", good)


def check_retention(rules: RetentionArrays, now_us: int) -> None:
    """C configurations, and a time from 1970 up.

    Raises:
        ConfigError: a half-life that is not above 0, a negative gain or cap.
        InputError: arrays of another shape; a time that no int64 holds.
    """
    if not 0 <= now_us <= np.iinfo(np.int64).max:
        raise InputError(f"the time {now_us} is outside int64 from 1970 up", "Give µs since 1970")
    for name, values in rules._asdict().items():
        kinds = {"count_cap": WHOLE, "from_created": "b"}.get(name, REAL)
        check_kind(f"decay's {name}", values, kinds, (len(rules.half_life_us),))
    half_life, gain = as_numpy(rules.half_life_us), as_numpy(rules.importance_gain)
    good = np.isfinite(half_life) & (half_life > 0)
    number_good("half-life in µs", half_life, good, "Give a time above 0")
    for name, value in (("gain of importance", gain), ("cap of counts", as_numpy(rules.count_cap))):
        number_good(name, value, np.isfinite(value) & (value >= 0), "Give a number from 0 up")
