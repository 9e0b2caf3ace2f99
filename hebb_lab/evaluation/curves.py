"""Recall against depth and against tokens, with bands from whole clusters.

Both curves are sums over the relevant nodes: a node found at rank r (after t tokens) adds 1/R to
every cut of at least r (budget of at least t). They are added up per cluster before anything is
resampled, so no array of queries × cuts is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from hebb_lab.evaluation.bootstrap import ClusterSums, Replicates, resample, stratified
from hebb_lab.evaluation.leaderboard.scores import align, judgements_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.records import Judgements

BUDGETS = tuple(round(100 * 2 ** (step / 2)) for step in range(21))
"""Tokens: 100 to 102,400, two to each doubling."""


def recall_at_k(
    per_query: pl.DataFrame, rng: np.random.Generator, depth: int = 50, resamples: int = 2000
) -> pl.DataFrame:
    """R@k for k = 1 … depth: mean share of the relevant nodes in the top k.

    Args:
        per_query: rows as ``per_query_frame`` makes them; a query that an arm lacks counts 0.
        rng: source of the draws; all arms of a task share them.
        depth: largest k; beyond the depth of the rankings the curve is flat.
        resamples: of the bootstrap.

    Returns:
        Columns task, arm, k, recall, low, high (null with one cluster only), n.

    >>> from hebb_lab.evaluation.judge import judgements_from_ranks
    >>> from hebb_lab.evaluation.leaderboard.scores import per_query_frame
    >>> judged = judgements_from_ranks([[1, 3], [2]])
    >>> rows = per_query_frame(
    ...     "t", "a", ["q", "p"], [1, 2], judged, tokens=[0, 0], tie=[False, False], edges=0
    ... )
    >>> recall_at_k(rows, np.random.default_rng(0), depth=3)["recall"].to_list()
    [0.25, 0.75, 1.0]
    """
    return _curves(per_query, rng, "k", range(1, depth + 1), resamples)


def macro_recall_at_k(
    parts: Sequence[pl.DataFrame],
    rng: np.random.Generator,
    depth: int = 50,
    resamples: int = 2000,
) -> pl.DataFrame:
    """The mean over data sets of their R@k, for k = 1 … depth.

    Every data set weighs the same; clusters are resampled inside each of them.

    Args:
        parts: rows of one task, one frame a data set; arms that one of them lacks are left out.
        rng: source of the draws, one data set after the other; all arms share them.
        depth: largest k; beyond the depth of the rankings the curve is flat.
        resamples: of the bootstrap.

    Returns:
        As ``recall_at_k``; n is the sum over the data sets.

    Raises:
        ValueError: when there is no data set, or the rows are of more than one task.
    """
    tasks = set().union(*(part["task"].unique() for part in parts))
    if not parts or len(tasks) > 1:
        raise ValueError(f"a mean curve is of one task over data sets, not of {sorted(tasks)}")
    common = set.intersection(*(set(part["arm"].unique()) for part in parts))
    arms = [arm for arm in parts[0]["arm"].unique(maintain_order=True) if arm in common]
    if not arms:
        return _empty("k")
    cuts = range(1, depth + 1)
    found = [_replicates(part, arms, rng, "k", cuts, resamples) for part in parts]
    queries = sum(count for _, count in found)
    whole = stratified([replicates for replicates, _ in found])
    return _frame(tasks.pop(), arms, "k", cuts, whole, queries)


def recall_at_budget(
    per_query: pl.DataFrame,
    rng: np.random.Generator,
    budgets: Sequence[int] = BUDGETS,
    resamples: int = 2000,
) -> pl.DataFrame:
    """Recall when nodes are injected, best first, as long as they fit in a budget of tokens.

    A relevant node counts when all nodes up to and including it cost at most the budget. Only
    nodes in the ranking can count: budgets that hold more than the ranking give its full recall.

    Args:
        per_query: rows as ``per_query_frame`` makes them; a query that an arm lacks counts 0.
        rng: source of the draws; all arms of a task share them.
        budgets: tokens, in increasing order.
        resamples: of the bootstrap.

    Returns:
        Columns task, arm, budget, recall, low, high (null with one cluster only), n.
    """
    return _curves(per_query, rng, "budget", budgets, resamples)


def _curves(
    per_query: pl.DataFrame,
    rng: np.random.Generator,
    axis: str,
    cuts: Sequence[int],
    resamples: int,
) -> pl.DataFrame:
    """The curves of all tasks and arms, over ranks or over tokens."""
    frames = [_empty(axis)]
    for (task,), rows in per_query.group_by(["task"], maintain_order=True):
        arms = rows["arm"].unique(maintain_order=True).to_list()
        replicates, queries = _replicates(rows, arms, rng, axis, cuts, resamples)
        frames.append(_frame(str(task), arms, axis, cuts, replicates, queries))
    return pl.concat(frames)


def _replicates(
    rows: pl.DataFrame,
    arms: Sequence[str],
    rng: np.random.Generator,
    axis: str,
    cuts: Sequence[int],
    resamples: int,
) -> tuple[Replicates, int]:
    """Resampled recall of the arms at each cut, [B, A · K], and the number of queries."""
    aligned = align(rows.filter(pl.col("arm").is_in(list(arms))), arms)
    cluster = aligned["cluster"].to_numpy()
    sums = _cluster_sums(judgements_of(aligned), cluster, len(arms), axis, np.asarray(cuts))
    return resample(sums, rng, resamples), len(aligned) // len(arms)


def _frame(
    task: str,
    arms: Sequence[str],
    axis: str,
    cuts: Sequence[int],
    replicates: Replicates,
    queries: int,
) -> pl.DataFrame:
    """The curves of one task."""
    bounds = replicates.interval()
    columns = {
        "task": np.repeat(task, len(bounds)),
        "arm": np.repeat(arms, len(cuts)),
        axis: np.tile(cuts, len(arms)),
        "recall": replicates.estimate(),
        "low": bounds[:, 0],
        "high": bounds[:, 1],
        "n": np.full(len(bounds), queries),
    }
    found = pl.DataFrame(columns, schema=_empty(axis).schema)
    return found.with_columns(pl.col("low", "high").fill_nan(None))


def _empty(axis: str) -> pl.DataFrame:
    """No curve."""
    numbers = {"recall": pl.Float64, "low": pl.Float64, "high": pl.Float64, "n": pl.Int64}
    return pl.DataFrame(schema={"task": pl.String, "arm": pl.String, axis: pl.Int64, **numbers})


def _cluster_sums(
    judged: Judgements,
    cluster: NDArray[np.int64],
    arms: int,
    axis: str,
    cuts: NDArray[np.int64],
) -> ClusterSums:
    """Recall at each cut, added up in each cluster: [A · K, C]; rows of judged are arm by arm."""
    names, place = np.unique(cluster, return_inverse=True)
    queries = len(cluster) // arms
    sizes = np.diff(judged.ptr)
    row = np.repeat(np.arange(len(cluster)), sizes)
    found = judged.ranks > 0
    reached = (judged.ranks if axis == "k" else judged.tokens)[found]
    first = np.searchsorted(cuts, reached)  # the first cut that holds the node
    arm, where = row[found] // queries, place[row[found]]
    shape = (arms, len(cuts) + 1, len(names))
    flat = np.ravel_multi_index((arm, first, where), shape)
    weights = 1.0 / sizes[row[found]]
    gained = np.bincount(flat, weights=weights, minlength=int(np.prod(shape))).reshape(shape)
    summed = np.cumsum(gained[:, :-1], axis=1, dtype=np.float64)  # [A, K, C]
    counts = np.bincount(place[:queries], minlength=len(names)).astype(np.float64)
    return ClusterSums(summed.reshape(-1, len(names)), counts)
