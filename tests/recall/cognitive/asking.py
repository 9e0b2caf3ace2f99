"""Small memories and questions for the tests of the pipeline."""

from dataclasses import replace

import numpy as np

from hebb_lab.graph.cognitive.layer import Cues
from hebb_lab.recall.cognitive.plan import Asked
from hebb_lab.records import Lists, Memories

WORDS = ["run", "date", "cars", "house", "walk", "jump", "sky", "blue", "pool", "timeout", "retry"]
HOUR_US = 3_600_000_000


def some_memories(rng: np.random.Generator, count: int = 60) -> Memories:
    """Memories of random words, tags and entities in sessions of five."""
    names = tuple(f"m{i * 7 % 101:03}" for i in range(count))
    texts = tuple(" ".join(rng.choice(WORDS, rng.integers(1, 9))) for _ in range(count))
    session = (np.arange(count) // 5).astype(np.int32)
    time_us = np.sort(rng.integers(0, 40_000, count)) * HOUR_US
    sessions = tuple(f"s{i}" for i in range(int(session.max(initial=0)) + 1))
    plain = Memories.plain(names, texts, time_us, session, sessions)

    def lists(most: int) -> Lists:
        return Lists.of([
            sorted(rng.choice(6, rng.integers(0, most + 1), replace=False).tolist())
            for _ in range(count)
        ])  # fmt: skip

    return replace(
        plain,
        importance=np.where(rng.random(count) < 0.3, np.nan, rng.uniform(0.05, 10, count)).astype(
            np.float32
        ),
        valence=rng.integers(-128, 128, count).astype(np.int16),
        arousal=rng.integers(-1, 256, count).astype(np.int16),
        recalls=rng.integers(0, 8, count).astype(np.int32),
        pinned=rng.random(count) < 0.2,
        resolved=rng.random(count) < 0.7,
        tags=lists(3),
        tag_names=tuple(f"t{i}" for i in range(6)),
        mentions=lists(4),
        entity_names=tuple(f"e{i}" for i in range(6)),
        entity_types=("OTHER",) * 6,
    )


def some_questions(
    rng: np.random.Generator, memories: Memories, count: int = 20, known: int | None = None
) -> Asked:
    """Questions at times among the memories, or all when ``known`` are there."""
    total = len(memories)
    at = np.sort(rng.integers(1, total + 1, count)) if known is None else np.full(count, known)
    last = memories.time_us[np.minimum(at, total) - 1]

    def lists(names: int) -> Lists:
        drawn = [rng.choice(names, rng.integers(0, 3), replace=False) for _ in range(count)]
        return Lists.of([row.tolist() for row in drawn])

    profiles = rng.choice(["", "CRITICAL", "HYPERFOCUS", "DIVERGENT", "DEBUGGING", "OWN"], count)
    return Asked(
        texts=tuple(" ".join(rng.choice(WORDS, rng.integers(0, 4))) for _ in range(count)),
        known=at.astype(np.int64),
        time_us=last + 1 + np.arange(count) // 2,
        cues=Cues(lists(6), lists(6)),
        profile=tuple(profiles.tolist()),
        filter_tags=lists(6),
    )
