"""Small random memories with entities, relations, seeds and cues."""

from dataclasses import replace

import numpy as np

from hebb_lab.graph.cognitive.layer import Cues, Seeds
from hebb_lab.records import Lists, Memories, Relations

LETTERS = "abc"


def memories(mentions, names, types=None, relations=(), kinds=("KNOWS", "USES")):
    """Memories with the names that each mentions; relations as (from, to, kind, memory)."""
    n = len(mentions)
    number = {name: i for i, name in enumerate(names)}
    plain = Memories.plain(
        tuple(f"m{i}" for i in range(n)), ("",) * n, np.arange(n), np.zeros(n, np.int32), ("s",)
    )
    rows = [(number[a], number[b], kinds.index(kind), m) for a, b, kind, m in relations]
    columns = np.array(rows, np.int32).reshape(-1, 4).T
    return replace(
        plain,
        mentions=Lists.of([[number[name] for name in row] for row in mentions]),
        entity_names=tuple(names),
        entity_types=types or ("PERSON",) * len(names),
        relations=Relations(*columns),
        relation_kinds=tuple(kinds),
    )


def random_memories(rng, count=40):
    """A world whose names are near to one another often."""
    names = sorted({"".join(rng.choice(list(LETTERS), rng.integers(1, 8))) for _ in range(14)})
    names[0] = "  "  # a blank one is left out
    names.insert(2, names[3].upper() + " ")  # the same but for case and spaces
    rng.shuffle(names)
    mentions = [list(rng.choice(names, rng.integers(0, 7))) for _ in range(count)]
    relations = sorted(
        ((*rng.choice(names, 2), rng.choice(["KNOWS", "USES"]), int(m))
         for m in rng.integers(0, count, 25)),
        key=lambda r: r[3],
    )  # fmt: skip
    types = tuple(rng.choice(["PERSON", "TOOL"], len(names), p=[0.8, 0.2]))
    return memories(mentions, names, types, relations)


def asked(memories, rng, known, count=12):
    """Seeds and cues of some queries."""
    seeds = [rng.choice(known, min(known, int(rng.integers(0, 4))), replace=False).tolist()
             for _ in range(count)]  # fmt: skip
    cues = [
        rng.integers(0, len(memories.entity_names), rng.integers(0, 5)).tolist()
        for _ in range(count)
    ]
    rows = Lists.of(seeds)
    score = rng.uniform(0.1, 1.0, len(rows.ids)).astype(np.float32)
    nothing = Lists.of([[] for _ in range(count)])
    return Seeds(rows.ptr, rows.ids, score), Cues(nothing, Lists.of(cues))
