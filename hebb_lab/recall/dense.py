"""The dense seeder: cosine similarity to what is known at each query's time, exact."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from hebb_lab.kernels.nearest import (
    SPARE,
    exact_products,
    none_better_outside,
    rounding_of,
    search_until_settled,
    vector_index,
)
from hebb_lab.recall.embedders import EMBEDDERS, Embedder, HashingEmbedder, MiniLM
from hebb_lab.recall.known import (
    Births,
    empty_ranking,
    excluded,
    fill_best,
    seed_energy,
    seeds,
    text,
)
from hebb_lab.recall.vectors import embed
from hebb_lab.recall.words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from hebb_lab.kernels.nearest import VectorIndex
    from hebb_lab.records import Queries, Ranking

__all__ = ["EMBEDDERS", "Dense", "Embedder", "HashingEmbedder", "MiniLM"]

_LOG = logging.getLogger(__name__)
CHUNK = 512  # queries searched at once
BLOCK = 8192  # nodes whose vectors are widened to float64 at once


@dataclass(frozen=True)
class Dense:
    """Ranks nodes by the cosine of their vectors with the query's.

    The query's vector is that of the user's words, or, where there are none, the mean of the
    vectors of the nodes in view weighted by their energies. A node's text is the words of its
    name, and below them its text where the dataset gives one. All known nodes rank, whatever
    the sign of their cosine.

    Exact: cosines are summed in float64 and rounded to float32, whatever the index (see
    ``hebb_lab.kernels.nearest``).

    Args:
        embedder: gives the vectors.
        nodes: [N] names.
        texts: node → text, where the dataset gives one.
        born_us: [N] int64, first touch of each.
        cache: folder that keeps the vectors; None for no cache.
        index: ``faiss``, ``numpy``, or ``auto``: FAISS where it is installed. The ranking is the
            same.
    """

    embedder: Embedder
    nodes: Sequence[str]
    texts: Mapping[str, str]
    born_us: NDArray[np.int64]
    cache: Path | None = None
    index: Literal["auto", "faiss", "numpy"] = "auto"

    def rank(self, queries: Queries, k: int) -> Ranking:
        """Best k known nodes for each query; none for a query with neither words nor seeds.

        Raises:
            MissingExtraError: the embedder, or the index asked for, is not installed.
            InputError: the embedder gave something that is not finite vectors.
            ValueError: the queries are not in time order.
        """
        births, ranking = Births.of(self.born_us), empty_ranking(len(queries), k)
        known, vectors = births.known(queries), self._query_vectors(queries)
        asked = np.flatnonzero(vectors.any(axis=1) & (known > 0))
        if len(asked) < len(queries):
            _LOG.info("dense: %d queries cannot be asked", len(queries) - len(asked))
        if k == 0 or not len(asked):
            return ranking
        index, added = vector_index(self.index, *self._vectors.shape), 0
        for group in _of_one_age(asked, known):
            size = int(known[group[0]])
            index.add(self._vectors[births.node[added:size]])
            added = size
            self._rank_group(index, births.node[:size], group, queries, vectors, ranking)
        return ranking

    def cosines(self, queries: Queries) -> NDArray[np.float32]:
        """What ``rank`` ranks by, of every node, known or not, [Q, N]; 0 where nothing is asked.

        Raises:
            MissingExtraError: the embedder is not installed.
        """
        asked = self._query_vectors(queries).astype(np.float64)
        found = np.empty((len(queries), len(self.nodes)), np.float32)
        for first in range(0, len(self.nodes), BLOCK):
            block = self._vectors[first : first + BLOCK].astype(np.float64)
            found[:, first : first + BLOCK] = asked @ block.T
        return found

    def byte_count(self) -> int:
        """Memory of the vectors of all nodes."""
        return self._vectors.nbytes

    def _rank_group(
        self, index: VectorIndex, eldest: NDArray[np.int64], group: NDArray[np.int64],
        queries: Queries, vectors: NDArray[np.float32], ranking: Ranking,
    ) -> None:  # fmt: skip
        """Queries that know the same nodes: search, settle, widen for those that are not sure."""
        rounding = rounding_of(vectors.shape[1])

        def settle(at: int, positions: NDArray[np.int64], lowest: float | None) -> bool:
            q = int(group[at])
            found = eldest[positions]
            found = found[~np.isin(found, excluded(queries, q))]
            exact = exact_products(self._vectors[found], vectors[q])
            written = fill_best(ranking, q, found, exact.astype(np.float32))
            return none_better_outside(written, ranking.scores[q], lowest, rounding)

        most_excluded = int(np.diff(queries.exclude_ptr)[group].max())
        fetch = ranking.ids.shape[1] + most_excluded + SPARE
        search_until_settled(index, len(eldest), vectors[group], fetch, settle)

    @cached_property
    def _vectors(self) -> NDArray[np.float32]:
        """Unit vectors of the nodes, [N, d]."""
        phrases = [" ".join(words_of(name)) for name in self.nodes]
        own = [self.texts.get(name, "") for name in self.nodes]
        full = [f"{phrase}\n{more}".strip() for phrase, more in zip(phrases, own, strict=True)]
        return embed(self.embedder, full, self.cache)

    def _query_vectors(self, queries: Queries) -> NDArray[np.float32]:
        """Unit vectors of the queries, [Q, d]; zero where there is nothing to ask with."""
        prompts = [text(queries, q) for q in range(len(queries))]
        worded = np.array([bool(prompt) for prompt in prompts], dtype=np.bool_)
        vectors = np.zeros((len(queries), self._vectors.shape[1]), np.float32)
        if worded.any():
            vectors[worded] = embed(self.embedder, [p for p in prompts if p], self.cache)
        for q in np.flatnonzero(~worded).tolist():
            energy = seed_energy(queries, q).astype(np.float64)
            mean = (energy[:, None] * self._vectors[seeds(queries, q)]).sum(axis=0)
            length = np.sqrt((mean * mean).sum())
            vectors[q] = mean / length if length > 0 else 0.0
        return vectors


def _of_one_age(asked: NDArray[np.int64], known: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Queries in order, cut where more nodes are known and after CHUNK queries."""
    for group in np.split(asked, np.flatnonzero(np.diff(known[asked])) + 1):
        yield from np.split(group, range(CHUNK, len(group), CHUNK))
