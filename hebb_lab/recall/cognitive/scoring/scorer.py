"""From what direct search says to the scores of the list: as it stands, or by six phases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.recall.cognitive.scoring import phases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.recall.cognitive.direct import Direct
    from hebb_lab.recall.cognitive.plan import Asked
    from hebb_lab.recall.cognitive.scoring.profiles import Profile
    from hebb_lab.records import Memories

RESULTS = 10  # what a recall gives; the page's topK
NEUTRAL_IMPORTANCE = 1.0  # of a memory of which none is known, as in the warm-up


class Scored(NamedTuple):
    """The known memories as the list ranks them, for Q queries of one age.

    scores: [Q, known] float32, −inf where direct search does not list a memory.
    similarity: [Q, known] float32, not negative; what a neighbour has of its own where the rules
        add it. It is on the scale of the scores.
    match: [Q] float32, how good the best direct match is, for the gate.
    allowed: [Q, known] bool; what is not is no candidate of any layer either.
    """

    scores: NDArray[np.float32]
    similarity: NDArray[np.float32]
    match: NDArray[np.float32]
    allowed: NDArray[np.bool_]


def as_it_stands(direct: Direct) -> Scored:
    """Scores are those of direct search; nothing is filtered."""
    own = np.where(direct.scores > 0, direct.scores, np.float32(0.0)).astype(np.float32)
    return Scored(direct.scores, own, direct.match, np.ones(own.shape, np.bool_))


@dataclass(frozen=True)
class PhaseScorer:
    """The six-phase scorer over the memories of one scope.

    What queries ask for is what ``Asked`` says and what their profiles add. Tags: any of those
    asked for is enough, all under HYPERFOCUS. A memory without importance counts 1.0.

    Args:
        memories: of the scope.
        arousal_slows_decay: rules' switch.
    """

    memories: Memories
    arousal_slows_decay: bool = True

    def score(
        self, direct: Direct, asked: Asked, rows: slice, profiles: Sequence[Profile | None]
    ) -> Scored:
        """Score what direct search found.

        Args:
            direct: of the queries ``rows`` of ``asked``.
            asked: all queries of the scope.
            rows: of one age.
            profiles: [Q] of all queries.
        """
        known = direct.scores.shape[1]
        wished = _Wishes.of(asked, rows, profiles)
        overlap, has_tags = self._overlap(asked, rows, known)  # [Q, known], [Q]
        focus = (wished.boost > 0)[:, None] & (overlap >= 1.0)
        importance = np.nan_to_num(self.memories.importance[:known], nan=NEUTRAL_IMPORTANCE)
        bucket = self._bucket(asked.time_us[rows], known, focus)
        decay = phases.time_decay(*phases.DECAY)[bucket]
        if self.arousal_slows_decay:
            valence, arousal = self.memories.valence[:known], self.memories.arousal[:known]
            modifier = phases.arousal_modifier(phases.arousal_of(arousal, valence))
            decay = np.minimum(1.0, decay * modifier)
        allowed = self._allowed(wished, overlap, has_tags, bucket, importance)
        similarity = phases.strict_similarity(direct.similarity, wished.strictness[:, None])
        scores = phases.cognitive_score(
            similarity, importance, decay, wished.beta[:, None], overlap,
            phases.valence_alignment(wished.aligned[:, None], self.memories.valence[None, :known]),
            boost=np.where(focus, wished.boost[:, None], 1.0),
        )  # fmt: skip
        scores = np.where(np.isneginf(direct.scores), np.float32(-np.inf), scores)
        wanders = np.flatnonzero(wished.lateral & has_tags)
        if len(wanders):
            far = _far(direct.similarity[wanders], overlap[wanders], importance, decay[wanders])
            scores[wanders] = np.maximum(scores[wanders], far)
        scores = np.where(allowed, scores, np.float32(-np.inf)).astype(np.float32)
        return Scored(scores, similarity.astype(np.float32), direct.match, allowed)

    def _bucket(
        self, now_us: NDArray[np.int64], known: int, focus: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """[Q, known] age as it counts: younger for recalls, none for the unresolved."""
        memories = self.memories
        age = phases.age_bucket(now_us[:, None] - memories.time_us[None, :known])
        younger = phases.reconsolidated(age, memories.recalls[:known])
        bucket = phases.wakeful(younger, memories.resolved[:known], memories.pinned[:known])
        return np.where(focus, 0, bucket).astype(np.int64)

    def _allowed(
        self, wished: _Wishes, overlap: NDArray[np.float64], has_tags: NDArray[np.bool_],
        bucket: NDArray[np.int64], importance: NDArray[np.float32],
    ) -> NDArray[np.bool_]:  # fmt: skip
        """[Q, known] what passes phases 2 to 4."""
        known = overlap.shape[1]
        valence = self.memories.valence[None, :known]
        all_of_them = wished.boost > 0
        least = np.where(has_tags, np.where(all_of_them, 1.0, 1e-9), 0.0)
        old = phases.forgotten(
            bucket, importance, self.memories.resolved[:known], self.memories.pinned[:known]
        )
        feeling = (valence >= wished.low[:, None]) & (valence <= wished.high[:, None])
        enough = importance >= wished.min_importance[:, None]
        passed: NDArray[np.bool_] = (overlap >= least[:, None]) & feeling & enough & ~old
        return passed

    def _overlap(
        self, asked: Asked, rows: slice, known: int
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Share of the tags asked for that each memory has, 0 where none is asked for."""
        first, last = rows.start, rows.stop
        overlap = np.zeros((last - first, known))
        has_tags = np.zeros(last - first, np.bool_)
        if asked.filter_tags is None:
            return overlap, has_tags
        pointer = self.memories.tags.ptr[: known + 1]
        tags = self.memories.tags.ids[: int(pointer[-1])]
        owner = np.repeat(np.arange(known), np.diff(pointer))
        for row in range(first, last):
            wanted = np.unique(asked.filter_tags.row(row))
            if len(wanted):
                has = np.bincount(owner[np.isin(tags, wanted)], minlength=known)
                overlap[row - first] = np.minimum(has / len(wanted), 1.0)
                has_tags[row - first] = True
        return overlap, has_tags


