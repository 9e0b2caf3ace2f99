"""How a subscription looks pieces up, and meets memories that are new."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.memory.subscription.buffer import Piece
from hebb_lab.memory.subscription.gates import Gates
from hebb_lab.memory.subscription.lookup import Candidate, candidates
from hebb_lab.memory.subscription.pushing import Pushes
from hebb_lab.memory.subscription.scope import pushable
from hebb_lab.memory.subscription.values import Counts, Listened, Wanted

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LOG = logging.getLogger(__name__)
AT_ONCE = 32  # pieces that are looked up together


class _Heard(NamedTuple):
    piece: Piece
    vector: NDArray[np.float32]  # [d]


class Listener:
    """Gates, lookups, and the last piece that new memories are compared with.

    Args:
        store: that is listened to.
        wanted: scope.
        counts: that it counts in.
        pushes: where what is found goes.
    """

    def __init__(self, store: Listened, wanted: Wanted, counts: Counts, pushes: Pushes) -> None:
        self._store, self._wanted, self._counts, self._pushes = store, wanted, counts, pushes
        self._state = store.state
        self._seen = store.state.count  # rows that are not new
        self._gates = Gates(with_words=store.rules.push_keywords)
        self._last: _Heard | None = None

    @property
    def at_once(self) -> int:
        """Pieces that may be looked up together with the answers of one after the other.

        One, where a callback may change the store in between, or time lets a memory in again.
        """
        alone = self._wanted.callback is not None or self._store.rules.push_again_days is not None
        return 1 if alone else AT_ONCE

    def follow(self) -> None:
        """Follow a store whose state was read anew."""
        before, after = self._state, self._store.state
        if after is before:
            return
        self._pushes.move(before, after)
        old = np.flatnonzero(before.rows_of(after.ids_of(np.arange(after.count))) >= 0)
        # New memories follow the old ones, for both are in the order of ids.
        self._seen = int(old[-1]) + 1 if len(old) else 0
        self._gates.clear()
        self._state = after

    def begin(self) -> None:
        """Start a look at what waits: what is written until it ends, callbacks write."""
        self.follow()
        self._pushes.written_from = self._store.state.count

    def end(self) -> None:
        """End it; what callbacks wrote is not new."""
        if self._pushes.written_from is not None and self._seen >= self._pushes.written_from:
            self._seen = self._store.state.count
        self._pushes.written_from = None

    def forget_gone(self) -> None:
        """Let go of what the gates know, where a memory that they know is forgotten."""
        if not self._gates.are_of(self._store.state):
            self._gates.clear()

    def clear(self) -> None:
        """Let go of everything that was heard."""
        self._gates.clear()
        self._last = None

    def look_up(self, pieces: list[Piece], threshold: float) -> None:
        """Push what pieces call up, in their order.

        Args:
            pieces: at most ``at_once``.
            threshold: least cosine.
        """
        heard = self._let_through(pieces)
        if not heard:
            return
        times = np.array([one.piece.at_us for one in heard], np.int64)
        found = candidates(
            self._store.state, self._store.rules, self._wanted.scope, threshold,
            np.stack([one.vector for one in heard]), times, self._pushes.barred(int(times[0])),
        )  # fmt: skip
        most = self._store.rules.push_candidates
        for (piece, _), reached in zip(heard, found, strict=True):
            self._counts.looked_up += 1
            self._pushes.push(reached, most, piece.at_us, piece.number, arrived=False)

    def _let_through(self, pieces: list[Piece]) -> list[_Heard]:
        """The pieces that the gates let through, with their vectors."""
        rules = self._store.rules
        if rules.push_keywords or rules.push_centroid > -1:
            scope = self._wanted.scope.rows(self._store.state, rules)
            rows = scope[pushable(self._store.state, rules, scope)]
            self._gates.follow(self._store.state, self._store.journal, rows)
        if rules.push_keywords:
            known = [p for p in pieces if p.vector is not None or self._gates.has_word_of(p.text)]
            self._counts.without_keywords += len(pieces) - len(known)
            pieces = known
        heard = self._with_vectors(pieces)
        if not heard:
            return []
        self._last = heard[-1]
        centre = self._gates.centre() if rules.push_centroid > -1 else None
        if centre is None:
            return heard
        near = [one for one in heard if float(one.vector @ centre) >= rules.push_centroid]
        self._counts.off_centre += len(heard) - len(near)
        return near

    def _with_vectors(self, pieces: list[Piece]) -> list[_Heard]:
        texts = [piece.text for piece in pieces if piece.vector is None]
        made = iter(self._embedded(texts))
        both = ((p, next(made) if p.vector is None else p.vector) for p in pieces)
        heard = [_Heard(piece, vector) for piece, vector in both if vector is not None]
        self._counts.failed_pieces += len(pieces) - len(heard)
        return heard

    def _embedded(self, texts: list[str]) -> list[NDArray[np.float32] | None]:
        """A vector for each text; None where the embedder fails on it or finds no direction."""
        if not texts:
            return []
        try:
            return [vector if vector.any() else None for vector in self._store.embed(texts)]
        except Exception as error:  # an embedder is whatever users bring
            if len(texts) > 1:
                return [vector for text in texts for vector in self._embedded([text])]
            if not self._counts.failed_pieces:
                _LOG.warning("the embedder of a subscription raised %s", type(error).__name__)
            return [None]

    def compare_new(self, threshold: float) -> None:
        """Push the new memories in scope that are near to the last piece, in their order.

        What a callback of these pushes writes is not among them.

        Args:
            threshold: least cosine.
        """
        state, rules = self._store.state, self._store.rules
        count = state.count
        if self._pushes.written_from is not None:
            count = min(count, self._pushes.written_from)
        rows = np.arange(self._seen, count)
        self._seen = max(self._seen, count)
        rows = rows[self._wanted.scope.holds(state, rules, rows)]
        rows = rows[pushable(state, rules, rows)]
        if self._last is None or not len(rows):
            return
        self._counts.arrived += len(rows)
        wide = state.vectors.take(rows).astype(np.float64)
        cosines = (wide @ self._last.vector.astype(np.float64)).astype(np.float32)
        created = state.column("created_us")[rows].tolist()
        number = self._last.piece.number
        for row, cosine, at_us in zip(rows.tolist(), cosines.tolist(), created, strict=True):
            if cosine >= threshold:
                self._pushes.push([Candidate(row, cosine)], 1, at_us, number, arrived=True)
