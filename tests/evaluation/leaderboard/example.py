"""Per-query rows of made-up arms, each a little better than the one before."""

from dataclasses import replace

import numpy as np
import polars as pl

from hebb_lab.evaluation.judge import judgements_from_ranks
from hebb_lab.evaluation.leaderboard import Source, Stamp, per_query_frame


def example_rows(arms=3, queries=60, clusters=12, task="next_touch", seed=0):
    """Rows of arm0, arm1, …; ranks up to 50, 0 beyond; 100 tokens a rank."""
    rng = np.random.default_rng(seed)
    cluster = rng.integers(0, clusters, queries)
    relevant = rng.integers(1, 6, queries)
    level = rng.normal(size=clusters)[cluster]
    frames = []
    for arm in range(arms):
        ranks = []
        for query in range(queries):
            drawn = np.exp(2.5 + level[query] - 0.3 * arm + rng.normal(size=relevant[query]))
            found = np.unique(np.ceil(drawn)).astype(int)
            found = found[found <= 50].tolist()
            ranks.append(found + [0] * (int(relevant[query]) - len(found)))
        judged = judgements_from_ranks(ranks)
        tokens = (judged.ranks * 100).astype(np.int32)
        judged = replace(judged, tokens=tokens, returned=np.full(queries, 50, np.int32))
        names = [f"q{i}" for i in range(queries)]
        spent, tie = np.full(queries, 100.0 * (arm + 1)), np.arange(queries) < arm
        frames.append(
            per_query_frame(
                task, f"arm{arm}", names, cluster, judged, spent, tie,
                edges=np.arange(queries) * arm,
            )
        )  # fmt: skip
    return pl.concat(frames)


def describe(arm, base="arm0", **more):
    """A description of an arm."""
    return {"arm": arm, "base": base, "status": "ok", "error": None, "ms_per_query": 1.5,
            "config_id": f"c-{arm}", "ranking_sha256": f"h-{arm}", "bytes_per_memory": 1234.5,
            **more}  # fmt: skip


def example_source(name="git", arms=3, excluded=None, describe_more=(), **shape):
    """A Source of example rows; arm0 is the base of the others."""
    entries = [describe("arm0", None), *(describe(f"arm{i}") for i in range(1, arms))]
    return Source(
        example_rows(arms=arms, **shape),
        [*entries, *describe_more],
        Stamp(name, f"sha-{name}", "c0ffee"),
        excluded or {},
    )
