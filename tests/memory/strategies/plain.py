"""Recall in plain Python, question by question: what the arrays are held to."""

import json
import math

import numpy as np

from hebb_lab.memory.values import EdgeKind, Kind

DAY_US = 86_400_000_000
f32 = np.float32


class Plain:
    """One question to a small store; ``ids[row]`` is a number that sorts as the id does."""

    def __init__(self, memories, links, ids, rules, at_us, k, *, vector, entity, kinds=(),
                 since_us=None, until_us=None, seed=None, pair=None, context=None):  # fmt: skip
        self.memories, self.links, self.ids = memories, links, ids
        self.rules, self.at_us, self.k = rules, at_us, k
        self.vector, self.entity, self.kinds = np.array(vector, float), entity, kinds
        self.since_us, self.until_us = since_us, until_us
        self.seed, self.pair, self.context = seed, pair, context or {}

    # what is seen
    def there(self, row):
        return self.memories[row].created_us <= self.at_us

    def shown(self, row):
        memory, rules = self.memories[row], self.rules
        return (
            self.there(row)
            and (rules.superseded_recalled or not memory.superseded)
            and (rules.stale_recalled or not memory.stale)
        )

    def wanted(self, row):
        return self.shown(row) and (not self.kinds or self.memories[row].kind in self.kinds)

    def in_scope(self, row):
        entity = self.memories[row].entity
        if self.entity is None or entity == self.entity:
            return True
        return self.rules.unscoped_shared and entity is None

    def ordered(self, values):
        """Rows of row → value, by value as float32, then id, descending."""
        return sorted(values, key=lambda row: (-f32(values[row]), -self.ids[row]))

    def top(self, values, k=None):
        return {row: values[row] for row in self.ordered(values)[: k or self.k]}

    def usable(self, row):
        return any(self.memories[row].vector)

    def vector_of(self, row):
        return np.array(self.memories[row].vector, f32).astype(float)

    def nearest(self, query, k, among):
        cosine = {
            row: float(f32(np.dot(self.vector_of(row), query)))
            for row in range(len(self.memories))
            if self.usable(row) and among(row)
        }
        if self.rules.scope_filter == "before":
            return self.top({row: cosine[row] for row in cosine if self.in_scope(row)}, k)
        best = self.top(cosine, k * self.rules.scope_oversampling)
        return self.top({row: best[row] for row in best if self.in_scope(row)}, k)

    # strategies: row → relevance, None for a failure
    def similarity(self):
        near = self.nearest(self.vector, self.k, self.wanted)
        return {row: max(0.0, min(1.0, near[row])) for row in near}

    def temporal(self):
        if self.entity is None and self.rules.temporal_needs_entity:
            return None
        rows = [
            row for row, memory in enumerate(self.memories)
            if self.wanted(row) and self.in_scope(row)
            and (self.since_us is None or memory.created_us >= self.since_us)
            and (self.until_us is None or memory.created_us < self.until_us)
        ]  # fmt: skip
        rows.sort(key=lambda row: (-self.memories[row].created_us, -self.ids[row]))
        rows = rows[: self.k]
        return {row: 1 - rank / len(rows) for rank, row in enumerate(rows)}

    def causal(self):
        seed = self.seed
        if seed is None:
            near = list(self.nearest(self.vector, 1, self.shown))
            if not near:
                return {}
            seed = near[0]
        elif not self.there(seed) or not self.in_scope(seed):
            return None
        found = {}
        if self.rules.causal != "offset":
            found |= self.walked(seed)
        if self.rules.causal != "walk":
            if self.rules.causal == "offset" and not self.usable(seed):
                return None
            for row, relevance in self.pointed_to(seed).items():
                found[row] = max(relevance, found.get(row, 0.0))
        return self.top(found)

    def steps(self, row):
        """(other row, factor) of each edge that a walk may follow from a row."""
        for link in self.links:
            factor = self.rules.weight_of(link.kind)
            if self.rules.edge_confidence:
                factor *= float(f32(link.confidence))
            if link.time_us > self.at_us or factor <= 0:
                continue
            if self.rules.causal_direction != "backward" and link.source == row:
                yield link.target, factor
            if self.rules.causal_direction != "forward" and link.target == row:
                yield link.source, factor

    def walked(self, seed):
        best = {}

        def go(row, product, distance):
            if distance == self.rules.causal_depth:
                return
            for other, factor in self.steps(row):
                if other == seed or not self.there(other):
                    continue
                if self.rules.scope_filter == "before" and not self.in_scope(other):
                    continue
                far, much = distance + 1, product * factor
                form = 1 / far
                if self.rules.causal_distance == "linear":
                    form = 1 - far / self.rules.causal_depth
                best[other] = max(best.get(other, 0.0), much * form)
                go(other, much, far)

        go(seed, 1.0, 0)
        share = self.rules.causal_recency
        return {
            row: (1 - share) * min(1.0, value) + share * self.recency(row)
            for row, value in best.items()
            if self.wanted(row) and self.in_scope(row)
        }

    def offset(self, kind, entity):
        offset = np.zeros(len(self.vector))
        if kind in (EdgeKind.REVISED_FROM, EdgeKind.INSIGHT_FROM):
            return offset
        for link in self.links:
            if link.kind != kind or link.time_us > self.at_us:
                continue
            if not all(self.usable(r) and self.there(r) for r in (link.source, link.target)):
                continue
            owner = self.memories[link.source].entity
            if self.rules.offset_scope == "entity" and owner != entity:
                continue
            moved = offset + self.rules.offset_rate * (
                self.vector_of(link.target) - self.vector_of(link.source)
            )
            if moved.any():
                offset = moved / np.linalg.norm(moved)
        return offset

    def pointed_to(self, seed):
        if not self.usable(seed):
            return {}
        found = {}
        signs = {"forward": [1], "backward": [-1], "both": [1, -1]}[self.rules.causal_direction]
        for kind in EdgeKind:
            offset = self.offset(kind, self.memories[seed].entity)
            if not offset.any() and self.rules.offset_untaught == "nothing":
                continue
            for sign in signs:
                point = self.vector_of(seed) + sign * offset
                length = np.linalg.norm(point)
                point = (point / length if length else point).astype(f32).astype(float)
                near = self.nearest(point, self.k + 1, self.wanted)
                near.pop(seed, None)
                for row in list(near)[: self.k]:
                    relevance = max(0.0, min(1.0, near[row]))
                    if self.rules.offset_order == "first":
                        found.setdefault(row, relevance)
                    else:
                        found[row] = max(relevance, found.get(row, 0.0))
        return found

    def around(self, row):
        """(kind, whether it leads away, other row) of each edge of a row."""
        for link in self.links:
            if link.time_us <= self.at_us and self.there(link.source) and self.there(link.target):
                if link.source == row:
                    yield link.kind, True, link.target
                if link.target == row:
                    yield link.kind, False, link.source

    def analogical(self):
        near = list(self.nearest(self.vector, 1, self.shown))
        stand_in = near[0] if near else None
        count = max(self.rules.analogy_candidates * self.k, 30)
        if self.pair is not None:
            return self.related(stand_in, count)
        near = self.nearest(self.vector, count, self.wanted)
        share = self.rules.analogy_blend
        return self.top({
            row: share * max(0.0, min(1.0, near[row])) + (1 - share) * self.alike(row, stand_in)
            for row in near
        })  # fmt: skip

    def related(self, stand_in, count):
        a, b = self.pair
        if not all(self.there(row) and self.usable(row) for row in self.pair):
            return None
        way = self.vector_of(b) - self.vector_of(a)
        point = self.vector.astype(f32) + normed(way)
        point = normed(point).astype(f32).astype(float)
        near = self.nearest(point, count + 2, self.wanted)
        found = {row: max(0.0, min(1.0, value)) for row, value in near.items()}
        pattern = {(kind, away) for kind, away, other in self.around(a) if other == b}
        if self.rules.analogy == "graph" and pattern:
            share = self.rules.analogy_blend
            found = {row: share * value for row, value in found.items()}
            for row in range(len(self.memories)):
                between = {(kd, away) for kd, away, other in self.around(stand_in) if other == row}
                if pattern <= between and self.wanted(row) and self.in_scope(row):
                    cosine = float(f32(np.dot(self.vector_of(row), point)))
                    found[row] = share * max(0.0, min(1.0, cosine)) + 1 - share
        return self.top({row: found[row] for row in found if row not in self.pair})

    def alike(self, row, stand_in):
        if self.rules.analogy == "graph":
            ours = [edge[:2] for edge in self.around(stand_in)]
            theirs = [edge[:2] for edge in self.around(row)]
            kinds = set(ours) | set(theirs)
            most = sum(max(ours.count(each), theirs.count(each)) for each in kinds)
            return sum(min(ours.count(e), theirs.count(e)) for e in kinds) / most if most else 0.0
        return self.alike_in_context(self.memories[row], json.loads(self.memories[row].context))

    def alike_in_context(self, memory, context):
        ours = self.context
        constant = self.rules.analogy_kind_entity == "constant"
        if not ours and not context:
            return self.rules.analogy_empty
        if constant and not (ours and context):
            return 0.0
        shared = set(ours) & set(context)
        same = [key for key in shared if type(ours[key]) is type(context[key])]
        kind = 0.5 if "kind" not in ours else float(ours["kind"] == Kind(memory.kind).name.lower())
        entity = float(memory.entity == self.entity)
        if memory.entity is None and self.entity is None:
            entity = 0.5
        return (
            0.4 * len(shared) / len(set(ours) | set(context))
            + (0.3 * len(same) / len(shared) if shared else 0.0)
            + 0.2 * (1.0 if constant else kind)
            + 0.1 * (0.5 if constant else entity)
        )

    # the score
    def recency(self, row):
        memory, rules = self.memories[row], self.rules
        anchor = memory.created_us
        if rules.recency_anchor == "accessed" and memory.accessed_us is not None:
            anchor = memory.accessed_us
        if not rules.recency_days or anchor >= self.at_us:
            return 1.0
        age = (self.at_us - anchor) / DAY_US / rules.recency_days
        return 2**-age if rules.recency_shape == "half_life" else max(0.0, 1 - age)

    def decay(self, row):
        memory, rules = self.memories[row], self.rules
        anchor = memory.created_us
        if rules.decay_anchor == "accessed" and memory.accessed_us is not None:
            anchor = memory.accessed_us
        importance = float(f32(memory.importance))
        half_life = rules.half_life_days * (1 + rules.half_life_gain * importance)
        left = importance * 2 ** (-max(0, self.at_us - anchor) / DAY_US / half_life)
        cap = rules.reinforcement_cap
        if rules.count_in_decay and cap:
            left *= 1 + math.log2(1 + min(memory.count, cap)) / math.log2(1 + cap)
        return left

    def score(self, row, relevance):
        memory, rules = self.memories[row], self.rules
        importance = float(f32(memory.importance))
        cap = rules.reinforcement_cap
        used = min(1.0, math.log2(1 + memory.count) / math.log2(1 + cap)) if cap else 0.0
        weighed = self.decay(row) if rules.decay_in_rank == "importance" else importance
        total = (
            rules.weight_relevance * relevance + rules.weight_recency * self.recency(row)
            + rules.weight_importance * min(1.0, weighed) + rules.weight_reinforcement * used
        )  # fmt: skip
        if rules.decay_in_rank == "factor":
            total *= min(1.0, self.decay(row) / importance) if importance else 0.0
        return total

    def recalled(self, strategies):
        """([(row, score, relevance, names)] best first, names of strategies that failed)."""
        lists = {name: getattr(self, name)() for name in strategies}
        failed = {name for name, each in lists.items() if each is None}
        lists = {name: {} if each is None else each for name, each in lists.items()}
        values = {name: self.brought(each, len(lists)) for name, each in lists.items()}
        fused = {}
        for each in values.values():
            for row, value in each.items():
                if self.rules.fusion == "max":
                    fused[row] = max(value, fused.get(row, 0.0))
                else:
                    fused[row] = fused.get(row, 0.0) + value
        scores = {row: self.score(row, float(f32(value))) for row, value in fused.items()}
        return [
            (row, scores[row], fused[row], {name for name in lists if row in lists[name]})
            for row in self.ordered(scores)[: self.k]
        ], failed

    def brought(self, found, lists):
        if self.rules.fusion == "max" or lists == 1 or not found:
            return found
        if self.rules.fusion == "rrf":
            k = self.rules.fusion_rrf_k
            return {row: (k + 1) / (k + rank) / lists for rank, row in enumerate(found, 1)}
        values = [float(f32(value)) for value in found.values()]
        least, most = min(values), max(values)
        return {
            row: ((float(f32(value)) - least) / (most - least) if most > least else 1.0) / lists
            for row, value in found.items()
        }


def normed(vector):
    length = np.linalg.norm(vector)
    return vector / length if length else vector
