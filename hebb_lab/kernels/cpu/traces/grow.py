"""How an event changes the weights of a run of traces, compiled: loops over lanes, as in fade.

What a line reads it reads before it chooses, for a choice between two places of memory is a branch.
"""

from __future__ import annotations

from typing import Any

from hebb_lab.kernels.cpu.compile import once
from hebb_lab.kernels.cpu.traces.fade import kept, learned_days, learned_half_lives
from hebb_lab.kernels.cpu.traces.halving import halved
from hebb_lab.kernels.cpu.traces.lanes import (
    CAP,
    DAY_US,
    DECAYS_FIRST,
    DEFAULT,
    EXTRA_PASS,
    FIRST,
    FLOOR,
    HIGH,
    INVERSE_SIZE,
    LIFT,
    LOW,
    MODE,
    NPMI_MIN,
    PROVEN,
    PROVEN_WEAK,
    PRUNE,
    PRUNE_WEAK,
    RATE,
    STOP,
    STRENGTH_MAX,
)
from hebb_lab.kernels.parameters import FIXED, LEARNED, LEARNED_OBSERVED


@once
def add(
    rules: Any,
    space: int,
    runs: Any,
    r: int,
    size: int,
    strength: float,
    npmi: float,
    weight: Any,
    found: Any,
) -> None:
    """Add Δw to the decayed weights (or the stored ones); a dead edge is born where admitted."""
    share, first = 1.0 / (size - 1), max(runs[r, FIRST], 0)
    for i in range(runs[r, STOP] - first):
        k = first + i
        was, stored, cap = found[k], weight[0, k], rules[space, CAP, k]
        rate, strength_max = rules[space, RATE, k], rules[space, STRENGTH_MAX, k]
        inverse_size, decays_first = rules[space, INVERSE_SIZE, k], rules[space, DECAYS_FIRST, k]
        gain = rate * min(strength, strength_max) * (share if inverse_size != 0.0 else 1.0)
        grown = min(cap, (was if decays_first != 0.0 else stored) + gain)
        newborn = min(cap, gain) if npmi >= rules[space, NPMI_MIN, k] else 0.0
        weight[0, k] = grown if was >= 0.0 else newborn


@once
def count_up(
    rules: Any, space: int, runs: Any, r: int, npmi: float, count: Any, found: Any
) -> None:
    """Count the reinforcement: a newborn edge has one, one that is not admitted none."""
    first = max(runs[r, FIRST], 0)
    for i in range(runs[r, STOP] - first):
        k = first + i
        was, so_far = found[k], count[0, k]
        newborn = 1 if npmi >= rules[space, NPMI_MIN, k] else 0
        count[0, k] = so_far + 1 if was >= 0.0 else newborn


@once
def store_half_lives(
    rules: Any,
    space: int,
    runs: Any,
    r: int,
    at: int,
    count: Any,
    half_life: Any,
    born: Any,
    found: Any,
) -> None:
    """Learned half-lives as the shipped code stores them (neuralmind.md §1.6)."""
    first = max(runs[r, FIRST], 0)
    for i in range(runs[r, STOP] - first):
        k = first + i
        born[k] = born[k] if found[k] >= 0.0 else at
        if count[0, k] > 0:
            low, high = rules[space, LOW, k], rules[space, HIGH, k]
            young = at - born[k] < DAY_US
            days = rules[space, DEFAULT, k] if young else learned_days(count[0, k], low, high)
            half_life[0, k] = min(max(days, low), high)


@once
def weaken(
    rules: Any,
    space: int,
    runs: Any,
    r: int,
    by: float,
    state_weight: Any,
    state_count: Any,
    found: Any,
) -> None:
    """Take from the decayed weights; ≤ removes here, < in decay (neuralmind.md §1.2)."""
    first = max(runs[r, FIRST], 0)
    for i in range(runs[r, STOP] - first):
        k = first + i
        weight, count = max(0.0, found[k] - by), state_count[0, k]
        gone = weight <= rules[space, PRUNE_WEAK, k] and count < rules[space, PROVEN_WEAK, k]
        alive = found[k] >= 0.0 and not gone
        state_weight[0, k] = weight if alive else 0.0
        state_count[0, k] = count if alive else 0


@once
def one_more_pass(
    rules: Any, space: int, runs: Any, r: int, age: float, count: Any, half_life: Any, found: Any
) -> None:
    """Where passes and decay before reinforcement both hold, a reinforcement is a pass too."""
    first = max(runs[r, FIRST], 0)
    for i in range(runs[r, STOP] - first):
        k = first + i
        if rules[space, EXTRA_PASS, k] == 0.0 or found[k] < 0.0:
            continue
        times = 0.0
        if runs[r, MODE] == FIXED:
            times = age / rules[space, DEFAULT, k]
        elif runs[r, MODE] == LEARNED:
            times = learned_half_lives(rules, space, k, count[0, k], age)
        elif runs[r, MODE] == LEARNED_OBSERVED:
            times = age / half_life[0, k]
        found[k] = kept(
            found[k] * halved(times), found[k], count[0, k], rules[space, PROVEN, k],
            rules[space, FLOOR, k], rules[space, LIFT, k], rules[space, PRUNE, k],
        )  # fmt: skip
