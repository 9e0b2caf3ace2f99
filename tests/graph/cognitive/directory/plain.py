"""The directory, the hyperedges and what they recall, in plain Python: memory by memory."""

from dataclasses import dataclass, field

import numpy as np
from rapidfuzz.distance import Levenshtein

from hebb_lab.graph.cognitive.layer import CUE

f32 = np.float32


@dataclass
class Atom:
    number: int
    members: list
    kind: str
    weight: np.float32
    used: int
    memory: int
    parts: set = field(default_factory=set)  # members that have it in their lists


class PlainDirectory:
    def __init__(self, memories, rules):
        self.memories, self.rules = memories, rules
        self.names, self.types, self.goes_to = [], [], {}
        self.links, self.relations, self.hyperedges = {}, [], []
        self.numbers = {"relations": 0, "hyperedges": 0}
        self.known = 0

    def id_of(self, entity):
        """Canonical id of an entity of the memories; None where it is not known."""
        name = self.memories.entity_names[entity].strip().lower()
        return self.canonical(self.names.index(name)) if name in self.names else None

    def canonical(self, e):
        while self.goes_to[e] != e:
            e = self.goes_to[e]
        return e

    def is_named(self, entity):
        return bool(self.memories.entity_names[entity].strip())

    def meet(self, entity):
        name = self.memories.entity_names[entity].strip().lower()
        if name and name not in self.names:
            self.goes_to[len(self.names)] = len(self.names)
            self.names.append(name)
            self.types.append(self.memories.entity_types[entity])

    def learn(self, known):
        for m in range(self.known, known):
            self.write(m)
            if (m + 1) % self.rules.cycle_memories == 0:
                self.cycle()
        self.known = known
        return self

    def write(self, m):
        rules, own = self.rules, self.memories.relations
        mentions = self.memories.mentions.row(m).tolist()
        stated = [r for r in np.flatnonzero(own.memory == m).tolist()
                  if self.is_named(own.source[r]) and self.is_named(own.target[r])]  # fmt: skip
        for e in mentions + [x for r in stated for x in (own.source[r], own.target[r])]:
            self.meet(int(e))
        ids = [e for e in map(self.id_of, mentions) if e is not None]
        for e in ids:
            times = ids.count(e)
            self.links[e, m] = f32(rules.mention_weight + rules.mention_again * (times - 1))
        distinct = list(dict.fromkeys(ids))
        if len(distinct) >= rules.hyperedge_min:
            self.add("hyperedges", distinct[: rules.hyperedge_max], "RELATED_TO", 1.0, m)
        for r in stated:
            ends = [self.id_of(own.source[r]), self.id_of(own.target[r])]
            if ends[0] == ends[1]:
                continue
            kind = self.memories.relation_kinds[own.kind[r]]
            self.relate(ends, kind, m)
            if rules.hyperedge_min <= 2:
                self.add("hyperedges", ends, kind, 1.0, m)

    def relate(self, ends, kind, m):
        for atom in self.relations:
            if atom.members == ends and atom.kind == kind:
                atom.weight = f32(float(atom.weight) + self.rules.mention_again)
                atom.used = m
                return
        self.add("relations", ends, kind, self.rules.mention_weight, m)

    def add(self, which, members, kind, weight, m, number=None, used=None, parts=None):
        if number is None:
            number = self.numbers[which]
        self.numbers[which] = max(self.numbers[which], number + 1)
        fresh = Atom(number, list(members), kind, f32(weight), m if used is None else used, m)
        fresh.parts = set(members) if parts is None else parts
        for e in members:
            if e in fresh.parts:
                self.make_room(which, e)
        getattr(self, which).append(fresh)

    def make_room(self, which, e):
        rules, atoms = self.rules, getattr(self, which)
        own = [atom for atom in atoms if e in atom.parts]
        weakest = which == "relations" or rules.hyperedge_eviction == "weakest"
        cap = rules.entity_degree_cap if which == "relations" else rules.hyperedge_cap
        if len(own) < cap:
            return
        gone = min(own, key=lambda a: (a.weight if weakest else 0, a.used, a.number))
        gone.parts.discard(e)
        if which == "relations" or not gone.parts:
            atoms[:] = [atom for atom in atoms if atom is not gone]

    def cycle(self):
        rules = self.rules
        faded = {key: w * f32(rules.mention_decay) for key, w in self.links.items()}
        self.links = {k: w for k, w in faded.items() if w >= f32(rules.mention_prune_below)}
        for which, factor, least in (
            ("relations", rules.mention_decay, rules.mention_prune_below),
            ("hyperedges", rules.hyperedge_decay, rules.hyperedge_prune_below),
        ):
            for atom in getattr(self, which):
                atom.weight = atom.weight * f32(factor)
            setattr(self, which, [a for a in getattr(self, which) if a.weight >= f32(least)])
        if self.merge():
            self.relabel()

    def merge(self):
        live = [e for e in self.goes_to if self.goes_to[e] == e]
        live.sort(key=lambda e: (len(self.names[e]), e))
        live = [e for e in live if len(self.names[e]) >= self.rules.merge_min_length]
        target = {}
        for i, e in enumerate(live):
            for other in live[:i]:
                near = Levenshtein.distance(self.names[e], self.names[other])
                if near <= self.rules.merge_distance and self.types[e] == self.types[other]:
                    target[e] = other
                    break
        self.goes_to.update(target)
        return bool(target)

    def relabel(self):
        links = {}
        for (e, m), w in sorted(self.links.items()):
            key = self.canonical(e), m
            links[key] = links.get(key, f32(0)) + w
        self.links = links
        for which, least in (("relations", 2), ("hyperedges", self.rules.hyperedge_min)):
            before = getattr(self, which)
            if all(self.canonical(e) == e for atom in before for e in atom.members):
                continue
            setattr(self, which, [])
            for atom in before:
                members = list(dict.fromkeys(self.canonical(e) for e in atom.members))
                if len(members) < least:
                    continue
                like = [a for a in getattr(self, which)
                        if a.members == members and a.kind == atom.kind]  # fmt: skip
                if which == "relations" and like:
                    like[0].weight = like[0].weight + atom.weight
                    like[0].used = max(like[0].used, atom.used)
                    continue
                parts = {self.canonical(e) for e in atom.parts}
                self.add(which, members, atom.kind, atom.weight, atom.memory, atom.number,
                         atom.used, parts)  # fmt: skip

    def fan(self, e):
        n = sum(1 for other, _ in self.links if other == e)
        return max(n, 1) ** -0.5 if self.rules.fan_factor else 1.0

    def start(self, seeds, cues):
        """(entities, score, origin) of one query; seeds as (memory, score), best first."""
        origin = CUE
        if self.rules.query_entities == "top_result":
            cues = self.memories.mentions.row(seeds[0][0]).tolist() if seeds else []
            origin = seeds[0][0] if seeds else CUE
        ids = [e for e in map(self.id_of, cues) if e is not None]
        return list(dict.fromkeys(ids)), (seeds[0][1] if seeds else 1.0), origin

    def found(self, paths, score, origin):
        """memory → (energy, activation, origin, hop) of (memory, activation, hop) paths."""
        best, total, least = {}, {}, self.rules.least_activation()
        for m, activation, hop in paths:
            if activation < least or m < 0:
                continue
            total[m] = total.get(m, 0.0) + activation
            if m not in best or (activation, -hop) > (best[m][0], -best[m][1]):
                best[m] = activation, hop
        gain, summed = self.rules.entity_gain, self.rules.paths == "sum"
        return {
            m: (gain * score * (total[m] if summed else a), a, origin, hop)
            for m, (a, hop) in best.items()
        }

    def is_once(self):
        return self.rules.entity_attenuation == "once"

    def gain(self):
        return 1.0 if self.is_once() else self.rules.entity_gain

    def entities(self, seeds, cues):
        roots, score, origin = self.start(seeds, cues)
        level, root_of, paths = roots, {e: e for e in roots}, []
        for hop in range(1, self.rules.entity_hops + 1):
            for e in level:
                fan = self.fan(root_of[e] if self.is_once() else e)
                for (other, m), w in self.links.items():
                    if other == e:
                        paths.append((m, min(1, w) * fan * self.gain() ** (hop - 1), hop))
            further = []
            for e in level:
                for other in [b for r in self.relations if e in r.members for b in r.members]:
                    if other not in root_of:
                        root_of[other] = root_of[e]
                        further.append(other)
            level = further
        return self.found(paths, score, origin)

    def together(self, seeds, cues):
        roots, score, origin = self.start(seeds, cues)
        held = {a.number: [e for e in roots if e in a.parts] for a in self.hyperedges}
        need = 2 if max(map(len, held.values()), default=0) >= 2 else 1
        atoms = {a.number: a for a in self.hyperedges}
        level = {
            n: sum(map(self.fan, mine)) / len(roots) * min(1, atoms[n].weight)
            for n, mine in held.items()
            if len(mine) >= need
        }
        visited, met, paths = set(level), set(roots), []
        for hop in range(1, self.rules.entity_hops + 1):
            paths += [(atoms[n].memory, a, hop) for n, a in level.items()]
            reach = {}
            for n, a in level.items():
                for e in atoms[n].members:
                    if e not in met:
                        reach[e] = max(reach.get(e, 0), a)
            met |= set(reach)
            level = {}
            for e, a in reach.items():
                for atom in self.hyperedges:
                    if e in atom.parts and atom.number not in visited:
                        fan = 1.0 if self.is_once() else self.fan(e)
                        value = a * fan * self.gain() * min(1, atom.weight)
                        level[atom.number] = max(level.get(atom.number, 0), value)
            visited |= set(level)
        return self.found(paths, score, origin)

    def union(self, seeds, cues):
        roots, score, origin = self.start(seeds, cues)
        paths = []
        for root in roots:
            met, visited = {}, set()
            self.deep(root, 1, met, visited)
            paths += [(m, self.fan(root) * self.gain() ** (hop - 1), hop)
                      for m, hop in met.values()]  # fmt: skip
        return self.found(paths, score, origin)

    def deep(self, e, hop, met, visited):
        visited.add(e)
        own = sorted((a for a in self.hyperedges if e in a.parts),
                     key=lambda a: (-a.weight, a.number))  # fmt: skip
        for atom in own:
            _, before = met.get(atom.number, (0, hop))
            met[atom.number] = atom.memory, min(hop, before)
        if hop < self.rules.entity_hops:
            for atom in own:
                for other in atom.members:
                    if other not in visited:
                        self.deep(other, hop + 1, met, visited)

    def hyperedge_layer(self, seeds, cues):
        return getattr(self, "union" if self.rules.traversal == "union" else "together")(
            seeds, cues
        )
