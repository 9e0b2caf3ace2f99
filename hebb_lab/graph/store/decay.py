"""How an edge fades: half-lives, the floor, and pruning, as pure functions of the edge and a time.

Continuous decay. With x(t) = age(t) / half-life(t), the age counted from the last reinforcement,

    w(t) = w(t₀) · 2^−(x(t) − x(t₀)),   t₀ the moment for which the weight is stored,

so no read and no pass can count an age twice. Compounding decay: the stored weight is the weight,
and each pass multiplies it by 2^−x(pass), the whole age again.
Source: rules.md §1; the page "Budget-Neutral Synaptic Recall", section 2; observed: v3.3.0.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hebb_lab.graph.store.edges import (
    DAY_US,
    EPHEMERAL,
    PERSONAL,
    SHARED,
    Edge,
    Transition,
    clamp,
)

if TYPE_CHECKING:
    from hebb_lab.graph.rules import SynapseRules


def age_days(now_us: int, then_us: int) -> float:
    """Days from then to now; a moment in the future has age 0."""
    return max(0, now_us - then_us) / DAY_US


def _saturating(low: float, high: float, count: int) -> float:
    """Half-life low + (high − low) · r / (1 + r), r = ln(1 + freq · age/10) = ln(1 + count/10)."""
    ratio = math.log1p(count / 10)
    return low + (high - low) * ratio / (1 + ratio)


def learned_half_life_days(
    rules: SynapseRules, namespace: str, count: int, days_since_last: float
) -> float:
    """The documented half-life, asked for at the moment of reading.

    confidence = 2^(−days since last / default), ratio = ln(1 + count/10),
    (1 − confidence) · default + confidence · (lo + (hi − lo) · ratio/(1 + ratio)), in [lo, hi].
    The page bounds every namespace by [3, 120] days, so ``shared`` too, and knows no young edges:
    the age cancels in freq · age. (A floor of 60 for ``shared`` and a first day at the default are
    what the code adds: ``observed_half_life_days``.)

    >>> from hebb_lab.graph.rules import DOCUMENTED
    >>> round(learned_half_life_days(DOCUMENTED, "personal", 40, 0), 1)
    75.2
    >>> round(learned_half_life_days(DOCUMENTED, "personal", 2, 25), 1)
    25.0
    """
    low, high = rules.half_life_min_days, rules.half_life_max_days
    default = rules.half_life_default_days(namespace)
    confidence = 2 ** (-days_since_last / default)
    learned = _saturating(low, high, count)
    return clamp((1 - confidence) * default + confidence * learned, low, high)


def observed_half_life_days(
    rules: SynapseRules, namespace: str, count: int, age_at_reinforcement_days: float
) -> float:
    """What the code stores at a reinforcement: in the edge's first day the default, then by count.

    Both in [lo, hi]; of ``shared`` lo is its default. The confidence is always 1 at that moment.
    """
    default = rules.half_life_default_days(namespace)
    low, high = rules.half_life_min_days, rules.half_life_max_days
    if namespace == SHARED:
        low = max(low, default)
    if age_at_reinforcement_days < 1:
        return clamp(default, low, high)
    return clamp(_saturating(low, high, count), low, high)


def half_life_days(rules: SynapseRules, edge: Edge, namespace: str, now_us: int) -> float:
    """The half-life that rules an edge's decay up to now; infinite where nothing decays.

    A half-life stored with the edge goes before the namespace's; ``learned`` is evaluated for any
    edge, also a seeded or imported one, from its count and its last activation.
    """
    if rules.half_life == "none":
        return math.inf
    if edge.half_life_days is not None:
        return edge.half_life_days
    if rules.half_life == "learned":
        since = age_days(now_us, edge.last_us)
        return learned_half_life_days(rules, namespace, edge.count, since)
    return rules.half_life_default_days(namespace)


def _half_lives(rules: SynapseRules, edge: Edge, namespace: str, now_us: int) -> float:
    """x(now): the age since the last reinforcement in half-lives."""
    return age_days(now_us, edge.last_us) / half_life_days(rules, edge, namespace, now_us)


def holds_floor(rules: SynapseRules, edge: Edge, namespace: str) -> bool:
    """Whether the edge is potentiated: it keeps a floor and decay never prunes it."""
    exempt = namespace == EPHEMERAL and not rules.ephemeral_floor
    return rules.potentiation and edge.count >= rules.potentiation_count and not exempt


def _floored(rules: SynapseRules, edge: Edge, namespace: str, decayed: float) -> float:
    """Documented: not below min(its weight, floor). ``floor_lifts``: never below the floor."""
    if not holds_floor(rules, edge, namespace):
        return decayed
    floor = rules.potentiation_floor
    return max(decayed, floor if rules.floor_lifts else min(edge.weight, floor))


def weight_at(rules: SynapseRules, edge: Edge, namespace: str, now_us: int) -> float:
    """The edge's weight now, not asking whether it is pruned. Writes nothing."""
    if rules.decay_passes == "compounding":
        return edge.weight
    faded = _half_lives(rules, edge, namespace, now_us) - _half_lives(
        rules, edge, namespace, edge.at_us
    )
    return _floored(rules, edge, namespace, edge.weight * 2**-faded)


def weight_after_pass(rules: SynapseRules, edge: Edge, namespace: str, now_us: int) -> float:
    """The weight that a compounding pass leaves: the whole age applied to the stored weight."""
    decayed = edge.weight * 2 ** -_half_lives(rules, edge, namespace, now_us)
    return _floored(rules, edge, namespace, decayed)


def weight_after_feedback(rules: SynapseRules, edge: Edge, now_us: int) -> float:
    """What ``decay_node`` leaves: the personal half-life and the floor, in every namespace."""
    if rules.half_life == "none":
        return edge.weight
    decayed = edge.weight * 2 ** -(age_days(now_us, edge.last_us) / rules.half_life_personal_days)
    return _floored(rules, edge, PERSONAL, decayed)


def is_below_pruning(rules: SynapseRules, edge: Edge, namespace: str, weight: float) -> bool:
    """Strictly below the threshold and not potentiated; a threshold of 0 prunes nothing."""
    return weight < rules.prune_below and not holds_floor(rules, edge, namespace)


def is_gone(rules: SynapseRules, edge: Edge, namespace: str, now_us: int) -> bool:
    """Whether a reader finds no edge any more.

    Continuous: from the moment at which the weight is below pruning. Compounding: only a pass
    deletes, so between passes a weak edge is still there.
    """
    if rules.decay_passes == "compounding":
        return False
    return is_below_pruning(rules, edge, namespace, weight_at(rules, edge, namespace, now_us))


def transition_at(rules: SynapseRules, move: Transition, namespace: str, now_us: int) -> float:
    """A transition's weight now: the namespace's default half-life, no learning, no floor."""
    if rules.decay_passes == "compounding":
        return move.weight
    return move.weight * 2 ** -transition_half_lives(rules, move, namespace, now_us)


def transition_half_lives(
    rules: SynapseRules, move: Transition, namespace: str, now_us: int
) -> float:
    """A transition's age in half-lives; 0 where nothing decays."""
    if rules.half_life == "none":
        return 0.0
    return age_days(now_us, move.last_us) / rules.half_life_default_days(namespace)
