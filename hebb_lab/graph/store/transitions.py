"""Directed transitions, "a then b": what comes next.

Each consecutive pair of different nodes: w = min(100, w + 1.0 · clamp(strength, 0, 5)). They decay
with the default half-life of their namespace, have no floor, and below 0.5 they are gone.
The page says nothing of them; these are the numbers of the code (v3.3.0).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from hebb_lab.graph.store.decay import transition_at, transition_half_lives
from hebb_lab.graph.store.edges import Key, Transition, clamp, house_order

if TYPE_CHECKING:
    from hebb_lab.graph.rules import SynapseRules

LEARNING_RATE = 1.0
STRENGTH_MAX = 5.0
WEIGHT_CAP = 100.0
PRUNE_BELOW = 0.5


class Transitions:
    """All transitions of a store.

    Args:
        rules: half-lives, ``decay_passes`` and ``decay_before_reinforcement`` hold here too.
    """

    def __init__(self, rules: SynapseRules) -> None:
        self.rules = rules
        self.moves: dict[Key, Transition] = {}

    def record(self, nodes: Iterable[str], now_us: int, strength: float, namespace: str) -> int:
        """Strengthen each step; empty ids are dropped and repeats in a row are one touch.

        Returns:
            The number of steps.
        """
        gain = LEARNING_RATE * clamp(strength, 0.0, STRENGTH_MAX)
        steps = [(a, b) for a, b in pairwise(node for node in nodes if node) if a != b]
        for a, b in steps:
            key = (a, b, namespace)
            if self.rules.decay_passes == "compounding" and self.rules.decay_before_reinforcement:
                self._pass(key, now_us)
            move = self.alive(key, now_us)
            if move is None:
                move = self.moves[key] = Transition(0.0, 0, now_us)
            if self.rules.decay_before_reinforcement:
                move.weight = transition_at(self.rules, move, namespace, now_us)
            move.weight = min(WEIGHT_CAP, move.weight + gain)
            move.count += 1
            move.last_us = max(move.last_us, now_us)
        return len(steps)

    def alive(self, key: Key, now_us: int) -> Transition | None:
        """The transition, or None where it is not there or has faded."""
        move = self.moves.get(key)
        if move is None:
            return None
        compounding = self.rules.decay_passes == "compounding"
        faded = transition_at(self.rules, move, key[2], now_us) < PRUNE_BELOW
        return None if faded and not compounding else move

    def merged(
        self, now_us: int, factors: Mapping[str, float], source: str | None = None
    ) -> list[tuple[str, str, float, int]]:
        """(a, b, weight, count) over namespaces, strongest first; weights times their factors."""
        totals: dict[tuple[str, str], tuple[float, int]] = {}
        for key in sorted(self.moves):
            a, b, namespace = key
            if namespace not in factors or source not in (None, a):
                continue
            move = self.alive(key, now_us)
            if move is not None:
                weight, count = totals.get((a, b), (0.0, 0))
                share = transition_at(self.rules, move, namespace, now_us) * factors[namespace]
                totals[a, b] = (weight + share, count + move.count)
        rows = [(a, b, weight, count) for (a, b), (weight, count) in totals.items()]
        return sorted(rows, key=lambda row: (*house_order((row[1], row[2])), row[0]), reverse=True)

    def next_likely(
        self, node: str, now_us: int, factors: Mapping[str, float], top_k: int
    ) -> list[tuple[str, float]]:
        """(successor, probability): weight over the sum of ALL successors, cut to top_k after."""
        rows = self.merged(now_us, factors, source=node)
        total = sum(weight for _, _, weight, _ in rows)
        if total <= 0:
            return []
        return [(b, weight / total) for _, b, weight, _ in rows[: max(top_k, 0)]]

    def decay(self, now_us: int, source: str | None = None) -> int:
        """One pass, over all or the outgoing transitions of one node; returns how many are gone."""
        before = len(self.moves)
        for key in list(self.moves):
            if source in (None, key[0]):
                self._pass(key, now_us)
        return before - len(self.moves)

    def _pass(self, key: Key, now_us: int) -> None:
        """A pass on one transition, if it is there: compounding fades it, both prune it."""
        move = self.moves.get(key)
        if move is None:
            return
        if self.rules.decay_passes == "compounding":
            move.weight *= 2 ** -transition_half_lives(self.rules, move, key[2], now_us)
        if transition_at(self.rules, move, key[2], now_us) < PRUNE_BELOW:
            del self.moves[key]
