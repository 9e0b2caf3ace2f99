"""Direct search: what a query finds by itself, before any graph. One score for every memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.errors import ConfigError
from hebb_lab.recall.cognitive.lexical import LexicalIndex
from hebb_lab.recall.vectors import embed
from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from hebb_lab.recall.embedders import Embedder

RRF_CONSTANT = 60.0
FLAT = (0.6, 0.0)  # k1 and b
_BLOCK = 8192  # memories whose vectors are widened to float64 at once


class Direct(NamedTuple):
    """What direct search says of the known memories, for Q queries of one age.

    scores: [Q, known] float32, −inf where it does not find a memory at all.
    similarity: [Q, known] float32 in [0, 1], for the six-phase scorer.
    match: [Q] float32 in [0, 1], how good the best direct match is, for the gate.
    """

    scores: NDArray[np.float32]
    similarity: NDArray[np.float32]
    match: NDArray[np.float32]


@dataclass(frozen=True)
class Collection:
    """The texts of N memories, in the order of writing, ready to be searched.

    Args:
        texts: [N].
        names: [N], which settle ties: score descending, then name descending.
        embedder: gives vectors; None where only words are searched.
        cache: folder that keeps the vectors; None for no cache.
    """

    texts: Sequence[str]
    names: Sequence[str]
    embedder: Embedder | None = None
    cache: Path | None = None
    _seen: dict[str, NDArray[np.float32]] = field(default_factory=dict, repr=False)

    @cached_property
    def lexical(self) -> LexicalIndex:
        """The index of terms."""
        return LexicalIndex.of(self.texts)

    @cached_property
    def name_rank(self) -> NDArray[np.int32]:
        """[N] place of each name in ascending order: what ties are settled by."""
        order = sorted(range(len(self.names)), key=lambda i: (self.names[i], i))
        ranks = np.empty(len(order), np.int32)
        ranks[order] = np.arange(len(order), dtype=np.int32)
        return ranks

    @cached_property
    def vectors(self) -> NDArray[np.float32]:
        """[N, d] unit vectors.

        Raises:
            ConfigError: there is no embedder.
        """
        return self._embed(self.texts)

    def embedded(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of some queries, [n, d], each embedded once.

        Raises:
            ConfigError: there is no embedder.
        """
        missing = [text for text in dict.fromkeys(texts) if text not in self._seen]
        if missing:
            self._seen.update(zip(missing, self._embed(missing), strict=True))
        return np.stack([self._seen[text] for text in texts]) if len(texts) else self.vectors[:0]

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.embedder is None:
            raise ConfigError(
                "dense search needs vectors, and no embedder is chosen",
                "Set recall.embedder, or search by bm25",
            )
        return embed(self.embedder, texts, self.cache)


Seeder = Callable[[Collection, Sequence[str], int], Direct]
SEEDERS: Registry[Seeder] = Registry("direct search")
"""name → (collection, query texts, how many memories are known) → what it says of them."""

WITHOUT_WORDS = {"hybrid": "dense", "hybrid_flat": "dense", "hybrid_rrf": "dense"}
"""What is left of a direct search when BM25 joins later (rules.text_fusion=after)."""


@SEEDERS.register("bm25")
def bm25(collection: Collection, texts: Sequence[str], known: int) -> Direct:
    """BM25 (Lucene's, k1 1.5, b 0.75; English stop words, Snowball stems).

    It finds what shares a term. similarity = score / the query's best score; the match is the best
    score / the sum of the rarities of the query's terms, which no text reaches: a share of the best
    score would always be 1 at its best, and a gate on it always shut.
    """
    return _by_words(collection.lexical, texts, known)


@SEEDERS.register("bm25_flat")
def bm25_flat(collection: Collection, texts: Sequence[str], known: int) -> Direct:
    """``bm25`` with k1 0.6 and b 0: repetitions saturate early, and length counts nothing.

    For short texts like the turns of a talk, where a longer one says more and not the same again.
    """
    return _by_words(collection.lexical.weighed(*FLAT), texts, known)


@SEEDERS.register("dense")
def dense(collection: Collection, texts: Sequence[str], known: int) -> Direct:
    """Cosine of unit vectors, summed in float64; all known memories are found.

    similarity = 1/(1 + L2), L2 = √(2 − 2·cosine), which is in [1/3, 1]; the match is its best.
    """
    scores = _cosines(collection, texts, known)
    distance = np.sqrt(np.maximum(2.0 - 2.0 * scores.astype(np.float64), 0.0))
    similarity = (1.0 / (1.0 + distance)).astype(np.float32)
    return Direct(scores, similarity, similarity.max(axis=1, initial=0.0))


