"""Layer 1 in plain Python: dicts and loops, written from the rules alone. The oracle."""

import math
from dataclasses import replace

import numpy as np

from hebb_lab.records import Hints, Memories

MASK = (1 << 64) - 1
WEIGHTS = {
    "weight": 0.15, "recency": 0.10, "bridge": 0.20, "redundancy": 0.10, "importance": 0.15,
    "arousal": 0.10, "valence": 0.05, "storage": 0.05, "zeigarnik": 0.10,
}  # fmt: skip
SOME = {
    "structural": ["weight", "recency", "bridge", "redundancy"],
    "six": ["weight", "recency", "bridge", "redundancy", "arousal", "zeigarnik"],
    "nine": list(WEIGHTS),
}


def world(rng, count=60, sessions=6, hints=12, interleaved=False):
    """Random memories with feelings, sessions and hints."""
    session = np.sort(rng.integers(0, sessions, count)).astype(np.int32)
    if interleaved:
        session = rng.permutation(session).astype(np.int32)
    names = tuple(f"m{i}" for i in range(count))
    memories = Memories.plain(
        names, ("",) * count, np.arange(count) * 1_000_000, session,
        tuple(f"s{i}" for i in range(sessions)),
    )  # fmt: skip
    importance = rng.uniform(0.05, 10, count).astype(np.float32)
    importance[rng.random(count) < 0.3] = np.nan
    arousal = rng.integers(-1, 256, count).astype(np.int16)
    arousal[rng.random(count) < 0.3] = -1
    return replace(
        memories,
        importance=importance,
        arousal=arousal,
        valence=rng.integers(-128, 128, count).astype(np.int16),
        pinned=rng.random(count) < 0.2,
        resolved=rng.random(count) < 0.7,
        hints=Hints(
            rng.integers(0, count, hints).astype(np.int32),
            rng.integers(0, count, hints).astype(np.int32),
            rng.integers(1, 5, hints).astype(np.float32),
        ),
    )


class Edge:
    def __init__(self, weight, cycle, kind):
        self.weight, self.last, self.bridge, self.kinds = np.float32(weight), cycle, 0, {kind}
        self.floored = False


class PlainHebbian:
    def __init__(self, memories, rules):
        self.memories, self.rules, self.cycle = memories, rules, 0
        self.rows = [{} for _ in range(len(memories))]
        self.importance = [1.0 if math.isnan(i) else float(i) for i in memories.importance]
        self.valence = [int(v) for v in memories.valence]
        self.arousal = [
            min(255, 2 * abs(v)) if a < 0 else int(a)
            for a, v in zip(memories.arousal.tolist(), self.valence, strict=True)
        ]
        self.open = (~memories.resolved | memories.pinned).tolist()

    def learn(self, known):
        for memory in range(known):
            for other in self.partners(memory):
                self.both(memory, other, self.rules.hebbian_increment, "co_ingested")
            for a, b, times in zip(
                *(column.tolist() for column in self.memories.hints), strict=True
            ):
                if a != b and max(a, b) == memory:
                    self.both(memory, min(a, b), times, "stated")
            if (memory + 1) % self.rules.cycle_memories == 0:
                self.consolidate()
        return self

    def partners(self, memory):
        session = self.memories.session
        if self.rules.co_ingestion == "previous":
            return [memory - 1] if memory else []
        earlier = [m for m in range(memory) if session[m] == session[memory]]
        if self.rules.co_ingestion == "previous_in_session":
            return earlier[-1:]
        window = self.rules.session_window
        return earlier if window is None else earlier[len(earlier) - min(window, len(earlier)) :]

    def both(self, memory, other, amount, kind):
        self.strengthen(memory, other, amount, kind)
        self.strengthen(other, memory, amount, kind)

    def strengthen(self, sender, receiver, amount, kind):
        row = self.rows[sender]
        if receiver in row:
            edge = row[receiver]
            edge.weight = np.float32(float(edge.weight) + amount)
            edge.last = self.cycle
            edge.kinds.add(kind)
            return
        if self.rules.eviction_at == "insertion" and len(row) >= self.rules.degree_cap:
            worth = {other: self.worth(sender, other) for other in sorted(row)}
            least = min(worth, key=worth.get)
            if not self.score(amount, 0, 0, 0, sender, receiver) > worth[least]:
                return
            del row[least]
        row[receiver] = Edge(amount, self.cycle, kind)

    def worth(self, a, b):
        edge = self.rows[a][b]
        shared = len(self.rows[a].keys() & self.rows[b].keys())
        if self.rules.eviction_signals == "structural":
            shared = 0
        return self.score(float(edge.weight), self.cycle - edge.last, edge.bridge, shared, a, b)

    def score(self, weight, age, bridge, shared, a, b):
        signals = {
            "weight": 1 / (1 + math.exp(3 - weight)),
            "recency": math.exp(-age / 72),
            "bridge": bridge / 255,
            "redundancy": 1 / (1 + 0.3 * shared),
            "importance": min(1.0, (self.importance[a] + self.importance[b]) / 2 / 10),
            "arousal": max(self.arousal[a], self.arousal[b]) / 255,
            "valence": 1 - abs(self.valence[a] - self.valence[b]) / 255,
            "storage": 0.0,
            "zeigarnik": 0.2 if self.open[a] or self.open[b] else 0.0,
        }
        some = SOME[self.rules.eviction_signals]
        return sum(WEIGHTS[s] * signals[s] for s in some) / sum(WEIGHTS[s] for s in some)

    def factor(self, memory):
        f = self.rules.hebbian_decay
        if self.rules.decay_modulator == "none":
            return f
        m = (
            1 + 0.3 * self.importance[memory] + 0.2 * self.arousal[memory] / 255
            + 0.1 * abs(self.valence[memory]) / 127
        )  # fmt: skip
        if self.rules.decay_modulator == "unclamped":
            return f * m
        return min(0.999, max(0.5, 1 - (1 - f) / min(2.0, max(0.5, m))))

    def consolidate(self):
        self.cycle += 1
        limit = self.rules.hebbian_prune_below
        for memory, row in enumerate(self.rows):
            for other, edge in list(row.items()):
                weight = float(edge.weight) * self.factor(memory)
                edge.floored = False
                if weight < limit:
                    if edge.bridge < self.rules.bridge_protect:
                        del row[other]
                        continue
                    weight, edge.floored = limit, True
                edge.weight = np.float32(weight)
        if self.rules.eviction_at == "cycle":
            self.keep_cap()
        for (a, b), value in bridge_scores(self.rows, self.rules, self.cycle).items():
            self.rows[a][b].bridge = value

    def keep_cap(self):
        gone = []
        for memory, row in enumerate(self.rows):
            if len(row) > self.rules.degree_cap:
                best = sorted(row, key=lambda other: (self.worth(memory, other), other))
                gone += [(memory, other) for other in best[: -self.rules.degree_cap]]
        for a, b in gone:
            self.rows[a].pop(b, None)
            self.rows[b].pop(a, None)

    def edges(self):
        """[(sender, receiver, weight, last cycle, bridge, flags)] in order."""
        return [
            (a, b, float(e.weight), e.last, e.bridge,
             int(e.floored) + 2 * ("co_ingested" in e.kinds) + 4 * ("stated" in e.kinds))
            for a, row in enumerate(self.rows)
            for b, e in sorted(row.items())
        ]  # fmt: skip