def _far(
    similarity: NDArray[np.float32], overlap: NDArray[np.float64],
    importance: NDArray[np.float32], decay: NDArray[np.float64],
) -> NDArray[np.float32]:  # fmt: skip
    """Lateral scores of a few queries; −inf but for the best third of a recall's results."""
    distance = 1.0 / np.maximum(similarity.astype(np.float64), 1e-9) - 1.0
    far = phases.lateral_score(distance, overlap, importance, decay)
    place = np.argsort(np.argsort(-far, axis=1, kind="stable"), axis=1, kind="stable")
    return np.where((place < RESULTS // 3) & (far > 0), far, -np.inf).astype(np.float32)


class _Wishes(NamedTuple):
    """What each of Q queries asks for, by itself and by its profile; all [Q]."""

    beta: NDArray[np.float64]
    strictness: NDArray[np.float64]
    boost: NDArray[np.float64]
    min_importance: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    aligned: NDArray[np.float64]  # NaN for no alignment
    lateral: NDArray[np.bool_]

    @classmethod
    def of(cls, asked: Asked, rows: slice, profiles: Sequence[Profile | None]) -> _Wishes:
        """The wishes of some queries."""
        chosen = [profiles[row] for row in range(rows.start, rows.stop)]
        table = np.array([
            (p.beta, p.strictness, p.hyperfocus_boost, p.min_importance, p.valence_from,
             p.valence_to, np.nan if p.query_valence is None else p.query_valence, p.lateral)
            if p is not None
            else (phases.BETA, 1.0, 0.0, 0.0, -np.inf, np.inf, np.nan, False)
            for p in chosen
        ], dtype=np.float64).reshape(len(chosen), 8)  # fmt: skip
        beta, strictness, boost, least, low, high, aligned, lateral = table.T
        if asked.valence is not None:
            low = np.maximum(low, asked.valence[rows, 0])
            high = np.minimum(high, asked.valence[rows, 1])
        return cls(beta, strictness, boost, least, low, high, aligned, lateral > 0)