@SEEDERS.register("hybrid")
def hybrid(collection: Collection, texts: Sequence[str], known: int) -> Direct:
    """½·z(BM25) + ½·z(cosine), z = (score − mean)/SD over all known memories of the query.

    A memory without a shared term counts BM25 0. Where all scores are equal, z is 0. similarity:
    the list's best is 1 and the mean 0, what is below the mean is 0; the match is that of dense.
    """
    return _half_and_half(collection, collection.lexical, texts, known)


@SEEDERS.register("hybrid_flat")
def hybrid_flat(collection: Collection, texts: Sequence[str], known: int) -> Direct:
    """``hybrid`` with the words of ``bm25_flat``."""
    return _half_and_half(collection, collection.lexical.weighed(*FLAT), texts, known)


@SEEDERS.register("hybrid_rrf")
def hybrid_rrf(collection: Collection, texts: Sequence[str], known: int) -> Direct:
    """Reciprocal rank fusion of BM25 and dense: Σ 1/(60 + rank) over the lists that find it.

    (Cormack, Clarke and Büttcher, SIGIR 2009.) similarity = score / the query's best score.
    """
    both = bm25(collection, texts, known), dense(collection, texts, known)
    ranks = collection.name_rank[:known]
    shares = [1.0 / (RRF_CONSTANT + places(each.scores, ranks)) for each in both]
    scores = (shares[0] + shares[1]).astype(np.float32)
    return Direct(scores, _share_of_best(scores), both[1].match)


def _by_words(index: LexicalIndex, texts: Sequence[str], known: int) -> Direct:
    scores, most = index.scores(texts, known)
    best = scores.max(axis=1, initial=0.0)
    similarity = scores / np.where(best > 0, best, np.float32(1.0))[:, None]
    match = best / np.where(most > 0, most, np.float32(1.0))
    found = np.where(scores > 0, scores, np.float32(-np.inf))
    return Direct(found.astype(np.float32), similarity.astype(np.float32), match.astype(np.float32))


def _half_and_half(
    collection: Collection, index: LexicalIndex, texts: Sequence[str], known: int
) -> Direct:
    words, _ = index.scores(texts, known)
    by_vector = dense(collection, texts, known)
    scores = ((standardised(words) + standardised(by_vector.scores)) / 2.0).astype(np.float32)
    return Direct(scores, _share_of_best(scores), by_vector.match)


def standardised(scores: NDArray[np.floating]) -> NDArray[np.float64]:
    """z-scores of each row: (score − mean)/SD, the SD of the population; 0 in a flat row.

    >>> standardised(np.array([[1.0, 3.0], [2.0, 2.0]])).tolist()
    [[-1.0, 1.0], [0.0, 0.0]]
    """
    wide = scores.astype(np.float64)
    if not wide.size:
        return wide
    above = wide - wide.mean(axis=1, keepdims=True)
    spread = np.sqrt((above * above).mean(axis=1, keepdims=True))
    flat = spread < 1e-12
    return np.where(flat, 0.0, above / np.where(flat, 1.0, spread))


def places(scores: NDArray[np.float32], name_rank: NDArray[np.int32]) -> NDArray[np.float64]:
    """Rank of each memory in its row, from 1, by the tie rule; infinite where it is not found.

    >>> places(np.array([[0.5, 0.5, -np.inf]], np.float32), np.array([0, 1, 2])).tolist()
    [[2.0, 1.0, inf]]
    """
    ranks = np.empty(scores.shape)
    for row, values in enumerate(scores):
        order = np.lexsort((-name_rank.astype(np.int64), -values))
        ranks[row, order] = np.arange(1, len(order) + 1)
    return np.where(np.isneginf(scores), np.inf, ranks)


def _cosines(collection: Collection, texts: Sequence[str], known: int) -> NDArray[np.float32]:
    """[Q, known], rounded to float32 once, so that no order of summing shows."""
    queries = collection.embedded(texts).astype(np.float64)
    scores = np.empty((len(texts), known), np.float32)
    for first in range(0, known, _BLOCK):
        block = collection.vectors[first : min(first + _BLOCK, known)].astype(np.float64)
        scores[:, first : first + len(block)] = queries @ block.T
    return scores


def _share_of_best(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scores as shares of the row's best; what is below 0 counts 0."""
    above = np.maximum(scores, np.float32(0.0))
    best = above.max(axis=1, initial=0.0, keepdims=True)
    return (above / np.where(best > 0, best, np.float32(1.0))).astype(np.float32)
