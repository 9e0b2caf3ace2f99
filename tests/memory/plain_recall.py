"""Recall over dicts: similarity, time, walks, their fusion and the score, one memory at a time."""

import numpy as np

from hebb_lab.memory.values import EdgeKind
from tests.memory.plain import DAY_US

ALONG, AGAINST = ("forward", "both"), ("backward", "both")


class PlainRecall:
    """What a question finds in a `PlainStore`.

    Args:
        store: the memories.
        at: when it is asked, µs.
        entity: its scope, None for all.
    """

    def __init__(self, store, at, entity=None):
        self.store, self.rules, self.at, self.entity = store, store.rules, at, entity

    def in_scope(self, name):
        own = self.store.memories[name].entity
        if self.entity is None or own == self.entity:
            return True
        return own is None and self.rules.unscoped_shared

    def there(self, name):
        return name in self.store.memories and self.store.memories[name].created <= self.at

    def shown(self, name):
        one = self.store.memories[name]
        return (
            self.there(name)
            and (self.rules.superseded_recalled or not one.superseded)
            and (self.rules.stale_recalled or not one.stale)
        )

    def similarity(self, vector, k):
        """id → relevance of the k nearest."""
        cosine = {
            name: float(np.float32(sum(a * b for a, b in zip(vector, one.vector, strict=True))))
            for name, one in self.store.memories.items()
            if one.vector and self.shown(name)
        }
        ranked = sorted(cosine, key=lambda name: (cosine[name], name), reverse=True)
        if self.rules.scope_filter == "after" and self.entity is not None:
            ranked = ranked[: k * self.rules.scope_oversampling]
        ranked = [name for name in ranked if self.in_scope(name)][:k]
        return {name: min(max(cosine[name], 0.0), 1.0) for name in ranked}

    def temporal(self, k):
        """The same of the k newest; None where the rules ask for an entity."""
        if self.entity is None and self.rules.temporal_needs_entity:
            return None
        found = [name for name in self.store.memories if self.shown(name) and self.in_scope(name)]
        found.sort(key=lambda name: (self.store.memories[name].created, name), reverse=True)
        found = found[:k]
        return {name: 1 - rank / len(found) for rank, name in enumerate(found)}

    def walk(self, seed):
        """The same of all that a walk from a memory reaches; None where it cannot begin."""
        if not self.there(seed) or not self.in_scope(seed):
            return None
        front, closeness = {seed: 1.0}, {}
        for distance in range(1, self.rules.causal_depth + 1):
            front = self._onward(front, seed)
            for name, product in front.items():
                closeness[name] = max(closeness.get(name, 0.0), self._form(product, distance))
        share = self.rules.causal_recency
        return {
            name: (1 - share) * min(near, 1.0) + share * self.recency(name)
            for name, near in closeness.items()
            if self.shown(name) and self.in_scope(name)
        }

    def _onward(self, front, seed):
        found = {}
        for source, target, kind in self.store.edges:
            confidence, time = self.store.edges[source, target, kind]
            factor = self._weight(kind) * (confidence if self.rules.edge_confidence else 1.0)
            if time > self.at or factor <= 0:
                continue
            for begin, end, ways in ((source, target, ALONG), (target, source, AGAINST)):
                if self.rules.causal_direction in ways and begin in front and end != seed:
                    found[end] = max(found.get(end, 0.0), front[begin] * factor)
        before = self.rules.scope_filter == "before"
        return {
            name: product for name, product in found.items()
            if self.there(name) and (not before or self.in_scope(name))
        }  # fmt: skip

    def _weight(self, kind):
        names = {
            EdgeKind.CAUSED_BY: "caused_by", EdgeKind.RELATED_TO: "related_to",
            EdgeKind.FOLLOWED_BY: "followed_by", EdgeKind.REVISED_FROM: "revised_from",
            EdgeKind.INSIGHT_FROM: "insight_from",
        }  # fmt: skip
        return getattr(self.rules, f"weight_{names[kind]}")

    def _form(self, product, distance):
        if self.rules.causal_distance == "inverse":
            return product / distance
        return product * (1 - distance / self.rules.causal_depth)

    def recency(self, name):
        one, rules = self.store.memories[name], self.rules
        anchor = one.created if rules.recency_anchor == "created" else one.accessed
        if not rules.recency_days:
            return 1.0
        age = max(self.at - anchor, 0) / (rules.recency_days * DAY_US)
        return 2.0**-age if rules.recency_shape == "half_life" else max(1 - age, 0.0)

    def fused(self, lists):
        """One list of several."""
        if len(lists) == 1:
            return dict(lists[0])
        found = {}
        for one in lists:
            least, most = min(one.values(), default=0), max(one.values(), default=0)
            for rank, name in enumerate(one, 1):  # best first, as the strategies order them
                k = self.rules.fusion_rrf_k
                value = {
                    "max": one[name],
                    "rrf": (k + 1) / (k + rank) / len(lists),
                    "normalised": (
                        (one[name] - least) / (most - least) if most > least else 1.0
                    ) / len(lists),
                }[self.rules.fusion]  # fmt: skip
                join = max if self.rules.fusion == "max" else float.__add__
                found[name] = join(found.get(name, 0.0), float(value))
        return found

    def scored(self, relevance):
        """id → score."""
        return {name: self._score(name, value) for name, value in relevance.items()}

    def _score(self, name, relevance):
        one, rules = self.store.memories[name], self.rules
        decay = self.store.score(name, self.at)
        weighed = decay if rules.decay_in_rank == "importance" else one.importance
        accesses = 0.0
        if rules.reinforcement_cap:
            accesses = min(np.log2(1 + one.count) / np.log2(1 + rules.reinforcement_cap), 1)
        total = (
            rules.weight_relevance * relevance
            + rules.weight_recency * self.recency(name)
            + rules.weight_importance * min(max(weighed, 0), 1)
            + rules.weight_reinforcement * accesses
        )
        if rules.decay_in_rank == "factor":
            total *= min(decay / one.importance, 1) if one.importance > 0 else 0
        return float(total)
