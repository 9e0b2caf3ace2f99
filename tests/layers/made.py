"""A small world, and a pipeline that is simple enough to be checked by hand."""

from __future__ import annotations

import numpy as np

from hebb_lab.graph.cognitive.layer import Cues
from hebb_lab.layers.protocol.scopes import Scope
from hebb_lab.recall.cognitive.plan import Answers, Asked, LayerUse
from hebb_lab.records import Lists, Memories

DEPTH = 4


class ByNeighbour:
    """Direct search finds the memory of the question's number; layers add its neighbours.

    ``chain`` adds the next memory at 0.8 × merge_chain, ``hebbian`` the one before at 0.5; the
    others are empty. The seeder ``dense`` has no extra.
    """

    def __init__(self, memories, fails=()):
        self.memories, self.fails, self.calls = memories, fails, []

    def answer(self, asked, plans, depth):
        self.calls.append(list(plans))
        return [self._one(asked, plan, depth) for plan in plans]

    def _one(self, asked, plan, depth):
        if plan.seeder in self.fails:
            raise self.fails[plan.seeder]
        n, steps = len(asked), {"chain": (1, 0.8 * plan.rules.merge_chain), "hebbian": (-1, 0.5)}
        memory, score = np.full((n, depth), -1, np.int32), np.full((n, depth), -np.inf, np.float32)
        found = {layer: np.zeros(n, np.int32) for layer in plan.layers}
        for q, text in enumerate(asked.texts):
            own = {int(text): 1.0}
            for layer in plan.layers:
                step, energy = steps.get(layer, (0, 0.0))
                near = int(text) + step
                if energy and 0 <= near < asked.known[q]:
                    own[near] = energy
                    found[layer][q] = 1
            order = sorted(own, key=lambda m: (-own[m], self.memories.names[m]))[:depth]
            memory[q, : len(order)] = order
            score[q, : len(order)] = [own[m] for m in order]
        uses = tuple(
            LayerUse(layer, found[layer], found[layer], 0.01, 100, 7,
                     "" if layer in steps else "empty")
            for layer in plan.layers
        )  # fmt: skip
        return Answers(memory, score, np.full(n, bool(plan.layers)), uses)


def memories(names, session_of=None):
    """Memories of which no more than the name is known, a day apart."""
    n = len(names)
    sessions = np.zeros(n, np.int32) if session_of is None else np.asarray(session_of, np.int32)
    times = np.arange(n, dtype=np.int64) * 86_400_000_000
    return Memories.plain(tuple(names), tuple(names), times, sessions, ("s",))


def asked(texts, known):
    """Questions after ``known`` memories."""
    n = len(texts)
    nothing = Lists.of([[]] * n)
    return Asked(
        tuple(texts), np.full(n, known, np.int64), np.zeros(n, np.int64), Cues(nothing, nothing)
    )


def scope(name, count, texts, rows, first_node=0):
    """A scope of ``count`` memories with consecutive node ids."""
    held = memories([f"{name}{i}" for i in range(count)])
    node = np.arange(first_node, first_node + count, dtype=np.int32)
    return Scope(name, held, node, asked(texts, count), np.array(rows, np.int64))
