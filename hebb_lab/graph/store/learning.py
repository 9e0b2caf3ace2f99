"""Learning: windows strengthen, feedback weakens, rare coincidences may be refused."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.graph.store import decay
from hebb_lab.graph.store.edges import (
    PERSONAL,
    Edge,
    Key,
    clamp,
    distinct,
    edge_key,
    namespace_name,
)
from hebb_lab.graph.store.table import EdgeTable

if TYPE_CHECKING:
    from hebb_lab.graph.rules import SynapseRules


class WindowCounts:
    """How many windows so far held a node, or a pair, over all namespaces and sizes."""

    def __init__(self) -> None:
        self.windows = 0
        self.with_node: Counter[str] = Counter()
        self.with_pair: Counter[tuple[str, str]] = Counter()

    def add(self, members: list[str]) -> None:
        """Count one window, given its distinct nodes in byte-wise order."""
        self.windows += 1
        self.with_node.update(members)
        self.with_pair.update(combinations(members, 2))

    def npmi(self, a: str, b: str) -> float:
        """Normalised pointwise mutual information of a pair that some window held.

        ln(p(a,b) / (p(a) p(b))) / −ln p(a,b), p = windows with it / windows so far; in [−1, 1],
        and 1 where every window so far held the pair. Rounded to float32, as the TemporalGraph
        keeps it, so that both fall on one side of a threshold. (Bouma 2009.)

        >>> counts = WindowCounts()
        >>> for window in (["a", "b"], ["a", "b"], ["a", "c"], ["c", "d"]):
        ...     counts.add(window)
        >>> round(counts.npmi("a", "b"), 3), round(counts.npmi("a", "c"), 3)
        (0.415, -0.292)
        """
        both = self.with_pair[a, b]
        if both == self.windows:
            return 1.0
        joint = math.log(both / self.windows)
        alone = math.log(self.with_node[a] / self.windows)
        alone += math.log(self.with_node[b] / self.windows)
        return float(np.float32((joint - alone) / -joint))


class LearningTable(EdgeTable):
    """The edges of a table, and how events change them."""

    def __init__(self, rules: SynapseRules, active: str = PERSONAL) -> None:
        super().__init__(rules, active)
        self.windows = WindowCounts()

    def reinforce(
        self, nodes: Iterable[str], now_us: int, strength: float = 1.0, namespace: str = PERSONAL
    ) -> int:
        """Strengthen every pair of a window: w = min(cap, w + Δw), count + 1.

        Δw = learning_rate · clamp(strength, 0, strength_max), divided by n − 1 with
        ``event_weight=inverse_size``. w is first decayed to now (``decay_before_reinforcement``;
        with compounding passes: one more pass on this edge) or taken as it was stored. A window
        above ``window_max`` counts for the NPMI and changes nothing else.

        Returns:
            The number of pairs taught; pairs that NPMI does not admit are left out.

        Raises:
            InputError: a strength that is no number, or an id that is no text; ConfigError: a bad
                namespace. Then nothing at all has changed.
        """
        space = namespace_name(namespace, self.active)
        members = sorted(distinct(_texts(nodes)))
        gain = self._gain(strength, len(members))
        if self.rules.npmi_min is not None and members:
            self.windows.add(members)
        if self.rules.window_max is not None and len(members) > self.rules.window_max:
            return 0
        self.activations.update((node, space) for node in members)
        return sum(
            self._strengthen((a, b, space), gain, now_us) for a, b in combinations(members, 2)
        )

    def _gain(self, strength: float, size: int) -> float:
        """Δw of each pair of a window of that size."""
        if not math.isfinite(strength):
            raise InputError(f"the strength {strength} of a window is no number", "Mend the log")
        gain = self.rules.learning_rate * clamp(strength, 0.0, self.rules.strength_max)
        return gain / max(size - 1, 1) if self.rules.event_weight == "inverse_size" else gain

    def _strengthen(self, key: Key, gain: float, now_us: int) -> bool:
        """One pair of a window; False where a new edge is refused."""
        rules = self.rules
        if self.compounding and rules.decay_before_reinforcement:
            self.fade(key, now_us)
        edge = self.alive(key, now_us)
        if edge is None:
            if not self._admits(key):
                return False
            edge = Edge(0.0, 0, now_us, now_us, now_us)
            self.put(key, edge)
        if rules.decay_before_reinforcement:
            edge.weight = decay.weight_at(rules, edge, key[2], now_us)
        edge.weight += gain
        if rules.weight_cap is not None:
            edge.weight = min(rules.weight_cap, edge.weight)
        edge.count += 1
        edge.last_us = edge.at_us = max(edge.last_us, now_us)
        if rules.half_life == "learned_observed":
            age = decay.age_days(now_us, edge.created_us)
            edge.half_life_days = decay.observed_half_life_days(rules, key[2], edge.count, age)
        return True

    def _admits(self, key: Key) -> bool:
        """Whether a pair may become an edge at this moment, its window counted."""
        if self.rules.npmi_min is None:
            return True
        return self.windows.npmi(key[0], key[1]) >= self.rules.npmi_min

    def penalize(
        self, nodes: Iterable[str], now_us: int, penalty: float = 0.3, namespace: str = PERSONAL
    ) -> int:
        """Weaken every pair that exists: w = max(0, w − clamp(penalty, 0, 1)), w as of now.

        Count and times stay; what is left fades on along the same curve. A pair at or below (≤)
        ``prune_below`` with fewer than ``potentiation_count`` reinforcements is removed.

        Returns:
            The number of pairs of the window, existing or not.
        """
        space = namespace_name(namespace, self.active)
        pairs = list(combinations(sorted(distinct(_texts(nodes))), 2))
        for a, b in pairs:
            key = (a, b, space)
            edge = self.alive(key, now_us)
            if edge is None:
                continue
            weight = max(0.0, self.raw_weight(key, now_us) - clamp(penalty, 0.0, 1.0))
            self.set_weight(key, weight, now_us)
            limit = self.rules.prune_below
            if limit > 0 and weight <= limit and not self.proven(edge):
                self.drop(key)
        return len(pairs)

    def record_sequence(
        self, nodes: Iterable[str], now_us: int, strength: float = 1.0, namespace: str = PERSONAL
    ) -> int:
        """Strengthen the directed transitions between consecutive nodes; returns their number."""
        space = namespace_name(namespace, self.active)
        return self.sequences.record(_texts(nodes), now_us, strength, space)

    def set_half_life(self, a: str, b: str, days: float, namespace: str = PERSONAL) -> None:
        """Give an edge a half-life of its own (an oracle's, a fitted one's).

        Under ``learned_observed`` the next reinforcement learns it anew, else it stays.

        Raises:
            InputError: no such edge, or a half-life that is not positive.
        """
        key = edge_key(a, b, namespace_name(namespace, self.active))
        edge = self._edges.get(key) if key else None
        if edge is None or not days > 0:
            raise InputError(f"no edge {a} - {b}, or no half-life: {days} d", "Reinforce it first")
        edge.half_life_days = days


def _texts(nodes: Iterable[str]) -> list[str]:
    """The ids, all of them looked at before anything is learned."""
    listed = list(nodes)
    for node in listed:
        if node and not isinstance(node, str):
            raise InputError(f"{node!r} is no node id", "Give ids as text")
    return listed
