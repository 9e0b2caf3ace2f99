"""Memories: what a cognitive graph learns from, in the order in which it was written."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Lists(NamedTuple):
    """A list of ids for each of n things: ``ids[ptr[i]:ptr[i + 1]]``, in their order."""

    ptr: NDArray[np.int64]  # [n+1]
    ids: NDArray[np.int32]

    @classmethod
    def of(cls, rows: list[list[int]]) -> Lists:
        """From rows of different lengths.

        >>> Lists.of([[3, 1], []]).ptr.tolist()
        [0, 2, 2]
        """
        ptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
        return cls(ptr, np.fromiter((i for row in rows for i in row), np.int32, int(ptr[-1])))

    def row(self, i: int) -> NDArray[np.int32]:
        """The list of one thing."""
        return self.ids[self.ptr[i] : self.ptr[i + 1]]

    def some(self, chosen: NDArray[np.integer]) -> Lists:
        """The lists of some things, in that order."""
        counts = np.diff(self.ptr)[chosen]
        ptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        first = np.repeat(self.ptr[:-1][chosen] - ptr[:-1], counts)
        return Lists(ptr, self.ids[first + np.arange(int(ptr[-1]))])


class Hints(NamedTuple):
    """Associations that the data states by itself: counts of co-activation of two memories."""

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    times: NDArray[np.float32]  # how often they were active together


class Relations(NamedTuple):
    """Typed relations between two entities, each said by a memory; in the order of writing."""

    source: NDArray[np.int32]  # entity
    target: NDArray[np.int32]  # entity
    kind: NDArray[np.int32]  # index into ``relation_kinds``
    memory: NDArray[np.int32]


@dataclass(frozen=True)
class Memories:
    """N memories in the order of writing; a memory's id here is its place in that order.

    What is known at a time is therefore a prefix. Values are in their ranges: what was out of
    range in the data was clamped and counted when it was read.

    Args:
        names: [N] as the dataset names them.
        texts: [N].
        time_us: [N] int64, ascending, µs since 1970.
        session: [N] int32, index into ``sessions``.
        sessions: names.
        scope: [N] int32, the index that holds it (a conversation), index into ``scopes``.
        scopes: names.
        importance: [N] float32, 0.05 to 10; NaN where the data gives none.
        valence: [N] int16, −128 to 127; 0 where the data gives none.
        arousal: [N] int16, 0 to 255; −1 where the data gives none.
        recalls: [N] int32, how often it had been recalled.
        pinned, resolved: [N] bool.
        tags: of each memory, ids into ``tag_names``.
        tag_names: as written, trimmed and in lower case, distinct.
        mentions: of each memory, ids into ``entity_names``, in the order of mention; an entity
            that a memory mentions twice stands there twice.
        entity_names: as first written, distinct but for case and outer spaces.
        entity_types: [entities] type of each, upper case; the first written, over all scopes.
        hints: stated associations.
        chains: stated sequences of memories; None where sessions are the chains.
        relations: stated relations between entities.
        relation_kinds: names, upper case.
    """

    names: tuple[str, ...]
    texts: tuple[str, ...]
    time_us: NDArray[np.int64]
    session: NDArray[np.int32]
    sessions: tuple[str, ...]
    scope: NDArray[np.int32]
    scopes: tuple[str, ...]
    importance: NDArray[np.float32]
    valence: NDArray[np.int16]
    arousal: NDArray[np.int16]
    recalls: NDArray[np.int32]
    pinned: NDArray[np.bool_]
    resolved: NDArray[np.bool_]
    tags: Lists
    tag_names: tuple[str, ...]
    mentions: Lists
    entity_names: tuple[str, ...]
    entity_types: tuple[str, ...]
    hints: Hints = field(
        default_factory=lambda: Hints(
            np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.float32)
        )
    )
    chains: Lists | None = None
    relations: Relations = field(
        default_factory=lambda: Relations(*(np.zeros(0, np.int32) for _ in range(4)))
    )
    relation_kinds: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    def sha256(self) -> str:
        """The hash of all that is known of them."""
        digest = hashlib.sha256()
        for part in fields(self):
            digest.update(part.name.encode() + b"\x1e")
            _add(digest, getattr(self, part.name))
        return digest.hexdigest()

    @classmethod
    def plain(
        cls, names: tuple[str, ...], texts: tuple[str, ...], time_us: NDArray[np.int64],
        session: NDArray[np.int32], sessions: tuple[str, ...],
    ) -> Memories:  # fmt: skip
        """Memories of which no more than text, time and session is known.

        Raises:
            ValueError: times that go back.
        """
        if (np.diff(time_us) < 0).any():
            raise ValueError("memories stand in the order of writing: a time goes back")
        n = len(names)
        empty = Lists(np.zeros(n + 1, np.int64), np.zeros(0, np.int32))
        return cls(
            names, texts, time_us, session, sessions, np.zeros(n, np.int32), ("all",),
            np.full(n, np.nan, np.float32), np.zeros(n, np.int16), np.full(n, -1, np.int16),
            np.zeros(n, np.int32), np.zeros(n, np.bool_), np.zeros(n, np.bool_),
            empty, (), empty, (), (),
        )  # fmt: skip

    def within(self, scope: int) -> tuple[Memories, NDArray[np.int64]]:
        """The memories of one scope as memories of their own, and their ids here, [n].

        Sessions, tags and entities keep their ids, so that cues mean the same in all scopes.
        """
        chosen = np.flatnonzero(self.scope == scope)
        place = np.full(len(self), -1, np.int32)
        place[chosen] = np.arange(len(chosen), dtype=np.int32)
        hints, relations = self.hints, self.relations
        both = (place[hints.first] >= 0) & (place[hints.second] >= 0)
        said = place[relations.memory] >= 0
        return (
            replace(
                self,
                names=tuple(self.names[i] for i in chosen.tolist()),
                texts=tuple(self.texts[i] for i in chosen.tolist()),
                **{
                    name: getattr(self, name)[chosen]
                    for name in (
                        "time_us", "session", "scope", "importance", "valence", "arousal",
                        "recalls", "pinned", "resolved",
                    )
                },
                tags=self.tags.some(chosen),
                mentions=self.mentions.some(chosen),
                hints=Hints(place[hints.first[both]], place[hints.second[both]], hints.times[both]),
                chains=None if self.chains is None else _placed(self.chains, place),
                relations=Relations(
                    relations.source[said], relations.target[said], relations.kind[said],
                    place[relations.memory[said]],
                ),
            ),
            chosen,
        )  # fmt: skip


def _placed(chains: Lists, place: NDArray[np.int32]) -> Lists:
    """Chains with the memories of one scope alone."""
    rows = [place[chains.row(i)] for i in range(len(chains.ptr) - 1)]
    return Lists.of([row[row >= 0].tolist() for row in rows])


def _add(digest: Any, value: Any) -> None:
    """Arrays by their bytes, the rest as JSON; a record's values one after the other."""
    if isinstance(value, np.ndarray):
        digest.update(f"{value.dtype} {value.shape} ".encode() + value.tobytes())
    elif hasattr(value, "_fields"):
        for inner in value:
            _add(digest, inner)
    else:
        digest.update(json.dumps(value).encode())
