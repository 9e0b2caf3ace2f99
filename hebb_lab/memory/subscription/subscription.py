"""A subscription: text arrives, and memories that it calls up are pushed."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hebb_lab.errors import ConfigError
from hebb_lab.memory.errors import StoreError
from hebb_lab.memory.limits import checked_time, content_problem, raised
from hebb_lab.memory.subscription.buffer import Piece, TextBuffer
from hebb_lab.memory.subscription.listening import Listener
from hebb_lab.memory.subscription.pushing import Pushes
from hebb_lab.memory.subscription.values import Counts, Listened, Push, Wanted

if TYPE_CHECKING:
    from types import TracebackType

    from numpy.typing import NDArray

INBOX = 1000  # pieces that wait to be looked up


class Subscription:
    """Memories that an arriving stream calls up; it reinforces nothing.

    ``feed`` takes text, cuts it into pieces by flush_tokens and flush_ms, and looks them up.
    A producer that may not wait calls ``offer``, which only queues, and somebody else ``work``;
    more than 1,000 waiting pieces are refused and counted. New memories are compared with the last
    piece as soon as the store has some (``meet``). What is found is handed to the callback, or
    waits: iterate, or ``drain``.

    One thread feeds; others may call ``offer``, ``work`` and ``drain``, and change the store. The
    jitter that the engine gives flush_ms is left out. The same stream gives the same pushes
    whatever is looked up at once. A stream that is remembered piece by piece after it was fed calls
    itself up: narrow the scope by entity, kinds or until_us where that is not wanted. A callback
    may feed and change the store; what is written while it runs is not pushed for that (a callback
    that remembers would never end), and pieces that come after the call that pushed find it.

    Args:
        store: that it listens to.
        wanted: scope, threshold, budgets, callback.

    >>> import numpy as np
    >>> from hebb_lab.memory.store import MemoryStore
    >>> from hebb_lab.memory.values import Draft
    >>> store = MemoryStore.in_memory(2)
    >>> _ = store.remember(Draft("rain in Bergen", vector=np.float32([1, 0])), 1_000)
    >>> with store.subscribe(budget_pushes=5) as subscription:
    ...     subscription.feed_vector(np.float32([3, 4]), 2_000)
    ...     _ = store.remember(Draft("wind and sun", vector=np.float32([0, 1])), 3_000)
    ...     [(push.content, round(push.confidence, 3), push.arrived) for push in subscription]
    [('rain in Bergen', 0.6, False), ('wind and sun', 0.8, True)]
    """

    def __init__(self, store: Listened, wanted: Wanted | None = None) -> None:
        self.store = store
        self.wanted = wanted or Wanted()
        self.counts = Counts()
        self.closed = False
        self._buffer = TextBuffer(store.rules)
        self._pushes = Pushes(store, self.wanted, self.counts)
        self._inbox: deque[Piece] = deque()
        self._lock = threading.Lock()
        self._listener = Listener(store, self.wanted, self.counts, self._pushes)
        self._clock_us = -1
        self._working = False

    @property
    def threshold(self) -> float:
        """Least cosine of what is pushed."""
        own = self.wanted.threshold
        return self.store.rules.push_threshold if own is None else own

    def feed(self, text: str, at_us: int) -> None:
        """Take text that arrived at a time, and look up what is complete by it.

        Raises:
            InputError: a text over 65,536 bytes or with lone surrogates; a clock that goes back.
            ConfigError: a store without an embedder.
            StoreError: a closed subscription.
        """
        self.offer(text, at_us)
        self.work()

    def feed_vector(self, vector: NDArray[Any], at_us: int) -> None:
        """Take a piece by its vector [d]; no keyword is asked of it.

        Raises:
            InputError: a vector of another length, not finite or zero; a clock that goes back.
            StoreError: a closed subscription.
        """
        from hebb_lab.memory.operations.arriving.vectors import taken_vectors

        self._check_open()
        given: list[Any] = [() if vector is None else vector]  # no vector is one of no numbers
        unit, problems = taken_vectors(given, self.store.state.dimensions)
        if problems:
            raise raised(problems[0])
        at_us = self._moved_clock(at_us)
        with self._lock:
            self._queue(self._buffer.due(at_us))
            self._queue([(at_us, unit[0])])
        self.work()

    def offer(self, text: str, at_us: int) -> bool:
        """Take text without looking anything up; False where a piece found the queue full.

        Raises:
            As ``feed``.
        """
        self._check_open()
        if self.store.embedder is None:
            raise ConfigError("text is fed to a store without an embedder",
                              "Open it with one, or feed vectors")  # fmt: skip
        problem = content_problem(text)
        if problem is not None and text != "":
            raise raised(problem)
        with self._lock:
            return self._queue(self._buffer.add(text, self._moved_clock(at_us)))

    def tick(self, at_us: int) -> None:
        """Let time pass: what has waited for flush_ms is looked up."""
        self._check_open()
        at_us = self._moved_clock(at_us)
        with self._lock:
            self._queue(self._buffer.due(at_us))
        self.work()

    def flush(self, at_us: int) -> None:
        """End of the stream: what has arrived is looked up, however little it is."""
        self._check_open()
        at_us = self._moved_clock(at_us)
        with self._lock:
            self._queue(self._buffer.due(at_us))
            self._queue(self._buffer.flush(at_us))
        self.work()

    def _check_open(self) -> None:
        if self.closed:
            raise StoreError("the subscription is closed", "Subscribe anew")

    def _moved_clock(self, at_us: int) -> int:
        at_us = checked_time(at_us, self._clock_us, self.store.rules.clock_back)
        self._clock_us = max(self._clock_us, at_us)
        return at_us

    def _queue(self, complete: list[tuple[int, Any]]) -> bool:
        room = True
        for at_us, said in complete:
            if len(self._inbox) >= INBOX:
                self.counts.dropped_pieces += 1
                room = False
                continue
            is_text = isinstance(said, str)
            number = self.counts.pieces
            self.counts.pieces += 1
            self._inbox.append(
                Piece(number, at_us, said if is_text else "", None if is_text else said)
            )
        return room

    def meet(self, at_us: int) -> None:
        """The store has changed: what is new is compared with the last piece.

        What was due before the change is looked up first. The store calls this after every change.

        Args:
            at_us: of the change.
        """
        if self.closed:
            return
        with self._lock:
            self._queue(self._buffer.due(at_us))
        self.work()
        self._listener.forget_gone()

    def work(self, most: int | None = None) -> int:
        """Look up what waits; how many pieces it was.

        Args:
            most: pieces; None: all.
        """
        with self.store.lock:
            if self._working or self.closed:  # a callback feeds or writes: the outer call goes on
                return 0
            self._working = True
            done = 0
            try:
                self._listener.begin()
                while self._inbox and not self.closed and (most is None or done < most):
                    size = self._listener.at_once if most is None else most - done
                    pieces = self._next(min(size, self._listener.at_once))
                    self._listener.look_up(pieces, self.threshold)
                    done += len(pieces)
                    self._listener.compare_new(self.threshold)
                self._listener.compare_new(self.threshold)
            finally:
                self._listener.end()
                self._working = False
            return done

    def _next(self, most: int) -> list[Piece]:
        with self._lock:
            return [self._inbox.popleft() for _ in range(min(most, len(self._inbox)))]

    @property
    def waiting(self) -> int:
        """Pushes that wait to be taken."""
        return len(self._pushes)

    @property
    def waiting_pieces(self) -> int:
        """Pieces that wait to be looked up."""
        return len(self._inbox)

    def drain(self, most: int | None = None) -> list[Push]:
        """Take what waits, the oldest first, after a look at what has arrived.

        Args:
            most: so many; None: all.
        """
        with self.store.lock:
            self.work()
            return self._pushes.taken(most)

    def __iter__(self) -> Iterator[Push]:
        """What waits, one by one; it ends when nothing does, and one may iterate again."""
        while pushed := self.drain(1):
            yield from pushed

    def close(self) -> None:
        """End it: what waits is let go of, and the store no longer tells it of changes."""
        with self.store.lock, self._lock:
            self.closed = True
            self._buffer.clear()
            self._inbox.clear()
            self._pushes.close()
            self._listener.clear()

    def __enter__(self) -> Subscription:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()
