"""Where the relevant nodes stand in a ranking, and the one rule by which a ranking is ordered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.evaluation.ties import tie_ranks
from hebb_lab.records import Judgements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from hebb_lab.records import Qrels, Ranking


def rank_by_score(ids: ArrayLike, scores: ArrayLike) -> NDArray[np.int32]:
    """The ids of one query, best first: score as float32 descending, then id descending.

    This is the reference of the tie rule, which is trec_eval's (ids stand in the byte-wise order
    of the node names). Equal scores are decided by the id, never by the order of arrival.

    Args:
        ids: [n] node ids, distinct.
        scores: [n] scores; rounded to float32 before they are compared.

    Raises:
        ValueError: for a NaN score or an id given twice.

    >>> rank_by_score([3, 7, 5], [0.5, 0.5, 0.9]).tolist()
    [5, 7, 3]
    """
    nodes = np.asarray(ids, dtype=np.int32)
    values = np.asarray(scores, dtype=np.float32)
    if np.isnan(values).any():
        raise ValueError(f"NaN is the score of node {nodes[np.isnan(values)][0]}")
    if len(np.unique(nodes)) != len(nodes):
        raise ValueError("a node is ranked twice")
    return nodes[np.lexsort((-nodes, -values))]


def assert_ranked(ranking: Ranking) -> None:
    """Check that every row holds distinct nodes in the order of the tie rule, padding last.

    Raises:
        ValueError: for NaN, a node given twice, padding before a node, or a wrong order; it names
            the first row that is wrong.
    """
    ids, scores = ranking.ids, ranking.scores
    _refuse(np.isnan(scores), "has a NaN score")
    left, right = ids[:, :-1], ids[:, 1:]
    _refuse((left < 0) & (right >= 0), "has a gap before a node")
    inside = right >= 0
    _refuse(inside & (scores[:, :-1] < scores[:, 1:]), "is not in descending order of score")
    tied = inside & (scores[:, :-1] == scores[:, 1:])
    _refuse(tied & (left < right), "does not break a tie by id, descending")
    rows = np.sort(ids, axis=1)
    _refuse((rows[:, 1:] == rows[:, :-1]) & (rows[:, 1:] >= 0), "ranks a node twice")


def _refuse(wrong: NDArray[np.bool_], what: str) -> None:
    """Raise for the first row of [Q, k] that holds a True."""
    if wrong.any():
        raise ValueError(f"row {int(np.flatnonzero(wrong.any(axis=1))[0])} of the ranking {what}")


def judge(ranking: Ranking, qrels: Qrels, tokens: NDArray[np.int32]) -> Judgements:
    """Find the rank of every relevant node: all that a metric needs to know.

    Beside it stand the best and the worst rank that the node could have among nodes of equal score
    (``ties.tie_ranks``).

    Args:
        ranking: [Q, k], ordered by the tie rule.
        qrels: for the same Q queries in the same order.
        tokens: [N] int32, tokens that node n costs when it is injected.

    Returns:
        Judgements: per query the relevant nodes, best rank first, unretrieved last.

    Raises:
        ValueError: when the two differ in length, an id lies outside [0, N), a grade is not
            above 0, a relevant node is listed twice, or the ranking breaks its rule.

    >>> from hebb_lab.records import Qrels, Ranking
    >>> ranking = Ranking(np.array([[4, 2, -1]]), np.array([[0.9, 0.5, -np.inf]], np.float32))
    >>> qrels = Qrels(np.array([0, 2]), np.array([1, 2]), np.array([1, 3]))
    >>> judged = judge(ranking, qrels, tokens=np.full(5, 100, np.int32))
    >>> judged.ranks.tolist(), judged.grades.tolist(), judged.tokens.tolist()
    ([2, 0], [3, 1], [200, 0])
    """
    _check(ranking, qrels, len(tokens))
    query = np.repeat(np.arange(len(qrels)), qrels.counts())
    ranks = _ranks(ranking.ids, query, qrels.ids)
    order = np.lexsort((ranks, ranks == 0, query))
    ranks, query, grades = ranks[order], query[order], qrels.grades[order].astype(np.int32)
    spent = cumulative_tokens(ranking, tokens)  # [Q, k] int64
    found = ranks > 0
    injected = np.zeros(len(ranks), dtype=np.int64)
    injected[found] = spent[query[found], ranks[found] - 1]
    optimistic, pessimistic = tie_ranks(ranking, query, ranks, grades)
    return Judgements(
        ptr=qrels.ptr.astype(np.int64),
        ranks=ranks.astype(np.int32),
        grades=grades,
        tokens=np.minimum(injected, np.iinfo(np.int32).max).astype(np.int32),
        returned=(ranking.ids >= 0).sum(axis=1, dtype=np.int32),
        optimistic=optimistic,
        pessimistic=pessimistic,
    )


def _check(ranking: Ranking, qrels: Qrels, nodes: int) -> None:
    """Refuse what would give a number that means nothing."""
    if len(ranking) != len(qrels):
        raise ValueError(f"{len(ranking)} rankings for {len(qrels)} queries with qrels")
    assert_ranked(ranking)
    if len(qrels.grades) and qrels.grades.min() <= 0:
        raise ValueError("a relevant node has a grade that is not above 0")
    for ids, lowest in ((ranking.ids, -1), (qrels.ids, 0)):
        if ids.size and (ids.min() < lowest or ids.max() >= nodes):
            raise ValueError(f"a node id lies outside [0, {nodes})")
    gold = np.repeat(np.arange(len(qrels)), qrels.counts()) * nodes + qrels.ids
    if len(np.unique(gold)) != len(gold):
        raise ValueError("a relevant node is listed twice for one query")


def _ranks(
    ids: NDArray[np.int32], query: NDArray[np.int64], gold: NDArray[np.int32]
) -> NDArray[np.int64]:
    """Rank of each relevant node, [G], 0 where it is not retrieved.

    One sort of (query, id, rank) packed in an int64 serves all look-ups: 20,000 queries × 50 take
    about 50 ms, a comparison of every relevant node with every retrieved one several times that.
    """
    depth = ids.shape[1]
    span = int(max(ids.max(initial=0), gold.max(initial=0))) + 1
    row, column = np.nonzero(ids >= 0)
    pair = row * span + ids[row, column]
    packed = np.sort(pair * (depth + 1) + column + 1)
    wanted = query * span + gold
    place = np.searchsorted(packed, wanted * (depth + 1))
    entry = np.append(packed, np.int64(-1))[place]
    return np.where(entry // (depth + 1) == wanted, entry % (depth + 1), 0)


def cumulative_tokens(ranking: Ranking, tokens: NDArray[np.int32]) -> NDArray[np.int64]:
    """Tokens injected up to and including each rank, [Q, k]; padding costs nothing."""
    cost = np.where(ranking.ids >= 0, tokens[ranking.ids], 0)
    return np.cumsum(cost, axis=1, dtype=np.int64)


def tokens_at_cut(ranking: Ranking, tokens: NDArray[np.int32], k: int) -> NDArray[np.float64]:
    """Tokens injected when the best k nodes are, [Q].

    >>> from hebb_lab.records import Ranking
    >>> ranking = Ranking(np.array([[1, 0], [0, -1]]), np.array([[2, 1], [1, -np.inf]], np.float32))
    >>> tokens_at_cut(ranking, np.array([10, 300], np.int32), k=2).tolist()
    [310.0, 10.0]
    """
    best = min(k, ranking.ids.shape[1])
    if best == 0:
        return np.zeros(len(ranking))
    return cumulative_tokens(ranking, tokens)[:, best - 1].astype(np.float64)


def tie_at_cut(ranking: Ranking, k: int) -> NDArray[np.bool_]:
    """Whether the nodes at ranks k and k + 1 have the same score, [Q]; its mean is the tie mass.

    Where it is true, the id and not the score decided which of the two is in the top k.

    Raises:
        ValueError: when a row ends at rank k or before without padding, so that nobody can tell.

    >>> from hebb_lab.records import Ranking
    >>> tied = Ranking(np.array([[3, 2, 1]]), np.array([[0.9, 0.5, 0.5]], np.float32))
    >>> tie_at_cut(tied, 1).tolist(), tie_at_cut(tied, 2).tolist()
    ([False], [True])
    """
    if ranking.ids.shape[1] <= k:
        if ranking.ids.size and (ranking.ids[:, -1] >= 0).any():
            raise ValueError(f"rank at least {k + 1} nodes to see ties at the cut of {k}")
        return np.zeros(len(ranking), dtype=np.bool_)
    same = ranking.scores[:, k - 1] == ranking.scores[:, k]
    return np.asarray(same & (ranking.ids[:, k] >= 0))


def judgements_from_ranks(
    ranks: Sequence[Sequence[int]],
    grades: Sequence[Sequence[int]] | None = None,
    returned: Sequence[int] | None = None,
) -> Judgements:
    """Judgements written by hand: per query the ranks of its relevant nodes (0: not retrieved).

    Nothing in them is tied.

    Args:
        ranks: per query, best first, the unretrieved last.
        grades: of the same shape; 1 each when left out.
        returned: nodes in each ranking; the largest rank when left out.

    >>> len(judgements_from_ranks([[1, 4, 0], [2]]))
    2
    """
    flat = np.array([rank for row in ranks for rank in row], dtype=np.int32)
    given = [grade for row in grades for grade in row] if grades is not None else [1] * len(flat)
    held = returned if returned is not None else [max(row, default=0) for row in ranks]
    return Judgements(
        ptr=np.cumsum([0, *map(len, ranks)], dtype=np.int64),
        ranks=flat,
        grades=np.array(given, dtype=np.int32),
        tokens=np.zeros(len(flat), dtype=np.int32),
        returned=np.array(held, dtype=np.int32),
        optimistic=flat.copy(),
        pessimistic=flat.copy(),
    )
