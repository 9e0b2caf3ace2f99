"""An HNSW graph over the vectors of a state (FAISS), which grows with it and forgets at once.

The graph takes memories in lots of 1,024, in the order in which they came; those of the lot that is
not full yet are searched exactly. So it depends on the memories and their order alone, and not on
how many were written at once. It is built by as many threads as FAISS may use where FAISS makes the
same graph with any number (1.15 does, as measured), else by one.

The vector of a forgotten memory is overwritten with 0 in the index too, at once. Its place stays as
a bridge without content, and no answer shows it; when a tenth of all places are such, the graph is
built anew from what is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hebb_lab.errors import MissingExtraError
from hebb_lab.memory.state.columns import with_room
from hebb_lab.memory.state.search.exact import candidates, nearest_exact
from hebb_lab.memory.state.search.settling import Best, nothing_found, settle
from hebb_lab.memory.state.vectors import Floats

if TYPE_CHECKING:
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state.memories import State

LOT = 1024  # memories that the graph takes at once
_MOST_GONE = 0.1  # of all places, before the graph is built anew
_SPARE = 16  # answers beyond what is wanted, for ties and rounding
_DENSE = 8  # fewer rows than this part of all are searched exactly


class Settings(NamedTuple):
    """M and the candidates while the graph is built (rules hnsw_neighbours, hnsw_construction)."""

    neighbours: int
    construction: int


def nearest_in_graph(
    state: State, queries: Floats, k: int, rows: NDArray[np.int64] | None, rules: MemoryRules
) -> Best:
    """Rows and cosines [Q, k], best first, nearly all of them right; see ``search.nearest``.

    Few rows are searched exactly, and so is a query for which the graph found fewer than there are.
    """
    settings = Settings(rules.hnsw_neighbours, rules.hnsw_construction)
    if rows is not None and _DENSE * len(rows) <= state.count:
        return nearest_exact(state, queries, k, rows)
    if settings not in state.graphs:
        state.graphs[settings] = Graph(state.dimensions, settings)
    graph: Graph = state.graphs[settings]
    graph.follow(state)
    return graph.search(state, queries, k, rows, rules.hnsw_search)


class Graph:
    """A graph over some rows of a state, and the rows that wait for their lot to be full.

    Args:
        dimensions: d.
        settings: of the graph.
    """

    def __init__(self, dimensions: int, settings: Settings) -> None:
        self.dimensions = dimensions
        self.settings = settings
        self._begin()

    def _begin(self) -> None:
        self._index = _empty_index(self.dimensions, self.settings)
        self.rows: NDArray[np.int64] = np.zeros(0, np.int64)
        """[places] the row at each place, −1 where it is gone."""
        self._place: NDArray[np.int32] = np.zeros(0, np.int32)  # [rows] place + 1, 0 for none
        self._gone = 0
        self._seen = 0  # rows of the state that were looked at
        self._waiting: NDArray[np.int64] = np.zeros(0, np.int64)

    def follow(self, state: State) -> None:
        """Take in what has come since, or begin anew where too much is gone."""
        if self._gone > _MOST_GONE * len(self.rows):
            self._begin()
        new = np.arange(self._seen, state.count)
        self._seen = state.count
        self._place = with_room(self._place, len(self._place), state.count)
        waiting = np.concatenate([self._waiting, new])
        waiting = waiting[state.alive[waiting] & state.has_vector[waiting]]
        full = len(waiting) // LOT * LOT
        with _threads():
            for first in range(0, full, LOT):
                self._index.add(state.vectors.take(waiting[first : first + LOT]))
        places = np.arange(len(self.rows), len(self.rows) + full)
        self._place[waiting[:full]] = places + 1
        self.rows = np.concatenate([self.rows, waiting[:full]])
        self._waiting = waiting[full:]

    def drop(self, rows: NDArray[np.int64], *, again: bool) -> None:
        """Rows lose their place, and their vectors are overwritten with 0.

        Args:
            rows: distinct.
            again: whether they have another vector now, and wait for another place.
        """
        rows = rows[rows < self._seen]
        self._waiting = self._waiting[~np.isin(self._waiting, rows)]
        places = self._place[rows].astype(np.int64) - 1
        places = places[places >= 0]
        if len(places):
            self.vectors()[places] = 0
            self.rows[places] = -1
            self._gone += len(places)
        self._place[rows] = 0
        if again:
            self._waiting = np.concatenate([self._waiting, rows])

    def vectors(self) -> Floats:
        """A view [places, d] of the vectors that the index holds."""
        faiss = _faiss()
        storage = faiss.downcast_index(self._index.storage)
        flat: Floats = faiss.rev_swig_ptr(storage.get_xb(), len(self.rows) * self.dimensions)
        return flat.reshape(-1, self.dimensions)

    def search(
        self, state: State, queries: Floats, k: int, rows: NDArray[np.int64] | None, least: int
    ) -> Best:
        """Rows and cosines [Q, k] among all that were taken in, or among some of them.

        Args:
            state: that the graph follows.
            queries: [Q, d].
            k: how many.
            rows: ascending; None: all.
            least: candidates of a search, at least.
        """
        waiting = self._waiting if rows is None else np.intersect1d(self._waiting, rows)
        queries = np.ascontiguousarray(queries, np.float32)
        tail = candidates(state, queries, k, waiting)
        allowed = self.rows >= 0
        if rows is not None:
            within = np.zeros(state.count + 1, np.bool_)
            within[rows] = True  # −1, for those that are gone, is the last
            allowed &= within[self.rows]
        near = self._near(queries, k, allowed, least)
        found, wanted = nothing_found(len(queries), k), min(k, int(allowed.sum()))
        chosen = [
            np.concatenate([self.rows[places[places >= 0]], others])
            for places, others in zip(near, tail, strict=True)
        ]
        settle(state, queries, chosen, found)
        short = np.flatnonzero((near >= 0).sum(axis=1) < wanted)
        if len(short):
            found[0][short], found[1][short] = nearest_exact(state, queries[short], k, rows)
        return found

    def _near(
        self, queries: Floats, k: int, allowed: NDArray[np.bool_], least: int
    ) -> NDArray[np.int64]:
        """Places [Q, n] that the graph finds, n ≥ k; −1 past the end."""
        faiss = _faiss()
        if not allowed.any():
            return np.full((len(queries), 1), -1, np.int64)
        breadth = max(least, k)
        settings = faiss.SearchParametersHNSW(efSearch=breadth)
        if not allowed.all():
            bits = np.packbits(allowed, bitorder="little")
            settings.sel = faiss.IDSelectorBitmap(bits)
        count = min(breadth, k + _SPARE)
        found: NDArray[np.int64] = self._index.search(queries, count, params=settings)[1]
        return found


def _faiss() -> Any:
    try:
        import faiss
    except ImportError as missing:
        raise MissingExtraError(
            "rules.index=hnsw needs FAISS, which is not installed",
            "Run pip install 'hebb_lab[cpu]', or set rules.index=exact",
        ) from missing
    return faiss


def _empty_index(dimensions: int, settings: Settings) -> Any:
    faiss = _faiss()
    index = faiss.IndexHNSWFlat(dimensions, settings.neighbours, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = settings.construction
    return index


@contextmanager
def _threads() -> Iterator[None]:
    """One thread where FAISS would make another graph with several."""
    faiss = _faiss()
    before = faiss.omp_get_max_threads()
    if not hasattr(faiss.HNSW, "merge_reverse_links_deterministic"):
        faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)
