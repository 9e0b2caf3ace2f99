"""Stores for tests: in memory, with a seed, and what they say in plain values."""

import numpy as np

from hebb_lab.memory.published import DOCUMENTED
from hebb_lab.memory.store import MemoryStore

DAY = 86_400_000_000
EAST, NORTH, WEST = np.eye(3, 4, dtype=np.float32)


class Letters:
    """An embedder: how often each of the first letters of the alphabet occurs."""

    name = "letters"

    def __init__(self, dimensions=4):
        self.dimensions = dimensions
        self.asked = []

    def encode(self, texts):
        self.asked += texts
        return np.array(
            [[text.count(chr(97 + place)) for place in range(self.dimensions)] for text in texts],
            np.float32,
        ).reshape(len(texts), self.dimensions)


def made_store(rules=DOCUMENTED, *, dimensions=4, embedder=None, seed=0, **switches):
    """An empty store in memory."""
    return MemoryStore.in_memory(
        dimensions,
        rules=rules.change(**switches) if switches else rules,
        embedder=embedder,
        rng=np.random.default_rng(seed),
    )


def edges_of(store):
    """Edges as (source, target, kind, confidence) in the order of writing; None where no memory."""
    edges = store.state.edges
    ends = [
        [None if row < 0 else store.state.ids_of(np.array([row]))[0] for row in column.tolist()]
        for column in (edges.source, edges.target)
    ]
    return list(zip(*ends, edges.kind.tolist(), edges.confidence.tolist(), strict=True))
