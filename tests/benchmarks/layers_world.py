"""Made memories of any number for the layers of the cognitive graph, and queries for them."""

from itertools import product

import numpy as np

from hebb_lab.graph.cognitive.layer import Cues, Seeds
from hebb_lab.records import Lists, Memories

SESSION = 10  # memories, on average
TAGS, TAGS_OF_A_MEMORY = 150, 3
ENTITY_TYPES = ("PERSON", "PROJECT", "SERVICE", "CONCEPT")
SECONDS_APART = 20.0  # of memories in a session, on average
QUERY_SEEDS, QUERY_TAGS, QUERY_ENTITIES = 10, 2, 2


def made_memories(count, seed=0):
    """Memories in sessions of about ten, each with 3 tags and with 3 or 4 mentions.

    Tags are of 150, entities of as many names as there are memories, both by Zipf's law (1/rank);
    of such entities about half are ever mentioned, the first by a third of all memories.
    """
    random = np.random.default_rng((seed, count))
    session = np.cumsum(random.random(count) < 1 / SESSION).astype(np.int32)
    gap = random.exponential(SECONDS_APART, count) + 3600.0 * np.diff(session, prepend=0)
    mentions = random.integers(3, 5, count)
    return Memories(
        names=tuple(f"m{i}" for i in range(count)), texts=("",) * count,
        time_us=1_700_000_000_000_000 + np.cumsum(gap * 1e6).astype(np.int64),
        session=session, sessions=tuple(f"s{i}" for i in range(int(session[-1]) + 1)),
        scope=np.zeros(count, np.int32), scopes=("all",),
        importance=np.full(count, np.nan, np.float32), valence=np.zeros(count, np.int16),
        arousal=np.full(count, -1, np.int16), recalls=np.zeros(count, np.int32),
        pinned=np.zeros(count, np.bool_), resolved=np.zeros(count, np.bool_),
        tags=Lists(_offsets(np.full(count, TAGS_OF_A_MEMORY)), _three_of_each(count, random)),
        tag_names=tuple(f"tag {i}" for i in range(TAGS)),
        mentions=Lists(_offsets(mentions), _zipf(count, int(mentions.sum()), random)),
        entity_names=_made_names(count, random),
        entity_types=tuple(ENTITY_TYPES[i % len(ENTITY_TYPES)] for i in range(count)),
    )  # fmt: skip


def made_queries(memories, count, seed=1):
    """(seeds, cues) of queries: ten distinct seeds each, and what the first of them is about.

    The seeds are drawn from all memories, which is the worst for a cache; scores fall from 1. The
    cues are two tags and two entities of the first seed.
    """
    random = np.random.default_rng((seed, count))
    memory = random.integers(len(memories) // QUERY_SEEDS, size=(count, QUERY_SEEDS))
    memory = random.permuted(memory * QUERY_SEEDS + np.arange(QUERY_SEEDS), axis=1)
    score = np.sort(random.uniform(0.3, 1.0, (count, QUERY_SEEDS)))[:, ::-1]
    seeds = Seeds(
        np.arange(0, memory.size + 1, QUERY_SEEDS), memory.ravel().astype(np.int32),
        score.ravel().astype(np.float32),
    )  # fmt: skip
    first = memory[:, 0]
    return seeds, Cues(
        _firsts(memories.tags, first, QUERY_TAGS), _firsts(memories.mentions, first, QUERY_ENTITIES)
    )


def _firsts(lists, chosen, most):
    """At most so many distinct ids of some lists."""
    rows = [list(dict.fromkeys(lists.row(i).tolist()))[:most] for i in chosen.tolist()]
    return Lists.of(rows)


def _zipf(kinds, count, random):
    """Ids below ``kinds``, id i with probability ∝ 1 / (i + 1)."""
    bounds = np.cumsum(1.0 / np.arange(1, kinds + 1))
    return np.searchsorted(bounds, random.random(count) * bounds[-1]).astype(np.int32)


def _three_of_each(count, random):
    """[3 · count] tags, three distinct ones for each memory, common ones more often."""
    popularity = np.log(1.0 / np.arange(1, TAGS + 1))
    chosen = []
    for first in range(0, count, 100_000):  # the largest of log p + Gumbel: without replacement
        keys = popularity + random.gumbel(size=(min(100_000, count - first), TAGS))
        chosen.append(np.argpartition(-keys, TAGS_OF_A_MEMORY, axis=1)[:, :TAGS_OF_A_MEMORY])
    return np.concatenate(chosen).ravel().astype(np.int32)


def _made_names(count, random):
    """Distinct names of two words, seldom within two letters of each other."""
    syllables = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
    number = random.choice(len(syllables) ** 3, size=(count, 2))
    number = np.unique(number, axis=0)
    while len(number) < count:
        more = random.choice(len(syllables) ** 3, size=(count - len(number), 2))
        number = np.unique(np.concatenate([number, more]), axis=0)
    words = ["".join(word) for word in product(syllables, repeat=3)]
    return tuple(f"{words[a]} {words[b]}" for a, b in random.permutation(number).tolist())


def _offsets(counts):
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
