"""A small world to reflect on: a journal, its state, and what writers are asked for."""

import numpy as np

from hebb_lab.memory.changes import SCALARS, Added, Change, Texts
from hebb_lab.memory.ids import made_ids
from hebb_lab.memory.published import DOCUMENTED
from hebb_lab.memory.reflection import Insight, extractive, reflected
from hebb_lab.memory.reflection.insight import Sources
from hebb_lab.memory.state import State
from hebb_lab.memory.volatile import VolatileJournal

NOW_US = 10_000_000_000_000


def around(centers, each, *, spread=0.05, dimensions=8, seed=0):
    """Unit vectors around axes, taken in turns so that clusters are not blocks."""
    rng = np.random.default_rng(seed)
    axes = np.eye(dimensions, dtype=np.float32)[:centers]
    made = np.tile(axes, (each, 1)) + spread * rng.standard_normal((centers * each, dimensions))
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


class World:
    """A store without a façade."""

    def __init__(self, dimensions=8, rules=DOCUMENTED):
        self.rules, self.rng = rules, np.random.default_rng(5)
        self.state, self.journal = State(dimensions), VolatileJournal(dimensions)

    def commit(self, change):
        self.journal.commit(change)
        return self.state.apply(change)

    def add(self, vectors, *, contents=None, entities=None, start_us=1_000_000, **columns):
        """Episodes, a second apart; their rows."""
        count = len(vectors)
        times = start_us + 1_000_000 * np.arange(count, dtype=np.int64)
        scalars = {name: np.zeros(count, kind) for name, kind in SCALARS.items()}
        for name in ("created_us", "updated_us", "accessed_us"):
            scalars[name] = times
        scalars |= {"kind": np.ones(count, np.int8), "importance": np.full(count, 0.5, np.float32)}
        scalars |= {name: np.asarray(value, SCALARS[name]) for name, value in columns.items()}
        first = self.state.count
        said = [f"episode {first + place} tells of it." for place in range(count)]
        texts = Texts(contents or said, ["{}"] * count, entities or [None] * count, vectors)
        ids = made_ids(times, self.state.highest_id, self.rng)
        return self.commit(Change(int(times[-1]), added=Added(ids, texts, scalars)))

    def reflect(self, *, writer=extractive, entity=None, at_us=NOW_US, embed=None, **switches):
        """One reflection, kept; its report."""
        rules = self.rules.change(**switches)
        change, report = reflected(
            self.state, self.journal, rules, at_us, entity, writer, self.rng, embed
        )
        if change is not None:
            self.commit(change)
        return report

    def marked(self):
        return np.flatnonzero(self.state.column("reflected"))


def says(text="They sail.", confidence=0.8, sources=(), tags=()):
    """A writer that says one thing of every cluster."""
    return lambda cluster: [Insight(text, confidence, sources, tags)]


def made_sources(contents, vectors, *, embed=None, entity=None):
    """A cluster around the mean of its vectors."""
    vectors = np.asarray(vectors, np.float32)
    centroid = vectors.mean(0) / np.linalg.norm(vectors.mean(0))
    return Sources(contents, [{}] * len(contents), entity, vectors, centroid, embed)
