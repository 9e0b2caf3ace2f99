"""The memory model's score of what a log knew: nodes as memories, touches as accesses.

A node is written by its first touch and accessed by each later one; it is a memory of importance ½.
What a question sees of it is as of strictly before the question's time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.evaluation.query_set import some_queries
from hebb_lab.recall.known import Births, empty_ranking, excluded, require_time_order

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.recall.bm25 import Bm25
    from hebb_lab.recall.dense import Dense
    from hebb_lab.records import Queries, Ranking
    from hebb_lab.telemetry.touches import Touches

IMPORTANCE = 0.5  # of a memory of which none is known
_CELLS = 1 << 18  # questions × memories scored at once
_MOMENT = 1 << 62  # when all questions are asked: only ages count

Relevance = Callable[["Queries"], "NDArray[np.float32]"]
"""Queries → [Q, N] in [0, 1], by node id; what is said of nodes that are not known is not read."""


def word_relevance(lexical: Bm25) -> Relevance:
    """BM25 scores as shares of the query's best, of nodes that may be an answer."""

    def relevance(queries: Queries) -> NDArray[np.float32]:
        scores = lexical.scores(queries)
        for q in range(len(queries)):
            scores[q, excluded(queries, q)] = 0.0
        best = scores.max(axis=1, initial=0.0, keepdims=True)
        return (scores / np.where(best > 0, best, 1.0)).astype(np.float32)

    return relevance


def cosine_relevance(semantic: Dense) -> Relevance:
    """max(0, cosine), as HEBBS has it."""
    return lambda queries: np.maximum(semantic.cosines(queries), np.float32(0.0))


class Lives(NamedTuple):
    """What Q questions see of n memories, [Q, n] each or what is broadcast to it.

    created_age, accessed_age: int64, µs since the writing and the last access. importance: in
    [0, 1]. accesses: how many.
    """

    created_age: NDArray[np.int64]
    accessed_age: NDArray[np.int64]
    importance: NDArray[np.floating]
    accesses: NDArray[np.integer]


