"""Small logs and queries for the tests of the rankers."""

from dataclasses import replace

import numpy as np

from hebb_lab.records import Queries, Ranking
from hebb_lab.telemetry.touches import Touches

DIRS = ("src/core", "src/httpServer", "tests/core", "docs", "src/loss_functions")
STEMS = ("userLoader", "graph", "walk", "HTTPServer", "half_life", "index", "decay2")


def queries_at(times, seeds=(), excluded=(), texts=(), rows=None) -> Queries:
    """Queries at some times; per query a list of seeds (energy 0.6^i) and of excluded nodes."""
    count = len(times)
    seeds, excluded = list(seeds) or [[]] * count, list(excluded) or [[]] * count

    def pointer(lists):
        return np.cumsum([0, *map(len, lists)]).astype(np.int64)

    return Queries(
        task="test",
        query_ids=tuple(f"q{i}" for i in range(count)),
        time_us=np.array(times, np.int64),
        cluster=np.zeros(count, np.int32),
        block=np.zeros(count, np.int16),
        event_row=np.full(count, -1) if rows is None else np.array(rows, np.int64),
        seed_ptr=pointer(seeds),
        seed_ids=np.array([s for row in seeds for s in row], np.int32),
        seed_energy=np.array([0.6**i for row in seeds for i in range(len(row))], np.float32),
        exclude_ptr=pointer(excluded),
        exclude_ids=np.array([e for row in excluded for e in row], np.int32),
        texts=tuple(texts),
    )


def some_touches(rng: np.random.Generator, count: int = 400, nodes: int = 60) -> Touches:
    """Touches of paths with words in common; popular nodes come early and often."""
    names = {f"{DIRS[i % 5]}/{STEMS[i % 7]}_{i}.py" for i in range(nodes)}
    drawn = np.minimum(rng.zipf(1.3, count) - 1, rng.integers(0, nodes, count))
    return touches_from(sorted(names), drawn.tolist(), (np.arange(count) * 10).tolist())


def touches_from(names, node, time_us) -> Touches:
    """Touches in one session."""
    count = len(node)
    return Touches(
        nodes=tuple(names),
        sessions=("s",),
        namespaces=("personal",),
        node=np.array(node, np.int32),
        session=np.zeros(count, np.int32),
        turn=np.zeros(count, np.int32),
        time_us=np.array(time_us, np.int64),
        row=np.arange(count),
        strength=np.ones(count, np.float32),
        namespace=np.zeros(count, np.int16),
    )


def some_queries(touches: Touches, rng: np.random.Generator, count: int = 60) -> Queries:
    """At some touches, seeds and exclusions are what was touched just before."""
    at = np.sort(rng.choice(np.arange(3, len(touches)), count, replace=False))
    seeds = [list(dict.fromkeys(touches.node[i - 3 : i][::-1].tolist())) for i in at]
    return queries_at(touches.time_us[at], seeds, seeds)


def first_queries(queries: Queries, count: int) -> Queries:
    """The first of some queries."""
    return replace(
        queries,
        query_ids=queries.query_ids[:count],
        time_us=queries.time_us[:count],
        cluster=queries.cluster[:count],
        block=queries.block[:count],
        event_row=queries.event_row[:count],
        seed_ptr=queries.seed_ptr[: count + 1],
        exclude_ptr=queries.exclude_ptr[: count + 1],
        texts=queries.texts[:count],
    )


def only_before(touches: Touches, time_us: int) -> Touches:
    """The log as it was: touches from then on are gone, and so are nodes only they touched."""
    kept = touches.time_us < time_us
    alive = np.unique(touches.node[kept])
    place = np.full(len(touches.nodes), -1)
    place[alive] = np.arange(len(alive))
    return touches_from(
        [touches.nodes[node] for node in alive], place[touches.node[kept]], touches.time_us[kept]
    )


def on_other_log(queries: Queries, old: Touches, new: Touches) -> Queries:
    """The same queries with the ids of another log of the same nodes."""
    place = {name: node for node, name in enumerate(new.nodes)}
    ids = np.array([place.get(name, -1) for name in old.nodes], np.int32)
    return replace(
        queries,
        seed_ids=ids[queries.seed_ids[: queries.seed_ptr[-1]]],
        exclude_ids=ids[queries.exclude_ids[: queries.exclude_ptr[-1]]],
    )


def named(ranking: Ranking, nodes) -> list[list[tuple[str, float]]]:
    """Rankings as lists of (name, score)."""
    return [
        [(nodes[i], float(s)) for i, s in zip(ids, scores, strict=True) if i >= 0]
        for ids, scores in zip(ranking.ids.tolist(), ranking.scores, strict=True)
    ]


def assert_blind_to_the_future(rank, touches: Touches, queries: Queries) -> None:
    """The leakage canary: without all that came later, bit by bit the same answers.

    Args:
        rank: (touches, queries) → Ranking.
        touches: the whole log.
        queries: to it.
    """
    whole = named(rank(touches, queries), touches.nodes)
    assert any(whole)
    for count in (1, len(queries) // 3, len(queries) // 2, len(queries)):
        now = int(queries.time_us[count - 1])
        past = only_before(touches, now)
        assert len(past) < len(touches)
        asked = on_other_log(first_queries(queries, count), touches, past)
        assert named(rank(past, asked), past.nodes) == whole[:count]
        later = touches.time_us >= now
        shuffled = touches.node.copy()
        shuffled[later] = shuffled[later][::-1]
        other = touches_from(touches.nodes, shuffled, touches.time_us)
        assert named(rank(other, first_queries(queries, count)), touches.nodes) == whole[:count]


def assert_answers_are_allowed(ranking: Ranking, queries: Queries, born_us) -> None:
    """Known strictly before, not excluded, by the tie rule, padded right."""
    from hebb_lab.evaluation import assert_ranked

    assert_ranked(ranking)
    assert (ranking.ids.dtype, ranking.scores.dtype) == (np.int32, np.float32)
    assert ((ranking.ids < 0) == np.isneginf(ranking.scores)).all()
    for q, ids in enumerate(ranking.ids):
        answers = ids[ids >= 0]
        assert (born_us[answers] < queries.time_us[q]).all()
        barred = queries.exclude_ids[queries.exclude_ptr[q] : queries.exclude_ptr[q + 1]]
        assert not np.isin(answers, barred).any()
