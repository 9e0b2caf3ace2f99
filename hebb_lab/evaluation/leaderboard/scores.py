"""Per-query rows and the scores of all arms on one task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hebb_lab.errors import InputError
from hebb_lab.records import Judgements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from hebb_lab.evaluation.spec import Measure

_AGAIN = "Delete the run folder and run it again"
_LISTS = ("ranks", "grades", "gold_tokens", "optimistic", "pessimistic")


def per_query_frame(
    task: str,
    arm: str,
    query_ids: Sequence[str],
    cluster: ArrayLike,
    judgements: Judgements,
    tokens: ArrayLike,
    tie: ArrayLike,
    *,
    edges: ArrayLike | None,
) -> pl.DataFrame:
    """What is kept of one arm on one task: enough to compute every measure again.

    Args:
        task: name of the task.
        arm: name of the arm.
        query_ids: [Q] names.
        cluster: [Q] integers.
        judgements: of the Q queries.
        tokens: [Q] tokens injected at the reporting cut.
        tie: [Q] whether a tie goes across that cut.
        edges: [Q] edges read while answering; 0 for an arm that walks no graph; None where they
            are not counted.

    Returns:
        One row a query: task, arm, query_id, cluster, ranks, grades, gold_tokens, optimistic,
        pessimistic, returned, tokens, tie, edges.
    """
    count = len(query_ids)
    lists = _nest(judgements)
    return pl.DataFrame(
        {
            "task": pl.Series([task] * count, dtype=pl.String),
            "arm": pl.Series([arm] * count, dtype=pl.String),
            "query_id": pl.Series(query_ids, dtype=pl.String),
            "cluster": pl.Series(np.asarray(cluster, dtype=np.int64)),
            **{name: lists[name] for name in _LISTS},
            "returned": pl.Series(judgements.returned, dtype=pl.Int32),
            "tokens": pl.Series(np.asarray(tokens, dtype=np.float64)),
            "tie": pl.Series(np.asarray(tie, dtype=np.bool_)),
            "edges": pl.repeat(None, count, dtype=pl.Int64, eager=True)
            if edges is None
            else pl.Series(np.broadcast_to(np.asarray(edges, dtype=np.int64), count)),
        }
    )


def _nest(judgements: Judgements) -> pl.DataFrame:
    """The ragged arrays as one list a query, [Q] rows; a query with nothing relevant has []."""
    owner = np.repeat(np.arange(len(judgements)), np.diff(judgements.ptr))
    flat = pl.DataFrame(
        {
            "q": owner,
            "ranks": judgements.ranks,
            "grades": judgements.grades,
            "gold_tokens": judgements.tokens,
            "optimistic": judgements.optimistic,
            "pessimistic": judgements.pessimistic,
        },
        schema={"q": pl.Int64, **dict.fromkeys(_LISTS, pl.Int32)},
    )
    lists = flat.group_by("q", maintain_order=True).agg(_LISTS)
    everyone = pl.DataFrame({"q": np.arange(len(judgements))}, schema={"q": pl.Int64})
    whole = everyone.join(lists, on="q", how="left", maintain_order="left")
    return whole.select(pl.col(_LISTS).fill_null(pl.lit([], dtype=pl.List(pl.Int32))))


def judgements_of(frame: pl.DataFrame) -> Judgements:
    """The judgements of per-query rows, in the order of the rows; absent lists are empty."""
    counts = frame["ranks"].list.len().fill_null(0).to_numpy()
    flat = {name: _flat(frame[name]) for name in _LISTS}
    if any(len(values) != counts.sum() for values in flat.values()):
        raise InputError(f"{', '.join(_LISTS)} differ in length", _AGAIN)
    return Judgements(
        ptr=np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]),
        ranks=flat["ranks"],
        grades=flat["grades"],
        tokens=flat["gold_tokens"],
        returned=frame["returned"].fill_null(0).to_numpy().astype(np.int32),
        optimistic=flat["optimistic"],
        pessimistic=flat["pessimistic"],
    )


def _flat(lists: pl.Series) -> NDArray[np.int32]:
    """All values of a column of lists, one after the other."""
    return lists.explode().drop_nulls().to_numpy().astype(np.int32)


def align(frame: pl.DataFrame, arms: Sequence[str]) -> pl.DataFrame:
    """One row for every arm and query of one task: arms in the order given, then queries.

    Queries stand in the order in which they first come. A query that an arm lacks gets a row
    without ranks, so that it counts 0.

    Raises:
        InputError: when an arm has a query twice, or two arms disagree about a query's cluster or
            truth.
    """
    if frame.select(pl.struct("arm", "query_id").is_duplicated().any()).item():
        raise InputError("an arm has two rows for one query", _AGAIN)
    queries = frame.group_by("query_id", maintain_order=True).agg(
        pl.col("cluster").first(),
        odd=(pl.col("cluster").n_unique() > 1)
        | (pl.col("grades").list.len().n_unique() > 1)
        | (pl.col("grades").list.sum().n_unique() > 1),
    )
    if queries["odd"].any():
        odd = queries.filter("odd")["query_id"][0]
        raise InputError(f"arms disagree about the cluster or truth of query '{odd}'", _AGAIN)
    grid = pl.DataFrame({"arm": pl.Series(list(arms), dtype=pl.String)}).join(
        queries.select("query_id", "cluster"), how="cross"
    )
    rest = frame.drop("cluster", "task")
    return grid.join(rest, on=["arm", "query_id"], how="left", maintain_order="left")


@dataclass(frozen=True)
class TaskScores:
    """The scores of A arms under M measures on the same Q queries of one task.

    Args:
        arms: [A] names.
        cluster: [Q] int64.
        scores: [M, A, Q] float64.
        tie_reach: [M, A, 2] how far the mean can fall, and rise, by the order of equal scores
            alone: mean of pessimistic − score (≤ 0) and of optimistic − score (≥ 0).
        tokens: [A] mean tokens injected at the reporting cut.
        ties: [A] share of queries with a tie across that cut.
        edges: [A] mean edges read while answering; NaN where they are not counted.
        returned: [A] mean number of nodes in a ranking.
        missing: [A] queries without a row; they count 0.
    """

    arms: tuple[str, ...]
    cluster: NDArray[np.int64]
    scores: NDArray[np.float64]
    tie_reach: NDArray[np.float64]
    tokens: NDArray[np.float64]
    ties: NDArray[np.float64]
    edges: NDArray[np.float64]
    returned: NDArray[np.float64]
    missing: NDArray[np.int64]

    def select(self, arms: Sequence[str]) -> TaskScores:
        """The same for some of the arms, in the order given."""
        at = [self.arms.index(arm) for arm in arms]
        parts: dict[str, Any] = {
            name: getattr(self, name)[at]
            for name in ("tokens", "ties", "edges", "returned", "missing")
        }
        scores, reach = self.scores[:, at], self.tie_reach[:, at]
        return TaskScores(tuple(arms), self.cluster, scores, reach, **parts)


def score_task(frame: pl.DataFrame, arms: Sequence[str], measures: Sequence[Measure]) -> TaskScores:
    """Score the rows of one task.

    Args:
        frame: per-query rows of one task; rows of other arms are ignored.
        arms: [A] names, each with at least one row.
        measures: [M].

    Raises:
        InputError: see ``align``.
    """
    aligned = align(frame.filter(pl.col("arm").is_in(list(arms))), arms)
    shape = (len(arms), len(aligned) // max(len(arms), 1))
    judged = judgements_of(aligned)
    scores = np.array([m(judged) for m in measures]).reshape(len(measures), *shape)

    def column(name: str, otherwise: float) -> NDArray[np.float64]:
        filled = aligned[name].cast(pl.Float64).fill_null(otherwise)
        return filled.to_numpy().reshape(shape).astype(np.float64)

    counted = aligned["edges"].is_not_null().to_numpy().reshape(shape).any(axis=1)
    return TaskScores(
        arms=tuple(arms),
        cluster=aligned["cluster"].to_numpy()[: shape[1]].astype(np.int64),
        scores=scores,
        tie_reach=_tie_reach(judged, scores, measures),
        tokens=column("tokens", 0.0).mean(axis=1),
        ties=column("tie", 0.0).mean(axis=1),
        edges=np.where(counted, column("edges", 0.0).mean(axis=1), np.nan),
        returned=column("returned", 0.0).mean(axis=1),
        missing=aligned["returned"].is_null().to_numpy().reshape(shape).sum(axis=1),
    )


def _tie_reach(
    judged: Judgements, scores: NDArray[np.float64], measures: Sequence[Measure]
) -> NDArray[np.float64]:
    """Mean of what the worst and the best order of equal scores would change, [M, A, 2]."""
    reach = np.zeros((*scores.shape[:2], 2))
    for end, ranks in enumerate((judged.pessimistic, judged.optimistic)):
        if not np.array_equal(ranks, judged.ranks):
            other = judged.with_ranks(ranks)
            moved = np.array([measure(other) for measure in measures]).reshape(scores.shape)
            reach[:, :, end] = (moved - scores).mean(axis=2)
    return reach
