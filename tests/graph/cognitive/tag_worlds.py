"""Small random worlds of tagged memories, and what is asked of them."""

from dataclasses import replace

import numpy as np

from hebb_lab.graph.cognitive.layer import Cues, Seeds
from hebb_lab.records import Lists, Memories

SECOND = 1_000_000


def memories(tags, session=None, seconds=None, chains=None, tag_names=None):
    """Memories m0, m1, … that carry such tags (letters, or ids of ``tag_names``)."""
    count = len(tags)
    session = [0] * count if session is None else session
    seconds = range(count) if seconds is None else seconds
    names = tag_names or tuple(sorted({tag for row in tags for tag in row}))
    made = Memories.plain(
        tuple(f"m{i}" for i in range(count)),
        ("",) * count,
        np.array([int(s * SECOND) for s in seconds], np.int64),
        np.array(session, np.int32),
        tuple(f"s{i}" for i in range(max(session, default=0) + 1)),
    )
    rows = [[names.index(tag) for tag in row] for row in tags]
    return replace(
        made,
        tags=Lists.of(rows),
        tag_names=names,
        chains=None if chains is None else Lists.of(chains),
    )


def random_memories(rng, count=40, tags=8, chains=False):
    names = tuple(f"t{i}" for i in rng.permutation(tags))  # ids are not in the order of names
    rows = [
        [names[t] for t in rng.choice(tags, size=rng.integers(0, 4), replace=False)]
        for _ in range(count)
    ]
    stated = None
    if chains:
        order = rng.permutation(count).tolist()
        cuts = sorted(rng.choice(count, size=4, replace=False).tolist())
        ends = zip([0, *cuts], [*cuts, count - 5], strict=True)
        stated = [order[a:b] for a, b in ends]
    seconds = np.cumsum(rng.choice([0, 0.1, 1, 20, 90_000], size=count))
    return memories(rows, rng.integers(0, 4, count).tolist(), seconds, stated, names)


def random_asked(rng, world, known, queries=6, seeds=5):
    """Seeds among the known memories, and tags as cues; some queries have none of either."""
    chosen, scores, cues = [], [], []
    for _ in range(queries):
        size = int(rng.integers(0, min(seeds, known) + 1))
        chosen.append(rng.choice(known, size=size, replace=False).tolist() if size else [])
        scores.append(sorted(rng.choice([0.0, 0.25, 0.5, 1.0, 2.0], size=size), reverse=True))
        size = int(rng.integers(0, 3))
        cues.append(rng.choice(len(world.tag_names), size=size, replace=False).tolist())
    return asked(chosen, scores, cues)


def asked(chosen, scores=None, cues=None):
    rows = Lists.of(chosen)
    scores = [[1.0] * len(row) for row in chosen] if scores is None else scores
    flat = np.array([s for row in scores for s in row], np.float32)
    cues = [[] for _ in chosen] if cues is None else cues
    return Seeds(rows.ptr, rows.ids, flat), Cues(Lists.of(cues), Lists.of([[] for _ in chosen]))


def rows_of(expansion):
    """For each query: memory → (energy, activation, origin, hop), all as found."""
    found = []
    for q in range(len(expansion)):
        own = slice(expansion.ptr[q], expansion.ptr[q + 1])
        found.append(
            {
                int(m): (float(e), float(a), int(o), int(h))
                for m, e, a, o, h in zip(*(part[own] for part in expansion[1:]), strict=True)
            }
        )
        assert (np.diff(expansion.memory[own]) > 0).all()
    return found


def best_or_sum(paths, summed):
    """[(memory, energy, activation, origin, hop)] in order → as ``rows_of`` has them."""
    best, total = {}, {}
    for memory, energy, activation, origin, hop in paths:
        total[memory] = total.get(memory, 0.0) + energy
        if memory not in best or energy > best[memory][0]:
            best[memory] = (energy, activation, origin, hop)
    return {m: (total[m] if summed else b[0], *b[1:]) for m, b in best.items()}


def assert_same(found, expected):
    for row, wanted in zip(found, expected, strict=True):
        assert row.keys() == wanted.keys()
        for memory, values in wanted.items():
            np.testing.assert_allclose(row[memory][:2], values[:2], rtol=1e-6)
            assert row[memory][2:] == values[2:]
