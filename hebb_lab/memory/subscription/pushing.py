"""From candidates to pushes: no duplicates, budgets, a queue that drops its oldest."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.memory.subscription.lookup import Candidate
from hebb_lab.memory.subscription.scope import pushable
from hebb_lab.memory.subscription.values import Counts, Listened, Push, Wanted
from hebb_lab.memory.values import Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.state import State

_LOG = logging.getLogger(__name__)
DAY_US = 86_400_000_000


class _Waiting(NamedTuple):
    row: int
    confidence: float
    at_us: int
    piece: int
    arrived: bool
    words: int  # that it took of the budget


class Pushes:
    """What was pushed and what waits to be taken; never what it says, which may be forgotten.

    Args:
        store: whose memories they are.
        wanted: budgets and callback.
        counts: that it counts in.
    """

    def __init__(self, store: Listened, wanted: Wanted, counts: Counts) -> None:
        self._store, self._wanted, self._counts = store, wanted, counts
        self._waiting: deque[_Waiting] = deque()
        self._pushed: dict[int, int] = {}  # row → when
        self._words = 0
        self._many = 0
        self._closed = False
        self.written_from: int | None = None  # rows from here on were written by callbacks

    def __len__(self) -> int:
        return len(self._waiting)

    def barred(self, at_us: int) -> NDArray[np.int64]:
        """Rows that may not be pushed again at a time."""
        pushed = np.array([row for row in self._pushed if self._is_barred(row, at_us)], np.int64)
        if self.written_from is None:
            return pushed
        return np.union1d(pushed, np.arange(self.written_from, self._store.state.count))

    def _is_barred(self, row: int, at_us: int) -> bool:
        if self.written_from is not None and row >= self.written_from:
            return True
        days, before = self._store.rules.push_again_days, self._pushed.get(row)
        return before is not None and (days is None or at_us - before < days * DAY_US)

    def push(
        self, found: Sequence[Candidate], most: int, at_us: int, piece: int, *, arrived: bool
    ) -> None:
        """Push what was found, best first, at most so many that may be pushed now.

        What is over budget is counted and passed over: a shorter memory may still fit.
        """
        left = most
        for row, cosine in found:
            if not left or self._closed:  # a callback closed it
                return
            if not self._store.state.alive[row]:  # a callback forgot it
                continue
            if self._is_barred(row, at_us):
                self._counts.barred += self._store.rules.push_scope == "after"
                continue
            left -= 1
            words = self._words_of(row)
            if self._is_over_budget(words):
                self._counts.over_budget += 1
                continue
            confidence = min(1.0, cosine)  # products of unit vectors may round to above 1
            self._take(_Waiting(row, confidence, at_us, piece, arrived, words))

    def _words_of(self, row: int) -> int:
        if self._wanted.budget_tokens is None:
            return 0
        ids = self._store.state.ids_of(np.array([row]))
        return len(self._store.journal.contents(ids)[0].split())

    def _is_over_budget(self, words: int) -> bool:
        pushes, tokens = self._wanted.budget_pushes, self._wanted.budget_tokens
        return (pushes is not None and self._many >= pushes) or (
            tokens is not None and self._words + words > tokens
        )

    def _take(self, one: _Waiting) -> None:
        self._pushed[one.row] = one.at_us
        self._many += 1
        self._words += one.words
        self._counts.pushed += 1
        if self._wanted.callback is not None:
            self._call(self._wanted.callback, one)
            return
        self._waiting.append(one)
        if len(self._waiting) > self._store.rules.push_queue:
            dropped = self._waiting.popleft()
            self._counts.dropped_pushes += 1
            self._give_back(dropped)

    def _give_back(self, one: _Waiting) -> None:
        """Nobody got it: it costs nothing and may come again."""
        self._many -= 1
        self._words -= one.words
        if self._pushed.get(one.row) == one.at_us:
            del self._pushed[one.row]

    def _call(self, callback: object, one: _Waiting) -> None:
        assert callable(callback)  # noqa: S101 - for the type checker
        try:
            callback(self._shown([one])[0])
        except Exception as error:  # whatever users bring may raise whatever it likes
            self._counts.failed_callbacks += 1
            if self._counts.failed_callbacks == 1:
                _LOG.warning("a callback of a subscription raised %s", type(error).__name__)
        else:
            self._counts.delivered += 1

    def taken(self, most: int | None = None) -> list[Push]:
        """The oldest of what waits, without what may not be pushed any more."""
        good: list[_Waiting] = []
        while self._waiting and (most is None or len(good) < most):
            one = self._waiting.popleft()
            if self._may_still(one.row):
                good.append(one)
            else:
                self._counts.gone += 1
                self._give_back(one)
        self._counts.delivered += len(good)
        return self._shown(good)

    def _may_still(self, row: int) -> bool:
        state, rules, rows = self._store.state, self._store.rules, np.array([row])
        return row >= 0 and bool(
            self._wanted.scope.holds(state, rules, rows)[0] and pushable(state, rules, rows)[0]
        )

    def _shown(self, waiting: Sequence[_Waiting]) -> list[Push]:
        if not waiting:
            return []
        state, rows = self._store.state, np.array([one.row for one in waiting])
        ids = state.ids_of(rows)
        said = zip(
            ids, self._store.journal.contents(ids), self._store.journal.contexts(ids),
            state.entity[rows].tolist(), state.column("kind")[rows].tolist(), waiting, strict=True,
        )  # fmt: skip
        return [
            Push(name, content, context, state.entities[number] if number >= 0 else None,
                 Kind(kind), *one[1:5])
            for name, content, context, number, kind, one in said
        ]  # fmt: skip

    def move(self, before: State, after: State) -> None:
        """Follow a store that was read anew, whose rows are others."""

        def moved(rows: list[int]) -> list[int]:
            ids = before.ids_of(np.array(rows, np.int64))
            return after.rows_of(ids).tolist() if rows else []

        rows = moved(list(self._pushed))
        self._pushed = {
            row: at_us for row, at_us in zip(rows, self._pushed.values(), strict=True) if row >= 0
        }
        places = moved([one.row for one in self._waiting])
        self._waiting = deque(
            one._replace(row=row) for row, one in zip(places, self._waiting, strict=True)
        )

    def close(self) -> None:
        """Let go of what waits, and push nothing more."""
        self._closed = True
        self._waiting.clear()
