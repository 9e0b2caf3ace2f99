"""The memory model's composite score of what direct search found, as of each question's time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.recall.cognitive.scoring.scorer import NEUTRAL_IMPORTANCE, Scored
from hebb_lab.recall.memory import Lives, composite_scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.recall.cognitive.direct import Direct
    from hebb_lab.recall.cognitive.plan import Asked
    from hebb_lab.records import Memories


@dataclass(frozen=True)
class CompositeScorer:
    """Relevance, recency, importance and reinforcement of the memories of one scope.

    score = w_relevance × relevance + w_recency × recency + w_importance × importance, as decay has
    left it, + w_reinforcement × reinforcement (hebbs.md §2.1). Importance x of the data, which
    knows no bound, is x/(1 + x): 1, and none given, is ½. Its count of recalls is that of accesses;
    when they were it does not say, so age counts from the writing. What direct search does not
    find is not listed.

    Args:
        memories: of the scope.
        rules: of the score, see hebb_lab.memory.rules.scoring.
        by_cosine: whether direct search is by cosines: then they are the relevance, at least 0;
            else the similarity that it says.
    """

    memories: Memories
    rules: MemoryRules
    by_cosine: bool = False

    def score(self, direct: Direct, asked: Asked, rows: slice) -> Scored:
        """Score what direct search found.

        Args:
            direct: of the queries ``rows`` of ``asked``.
            asked: all queries of the scope.
            rows: of one age.
        """
        scores = composite_scores(self._relevance(direct), self._lives(asked, rows), self.rules)
        found = np.where(np.isneginf(direct.scores), np.float32(-np.inf), scores)
        every = np.ones(scores.shape, np.bool_)
        return Scored(found.astype(np.float32), scores, direct.match, every)

    def _relevance(self, direct: Direct) -> NDArray[np.float32]:
        if not self.by_cosine:
            return direct.similarity
        return np.clip(direct.scores, np.float32(0.0), np.float32(1.0))

    def _lives(self, asked: Asked, rows: slice) -> Lives:
        known = int(asked.known[rows.start])
        age = np.maximum(asked.time_us[rows, None] - self.memories.time_us[:known], 0)
        given = np.nan_to_num(self.memories.importance[:known], nan=NEUTRAL_IMPORTANCE)
        counts = self.rules.count_gain and self.rules.reinforcement != "off"
        accesses = self.memories.recalls[:known] * np.int64(counts)
        return Lives(age, age, given.astype(np.float64) / (1.0 + given), accesses)
