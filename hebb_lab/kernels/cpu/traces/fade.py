"""How the weights of a run of traces fade until a moment, compiled: one loop over lanes.

Each loop writes one array and reads at most eight, so that the compiler can show that they do not
overlap and makes several lanes at once of it. ``max(…, 0)`` tells it that no index counts from the
end, and loops begin at 0: without, one takes six times as long.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hebb_lab.kernels.cpu.compile import step
from hebb_lab.kernels.cpu.traces.elementary import logarithm
from hebb_lab.kernels.cpu.traces.halving import halved, quotient
from hebb_lab.kernels.cpu.traces.lanes import (
    COMPOUNDING,
    DAY_US,
    DEFAULT,
    FIRST,
    FLOOR,
    HIGH,
    INTERVAL,
    INVERSE,
    LANE,
    LIFT,
    LOW,
    MODE,
    PROVEN,
    PRUNE,
    STOP,
)
from hebb_lab.kernels.parameters import FIXED, LEARNED, LEARNED_OBSERVED, NONE

DEAD = -1.0
TINY = 1e-37  # a float32 too


@step
def is_plain(runs: Any, r: int) -> bool:
    """Whether ``fade_plainly`` serves the run: a fixed half-life, and no passes."""
    return runs[r, MODE] == FIXED and runs[r, COMPOUNDING] == 0


@step
def fade_plainly(
    rules: Any,
    space: int,
    runs: Any,
    r: int,
    weight: Any,
    count: Any,
    m: int,
    age: float,
    out: Any,
    base: int,
) -> None:
    """Weights of a plain run when ``age`` days have passed since event ``m``; see ``fade``."""
    first, base = max(runs[r, FIRST], 0), max(base, 0)
    for i in range(runs[r, STOP] - first):
        k = first + i
        left = halved(quotient(age, rules[space, DEFAULT, k], rules[space, INVERSE, k]))
        out[base + i] = kept(
            weight[m, k] * left, weight[m, k], count[m, k], rules[space, PROVEN, k],
            rules[space, FLOOR, k], rules[space, LIFT, k], rules[space, PRUNE, k],
        )  # fmt: skip


@step
def shares_left(
    rules: Any, space: int, runs: Any, r: int, age: float, left: Any, line: int
) -> None:
    """What ``age`` days leave of any weight of a plain run, into its lanes of ``left[line]``."""
    first, lane = max(runs[r, FIRST], 0), max(runs[r, LANE], 0)
    for i in range(runs[r, STOP] - first):
        k = first + i
        left[line, lane + i] = halved(
            quotient(age, rules[space, DEFAULT, k], rules[space, INVERSE, k])
        )


@step
def fade_by(
    rules: Any, space: int, runs: Any, r: int, signed: Any, m: int, left: Any, line: int, out: Any
) -> None:
    """``fade_plainly`` where the shares left are known, from weights that say how they stand.

    signed: [M, lanes], a weight that may be pruned; less than 0 where it holds its floor (−TINY for
    0, which has no sign); NaN where the edge is not alive. One number in place of a weight and a
    count: walks wait for memory.
    """
    first, lane = max(runs[r, FIRST], 0), max(runs[r, LANE], 0)
    for i in range(runs[r, STOP] - first):
        k = first + i
        out[lane + i] = signed_left(
            signed[m, lane + i], left[line, lane + i], rules[space, FLOOR, k],
            rules[space, LIFT, k], rules[space, PRUNE, k],
        )  # fmt: skip


@step
def signed_left(signed: float, left: float, floor: float, lift: float, prune: float) -> float:
    """What is left of one such weight, DEAD when that prunes it."""
    weight = abs(signed)
    weight = weight if (signed >= 0.0) | (weight > TINY) else 0.0
    faded = weight * left
    held = max(faded, min(floor, max(weight, lift)))
    loose = faded if faded >= prune else DEAD
    bound = held if signed < 0.0 else loose
    return DEAD if np.isnan(signed) else bound


@step
def kept(
    faded: float, weight: float, count: float, proven: float, floor: float, lift: float,
    prune: float,
) -> float:  # fmt: skip
    """The faded weight, not below the floor of a potentiated edge; DEAD when that prunes it."""
    held = max(faded, min(floor, max(weight, lift)))
    loose = faded if faded >= prune else DEAD
    alive = held if count >= proven else loose
    return alive if count > 0 else DEAD


@step
def fade(
    rules: Any, space: int, runs: Any, r: int, weight: Any, count: Any, half_life: Any, m: int,
    state_us: int, active_us: int, now_us: int, out: Any, base: int,
) -> None:  # fmt: skip
    """Weights of the traces of a run at ``now_us``, DEAD where the edge is not alive.

    For learned half-lives, none, and decay in passes: half-lives first, then what is left.

    ``weight``, ``count`` and ``half_life`` [M, K] are the state after event ``m``, the last that
    was applied (``half_life`` has no rows where no trace fixes half-lives); ``state_us`` and
    ``active_us`` the times of that event and of the last reinforcement, which a penalty does not
    move. ``out`` is filled from ``base`` on, the place of the run's first trace.
    """
    first, base, mode = max(runs[r, FIRST], 0), max(base, 0), runs[r, MODE]
    size = runs[r, STOP] - first
    if runs[r, COMPOUNDING] != 0:
        interval = runs[r, INTERVAL]
        passes = now_us // interval - state_us // interval
        begin = (state_us // interval + 1) * interval - active_us
        _passes(rules, space, runs, r, count, half_life, m, begin, interval, passes, out, base)
        if passes <= 0:
            for i in range(size):
                out[base + i] = weight[m, first + i] if count[m, first + i] > 0 else DEAD
            return
    elif mode == LEARNED:
        age, before = (now_us - active_us) / DAY_US, (state_us - active_us) / DAY_US
        for i in range(size):
            k = first + i
            out[base + i] = learned_half_lives(rules, space, k, count[m, k], age)
        if before > 0.0:
            for i in range(size):
                k = first + i
                out[base + i] -= learned_half_lives(rules, space, k, count[m, k], before)
    elif mode == LEARNED_OBSERVED:
        age = (now_us - state_us) / DAY_US
        for i in range(size):
            days = half_life[m, first + i]
            out[base + i] = age / days if days > 0.0 else 0.0
    else:
        for i in range(size):
            out[base + i] = 0.0
    for i in range(size):
        k = first + i
        out[base + i] = kept(
            weight[m, k] * halved(out[base + i]), weight[m, k], count[m, k],
            rules[space, PROVEN, k], rules[space, FLOOR, k], rules[space, LIFT, k],
            rules[space, PRUNE, k],
        )  # fmt: skip


@step
def _passes(
    rules: Any, space: int, runs: Any, r: int, count: Any, half_life: Any, m: int, begin_us: int,
    interval_us: int, passes: int, out: Any, base: int,
) -> None:  # fmt: skip
    """Half-lives that compounding passes apply: each the whole age again (neuralmind.md §1.4)."""
    first, base, mode = max(runs[r, FIRST], 0), max(base, 0), runs[r, MODE]
    days = passes * (begin_us / DAY_US) + interval_us / DAY_US * (passes * (passes - 1.0) / 2.0)
    for i in range(runs[r, STOP] - first):
        k = first + i
        if mode == LEARNED:
            out[base + i] = 0.0
            for j in range(passes):
                age = (begin_us + j * interval_us) / DAY_US
                out[base + i] += learned_half_lives(rules, space, k, count[m, k], age)
        elif mode == NONE:
            out[base + i] = 0.0
        elif mode == FIXED:
            out[base + i] = days / rules[space, DEFAULT, k]
        else:
            out[base + i] = days / half_life[m, k] if half_life[m, k] > 0.0 else 0.0


@step
def learned_half_lives(rules: Any, space: int, k: int, count: int, age: float) -> float:
    """An age in learned half-lives, as the page reads them at that age.

    Confidence = 2^(−age/default), half-life = (1 − confidence) · default + confidence · learned.
    """
    default, low, high = rules[space, DEFAULT, k], rules[space, LOW, k], rules[space, HIGH, k]
    confidence = halved(age / default)
    mixed = (1.0 - confidence) * default + confidence * learned_days(count, low, high)
    return age / min(max(mixed, low), high)


@step
def learned_days(count: int, low: float, high: float) -> float:
    """Half-life lo + (hi − lo) · r/(1 + r), r = ln(1 + count/10); freq · age is the count."""
    ratio = logarithm(1.0 + count / 10.0)
    return low + (high - low) * ratio / (1.0 + ratio)
