"""The synapse store: the meaning of the synapse layer's rules, event by event, in float64."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from hebb_lab.graph.store import reading
from hebb_lab.graph.store.edges import days, edge_key
from hebb_lab.graph.store.learning import LearningTable
from hebb_lab.graph.store.spreading import Seeds, spread


class Pruned(NamedTuple):
    """What a decay pass removed and left."""

    edges: int
    transitions: int
    edges_left: int
    transitions_left: int


class SynapseStore(LearningTable):
    """Edges that learn from windows of nodes and fade: the reference for the batched kernels.

    Every method that needs a time takes it, in µs. Times of learning should not go back: an event
    earlier than the edge's last reinforcement teaches, but does not move that time back.

    Pruning: an edge that is not potentiated and whose weight is strictly below ``prune_below`` is
    gone (continuous decay: from that moment, whoever looks; compounding: at the next pass). The
    next reinforcement creates it anew, with count 1 and a new time of creation.

    >>> from hebb_lab.graph.rules import DOCUMENTED
    >>> store = SynapseStore(DOCUMENTED.change(half_life="fixed"))
    >>> store.reinforce(["b", "a", "c"], days(0))
    3
    >>> store.weight_of("a", "b", days(0)), store.weight_of("a", "b", days(30))
    (0.3, 0.15)
    """

    # fading

    def decay(self, now_us: int) -> Pruned:
        """A decay pass.

        Continuous: removes what is gone and writes no weight, so any number of passes is as none.
        Compounding: every stored weight times 2^(−age/half-life), floored, then pruned; each pass
        counts the age again, as the code does.
        """
        before = len(self._edges)
        for key in list(self._edges):
            self.fade(key, now_us)
        moves = self.sequences.decay(now_us)
        return Pruned(before - len(self._edges), moves, len(self._edges), len(self.sequences.moves))

    def decay_node(self, node: str, now_us: int) -> int:
        """A pass on one node's edges and outgoing transitions; returns how many edges are gone.

        On an edge that was just reinforced it does nothing; ``penalize`` is what weakens.
        """
        before = len(self._edges)
        for key in self.keys_of(node):
            self.fade_for_feedback(key, now_us)
        self.sequences.decay(now_us, source=node)
        return before - len(self._edges)

    def prune_stale(self, age_days: float | None, now_us: int) -> int:
        """Remove edges, in all namespaces, that are older than some days and not potentiated.

        Transitions stay. None removes nothing. Returns how many edges are gone.
        """
        if age_days is None:
            return 0
        cutoff = now_us - days(age_days)
        stale = [
            key
            for key, edge in self._edges.items()
            if edge.last_us < cutoff and not self.proven(edge)
        ]
        for key in stale:
            self.drop(key)
        return len(stale)

    def normalize_hubs(self, now_us: int, max_degree: int = 50) -> int:
        """Scale the edges of each node with more than max_degree by √(max_degree / degree).

        Degrees are counted first, per node and namespace; an edge between two hubs is scaled
        twice, and each call scales again. Observed only: it damps on top of the hub factor of
        ``spread``. Returns the number of (node, namespace) that were scaled.
        """
        ends = [(node, key[2]) for key in self.edges(now_us) for node in key[:2]]
        hubs = {end: degree for end, degree in Counter(ends).items() if degree > max_degree}
        for (node, namespace), degree in sorted(hubs.items()):
            for key in self.keys_of(node):
                if key[2] == namespace and self.alive(key, now_us) is not None:
                    scaled = self.raw_weight(key, now_us) * math.sqrt(max_degree / degree)
                    self.set_weight(key, scaled, now_us)
        return len(hubs)

    def clear_namespace(self, namespace: str) -> tuple[int, int]:
        """Forget edges, transitions and activations of one namespace: (edges, transitions) gone."""
        edges = [key for key in self._edges if key[2] == namespace]
        moves = [key for key in self.sequences.moves if key[2] == namespace]
        for key in edges:
            self.drop(key)
        for key in moves:
            del self.sequences.moves[key]
        for mark in [mark for mark in self.activations if mark[1] == namespace]:
            del self.activations[mark]
        return len(edges), len(moves)

    def reset(self) -> None:
        """Forget everything; the rules and the active namespace stay."""
        self.__init__(self.rules, self.active)  # type: ignore[misc]

    # reading

    def neighbours(
        self,
        node: str,
        now_us: int,
        namespaces: Sequence[str] | None = None,
        top_k: int | None = None,
    ) -> list[tuple[str, float]]:
        """(neighbour, merged weight), strongest first; see ``reading.neighbours``."""
        return reading.neighbours(self, node, now_us, namespaces, top_k)

    def weight_of(
        self, a: str, b: str, now_us: int, namespaces: Sequence[str] | None = None
    ) -> float:
        """The merged weight of a pair, or the raw sum over a list of namespaces; 0 for no edge."""
        factors = reading.namespace_factors(self.rules, self.active, namespaces)
        keys = [(edge_key(a, b, namespace), factor) for namespace, factor in factors.items()]
        return sum(self.raw_weight(key, now_us) * factor for key, factor in keys if key)

    def count_of(self, a: str, b: str, now_us: int, namespace: str = "") -> int:
        """Reinforcements of a pair since it was created; 0 where it is gone."""
        key = edge_key(a, b, namespace or self.active)
        edge = self.alive(key, now_us) if key else None
        return 0 if edge is None else edge.count

    def spread(
        self,
        seeds: Seeds,
        now_us: int,
        hops: int | None = None,
        top_k: int | None = None,
        namespaces: Sequence[str] | None = None,
    ) -> list[tuple[str, float]]:
        """(node, energy) of spreading activation, best first; see ``spreading.spread``."""
        return spread(self, seeds, now_us, hops, top_k, namespaces).ranked

    def next_likely(
        self,
        node: str,
        now_us: int,
        top_k: int = 5,
        namespaces: Sequence[str] | None = None,
    ) -> list[tuple[str, float]]:
        """(successor, probability), most likely first; see ``Transitions.next_likely``."""
        factors = reading.namespace_factors(self.rules, self.active, namespaces)
        return self.sequences.next_likely(node, now_us, factors, top_k)

    def transitions(
        self, now_us: int, source: str | None = None, namespaces: Sequence[str] | None = None
    ) -> list[tuple[str, str, float, int]]:
        """(a, b, merged weight, summed count), strongest first."""
        factors = reading.namespace_factors(self.rules, self.active, namespaces)
        return self.sequences.merged(now_us, factors, source)

    def stats(self, now_us: int) -> reading.StoreStats:
        """Counts of what is alive now; see ``StoreStats``."""
        return reading.stats(self, now_us)