def composite_scores(
    relevance: NDArray[np.float32], lives: Lives, rules: MemoryRules
) -> NDArray[np.float32]:
    """The composite score of n memories for Q questions, [Q, n] float32.

    As hebb_lab.memory.strategies.score.composite, with decay as of each question's time.

    Args:
        relevance: [Q, n] in [0, 1].
        lives: of the memories as each question sees them.
        rules: of the score, see hebb_lab.memory.rules.scoring.
    """
    scores = np.empty(relevance.shape, np.float32)
    rows = max(_CELLS // max(relevance.shape[1], 1), 1)
    whole = [np.broadcast_to(part, relevance.shape) for part in lives]
    for first in range(0, len(relevance), rows):
        piece = slice(first, first + rows)
        scores[piece] = _composite(relevance[piece], Lives(*(p[piece] for p in whole)), rules)
    return scores


def _composite(
    relevance: NDArray[np.float32], lives: Lives, rules: MemoryRules
) -> NDArray[np.float32]:
    from hebb_lab.kernels.retention import MemoryArrays
    from hebb_lab.memory.decay import scores_of
    from hebb_lab.memory.strategies.score import composite

    stored = MemoryArrays(
        lives.importance.astype(np.float32).ravel(), (_MOMENT - lives.created_age).ravel(),
        (_MOMENT - lives.accessed_age).ravel(), lives.accesses.astype(np.int64).ravel(),
    )  # fmt: skip
    decay = stored.importance
    if rules.decay_in_rank != "none":
        decay = scores_of(stored, rules, _MOMENT)[:, 0]
    scores = composite(
        relevance.ravel(), stored.created_us, stored.accessed_us, stored.importance, decay,
        stored.access_count, _MOMENT, rules,
    )  # fmt: skip
    return scores.reshape(relevance.shape)


@dataclass(frozen=True)
class MemoryModel:
    """Ranks known nodes by the memory model's composite score.

    score = w_relevance × relevance + w_recency × recency + w_importance × importance, as decay has
    left it, + w_reinforcement × reinforcement (hebbs.md §2.1). Each of n touches after the first is
    an access: it counts (count_gain), sets the time of the last access (access_moves_clock) and
    leaves importance at 1 − ½ (1 − importance_boost)ⁿ; with reinforcement=off it does nothing.

    Args:
        touches: of the log.
        rules: of the score, see hebb_lab.memory.rules.scoring.
        relevance: of all nodes; None: 0 for all.
    """

    touches: Touches
    rules: MemoryRules
    relevance: Relevance | None = None

    def rank(self, queries: Queries, k: int) -> Ranking:
        """Best k known nodes for each query; every known node ranks that is not excluded.

        Raises:
            ValueError: the queries are not in time order.
        """
        from hebb_lab.kernels.cpu.cognitive.lists import best_lists

        require_time_order(queries)
        births, ranking = Births.of(self.touches.born_us()), empty_ranking(len(queries), k)
        known, past = births.known(queries), _Past.of(self.touches)
        for first, stop in _pieces(known):
            part, nodes = some_queries(queries, first, stop), births.node[: int(known[stop - 1])]
            scores = composite_scores(*self._seen(part, births, nodes, past), self.rules)
            scores[np.arange(len(nodes)) >= known[first:stop, None]] = -np.inf
            for q in range(len(part)):
                scores[q, np.isin(nodes, excluded(part, q))] = -np.inf
            best = best_lists(scores, nodes.astype(np.int32), k)
            found = best.memory >= 0
            ranking.ids[first:stop][found] = nodes[best.memory[found]]
            ranking.scores[first:stop] = best.score
        return ranking

    def byte_count(self) -> int:
        """Memory of importance, times and counts of all nodes."""
        return len(self.touches.nodes) * (4 + 3 * 8)

    def _seen(
        self, part: Queries, births: Births, nodes: NDArray[np.int64], past: _Past
    ) -> tuple[NDArray[np.float32], Lives]:
        """(relevance, lives), [q, n], of nodes that the last of some queries knows."""
        shape, rules = (len(part), len(nodes)), self.rules
        count, last_us = np.empty(shape, np.int64), np.empty(shape, np.int64)
        for row, now in enumerate(part.time_us.tolist()):
            past.walk_to(now)
            count[row], last_us[row] = past.count[nodes], past.last_us[nodes]
        created = np.maximum(part.time_us[:, None] - births.born_us[: len(nodes)], 0)
        accesses = np.maximum(count - 1, 0)
        if rules.reinforcement == "off":
            accesses[:] = 0
        importance = 1 - (1 - IMPORTANCE) * (1 - rules.importance_boost) ** accesses
        moved = rules.access_moves_clock and rules.reinforcement != "off"
        accessed = np.maximum(part.time_us[:, None] - last_us, 0) if moved else created
        counted = accesses if rules.count_gain else np.zeros_like(accesses)
        relevance = np.zeros(shape, np.float32)
        if self.relevance is not None:
            relevance = self.relevance(part)[:, nodes]
        return relevance, Lives(created, accessed, importance, counted)


@dataclass
class _Past:
    """Touches so far, node by node; time goes forward only."""

    touches: Touches
    count: NDArray[np.int64]  # [N]
    last_us: NDArray[np.int64]  # [N]
    held: int = 0

    @classmethod
    def of(cls, touches: Touches) -> _Past:
        """Before the first touch."""
        nodes = len(touches.nodes)
        return cls(touches, np.zeros(nodes, np.int64), np.zeros(nodes, np.int64))

    def walk_to(self, now_us: int) -> None:
        """Take in what was touched strictly before a time."""
        stop = int(np.searchsorted(self.touches.time_us, now_us, side="left"))
        node, time_us = self.touches.node[self.held : stop], self.touches.time_us[self.held : stop]
        np.add.at(self.count, node, 1)
        self.last_us[node] = time_us  # they ascend, so the last one of a node stays
        self.held = stop


def _pieces(known: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Stretches of queries that know something, each of not too many scores."""
    first = int(np.searchsorted(known, 1))
    while first < len(known):
        stop = first + 1
        while stop < len(known) and (stop - first) * int(known[stop]) <= 4 * _CELLS:
            stop += 1
        yield first, stop
        first = stop
