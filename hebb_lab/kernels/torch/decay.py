"""How a weight fades, as tensor operations: the innermost step of replay and of every walk.

Weights are never selected by ``torch.where`` on the way that all rules share: on a processor it
takes 4 ns an entry, a product with a mask 1 ns (measured in float64).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import torch

from hebb_lab.kernels.parameters import LEARNED, LEARNED_OBSERVED, NONE
from hebb_lab.kernels.torch.frontier import added, expand, pieces

if TYPE_CHECKING:
    from torch import Tensor

    from hebb_lab.kernels.torch.rules import TraceRules

DAY_US = 86_400_000_000.0
PASSES = 2**20  # compounding passes that are worked out at once
OF_AN_AGE = ("default_days", "low_days", "high_days", "half_life_mode")


class Gap(NamedTuple):
    """Times in µs, int64, [n, 1] or [n, K]: a state is of ``at`` and is read at ``now``.

    active: of the last reinforcement, which a penalty does not move; None where that is ``at``.
    """

    now: Tensor
    at: Tensor
    active: Tensor | None


def weight_as_of(
    rules: TraceRules, weight: Tensor, count: Tensor, half_life: Tensor | None, gap: Gap
) -> tuple[Tensor, Tensor]:
    """(weight at ``gap.now``, whether the edge is pruned by then), [n, K] each.

    Args:
        rules: of these edges.
        weight: [n, K] after the last applied event; 0 where there is no edge.
        count: [n, K] int32, reinforcements since birth; 0 where there is no edge.
        half_life: [n, K] that a trace fixed at reinforcement; None if no trace does.
        gap: from the state to the moment.
    """
    active = gap.at if gap.active is None else gap.active
    exponent: Any = 0.0
    moved: Tensor | None = None
    if rules.passes[0]:
        exponent = half_lives(rules, count, half_life, days_of(gap.now - active, weight))
        if gap.active is not None:
            exponent = exponent - half_lives(
                rules, count, half_life, days_of(gap.at - active, weight)
            )
    if rules.passes[1]:
        compound, ticks = _passes(rules, count, half_life, gap, weight)
        moved = (ticks > 0) | ~rules.compounding
        exponent = torch.where(rules.compounding, compound, exponent)
    decayed, pruned = faded(rules, weight, count, exponent)
    if moved is None:
        return decayed, pruned
    return torch.where(moved, decayed, weight), pruned & moved


def faded(
    rules: TraceRules, weight: Tensor, count: Tensor, exponent: Tensor
) -> tuple[Tensor, Tensor]:
    """(weight · 2^−exponent, not below the floor of a potentiated edge; whether it is pruned)."""
    decayed = weight * torch.exp2(-exponent)
    potentiated = (count >= rules.potentiation_count) & rules.floor_holds
    floor = torch.minimum(rules.floor, weight)
    if rules.lifts:
        floor = torch.where(rules.floor_lifts, rules.floor, floor)
    decayed = torch.maximum(decayed, floor * potentiated)
    return decayed, (decayed < rules.prune_below) & ~potentiated


def half_lives(rules: TraceRules, count: Tensor, half_life: Tensor | None, days: Tensor) -> Tensor:
    """Age since the last reinforcement in half-lives, [n, K].

    A learned half-life is read at that age: confidence = 2^(−age/default), half-life =
    (1 − confidence) · default + confidence · learned.
    """
    age = days / rules.default_days
    if LEARNED in rules.modes:
        confidence = torch.exp2(-age)
        learned = learned_days(rules, count, days.dtype)
        mixed = (1 - confidence) * rules.default_days + confidence * learned
        learned_age = days / clamped(rules, mixed)
        if len(rules.modes) == 1:
            return learned_age
        age = torch.where(rules.half_life_mode == LEARNED, learned_age, age)
    if half_life is not None:
        own = torch.where(half_life > 0, half_life, 1.0)
        age = torch.where(rules.half_life_mode == LEARNED_OBSERVED, days / own, age)
    if NONE in rules.modes:
        age = torch.where(rules.half_life_mode == NONE, torch.zeros_like(age), age)
    return age


def learned_days(rules: TraceRules, count: Tensor, dtype: torch.dtype) -> Tensor:
    """Half-life lo + (hi − lo) · r/(1 + r), r = ln(1 + count/10); freq · age is the count."""
    ratio = torch.log(1 + count.to(dtype) / 10)
    return rules.low_days + (rules.high_days - rules.low_days) * ratio / (1 + ratio)


def clamped(rules: TraceRules, days: Tensor) -> Tensor:
    """Within the bounds of a learned half-life."""
    return torch.minimum(torch.maximum(days, rules.low_days), rules.high_days)


def days_of(age_us: Tensor, like: Tensor) -> Tensor:
    """Days from µs, which were subtracted as whole numbers."""
    return (age_us.to(torch.float64) / DAY_US).to(like.dtype)


def _passes(
    rules: TraceRules, count: Tensor, half_life: Tensor | None, gap: Gap, like: Tensor
) -> tuple[Tensor, Tensor]:
    """(half-lives that compounding passes in (at, now] apply, how many there are), [n, K].

    Each applies the whole age again (neuralmind.md §1.4).
    """
    interval, active = rules.interval_us, gap.at if gap.active is None else gap.active
    done = torch.div(gap.at, interval, rounding_mode="floor")
    ticks = torch.div(gap.now, interval, rounding_mode="floor") - done
    first = (done + 1) * interval - active  # age at the first of them, µs
    days = ticks.to(torch.float64) * (first.to(torch.float64) / DAY_US)
    days = days + interval.to(torch.float64) / DAY_US * (ticks * (ticks - 1)).to(torch.float64) / 2
    total = days.to(like.dtype) / rules.default_days
    if half_life is not None:
        own = days.to(like.dtype) / torch.where(half_life > 0, half_life, 1.0)
        total = torch.where(rules.half_life_mode == LEARNED_OBSERVED, own, total)
    if LEARNED in rules.modes:
        total = _learned_passes(rules, count, ticks, first, total)
    if NONE in rules.modes:
        total = torch.where(rules.half_life_mode == NONE, torch.zeros_like(total), total)
    return total, ticks


def _learned_passes(
    rules: TraceRules, count: Tensor, ticks: Tensor, first: Tensor, total: Tensor
) -> Tensor:
    """``total`` with what each pass applies where half-lives are learned, which has no sum."""
    shape = (total + count).shape
    ticks, first = ticks.expand(shape), first.expand(shape)
    learned = (rules.half_life_mode == LEARNED) & rules.compounding & (ticks > 0)
    row, column = torch.nonzero(learned.expand(shape), as_tuple=True)

    def own(part: Tensor) -> Tensor:
        return part.expand(shape)[row, column]

    flat = rules._replace(
        default_days=own(rules.default_days), low_days=own(rules.low_days),
        high_days=own(rules.high_days), modes=frozenset([LEARNED]),
        half_life_mode=torch.full_like(row, LEARNED),
    )  # fmt: skip
    interval, ages, passes = own(rules.interval_us), first[row, column], ticks[row, column]
    sums = []
    for start, stop in pieces(passes, PASSES):
        item, step = expand(torch.zeros_like(passes[start:stop]), passes[start:stop])
        item = item + start
        one = flat._replace(**{name: getattr(flat, name)[item] for name in OF_AN_AGE})
        days = days_of(ages[item] + step * interval[item], total)
        applied = half_lives(one, own(count)[item], None, days)
        sums.append(added(item - start, applied, stop - start))
    if not sums:
        return total
    return total.expand(shape).index_put((row, column), torch.cat(sums))
