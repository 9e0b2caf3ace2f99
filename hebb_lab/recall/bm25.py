"""The lexical seeder: BM25 over what is known at each query's time."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import bm25s
import numpy as np

from hebb_lab.kernels.cpu.select import best_nodes
from hebb_lab.recall.known import Births, empty_ranking, excluded, seeds, text
from hebb_lab.recall.words import words_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from hebb_lab.records import Queries, Ranking

_LOG = logging.getLogger(__name__)
# On import bm25s sets its logger to DEBUG, and every build would write two lines to the run's log.
logging.getLogger("bm25s").setLevel(logging.WARNING)


class _Corpus(NamedTuple):
    """Words as numbers, given in the order in which the words were born with their nodes.

    So the vocabulary of the eldest n nodes is the first ``vocabulary_size[n]`` words.
    """

    births: Births
    documents: list[list[int]]  # words of name and text, eldest node first
    names: list[list[int]]  # words of the name, by node id
    vocabulary: dict[str, int]
    vocabulary_size: list[int]  # [N+1]


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

    in float32: the variant that bm25s calls lucene, with its defaults (Lucene's own k1 is 1.2).
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
        corpus, ranking = self._corpus, empty_ranking(len(queries), k)
        known = corpus.births.known(queries)
        sizes = np.concatenate([[0], index_sizes(len(self.nodes), self.growth)])
        fitting = sizes[np.searchsorted(sizes, known, side="right") - 1]
        score, barred = np.zeros(len(self.nodes)), np.zeros(len(self.nodes), np.bool_)
        index: Any = None
        held, wordless = 0, 0
        for q, size in enumerate(fitting.tolist()):
            words = self._words(queries, q)
            wordless += not words
            known_words = [word for word in words if word < corpus.vocabulary_size[size]]
            if not known_words or k == 0:
                continue
            if size != held:
                index, held = self._index(size), size
            eldest = corpus.births.node[:size]
            score[eldest] = index.get_scores_from_ids(known_words)
            barred[excluded(queries, q)] = True
            best_nodes(eldest, score, size, barred, ranking.ids[q], ranking.scores[q])
            barred[excluded(queries, q)] = False
        if wordless:
            _LOG.info("BM25: %d of %d queries have no words", wordless, len(queries))
        return ranking

    def wordless(self, queries: Queries) -> int:
        """Number of queries that have no word to look for."""
        return sum(not self._words(queries, q) for q in range(len(queries)))

    def byte_count(self) -> int:
        """Memory of the index that holds all nodes: 8 bytes a posting, 8 a word."""
        postings = sum(len(set(document)) for document in self._corpus.documents)
        return 8 * (postings + len(self._corpus.vocabulary) + 1)

    def _words(self, queries: Queries, q: int) -> list[int]:
        """Numbers of the query's words; a word that no node has gets one past the last."""
        corpus = self._corpus
        if prompt := text(queries, q):
            unknown = len(corpus.vocabulary)
            return [corpus.vocabulary.get(word, unknown) for word in words_of(prompt)]
        return [word for seed in seeds(queries, q).tolist() for word in corpus.names[seed]]

    @cached_property
    def _corpus(self) -> _Corpus:
        """Every node's words, looked for once."""
        births, vocabulary = Births.of(self.born_us), dict[str, int]()
        documents, sizes = [], [0]
        names: list[list[int]] = [[] for _ in self.nodes]
        for node in births.node.tolist():
            name = words_of(self.nodes[node])
            words = name + words_of(self.texts.get(self.nodes[node], ""))
            document = [vocabulary.setdefault(word, len(vocabulary)) for word in words]
            names[node] = document[: len(name)]
            documents.append(document)
            sizes.append(len(vocabulary))
        return _Corpus(births, documents, names, vocabulary, sizes)

    def _index(self, size: int) -> Any:
        """The bm25s index of the eldest nodes."""
        corpus = self._corpus
        vocabulary = dict(islice(corpus.vocabulary.items(), corpus.vocabulary_size[size]))
        index = bm25s.BM25(k1=self.k1, b=self.b, method="lucene")
        index.index(
            (corpus.documents[:size], vocabulary), create_empty_token=False, show_progress=False
        )
        return index
