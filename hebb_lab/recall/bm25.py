"""The lexical seeder: BM25 over what is known at each query's time."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.kernels.cpu.lexical import Postings, best_by_words, scores_by_words
from hebb_lab.recall.known import Births, empty_ranking, seeds, text
from hebb_lab.recall.words import words_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from hebb_lab.records import Queries, Ranking

_LOG = logging.getLogger(__name__)


class _Corpus(NamedTuple):
    """Every node's words as numbers."""

    births: Births
    postings: Postings
    vocabulary: dict[str, int]
    name_ptr: NDArray[np.int64]  # [N+1] by node id
    name_words: NDArray[np.int32]  # words of the names


def index_sizes(nodes: int, growth: float) -> NDArray[np.int64]:
    """How many nodes the indices hold: from 1, each larger by ``growth``, and by 1 at least.

    The index for a time is the largest that fits into the nodes known by then, so it follows from
    the log before that time alone, whatever queries are asked.

    >>> index_sizes(20, 0.1).tolist()
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19]
    """
    sizes, size = [], 1
    while size <= nodes:
        sizes.append(size)
        size += max(1, int(np.ceil(round(growth * size, 9))))
    return np.array(sizes, dtype=np.int64)


@dataclass(frozen=True)
class Bm25:
    """Ranks nodes by the words of their names and texts.

    score(q, d) = Σ over words of q: ln(1 + (N − df + ½)/(df + ½)) · tf/(tf + k1·norm),
    norm = 1 − b + b·|d|/avg,

    in float32: to the bit what the variant lucene of bm25s gives, with its defaults (Lucene's own
    k1 is 1.2).
    N, df and avg are those of an index of nodes that were known strictly before the query; it is
    built anew when 2 % more are known, and younger nodes wait until then. A text counts as known
    from the birth of its node on. Only positive scores rank.

    The words of a query are the user's, or, where there are none, those of the names of all nodes
    in view; a word that stands there twice counts twice.

    Args:
        nodes: [N] names.
        texts: node → text, where the dataset gives one.
        born_us: [N] int64, first touch of each.
        k1: how late repetitions of a word saturate.
        b: how much length counts.
        growth: share of new nodes that calls for a new index.
    """

    nodes: Sequence[str]
    texts: Mapping[str, str]
    born_us: NDArray[np.int64]
    k1: float = 1.5
    b: float = 0.75
    growth: float = 0.02

    def rank(self, queries: Queries, k: int) -> Ranking:
        """Best k known nodes for each query; none for a query without a word (logged).

        Raises:
            ValueError: the queries are not in time order.
        """
        ranking, fitting = empty_ranking(len(queries), k), self._fitting(queries)
        word_ptr, words = self._words(queries)
        if k:
            best_by_words(
                self._corpus.postings, word_ptr, words, fitting, queries, self.k1, self.b,
                ranking.ids, ranking.scores,
            )  # fmt: skip
        if wordless := int((np.diff(word_ptr) == 0).sum()):
            _LOG.info("BM25: %d of %d queries have no words", wordless, len(queries))
        return ranking

    def scores(self, queries: Queries) -> NDArray[np.float32]:
        """What ``rank`` ranks by, of every node, [Q, N]; 0 where a node shares no word.

        Raises:
            ValueError: the queries are not in time order.
        """
        fitting, (word_ptr, words) = self._fitting(queries), self._words(queries)
        return scores_by_words(self._corpus.postings, word_ptr, words, fitting, self.k1, self.b)

    def wordless(self, queries: Queries) -> int:
        """Number of queries that have no word to look for."""
        return int((np.diff(self._words(queries)[0]) == 0).sum())

    def byte_count(self) -> int:
        """Memory of the index that holds all nodes: 8 bytes a posting, 8 a word."""
        return 8 * (len(self._corpus.postings.document) + len(self._corpus.vocabulary) + 1)

    def _fitting(self, queries: Queries) -> NDArray[np.int64]:
        """How many of the eldest nodes the index of each query holds, [Q]."""
        known = self._corpus.births.known(queries)
        sizes = np.concatenate([[0], index_sizes(len(self.nodes), self.growth)])
        fitting: NDArray[np.int64] = sizes[np.searchsorted(sizes, known, side="right") - 1]
        return fitting

    def _words(self, queries: Queries) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """(pointer [Q+1], numbers of each query's words); a word that no node has is one past."""
        vocabulary, unknown = self._corpus.vocabulary, len(self._corpus.vocabulary)
        prompts = [text(queries, q) for q in range(len(queries))]
        if not any(prompts):
            return self._names_in_view(queries)
        pointer, words = _flat([
            [vocabulary.get(word, unknown) for word in words_of(prompt)]
            if prompt
            else self._names(seeds(queries, q)).tolist()
            for q, prompt in enumerate(prompts)
        ])  # fmt: skip
        return pointer, words.astype(np.int32)

    def _names_in_view(self, queries: Queries) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The words of the names of every query's seeds."""
        counts = np.diff(self._corpus.name_ptr)[queries.seed_ids]
        before = np.concatenate([[0], np.cumsum(counts)])
        return before[queries.seed_ptr], self._names(queries.seed_ids)

    def _names(self, nodes: NDArray[np.int32]) -> NDArray[np.int32]:
        """The words of some nodes' names, one node after another."""
        pointer, words = self._corpus.name_ptr, self._corpus.name_words
        counts = np.diff(pointer)[nodes]
        first = np.repeat(pointer[nodes] - np.cumsum(counts) + counts, counts)
        return words[first + np.arange(len(first))]

    @cached_property
    def _corpus(self) -> _Corpus:
        """Every node's words, looked for once."""
        births, vocabulary = Births.of(self.born_us), dict[str, int]()
        documents: list[list[int]] = []
        names: list[list[int]] = [[] for _ in self.nodes]
        for node in births.node.tolist():
            name = words_of(self.nodes[node])
            words = name + words_of(self.texts.get(self.nodes[node], ""))
            document = [vocabulary.setdefault(word, len(vocabulary)) for word in words]
            names[node] = document[: len(name)]
            documents.append(document)
        pointer, words_of_names = _flat(names)
        postings = _postings(births.node, documents, len(vocabulary))
        return _Corpus(births, postings, vocabulary, pointer, words_of_names.astype(np.int32))


def _flat(rows: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(pointer, values) of rows of different lengths."""
    pointer = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    return pointer, np.fromiter((value for row in rows for value in row), np.int64, pointer[-1])


def _postings(node: NDArray[np.int64], documents: Sequence[Sequence[int]], words: int) -> Postings:
    """The documents of each word, in order, with how often they hold it."""
    pointer, flat = _flat(documents)
    length, count = np.diff(pointer), max(len(documents), 1)
    key = flat * count + np.repeat(np.arange(len(documents)), length)
    pairs, times = np.unique(key, return_counts=True)
    ends = np.searchsorted(pairs, np.arange(words + 1) * count)
    document = (pairs % count).astype(np.int32)
    return Postings(node, length, ends, document, times.astype(np.float32))
