"""Memories by the hundred thousand, whose vectors lie in clusters as those of texts do."""

import numpy as np

from hebb_lab.memory.changes import SCALARS, Added, Change, Texts
from hebb_lab.memory.ids import made_ids
from hebb_lab.memory.state import State
from hebb_lab.memory.values import Batch

WIDTH, EVERY = 384, 100  # numbers of a vector; memories of a cluster
AT_ONCE = 100_000
SPREAD = 1.0  # the tenth nearest has a cosine of about a half, as turns of LoCoMo in MiniLM have


def centres_of(count, width=WIDTH):
    """Unit vectors [count / 100, width] that memories lie around."""
    made = np.random.default_rng(1).standard_normal((max(count // EVERY, 1), width), np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def around(centres, count, random):
    """Unit vectors [count, width] near centres by chance."""
    made = random.standard_normal((count, centres.shape[1]), np.float32)
    made *= np.float32(SPREAD / np.sqrt(centres.shape[1]))
    made += centres[random.integers(0, len(centres), count)]
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made


def batches(count):
    """`Batch` of 10⁵ memories each, a second apart, of a thousand entities."""
    random, centres = np.random.default_rng(0), centres_of(count)
    for first in range(0, count, AT_ONCE):
        places = range(first, min(first + AT_ONCE, count))
        yield Batch(
            [f"memory {n} of what was said, in a sentence of usual length" for n in places],
            around(centres, len(places), random),
            random.random(len(places), np.float32),
            entities=[f"entity {n % 1000}" for n in places],
            time_us=np.arange(places.start, places.stop, dtype=np.int64) * 1_000_000,
        )


def state_of(count):
    """A state of so many memories, without a journal."""
    random, state = np.random.default_rng(0), State(WIDTH)
    for batch in batches(count):
        n = len(batch)
        scalars = {name: np.ones(n, kind) for name, kind in SCALARS.items()}
        for name in ("created_us", "updated_us", "accessed_us"):
            scalars[name] = batch.time_us
        ids = made_ids(batch.time_us, state.highest_id, random)
        texts = Texts(batch.contents, ["{}"] * n, batch.entities, batch.vectors)
        state.apply(Change(int(batch.time_us[-1]), added=Added(ids, texts, scalars)))
    return state


def asked_of(count, queries):
    """Unit vectors [queries, WIDTH] of questions to so many memories."""
    return around(centres_of(count), queries, np.random.default_rng(2))
