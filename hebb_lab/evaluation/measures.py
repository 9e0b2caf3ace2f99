"""Measures of a ranking.

Definitions are those of trec_eval (m_*.c) unless the name says otherwise. r counts ranks from 1,
R is the number of relevant nodes, k the cut-off. In every measure:

- a query whose ranking is empty or missing counts 0, and so does a query with nothing relevant;
- relevant nodes that were not retrieved stay in R and in the ideal ranking;
- the value is one number per query, [Q] float64; what is averaged is up to the caller.

Every measure sees ranks only, so all of them follow one tie rule (``judge.rank_by_score``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.evaluation.spec import measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.records import Judgements


def _queries(judgements: Judgements) -> NDArray[np.int64]:
    """The query of each relevant node, [G]."""
    return np.repeat(np.arange(len(judgements)), np.diff(judgements.ptr))


def _per_query(judgements: Judgements, weights: Any) -> NDArray[np.float64]:
    """Sum of the relevant nodes' weights, [Q]."""
    values = np.asarray(weights, dtype=np.float64)
    sums = np.bincount(_queries(judgements), weights=values, minlength=len(judgements))
    return sums.astype(np.float64, copy=False)


def _over(numerator: NDArray[np.float64], denominator: Any) -> NDArray[np.float64]:
    """Quotient per query, 0 where the denominator is 0."""
    below = np.asarray(denominator, dtype=np.float64)
    quotient: NDArray[np.float64] = np.zeros(len(below))
    np.divide(numerator, below, out=quotient, where=below > 0)
    return quotient


def _relevant(judgements: Judgements) -> NDArray[np.float64]:
    """R, [Q]."""
    return np.diff(judgements.ptr).astype(np.float64)


def _inside(judgements: Judgements, cutoff: int | None) -> NDArray[np.bool_]:
    """Whether each relevant node stands at rank k or better, [G]."""
    retrieved = judgements.ranks > 0
    return retrieved if cutoff is None else retrieved & (judgements.ranks <= cutoff)


@measure("hits", "optional")
def hits(judgements: Judgements, cutoff: int | None = None) -> NDArray[np.float64]:
    """Number of relevant nodes in the top k: Σ [rank ≤ k].

    >>> from hebb_lab.evaluation.judge import judgements_from_ranks
    >>> hits(judgements_from_ranks([[1, 4, 0], []]), 3).tolist()
    [1.0, 0.0]
    """
    return _per_query(judgements, _inside(judgements, cutoff))


@measure("P", "required")
def precision(judgements: Judgements, cutoff: int) -> NDArray[np.float64]:
    """Share of the top k that is relevant: hits / k, also when fewer than k were returned.

    >>> from hebb_lab.evaluation.judge import judgements_from_ranks
    >>> precision(judgements_from_ranks([[1, 2]], returned=[2]), 4).tolist()
    [0.5]
    """
    return _over(hits(judgements, cutoff), np.full(len(judgements), cutoff))


@measure("R", "optional")
def recall(judgements: Judgements, cutoff: int | None = None) -> NDArray[np.float64]:
    """Share of the relevant nodes that stand in the top k: hits / R.

    The denominator is R, not min(R, k): with R > k it cannot reach 1 (see R_cap). It is not the
    share of queries with a hit either (see any).

    >>> from hebb_lab.evaluation.judge import judgements_from_ranks
    >>> recall(judgements_from_ranks([[1, 2, 3, 0], []]), 2).tolist()
    [0.5, 0.0]
    """
    return _over(hits(judgements, cutoff), _relevant(judgements))


@measure("R_cap", "required")
def capped_recall(judgements: Judgements, cutoff: int) -> NDArray[np.float64]:
    """Recall with the denominator that can be reached: hits / min(R, k).

    >>> from hebb_lab.evaluation.judge import judgements_from_ranks
    >>> capped_recall(judgements_from_ranks([[1, 2, 3, 0]]), 2).tolist()
    [1.0]
    """
    return _over(hits(judgements, cutoff), np.minimum(_relevant(judgements), cutoff))


@measure("Rprec", "none")
def r_precision(judgements: Judgements, cutoff: int | None = None) -> NDArray[np.float64]:
    """Precision at rank R: hits in the top R / R.

    >>> from hebb_lab.evaluation.judge import judgements_from_ranks
    >>> r_precision(judgements_from_ranks([[1, 3]])).tolist()
    [0.5]
    """
    count = _relevant(judgements)
    inside = _inside(judgements, cutoff) & (judgements.ranks <= count[_queries(judgements)])
    return _over(_per_query(judgements, inside), count)


