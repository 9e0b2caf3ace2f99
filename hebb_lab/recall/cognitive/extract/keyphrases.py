"""Tags of texts: keyphrases by YAKE, or terms by TF-IDF over what was written so far."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.recall.cognitive.extract.extractor import TAGGERS, folded
from hebb_lab.recall.cognitive.extract.stop_words import FUNCTION_WORDS, OPENERS
from hebb_lab.recall.words import words_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_KEPT = 200_000  # texts whose keyphrases are remembered


class Keyphrases:
    """The best keyphrases of each text by itself, lower-cased (YAKE: Campos et al. 2020).

    Args:
        limit: keyphrases a text.
        words: at most so many words a keyphrase.
        language: of the texts, two letters.
    """

    def __init__(self, limit: int = 5, words: int = 2, language: str = "en") -> None:
        self.limit, self.words, self.language = limit, words, language
        self._known: OrderedDict[bytes, tuple[str, ...]] = OrderedDict()
        self._extractor: Any = None

    def __call__(self, texts: Sequence[str], given: Sequence[Sequence[str]]) -> list[list[str]]:
        """The keyphrases of each text, the best first; a text is looked at once."""
        return [list(self._of(text)) for text in texts]

    def _of(self, text: str) -> tuple[str, ...]:
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        if key not in self._known:
            self._known[key] = self._extract(text)
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return self._known[key]

    def _extract(self, text: str) -> tuple[str, ...]:
        if self._extractor is None:
            import yake

            self._extractor = yake.KeywordExtractor(
                lan=self.language, n=self.words, top=self.limit + len(OPENERS) // 20
            )
        phrases = [folded(phrase) for phrase, _ in self._extractor.extract_keywords(text)]
        return tuple(dict.fromkeys(p for p in phrases if p and p not in OPENERS))[: self.limit]


class TfIdf:
    """The terms of a text that were rare in what had been written up to it.

    score(t, i) = tf(t, i) · (ln((1 + n_i)/(1 + df_i(t))) + 1), n_i and df_i over texts 0 to i, so
    that no later text has a say. Terms are words and pairs of neighbouring words without function
    words. Equal scores go by the alphabet.

    Args:
        limit: terms a text.

    >>> TfIdf(1)(["pool of connections", "pool of timeouts"], [[], []])
    [['connections'], ['timeouts']]
    """

    def __init__(self, limit: int = 5) -> None:
        self.limit = limit

    def __call__(self, texts: Sequence[str], given: Sequence[Sequence[str]]) -> list[list[str]]:
        """The best terms of each text, the best first."""
        from sklearn.feature_extraction.text import CountVectorizer

        rows = [_terms(text) for text in texts]
        if not any(rows):
            return [[] for _ in texts]
        vectorizer = CountVectorizer(analyzer=list)
        counts = vectorizer.fit_transform(rows).tocsr()
        counts.sort_indices()
        scores = counts.data * _idf_so_far(counts)
        names = vectorizer.get_feature_names_out()
        best = []
        for start, end in zip(counts.indptr[:-1], counts.indptr[1:], strict=True):
            order = np.argsort(-scores[start:end], kind="stable")[: self.limit]
            best.append([str(names[term]) for term in counts.indices[start:end][order]])
        return best


def _idf_so_far(counts: Any) -> NDArray[np.float64]:
    """The weight of every entry of a table [texts, terms], row by row: of the texts up to its."""
    row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    by_term = np.lexsort((row, counts.indices))
    term = counts.indices[by_term]
    first = np.searchsorted(term, term)  # where each term's entries begin
    seen = np.empty(len(row), np.int64)
    seen[by_term] = np.arange(len(row)) - first + 1
    weight: NDArray[np.float64] = np.log((2.0 + row) / (1.0 + seen)) + 1.0
    return weight


def _terms(text: str) -> list[str]:
    """Words and pairs of neighbouring words, without function words and bare numbers."""
    terms: list[str] = []
    before = ""
    for word in words_of(text):
        kept = len(word) > 2 and not word.isdigit()
        kept = kept and word not in FUNCTION_WORDS and word not in OPENERS
        if kept:
            terms += [word, f"{before} {word}"] if before else [word]
        before = word if kept else ""
    return terms


TAGGERS.register("keyphrases")(Keyphrases())
TAGGERS.register("tfidf")(TfIdf())
