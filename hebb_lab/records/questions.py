"""Questions to the memory, their gold, the answers, and where the gold stands in them."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


Gold = tuple[tuple[tuple[str, ...], tuple[int, ...]], ...]
"""[Q] (names of the judged nodes, their grades); a grade of 0 and below is no gold."""


class QuestionCues(NamedTuple):
    """What the data says of a question besides its words.

    Args:
        scope: name of the only scope of memories that it is asked to; empty: all memories.
        profile: its cognitive profile, upper case; empty where it has none.
        filter_tags: tags that it asks for, written as ``Memories.tag_names`` are.
        entities: names of entities that it is given, as written.
        valence: the least and the most that it asks for; −∞ and ∞ where it does not say.
        temporal_hint: ``RECENT``, ``OLD`` or another word of the data, upper case; else empty.
    """

    scope: str = ""
    profile: str = ""
    filter_tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    valence: tuple[float, float] = (-math.inf, math.inf)
    temporal_hint: str = ""


@dataclass(frozen=True)
class Questions:
    """What a corpus is asked, and which of its documents answer it.

    Args:
        ids: [Q] names, unique.
        texts: [Q] the words of each.
        time_us: [Q] µs since 1970: only what was written strictly before may be seen; None where
            it is asked after everything.
        group: [Q] conversation or session of each, else its id; the unit of the bootstrap.
        gold: [Q] (names of the judged nodes, their grades); a grade of 0 and below is no gold.
        strays: judgements of questions that are not there.
        category: [Q] the kind of each; empty where it has none. Given as () it is filled.
        cues: [Q] what the data says besides the words. Given as () it is filled with none.
        corrected: [Q] gold as others corrected it, ((), ()) where they found none; or None.
    """

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    time_us: tuple[int | None, ...]
    group: tuple[str, ...]
    gold: Gold
    strays: int = 0
    category: tuple[str, ...] = ()
    cues: tuple[QuestionCues, ...] = ()
    corrected: Gold | None = None

    def __post_init__(self) -> None:
        if not self.category:
            object.__setattr__(self, "category", ("",) * len(self.ids))
        if not self.cues:
            object.__setattr__(self, "cues", (QuestionCues(),) * len(self.ids))

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class Qrels:
    """What is relevant: for query q the nodes ``ids[ptr[q]:ptr[q+1]]`` with their grades (> 0)."""

    ptr: NDArray[np.int64]  # [Q+1]
    ids: NDArray[np.int32]
    grades: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ptr) - 1

    def counts(self) -> NDArray[np.int64]:
        """Number of relevant nodes of each query, [Q]."""
        return np.diff(self.ptr)


@dataclass(frozen=True)
class Queries:
    """Questions to the memory, each at its own time, in time order.

    Args:
        task: name of the task.
        query_ids: [Q] names, unique, for TREC files.
        time_us: [Q] int64: only what was learned strictly before it may be seen.
        cluster: [Q] int32: session (commit, conversation); the unit of the bootstrap.
        block: [Q] int16: time-ordered block; block 0 is never scored.
        event_row: [Q] int64: row of the EventLog that holds the (first) answer; −1 for none.
        seed_ptr, seed_ids, seed_energy: nodes in view with their energies, newest first.
        exclude_ptr, exclude_ids: nodes that may not be an answer (already in context).
        texts: [Q] the user's words, or empty strings.
    """

    task: str
    query_ids: tuple[str, ...]
    time_us: NDArray[np.int64]
    cluster: NDArray[np.int32]
    block: NDArray[np.int16]
    event_row: NDArray[np.int64]
    seed_ptr: NDArray[np.int64]
    seed_ids: NDArray[np.int32]
    seed_energy: NDArray[np.float32]
    exclude_ptr: NDArray[np.int64]
    exclude_ids: NDArray[np.int32]
    texts: tuple[str, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.time_us)


@dataclass(frozen=True)
class Ranking:
    """The answers: per query the best k nodes by (score as float32 descending, id descending).

    Args:
        ids: [Q, k] int32; −1 where fewer than k nodes had a score.
        scores: [Q, k] float32; −inf where ids is −1.
    """

    ids: NDArray[np.int32]
    scores: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.ids)

    def first(self, k: int) -> Ranking:
        """The best k of each query."""
        return Ranking(self.ids[:, :k].copy(), self.scores[:, :k].copy())

    def padded(self, depth: int) -> Ranking:
        """The same with room for ``depth`` nodes; what is added holds none."""
        room = ((0, 0), (0, max(depth - self.ids.shape[1], 0)))
        ids = np.pad(self.ids, room, constant_values=-1)
        return Ranking(ids, np.pad(self.scores, room, constant_values=-np.inf))

    def scaled(self) -> Ranking:
        """Scores of each query divided by its best, so that rank 1 has 1; order and ties stay."""
        best = np.where(self.ids[:, :1] >= 0, self.scores[:, :1], np.float32(1.0))
        scores = (self.scores / best).astype(np.float32)
        for c in range(1, scores.shape[1]):  # rounding must not make a tie
            below = np.minimum(scores[:, c], np.nextafter(scores[:, c - 1], np.float32(-np.inf)))
            tied = self.scores[:, c] == self.scores[:, c - 1]
            scores[:, c] = np.where(tied, scores[:, c - 1], below)
        return Ranking(self.ids, scores)

    def sha256(self) -> str:
        """Hash of ids and scores: two byte-identical rankings have the same one."""
        return hashlib.sha256(self.ids.tobytes() + self.scores.tobytes()).hexdigest()


@dataclass(frozen=True)
class Judgements:
    """Where each relevant node stands in a ranking: all that a metric needs.

    Args:
        ptr: [Q+1] int64; the relevant nodes of query q are ``[ptr[q]:ptr[q+1]]``, best rank first,
            the unretrieved last.
        ranks: int32, from 1; 0 where the node was not retrieved.
        grades: int32, > 0.
        tokens: int32, tokens injected up to and including that rank; 0 where not retrieved.
        returned: [Q] int32, how many nodes the ranking holds (k_effective).
        optimistic: int32, the rank when nodes of equal score stand in the best order; 0 where not
            retrieved.
        pessimistic: the same for the worst order.
    """

    ptr: NDArray[np.int64]
    ranks: NDArray[np.int32]
    grades: NDArray[np.int32]
    tokens: NDArray[np.int32]
    returned: NDArray[np.int32]
    optimistic: NDArray[np.int32]
    pessimistic: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ptr) - 1

    def with_ranks(self, ranks: NDArray[np.int32]) -> Judgements:
        """The same relevant nodes at other ranks, sorted again: best first, unretrieved last.

        Each node keeps its grade, and its ``tokens``: those of the ranking as it was, since what
        the nodes before it would cost in another order is not known here.

        Args:
            ranks: int32, one a relevant node, in the order of ``ranks``; 0 where not retrieved.

        Raises:
            ValueError: when there is not one rank for each relevant node.
        """
        if len(ranks) != len(self.ranks):
            raise ValueError(f"{len(ranks)} ranks for {len(self.ranks)} relevant nodes")
        query = np.repeat(np.arange(len(self)), np.diff(self.ptr))
        order = np.lexsort((ranks, ranks == 0, query))
        return replace(
            self,
            ranks=ranks[order],
            grades=self.grades[order],
            tokens=self.tokens[order],
            optimistic=self.optimistic[order],
            pessimistic=self.pessimistic[order],
        )
