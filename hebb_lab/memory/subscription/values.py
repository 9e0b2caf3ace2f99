"""What a subscription is asked for, what it hands out, and what it counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from hebb_lab.errors import ConfigError
from hebb_lab.memory.limits import check_scope, entity_problem, raised, share_problem
from hebb_lab.memory.subscription.scope import Scope
from hebb_lab.memory.values import Kind

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

    from hebb_lab.memory.changes import Journal
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State


class Push(NamedTuple):
    """A memory that the stream called up.

    Args:
        id: of the memory.
        content: what it says.
        context: of it.
        entity_id: of it.
        kind: of it.
        confidence: cosine to the piece, in [threshold, 1].
        at_us: of the piece, or of the writing where the memory came after it.
        piece: number of the piece in the stream, from 0.
        arrived: whether the memory was written after the piece.
    """

    id: str
    content: str
    context: Mapping[str, Any]
    entity_id: str | None
    kind: Kind
    confidence: float
    at_us: int
    piece: int
    arrived: bool


class Listened(Protocol):
    """What a subscription needs of a store."""

    @property
    def lock(self) -> AbstractContextManager[object]:
        """Held while it is looked up: no other thread changes it."""

    @property
    def rules(self) -> MemoryRules:
        """Its rules."""

    @property
    def state(self) -> State:
        """What it knows."""

    @property
    def journal(self) -> Journal:
        """What its memories say."""

    @property
    def embedder(self) -> Any:
        """None where texts have no vectors."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors [n, d]."""


@dataclass(frozen=True)
class Wanted:
    """What is pushed, how much of it, and to whom.

    Out of range is an error here; the engine clamps in silence (threshold 2.0 to 1.0, 1 token to
    3, a queue of 1 to 10).

    Args:
        entity: scope; None: all memories.
        kinds: only these; all where it is empty.
        since_us: only memories written from then on.
        until_us: only memories written before.
        threshold: least cosine, in [0, 1]; None: rules.push_threshold.
        budget_pushes: memories that are pushed in all; None: no limit.
        budget_tokens: words of all pushed memories together; None: no limit.
        callback: gets each push at once; None: they wait to be taken.

    Raises:
        ConfigError: a number out of its range, a callback that cannot be called.
        InputError: a scope that no memory could have.
    """

    entity: str | None = None
    kinds: Sequence[Kind] = ()
    since_us: int | None = None
    until_us: int | None = None
    threshold: float | None = None
    budget_pushes: int | None = None
    budget_tokens: int | None = None
    callback: Callable[[Push], object] | None = None

    def __post_init__(self) -> None:
        problem = entity_problem(self.entity)
        if problem is not None:
            raise raised(problem)
        check_scope(self.kinds, self.since_us, self.until_us)
        if self.threshold is not None and share_problem(self.threshold, "threshold"):
            raise ConfigError(f"threshold={self.threshold!r} is not in [0, 1]", "Give a cosine")
        if self.callback is not None and not callable(self.callback):
            raise ConfigError("callback is nothing to call", "Give a function of a push, or None")
        for name in ("budget_pushes", "budget_tokens"):
            value = getattr(self, name)
            whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
            if value is not None and not (whole and value >= 0):
                raise ConfigError(f"{name}={value!r} is no number from 0 up", "Give one, or None")

    @property
    def scope(self) -> Scope:
        """Which memories may be pushed."""
        return Scope(self.entity, tuple(self.kinds), self.since_us, self.until_us)


@dataclass
class Counts:
    """What became of the stream and of what it called up.

    pieces = looked_up + failed_pieces + without_keywords + off_centre + those that wait;
    pushed = delivered + failed_callbacks + dropped_pushes + gone + those that wait.

    Args:
        pieces: complete ones that were queued.
        dropped_pieces: that came while 1,000 waited.
        failed_pieces: that the embedder failed on, or found no direction in.
        without_keywords: that no memory in scope shares a keyword with (push_keywords).
        off_centre: that are too far from the scope's mean (push_centroid).
        looked_up: that were compared with memories.
        arrived: new memories in scope that were compared with the last piece.
        barred: found, but pushed before (push_scope=after; else they are not looked for).
        over_budget: found, but more than the budgets hold.
        pushed: memories that were queued or handed to the callback.
        delivered: that were taken, or that the callback took.
        failed_callbacks: that the callback raised on.
        dropped_pushes: the oldest that gave way when more than push_queue waited.
        gone: that were forgotten, superseded or left the scope while they waited.
    """

    pieces: int = 0
    dropped_pieces: int = 0
    failed_pieces: int = 0
    without_keywords: int = 0
    off_centre: int = 0
    looked_up: int = 0
    arrived: int = 0
    barred: int = 0
    over_budget: int = 0
    pushed: int = 0
    delivered: int = 0
    failed_callbacks: int = 0
    dropped_pushes: int = 0
    gone: int = 0
