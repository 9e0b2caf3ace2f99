"""How an event changes the weights of a run of traces, compiled: loops over lanes, as in fade."""

from __future__ import annotations

from typing import Any

from hebb_lab.kernels.cpu.compile import step
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


@step
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
    share = 1.0 / (size - 1)
    for k in range(max(runs[r, FIRST], 0), runs[r, STOP]):
        gain = rules[space, RATE, k] * min(strength, rules[space, STRENGTH_MAX, k])
        gain *= share if rules[space, INVERSE_SIZE, k] != 0.0 else 1.0
        base = found[k] if rules[space, DECAYS_FIRST, k] != 0.0 else weight[0, k]
        base = base if found[k] >= 0.0 else 0.0
        grown = min(rules[space, CAP, k], base + gain)
        weight[0, k] = grown if found[k] >= 0.0 or npmi >= rules[space, NPMI_MIN, k] else 0.0


@step
def count_up(
    rules: Any, space: int, runs: Any, r: int, npmi: float, count: Any, found: Any
) -> None:
    """Count the reinforcement: a newborn edge has one, one that is not admitted none."""
    for k in range(max(runs[r, FIRST], 0), runs[r, STOP]):
        newborn = 1 if npmi >= rules[space, NPMI_MIN, k] else 0
        count[0, k] = count[0, k] + 1 if found[k] >= 0.0 else newborn


@step
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
    for k in range(max(runs[r, FIRST], 0), runs[r, STOP]):
        born[k] = born[k] if found[k] >= 0.0 else at
        if count[0, k] > 0:
            low, high = rules[space, LOW, k], rules[space, HIGH, k]
            young = at - born[k] < DAY_US
            days = rules[space, DEFAULT, k] if young else learned_days(count[0, k], low, high)
            half_life[0, k] = min(max(days, low), high)


@step
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
    for k in range(max(runs[r, FIRST], 0), runs[r, STOP]):
        weight, count = max(0.0, found[k] - by), state_count[0, k]
        gone = weight <= rules[space, PRUNE_WEAK, k] and count < rules[space, PROVEN_WEAK, k]
        alive = found[k] >= 0.0 and not gone
        state_weight[0, k] = weight if alive else 0.0
        state_count[0, k] = count if alive else 0


@step
def one_more_pass(
    rules: Any, space: int, runs: Any, r: int, age: float, count: Any, half_life: Any, found: Any
) -> None:
    """Where passes and decay before reinforcement both hold, a reinforcement is a pass too."""
    for k in range(max(runs[r, FIRST], 0), runs[r, STOP]):
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
