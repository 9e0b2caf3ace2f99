"""BM25 over all memories that are known: a score for each, not the best alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.recall.cognitive.analysis import terms_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True)
class LexicalIndex:
    """Which memories hold which terms, in the order of writing: what is known is a prefix.

    score(q, d) = Σ over terms of q: ln(1 + (N − df + ½)/(df + ½)) · tf/(tf + k1·norm),
    norm = 1 − b + b·|d|/avg; Lucene's BM25, in float32 and in the order of the terms, as bm25s
    gives it. N, df and avg are those of the known memories.

    Args:
        vocabulary: term → number.
        pointer: [V+1] int64, postings of each term.
        document: [P] int32, ascending within a term.
        times: [P] float32, how often it holds the term.
        length: [N] int64, terms of each memory.
        k1: how late repetitions of a term saturate.
        b: how much length counts.
    """

    vocabulary: dict[str, int]
    pointer: NDArray[np.int64]
    document: NDArray[np.int32]
    times: NDArray[np.float32]
    length: NDArray[np.int64]
    k1: float = 1.5
    b: float = 0.75

    @classmethod
    def of(cls, texts: Sequence[str], k1: float = 1.5, b: float = 0.75) -> LexicalIndex:
        """The index of some texts.

        >>> LexicalIndex.of(["red cars", "a red car"]).length.tolist()
        [2, 2]
        """
        vocabulary: dict[str, int] = {}
        rows = [
            [vocabulary.setdefault(term, len(vocabulary)) for term in terms]
            for terms in terms_of(texts)
        ]
        length = np.array([len(row) for row in rows], dtype=np.int64)
        flat = np.fromiter((term for row in rows for term in row), np.int64, int(length.sum()))
        stride = max(len(rows), 1)
        pairs, times = np.unique(
            flat * stride + np.repeat(np.arange(len(rows)), length), return_counts=True
        )
        pointer = np.searchsorted(pairs, np.arange(len(vocabulary) + 1) * stride)
        return cls(
            vocabulary, pointer.astype(np.int64), (pairs % stride).astype(np.int32),
            times.astype(np.float32), length, k1, b,
        )  # fmt: skip

    def weighed(self, k1: float, b: float) -> LexicalIndex:
        """The same index with other constants."""
        return replace(self, k1=k1, b=b)

    def scores(
        self, texts: Sequence[str], known: int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Scores of the first ``known`` memories, and the most that any text could reach.

        The most is Σ of the rarities of the query's terms, what tf → ∞ would give.

        Args:
            texts: of Q queries; a term that stands there twice counts twice.
            known: how many memories there are as of then.

        Returns:
            [Q, known] float32, 0 where no term is shared; [Q] float32.
        """
        scores = np.zeros((len(texts), known), np.float32)
        most = np.zeros(len(texts), np.float32)
        total = int(self.length[:known].sum())
        if not total:
            return scores, most
        share = self.length[:known].astype(np.float64) / (total / known)
        norm: NDArray[np.float64] = self.k1 * ((1.0 - self.b) + self.b * share)
        weighed: dict[int, tuple[NDArray[np.int32], NDArray[np.float32], np.float32]] = {}
        for row, terms in enumerate(terms_of(texts)):
            for term in terms:
                number = self.vocabulary.get(term, -1)
                if number >= 0:
                    if number not in weighed:
                        weighed[number] = self._weigh(number, known, norm)
                    documents, weight, rarity = weighed[number]
                    scores[row, documents] += weight
                    most[row] += rarity if len(documents) else np.float32(0.0)
        return scores, most

    def _weigh(
        self, term: int, known: int, norm: NDArray[np.float64]
    ) -> tuple[NDArray[np.int32], NDArray[np.float32], np.float32]:
        """The known memories that hold a term, what it gives each, and its rarity."""
        first, last = self.pointer[term], self.pointer[term + 1]
        df = int(np.searchsorted(self.document[first:last], known))
        documents, times = self.document[first : first + df], self.times[first : first + df]
        rarity = np.float32(np.log(1.0 + (known - df + 0.5) / (df + 0.5)))
        return documents, (rarity * (times / (norm[documents] + times))).astype(np.float32), rarity
