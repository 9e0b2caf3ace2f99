"""A layer for the tests of the pipeline: the neighbours of a seed are those written after it."""

from collections import Counter
from typing import ClassVar

import numpy as np

from hebb_lab.graph.cognitive.layer import CUE, Expansion, Step


class Neighbours:
    """Each seed sends half its score to the next memory and a quarter to the one after.

    With rules that learn from recall, what was recalled last is offered too, at energy 9.
    """

    calls: ClassVar[Counter] = Counter()

    def __init__(self, name, memories, rules):
        self.name, self.memories, self.rules = name, memories, list(rules)
        self.known, self.recalled = 0, []
        Neighbours.calls["made"] += 1
        Neighbours.calls["rules"] += len(self.rules)

    def advance(self, known):
        if known < self.known:
            raise ValueError("it would have to forget")
        self.known = known

    def observe_recall(self, recalled, time_us):
        assert len(recalled) == len(time_us)
        self.recalled += [int(m) for row in recalled for m in row if m >= 0]

    def expand(self, seeds, cues, configs):
        Neighbours.calls["expanded"] += 1
        return [self._expand(self.rules[config], seeds) for config in configs]

    def _expand(self, rules, seeds):
        rows = []
        for q in range(len(seeds)):
            best = {}
            for i in range(seeds.ptr[q], seeds.ptr[q + 1]):
                for hop, share in ((1, 0.5), (2, 0.25)):
                    m = int(seeds.memory[i]) + hop
                    energy = float(seeds.score[i]) * share
                    if m < self.known and energy > best.get(m, (0.0,))[0]:
                        best[m] = (energy, share, int(seeds.memory[i]), hop)
            if rules.tag_counts_from == "recall":
                best |= dict.fromkeys(self.recalled[-1:], (9.0, 1.0, CUE, 1))
            rows.append(best)
        flat = [(m, *row[m]) for row in rows for m in sorted(row)]
        columns = list(zip(*flat, strict=True)) if flat else [()] * 5
        kinds = (np.int32, np.float32, np.float32, np.int32, np.int8)
        ptr = np.cumsum([0, *(len(row) for row in rows)]).astype(np.int64)
        arrays = (np.array(c, kind) for c, kind in zip(columns, kinds, strict=True))
        return Expansion(ptr, *arrays)

    def explain(self, config, seeds, cues, query, memory):
        names = self.memories.names
        mine = seeds.memory[seeds.ptr[query] : seeds.ptr[query + 1]].tolist()
        hop = next((hop for hop in (1, 2) if memory - hop in mine), 0)
        if not hop:
            return ()
        return (Step(self.name, 1, names[memory - hop], names[memory], "next", 1.0 / 2**hop),)

    def byte_count(self, config):
        return 8 * self.known

    def edge_count(self, config):
        return self.known


class Nothing(Neighbours):
    """A layer that holds nothing."""

    def _expand(self, rules, seeds):
        from hebb_lab.graph.cognitive.layer import empty_expansion

        return empty_expansion(len(seeds))

    def edge_count(self, config):
        return 0


class Broken(Neighbours):
    """A layer that cannot expand under some rules: it reads as Hebbian association does."""

    def expand(self, seeds, cues, configs):
        if any(self.rules[config].hebbian_depth == 13 for config in configs):
            raise RuntimeError("thirteen hops")
        return super().expand(seeds, cues, configs)


KINDS = {"chain": Neighbours, "stdp": Neighbours, "hebbian": Broken, "entities": Nothing}


def make(name, memories, rules):
    """Layers by name; one that is not there raises."""
    return KINDS[name](name, memories, rules)
