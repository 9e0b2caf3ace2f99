"""What arms and their layers did, counted for result.json."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hebb_lab.evaluation.query_set import Task
    from hebb_lab.layers.protocol.bench import Answered, Use
    from hebb_lab.records import Qrels, Ranking

CUT = 10


def facts_of(
    answered: Answered, direct: Ranking, tasks: Mapping[str, Task],
    rows: Mapping[str, NDArray[np.int64]],
) -> dict[str, Any]:  # fmt: skip
    """What an arm added to its own direct search, and what each of its layers did.

    Args:
        answered: what the arm gave.
        direct: what its direct search alone gives.
        tasks: name → task.
        rows: task → places of its queries among the questions.

    Returns:
        expansion_rate: task → share of queries that the gate let expand.
        candidate_rate: task → share for which some layer offered what direct search had not listed.
        added: task → listed, gold, listed_at_10, gold_at_10: nodes in the list (in its best ten)
            that the direct list (its best ten) lacks; lost_at_10, lost_gold_at_10: the reverse.
        layers: one entry a layer: seconds, learning_seconds, bytes, edges, failures,
            and tasks → found, listed, queries (with a candidate).
    """
    return {
        "expansion_rate": {
            name: round(float(answered.expanded[at].mean()), 6) for name, at in rows.items()
        },
        "candidate_rate": {
            name: round(float(_any(answered)[at].mean()), 6) for name, at in rows.items()
        },
        "added": {
            name: _added(answered.ranking.ids[rows[name]], direct.ids[rows[name]], task.qrels)
            for name, task in tasks.items()
        },
        "layers": [_layer(use, rows) for use in answered.uses],
    }  # fmt: skip


def _any(answered: Answered) -> NDArray[np.bool_]:
    """[Q] whether some layer offered a candidate."""
    offered = np.zeros(len(answered.expanded), np.bool_)
    for use in answered.uses:
        offered |= use.found > 0
    return offered


def _layer(use: Use, rows: Mapping[str, NDArray[np.int64]]) -> dict[str, Any]:
    return {
        "layer": use.layer,
        "seconds": round(use.seconds, 6),
        "learning_seconds": round(use.learning_seconds, 6),
        "bytes": int(use.bytes),
        "edges": int(use.edges),
        "failures": dict(use.failures),
        "tasks": {
            name: {
                "found": int(use.found[at].sum()),
                "listed": int(use.listed[at].sum()),
                "queries": int((use.found[at] > 0).sum()),
            }
            for name, at in rows.items()
        },
    }


def _added(ids: NDArray[np.int32], direct: NDArray[np.int32], qrels: Qrels) -> dict[str, int]:
    """Counts over all queries of one task."""
    pairs = _pairs(ids), _pairs(direct)
    best = _pairs(ids[:, :CUT]), _pairs(direct[:, :CUT])
    query = np.repeat(np.arange(len(qrels)), qrels.counts())
    gold = _key(query, qrels.ids)
    # A list names nobody twice; np.unique of NumPy 2.4 hashes, and took 8 % of a run on LoCoMo.
    new, new_best = (np.setdiff1d(*each, assume_unique=True) for each in (pairs, best))
    lost = np.setdiff1d(best[1], best[0], assume_unique=True)
    return {
        "listed": len(new),
        "gold": int(np.isin(new, gold).sum()),
        "listed_at_10": len(new_best),
        "gold_at_10": int(np.isin(new_best, gold).sum()),
        "lost_at_10": len(lost),
        "lost_gold_at_10": int(np.isin(lost, gold).sum()),
    }


def _pairs(ids: NDArray[np.int32]) -> NDArray[np.int64]:
    """(query, node) of all that is listed, as one number each."""
    query, place = np.nonzero(ids >= 0)
    return _key(query, ids[query, place])


def _key(query: NDArray[np.int64], node: NDArray[np.integer]) -> NDArray[np.int64]:
    return query.astype(np.int64) << 32 | node.astype(np.int64)
