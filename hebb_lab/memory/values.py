"""The values of the memory model: memories as they come in and go out, edges, cues and hits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hebb_lab.memory.ids import Ids


class Kind(IntEnum):
    """Kinds of memories (page, "Memory Kinds")."""

    EPISODE = 1
    INSIGHT = 2
    REVISION = 3


class EdgeKind(IntEnum):
    """Kinds of directed edges (page, "Edges"); source --kind--> target.

    CAUSED_BY: effect → cause. FOLLOWED_BY: earlier → later. REVISED_FROM: revision → what it
    supersedes. INSIGHT_FROM: insight → episode.
    """

    CAUSED_BY = 1
    RELATED_TO = 2
    FOLLOWED_BY = 3
    REVISED_FROM = 4
    INSIGHT_FROM = 5


class Link(NamedTuple):
    """An edge that a new memory brings: from it to the target, or the other way.

    Args:
        kind: of the edge.
        target: id of the other memory, or its place among the memories that come with it.
        confidence: in [0, 1].
        incoming: whether the edge leads from the other memory to the new one.
    """

    kind: EdgeKind
    target: str | int
    confidence: float = 1.0
    incoming: bool = False


@dataclass(frozen=True)
class Draft:
    """A memory as it is handed to ``remember``.

    Args:
        content: 1 to 65,536 bytes of UTF-8.
        importance: in [0, 1].
        context: JSON values by key, at most 16,384 bytes as JSON.
        entity_id: the scope, or None.
        links: edges that it brings.
        vector: [d] float32, or None where the store's embedder gives it.
        kind: of the memory.
    """

    content: str
    importance: float = 0.5
    context: Mapping[str, Any] = field(default_factory=dict)
    entity_id: str | None = None
    links: Sequence[Link] = ()
    vector: NDArray[np.float32] | None = None
    kind: Kind = Kind.EPISODE


@dataclass(frozen=True)
class Batch:
    """n memories to remember at once, by columns: what 10⁵ drafts are too slow for.

    Args:
        contents: [n].
        vectors: [n, d] float32, or None where the store's embedder gives them.
        importance: [n] float32, or one number for all.
        contexts: [n], or None for empty ones.
        entities: [n], or one for all.
        links: place → edges of that memory.
        kinds: [n] int8, or one for all.
        time_us: [n] int64 of the writing, ascending; None: the time of the call.
    """

    contents: Sequence[str]
    vectors: NDArray[np.float32] | None = None
    importance: NDArray[np.float32] | float = 0.5
    contexts: Sequence[Mapping[str, Any]] | None = None
    entities: Sequence[str | None] | str | None = None
    links: Mapping[int, Sequence[Link]] = field(default_factory=dict)
    kinds: NDArray[np.int8] | Kind = Kind.EPISODE
    time_us: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.contents)


@dataclass(frozen=True)
class Memory:
    """A memory as ``get`` gives it. Times are µs since 1970."""

    id: str
    content: str
    importance: float
    context: Mapping[str, Any]
    entity_id: str | None
    kind: Kind
    created_us: int
    updated_us: int
    accessed_us: int
    access_count: int
    decay_score: float
    superseded: bool
    stale: bool
    clock: int


class Refused(NamedTuple):
    """A memory of a batch that was not kept: its place, why, and what to do."""

    place: int
    problem: str
    cure: str


@dataclass(frozen=True)
class Cues:
    """Q questions to a store.

    Args:
        texts: [Q]; empty where a vector or a seed says it.
        vectors: [Q, d] float32, or None where the store's embedder gives them.
        entities: [Q] scope of each, None for all; or one for all.
        contexts: [Q] for analogies, or None.
        seeds: [Q] ids that causal recall starts from, None where the nearest memory is it.
        pairs: [Q] (A, B) of "A is to B as the cue is to ?", None where there is none.
        since_us, until_us: temporal recall finds what was written in [since, until), not empty.
        kinds: only these kinds of memories are found; all where it is empty.
    """

    texts: Sequence[str] = ()
    vectors: NDArray[np.float32] | None = None
    entities: Sequence[str | None] | str | None = None
    contexts: Sequence[Mapping[str, Any]] | None = None
    seeds: Sequence[str | None] | None = None
    pairs: Sequence[tuple[str, str] | None] | None = None
    since_us: int | None = None
    until_us: int | None = None
    kinds: tuple[Kind, ...] = ()

    def __post_init__(self) -> None:
        """Questions that seeds alone ask have texts too, empty ones."""
        if isinstance(self.seeds, str) or not isinstance(self.seeds, Sized):
            return  # none, or what recall refuses
        if self.vectors is None and isinstance(self.texts, Sized) and not len(self.texts):
            object.__setattr__(self, "texts", ("",) * len(self.seeds))

    def __len__(self) -> int:
        return len(self.texts) if self.vectors is None else len(self.vectors)

    def entity(self, place: int) -> str | None:
        """The scope of one question."""
        if self.entities is None or isinstance(self.entities, str):
            return self.entities
        return self.entities[place]


class Failure(NamedTuple):
    """A strategy that could not answer one question: returned, not raised."""

    place: int
    strategy: str
    problem: str

    def __str__(self) -> str:
        return f"question {self.place}, {self.strategy}: {self.problem}"


class Hit(NamedTuple):
    """One memory that recall returned."""

    id: str
    score: float
    relevance: float
    strategies: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Recalled:
    """What Q questions found, best first: (score float32 descending, id descending).

    Each strategy gives its best k by relevance, and only then is scored: with another k the first
    hits may be others. What failed is in ``failures``, and in what it prints; an empty answer
    without failures found nothing.

    Args:
        rows: [Q, k] int64 rows of the state, −1 past the end.
        ids: of all of them, [Q × k, 2], zero past the end.
        score: [Q, k] float32, −inf past the end.
        relevance: [Q, k] float32.
        found_by: [Q, k] int16, bit s: strategy s of ``strategies``.
        strategies: that were asked.
        truncated: strategy → [Q] bool, whether it had k or more.
        failures: strategies that could not answer.
    """

    rows: NDArray[np.int64]
    ids: Ids
    score: NDArray[np.float32]
    relevance: NDArray[np.float32]
    found_by: NDArray[np.int16]
    strategies: tuple[str, ...]
    truncated: Mapping[str, NDArray[np.bool_]]
    failures: tuple[Failure, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        shown = "; ".join([*map(str, self.failures[:3]), *["…"] * (len(self.failures) > 3)])
        found = f"{len(self)} questions, {int((self.rows >= 0).sum())} hits"
        return f"Recalled({found}, {len(self.failures)} failures: {shown or 'none'})"

    def hits(self, place: int = 0) -> list[Hit]:
        """The hits of one question."""
        k = self.rows.shape[1]
        return [
            Hit(
                self.ids[place * k + rank],
                float(self.score[place, rank]),
                float(self.relevance[place, rank]),
                tuple(
                    name
                    for bit, name in enumerate(self.strategies)
                    if int(self.found_by[place, rank]) >> bit & 1
                ),
            )
            for rank in range(k)
            if self.rows[place, rank] >= 0
        ]
