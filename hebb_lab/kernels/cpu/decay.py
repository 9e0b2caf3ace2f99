"""How a weight fades, compiled: the innermost step of replay and of every walk.

Scalars and one table go in, since a tuple of arrays costs a reference count per array and call
(0.3 µs an edge, measured on the walk, against 0.03 µs), and time to compile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.kernels.cpu.compile import part, step
from hebb_lab.kernels.parameters import LEARNED, LEARNED_OBSERVED, NONE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.kernels.parameters import TraceArrays

DAY_US = 86_400_000_000.0
LN2 = float(np.log(2.0))
(
    RATE, STRENGTH_MAX, CAP, WINDOW_MAX, INVERSE_SIZE, NPMI_MIN, DECAY_BEFORE, MODE, DEFAULT, LOW,
    HIGH, COMPOUNDING, INTERVAL, PROVEN, FLOOR, HOLDS, LIFTS, PRUNE,
) = range(18)  # fmt: skip
"""Columns of the table, in the order of TraceArrays."""


def rule_table(p: TraceArrays) -> NDArray[np.float64]:
    """The rules as one [K, S, 18] table; µs and counts are exact below 2⁵³."""
    shape = p.default_days.shape
    exact = p._replace(
        window_max=np.minimum(p.window_max, 2**53),
        potentiation_count=np.minimum(p.potentiation_count, 2**53),
    )
    wide = [c if c.ndim == 2 else np.broadcast_to(c[:, None], shape) for c in exact]
    return np.ascontiguousarray(np.stack([c.astype(np.float64) for c in wide], axis=-1))


@step
def learned_days(count: int, low: float, high: float) -> float:
    """Half-life lo + (hi − lo) · r/(1 + r), r = ln(1 + count/10); freq · age is the count."""
    ratio = np.log(1.0 + count / 10.0)
    return low + (high - low) * ratio / (1.0 + ratio)


@step
def weight_as_of(
    table: Any, k: int, space: int, weight: float, count: int, half_life: float,
    state_us: int, active_us: int, now_us: int,
) -> tuple[float, bool]:  # fmt: skip
    """(weight at ``now_us``, whether the edge is pruned by then).

    ``k`` and ``space`` name trace and namespace; ``weight``, ``count`` and ``half_life`` are the
    state after the last applied event, at ``state_us``; ``active_us`` is the time of the last
    reinforcement, which a penalty does not move.
    """
    if table[k, space, COMPOUNDING] != 0.0:
        interval = int(table[k, space, INTERVAL])
        passes = now_us // interval - state_us // interval
        if passes <= 0:
            return weight, False
        first = (state_us // interval + 1) * interval
        exponent = _passes(table, k, space, count, half_life, first, passes, active_us)
    else:
        exponent = half_lives(table, k, space, count, half_life, now_us - active_us)
        if state_us > active_us:
            exponent -= half_lives(table, k, space, count, half_life, state_us - active_us)
    return faded(table, k, space, weight, count, exponent)


@step
def faded(
    table: Any, k: int, space: int, weight: float, count: int, exponent: float
) -> tuple[float, bool]:
    """(weight · 2^−exponent, not below the floor of a potentiated edge; whether it is pruned)."""
    decayed = weight * np.exp(-LN2 * exponent)
    if count >= table[k, space, PROVEN] and table[k, space, HOLDS] != 0.0:
        floor = table[k, space, FLOOR]
        if table[k, space, LIFTS] == 0.0:
            floor = min(floor, weight)
        return max(decayed, floor), False
    return decayed, decayed < table[k, space, PRUNE]


@step
def half_lives(table: Any, k: int, space: int, count: int, half_life: float, age_us: int) -> float:
    """Age since the last reinforcement in half-lives.

    A learned half-life is read at that age: confidence = 2^(−age/default), half-life =
    (1 − confidence) · default + confidence · learned.
    """
    mode = table[k, space, MODE]
    if mode == NONE:
        return 0.0
    age, default = age_us / DAY_US, table[k, space, DEFAULT]
    if mode == LEARNED_OBSERVED:
        return age / half_life
    if mode != LEARNED:
        return age / default
    confidence = np.exp(-LN2 * age / default)
    low, high = table[k, space, LOW], table[k, space, HIGH]
    mixed = (1.0 - confidence) * default + confidence * learned_days(count, low, high)
    return age / min(max(mixed, low), high)


@part
def _passes(
    table: Any, k: int, space: int, count: int, half_life: float,
    first_us: int, passes: int, active_us: int,
) -> float:  # fmt: skip
    """Half-lives that compounding passes apply: each the whole age again (neuralmind.md §1.4)."""
    interval, mode = int(table[k, space, INTERVAL]), table[k, space, MODE]
    if mode == NONE:
        return 0.0
    if mode == LEARNED:
        total = 0.0
        for i in range(passes):
            age = first_us + i * interval - active_us
            total += half_lives(table, k, space, count, half_life, age)
        return total
    days = passes * ((first_us - active_us) / DAY_US)
    days += interval / DAY_US * (passes * (passes - 1.0) / 2.0)
    return days / (half_life if mode == LEARNED_OBSERVED else table[k, space, DEFAULT])