@measure("any", "required")
def any_hit(judgements: Judgements, cutoff: int) -> NDArray[np.float64]:
    """1 when at least one relevant node stands in the top k (success in trec_eval).

    >>> from hebb_lab.evaluation.judge import judgements_from_ranks
    >>> any_hit(judgements_from_ranks([[2, 0], [0, 0], []]), 5).tolist()
    [1.0, 0.0, 0.0]
    """
    return (hits(judgements, cutoff) > 0).astype(np.float64)


@measure("all", "required")
def all_hits(judgements: Judgements, cutoff: int) -> NDArray[np.float64]:
    """1 when every relevant node stands in the top k; 0 with nothing relevant.

    >>> from hebb_lab.evaluation.judge import judgements_from_ranks
    >>> all_hits(judgements_from_ranks([[2, 5], [2, 0], []]), 5).tolist()
    [1.0, 0.0, 0.0]
    """
    count = _relevant(judgements)
    return np.where((count > 0) & (hits(judgements, cutoff) == count), 1.0, 0.0)


@measure("RR", "optional")
def reciprocal_rank(judgements: Judgements, cutoff: int | None = None) -> NDArray[np.float64]:
    """1 / rank of the first relevant node; 0 when it stands below rank k or nowhere.

    >>> from hebb_lab.evaluation.judge import judgements_from_ranks
    >>> reciprocal_rank(judgements_from_ranks([[2, 3], [11], [0]]), 10).tolist()
    [0.5, 0.0, 0.0]
    """
    first = np.zeros(len(judgements), dtype=np.int64)
    some = np.diff(judgements.ptr) > 0
    first[some] = judgements.ranks[judgements.ptr[:-1][some]]  # best rank first, 0 if none
    if cutoff is not None:
        first[first > cutoff] = 0
    return _over(np.ones(len(first)), first)


@measure("AP", "optional")
def average_precision(judgements: Judgements, cutoff: int | None = None) -> NDArray[np.float64]:
    """Mean over the relevant nodes of the precision at their ranks: (1/R) Σ_i i / rank_i.

    The sum runs over the relevant nodes in the top k; the denominator stays R (map_cut), so that
    an unretrieved node counts 0.

    >>> from hebb_lab.evaluation.judge import judgements_from_ranks
    >>> average_precision(judgements_from_ranks([[1, 4, 0]])).tolist()
    [0.5]
    """
    nth = np.arange(len(judgements.ranks)) - judgements.ptr[_queries(judgements)] + 1
    inside = _inside(judgements, cutoff)
    at_rank = np.where(inside, nth / np.maximum(judgements.ranks, 1), 0.0)
    return _over(_per_query(judgements, at_rank), _relevant(judgements))


@measure("nDCG", "optional", {"gain": ("linear", "exp")}, binary=False)
def ndcg(
    judgements: Judgements, cutoff: int | None = None, gain: str = "linear"
) -> NDArray[np.float64]:
    """Discounted gain over that of the ideal ranking: Σ g(grade) / log2(rank + 1) / ideal.

    The ideal ranks all relevant nodes by grade, also those not retrieved, cut at k as well. The
    gain is the grade itself (trec_eval); with ``gain=exp`` it is 2^grade − 1 (gdeval).

    >>> from hebb_lab.evaluation.judge import judgements_from_ranks
    >>> graded = judgements_from_ranks([[1, 2, 3]], grades=[[1, 2, 3]])
    >>> [round(float(ndcg(graded, k, g)[0]), 6) for k, g in ((None, "linear"), (2, "exp"))]
    [0.789998, 0.325296]
    """
    queries = _queries(judgements)
    inside = _inside(judgements, cutoff)
    discount = np.log2(np.maximum(judgements.ranks, 1) + 1.0)
    dcg = np.where(inside, _gains(judgements.grades, gain) / discount, 0.0)
    # (query ascending, grade descending) packed in an int64: one sort, no index array.
    top = int(judgements.grades.max(initial=0)) + 1
    ideal_grades = top - 1 - np.sort(queries * top + (top - 1 - judgements.grades)) % top
    position = np.arange(len(queries)) - judgements.ptr[queries] + 1
    ideal = _gains(ideal_grades, gain) / np.log2(position + 1.0)
    if cutoff is not None:
        ideal[position > cutoff] = 0.0
    return _over(_per_query(judgements, dcg), _per_query(judgements, ideal))


def _gains(grades: NDArray[Any], gain: str) -> NDArray[np.float64]:
    """The gain of each grade."""
    linear = grades.astype(np.float64)
    exponential: NDArray[np.float64] = np.exp2(linear) - 1.0
    return linear if gain == "linear" else exponential
