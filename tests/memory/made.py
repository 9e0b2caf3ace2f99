"""Makers for the tests of the memory model."""

import numpy as np

from hebb_lab.memory.changes import SCALARS, Added, Edges, Texts, Tombstones
from hebb_lab.memory.ids import Ids, made_ids

DIMENSIONS = 4
DAY_US = 86_400_000_000


def made_added(count, *, seed=0, dimensions=DIMENSIONS, last=None, start_us=DAY_US, entities=None):
    """n new memories with texts of all sorts; every fifth is without a vector."""
    rng = np.random.default_rng(seed)
    time_us = start_us + 1000 * np.arange(count, dtype=np.int64)
    vectors = rng.standard_normal((count, dimensions)).astype(np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    vectors[4::5] = 0
    contents = [f"memory {seed}-{place} said ümlaut \0 ☂ '; --" for place in range(count)]
    contexts = [f'{{"place":{place}}}' if place % 3 else "{}" for place in range(count)]
    named = [None if place % 4 == 0 else f"entity {place % 3}" for place in range(count)]
    texts = Texts(contents, contexts, named if entities is None else entities, vectors)
    return Added(made_ids(time_us, last, rng), texts, made_scalars(time_us, rng))


def made_scalars(time_us, rng):
    """Every column of n memories, by chance."""
    count = len(time_us)
    made = {
        name: rng.random(count).astype(np.float32)
        if kind is np.float32
        else rng.integers(0, 2, count).astype(kind)
        for name, kind in SCALARS.items()
    }
    times = dict.fromkeys(("created_us", "updated_us", "accessed_us"), time_us)
    return {**made, **times, "kind": rng.integers(1, 4, count).astype(np.int8)}


def made_edges(pairs, *, kind=1, confidence=0.5, time_us=7):
    """Edges of one kind between pairs of 16-byte ids."""
    count = len(pairs)
    return Edges(
        Ids.from_bytes([source for source, _ in pairs]),
        Ids.from_bytes([target for _, target in pairs]),
        np.full(count, kind, np.int8),
        np.full(count, confidence, np.float32),
        np.full(count, time_us, np.int64),
    )


def made_tombstones(ids, *, time_us=9):
    """Tombstones of forgotten memories."""
    marks = [bytes([place % 256]) for place in range(len(ids))]
    return Tombstones(
        ids, np.full(len(ids), time_us, np.int64), [mark * 16 for mark in marks],
        [mark * 32 for mark in marks], ["ids"] * len(ids),
    )  # fmt: skip


def held(journal):
    """All that a journal holds, in plain values that can be compared."""
    memories, edges, facts, stones, clock_us = {}, [], {}, [], None
    for change in journal.load():
        clock_us = change.at_us
        if change.added is not None:
            texts, scalars = change.added.texts, change.added.scalars
            assert {name: column.dtype for name, column in scalars.items()} == SCALARS
            for row, part in enumerate(change.added.ids.to_bytes()):
                memories[part] = (
                    texts.contents[row], texts.contexts[row], texts.entities[row],
                    texts.vectors[row].tobytes(),
                    *(scalars[name][row].item() for name in SCALARS),
                )  # fmt: skip
        if change.edges is not None:
            edges += _rows(*change.edges)
        if change.tombstones is not None:
            stones += _rows(*change.tombstones)
        facts |= change.facts
    return {"memories": memories, "edges": edges, "stones": stones, "facts": facts,
            "clock_us": clock_us, "in_order": list(memories) == sorted(memories)}  # fmt: skip


def _rows(*columns):
    plain = [
        column.to_bytes() if isinstance(column, Ids) else np.asarray(column).tolist()
        if isinstance(column, np.ndarray) else list(column)
        for column in columns
    ]  # fmt: skip
    return list(zip(*plain, strict=True))
