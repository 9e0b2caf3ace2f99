"""A state as plain dicts, to compare with; and changes by chance."""

from __future__ import annotations

import numpy as np

from hebb_lab.memory.changes import SCALARS, Added, Change, Edges, Rewritten, Texts, Updated
from hebb_lab.memory.ids import Ids
from tests.memory.made import made_scalars

NAMES = (None, "Ada", "Bob", "", "ü☂ '; --")
UNKNOWN = tuple(bytes([200 + n] * 16) for n in range(3))  # ids that no memory has, yet


class PlainState:
    """What a state should say, by id."""

    def __init__(self):
        self.order = []  # every id ever added, in the order of rows
        self.memories = {}  # id → {"entity", "vector", and numbers}
        self.edges = {}  # (source, target, kind) → (confidence, time), in the order of writing

    def apply(self, change):
        if change.added is not None:
            for place, part in enumerate(change.added.ids.to_bytes()):
                self.order.append(part)
                self.memories[part] = {
                    name: column[place] for name, column in change.added.scalars.items()
                }
            self._say(change.added)
        if change.rewritten is not None:
            self._say(change.rewritten)
        for updated in change.updated:
            for place, part in enumerate(updated.ids.to_bytes()):
                for name, column in updated.scalars.items():
                    self.memories[part][name] = column[place]
        if change.edges is not None:
            ends = change.edges.source.to_bytes(), change.edges.target.to_bytes()
            rest = (column.tolist() for column in change.edges[2:])
            for source, target, kind, confidence, time_us in zip(*ends, *rest, strict=True):
                self.edges[source, target, kind] = confidence, time_us
        if change.forgotten is not None:
            for part in change.forgotten.to_bytes():
                self.memories.pop(part, None)
                self.edges = {key: v for key, v in self.edges.items() if part not in key[:2]}

    def _say(self, written):
        for place, part in enumerate(written.ids.to_bytes()):
            self.memories[part]["entity"] = written.texts.entities[place]
            self.memories[part]["vector"] = written.texts.vectors[place]

    def row(self, part):
        """The last row of an id, −1 where no memory has it."""
        if part not in self.memories:
            return -1
        return len(self.order) - 1 - self.order[::-1].index(part)


class Chance:
    """Changes by chance, each one that a journal would keep after those before."""

    def __init__(self, seed, *, dimensions=3, ascending=True):
        self.rng = np.random.default_rng(seed)
        self.dimensions = dimensions
        self.model = PlainState()
        self.ascending = ascending
        self._next = 1

    def texts(self, count):
        grid = self.rng.integers(-1, 2, (count, self.dimensions)).astype(np.float32)
        lengths = np.maximum(np.linalg.norm(grid, axis=1, keepdims=True), 1)
        entities = [NAMES[n] for n in self.rng.integers(0, len(NAMES), count)]
        return Texts([""] * count, ["{}"] * count, entities, grid / lengths)

    def new_ids(self, count):
        numbers = np.arange(self._next, self._next + count)
        self._next += count
        if not self.ascending:
            numbers = (numbers * 7919) % 100_003  # each once, up and down
        made = [int(n).to_bytes(16, "big") for n in numbers]
        if self.rng.random() < 0.2 and count:
            made[0] = UNKNOWN[self.rng.integers(len(UNKNOWN))]
            if made[0] in self.model.memories:
                return self.new_ids(count)
        return Ids.from_bytes(made) if made else Ids.none()

    def some(self, parts, most):
        parts = list(parts)
        count = int(self.rng.integers(0, min(most, len(parts)) + 1))
        chosen = [parts[n] for n in self.rng.permutation(len(parts))[:count]]
        return Ids.from_bytes(chosen) if chosen else Ids.none()

    def change(self):
        kind = self.rng.choice(
            ["add", "rewrite", "update", "link", "forget"], p=[0.3, 0.1, 0.2, 0.3, 0.1]
        )
        return getattr(self, f"_{kind}")()

    def _add(self):
        count = int(self.rng.integers(0, 6))
        ids = self.new_ids(count)
        times = self.rng.integers(0, 1000, count)
        scalars = made_scalars(times, self.rng)
        return Change(1, added=Added(ids, self.texts(count), scalars))

    def _rewrite(self):
        ids = self.some(self.model.memories, 3)
        return Change(2, rewritten=Rewritten(ids, self.texts(len(ids))))

    def _update(self):
        ids = self.some(self.model.memories, 5)
        scalars = made_scalars(self.rng.integers(0, 1000, len(ids)), self.rng)
        names = self.rng.choice(list(SCALARS), 3, replace=False)
        return Change(3, updated=(Updated(ids, {name: scalars[name] for name in names}),))

    def _link(self):
        count = int(self.rng.integers(0, 8))
        known = [*self.model.memories, *UNKNOWN, *self.model.order[:2]]
        ends = self.rng.integers(0, len(known), (2, count))
        source, target = ([known[n] for n in row] for row in ends)
        return Change(4, edges=Edges(
            *(Ids.from_bytes(part) if part else Ids.none() for part in (source, target)),
            self.rng.integers(1, 6, count).astype(np.int8),
            self.rng.random(count).astype(np.float32), self.rng.integers(0, 99, count),
        ))  # fmt: skip

    def _forget(self):
        return Change(5, forgotten=self.some([*self.model.memories, UNKNOWN[0]], 3))