def half_up(share):
    return int(min(255, max(0, math.floor(255 * share + 0.5 + 1e-6))))


def bridge_scores(rows, rules, cycle):
    """{(a, b): 0..255} of all directed edges."""
    directed = [(a, b) for a, row in enumerate(rows) for b in row]
    if rules.bridge_score == "heuristic":
        found = {}
        for a, b in directed:
            shared = len(rows[a].keys() & rows[b].keys())
            one, other = len(rows[a]), len(rows[b])
            alone = one <= 1 and other <= 1
            found[a, b] = 255 if alone else half_up(1 - shared / max(1, min(one, other)))
        return found
    undirected = sorted({(min(e), max(e)) for e in directed})
    if rules.bridge_score == "exact":
        share = resistances(undirected, len(rows))
    else:
        share = sampled(undirected, len(rows), rules.bridge_trees, cycle)
    return {(a, b): half_up(share[min(a, b), max(a, b)]) for a, b in directed}


def resistances(edges, count):
    """{edge: effective resistance} by the pseudo-inverse of the Laplacian."""
    laplacian = np.zeros((count, count))
    for a, b in edges:
        laplacian[a, a] += 1
        laplacian[b, b] += 1
        laplacian[a, b] = laplacian[b, a] = -1
    z = np.linalg.pinv(laplacian)
    return {(a, b): z[a, a] + z[b, b] - 2 * z[a, b] for a, b in edges}


def mixed(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def sampled(edges, count, trees, cycle):
    """{edge: share of Wilson's trees} with the draws of SplitMix64."""
    golden = 0x9E3779B97F4A7C15
    cut = {e for e, r in resistances(edges, count).items() if r > 1 - 1e-9}
    near = {v: [] for v in range(count)}
    for a, b in set(edges) - cut:
        near[a].append(b)
        near[b].append(a)
    near = {vertex: sorted(others) for vertex, others in near.items()}
    held = dict.fromkeys(edges, 0)
    seen = set()
    for root in range(count):
        if root in seen:
            continue
        part, at = [root], 0
        seen.add(root)
        while at < len(part):
            for other in near[part[at]]:
                if other not in seen:
                    seen.add(other)
                    part.append(other)
            at += 1
        for tree in range(trees if len(part) > 1 else 0):
            state = mixed(golden * (cycle + 1) & MASK)
            state = mixed((state + golden * (tree + 1)) & MASK)
            state = mixed((state + golden * (root + 1)) & MASK)
            inside = {root}
            for start in part[1:]:
                vertex, after = start, {}
                while vertex not in inside:
                    state = (state + golden) & MASK
                    after[vertex] = near[vertex][(mixed(state) >> 11) % len(near[vertex])]
                    vertex = after[vertex]
                vertex = start
                while vertex not in inside:
                    inside.add(vertex)
                    held[min(vertex, after[vertex]), max(vertex, after[vertex])] += 1
                    vertex = after[vertex]
    return {e: 1.0 if e in cut else held[e] / trees for e in edges}
