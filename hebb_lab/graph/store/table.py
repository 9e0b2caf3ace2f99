"""The table of edges in memory: put, drop, look at, fade."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hebb_lab.errors import ConfigError
from hebb_lab.graph.store import decay
from hebb_lab.graph.store.edges import PERSONAL, Edge, Key, namespace_name
from hebb_lab.graph.store.transitions import Transitions

if TYPE_CHECKING:
    from hebb_lab.graph.rules import SynapseRules


class EdgeTable:
    """Edges by their key, and at each node the keys of its edges.

    Args:
        rules: exponential decay only; the other shapes are mixtures of several stores.
        active: the namespace that "" means and that merged reads see with full weight.

    Raises:
        ConfigError: another ``decay_shape``, or a bad name of a namespace.
    """

    def __init__(self, rules: SynapseRules, active: str = PERSONAL) -> None:
        if rules.decay_shape != "exponential":
            raise ConfigError(
                f"a synapse store decays exponentially, not by decay_shape={rules.decay_shape}",
                "Give each trace of the mixture a store of its own and average their weights",
            )
        self.rules = rules
        self.active = namespace_name(active, PERSONAL)
        self.sequences = Transitions(rules)
        self.activations: Counter[tuple[str, str]] = Counter()  # (node, namespace)
        self.structure: Counter[tuple[str, str, str]] = Counter()  # (caller, callee, kind)
        self._edges: dict[Key, Edge] = {}
        self._keys_of: dict[str, set[Key]] = {}

    @property
    def compounding(self) -> bool:
        """Whether weights fade by passes that each apply the whole age."""
        return self.rules.decay_passes == "compounding"

    def alive(self, key: Key, now_us: int) -> Edge | None:
        """The edge, or None where there is none or it has faded below pruning."""
        edge = self._edges.get(key)
        if edge is None or decay.is_gone(self.rules, edge, key[2], now_us):
            return None
        return edge

    def raw_weight(self, key: Key, now_us: int) -> float:
        """The weight now in its namespace; 0 where there is no edge."""
        edge = self.alive(key, now_us)
        return 0.0 if edge is None else decay.weight_at(self.rules, edge, key[2], now_us)

    def edges(self, now_us: int, namespace: str | None = None) -> dict[Key, float]:
        """Raw weights of all edges that are alive, by key in byte-wise order."""
        return {
            key: self.raw_weight(key, now_us)
            for key in sorted(self._edges)
            if namespace in (None, key[2]) and self.alive(key, now_us) is not None
        }

    def keys_of(self, node: str) -> list[Key]:
        """Keys of the edges at a node, alive or not, in byte-wise order."""
        return sorted(self._keys_of.get(node, ()))

    def proven(self, edge: Edge) -> bool:
        """Whether its count is potentiated, whatever the namespace: feedback may not remove it."""
        return self.rules.potentiation and edge.count >= self.rules.potentiation_count

    def put(self, key: Key, edge: Edge) -> None:
        """Keep an edge, in place of one that was there."""
        self._edges[key] = edge
        for node in key[:2]:
            self._keys_of.setdefault(node, set()).add(key)

    def drop(self, key: Key) -> None:
        """Forget an edge, its count and its time of creation."""
        del self._edges[key]
        for node in key[:2]:
            self._keys_of[node].discard(key)

    def set_weight(self, key: Key, weight: float, now_us: int) -> None:
        """Say what an edge weighs now; count and last reinforcement stay."""
        edge = self._edges[key]
        edge.weight = weight
        edge.at_us = max(edge.at_us, now_us)

    def absorb(
        self, key: Key, weight: float, count: int, now_us: int, adds_count: bool = False
    ) -> None:
        """Merge an edge from outside: the larger weight, the larger count or the sum, active now.

        A new one has no half-life of its own.
        """
        edge = self.alive(key, now_us)
        if edge is None:
            self.put(key, Edge(weight, count, now_us, now_us, now_us))
            return
        edge.weight = max(self.raw_weight(key, now_us), weight)
        edge.count = edge.count + count if adds_count else max(edge.count, count)
        edge.at_us = edge.last_us = max(edge.last_us, now_us)

    def fade(self, key: Key, now_us: int) -> None:
        """A decay pass on one edge, if it is there: compounding weakens it, both prune it."""
        edge = self._edges.get(key)
        if edge is None:
            return
        if self.compounding:
            weight = decay.weight_after_pass(self.rules, edge, key[2], now_us)
            self.set_weight(key, weight, now_us)
        weight = decay.weight_at(self.rules, edge, key[2], now_us)
        if decay.is_below_pruning(self.rules, edge, key[2], weight):
            self.drop(key)

    def fade_for_feedback(self, key: Key, now_us: int) -> None:
        """The pass of negative feedback (observed): the personal half-life whatever the edge's own.

        The floor holds in every namespace. Under continuous decay it is a plain pass, since there
        is no pass that could fade more than time does.
        """
        edge = self._edges[key]
        if not self.compounding:
            self.fade(key, now_us)
            return
        weight = decay.weight_after_feedback(self.rules, edge, now_us)
        self.set_weight(key, weight, now_us)
        if weight < self.rules.prune_below and not self.proven(edge):
            self.drop(key)
