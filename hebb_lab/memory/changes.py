"""A change of a store: what is made durable at once, all or nothing, and then applied to its state.

Every operation makes one `Change` of the state, the rules and the time; the journal commits it,
the state applies it. Opening a store is the same change again: everything that the journal holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from hebb_lab.memory.ids import Ids

if TYPE_CHECKING:
    from numpy.typing import NDArray

SCALARS: Mapping[str, type[np.generic]] = {
    "kind": np.int8, "importance": np.float32, "decay_score": np.float32, "created_us": np.int64,
    "updated_us": np.int64, "accessed_us": np.int64, "access_count": np.int64, "clock": np.int32,
    "superseded": np.bool_, "stale": np.bool_, "flagged": np.bool_, "reflected": np.bool_,
}  # fmt: skip
"""Columns of a memory that are numbers: name → type.

decay_score is as of the last sweep that wrote it; ``flagged`` is what that sweep found below the
threshold; ``reflected`` whether an episode has been through a reflection.
"""


class Texts(NamedTuple):
    """What memories say, row by row: content, context as JSON, entity, vector."""

    contents: Sequence[str]
    contexts: Sequence[str]  # JSON objects with sorted keys, "{}" where empty
    entities: Sequence[str | None]
    vectors: NDArray[np.float32]  # [n, d] unit vectors; zeros where there is none


class Added(NamedTuple):
    """n new memories."""

    ids: Ids
    texts: Texts
    scalars: Mapping[str, NDArray[Any]]  # every one of SCALARS, [n]


class Edges(NamedTuple):
    """m directed edges; (source, target, kind) is the key, a repeated one overwrites."""

    source: Ids
    target: Ids
    kind: NDArray[np.int8]  # EdgeKind
    confidence: NDArray[np.float32]
    time_us: NDArray[np.int64]

    @classmethod
    def none(cls) -> Edges:
        """No edges."""
        return cls(
            Ids.none(), Ids.none(), np.zeros(0, np.int8), np.zeros(0, np.float32),
            np.zeros(0, np.int64),
        )  # fmt: skip


class Updated(NamedTuple):
    """New values of some scalar columns of memories that are there."""

    ids: Ids
    scalars: Mapping[str, NDArray[Any]]  # some of SCALARS, [n]


class Rewritten(NamedTuple):
    """New texts of memories that are there (revise=in_place)."""

    ids: Ids
    texts: Texts


class Tombstones(NamedTuple):
    """What is left of forgotten memories: no content, no entity.

    digest: sha256(salt + content); without the content it says nothing.
    reason: ids, or the criteria by name and number; never a text of the memory.
    """

    ids: Ids
    time_us: NDArray[np.int64]
    salt: Sequence[bytes]  # 16 bytes each
    digest: Sequence[bytes]
    reason: Sequence[str]


@dataclass(frozen=True)
class Change:
    """One atomic change. The parts are applied in this order.

    Args:
        at_us: when it happened; the store's clock goes there.
        added: new memories.
        rewritten: new texts.
        updated: new numbers.
        edges: new or overwritten edges.
        forgotten: memories that go, with all their edges, both ways.
        tombstones: of them.
        collected: ids whose tombstones go.
        facts: values by name that the store keeps for itself, JSON; None deletes.
    """

    at_us: int
    added: Added | None = None
    rewritten: Rewritten | None = None
    updated: tuple[Updated, ...] = ()
    edges: Edges | None = None
    forgotten: Ids | None = None
    tombstones: Tombstones | None = None
    collected: Ids | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


class Journal(Protocol):
    """Where changes are kept. `durable` holds them in a file, `volatile` in memory."""

    @property
    def dimensions(self) -> int:
        """Length of vectors."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """Values that the store keeps for itself; ``clock_us`` is the time of the last change."""

    def commit(self, change: Change) -> None:
        """Keep a change; when this returns it is durable, when it raises nothing of it is kept."""

    def load(self) -> Iterator[Change]:
        """Everything that is kept, as changes that only add, in the order of ids."""

    def contents(self, ids: Ids) -> list[str]:
        """What memories say.

        Raises:
            KeyError: an id that is not there.
        """

    def contexts(self, ids: Ids) -> list[dict[str, Any]]:
        """The contexts of memories."""

    def tombstones(self) -> Tombstones:
        """All tombstones, in the order of ids."""

    def changed(self) -> bool:
        """Whether commits came after what was loaded last."""

    def check(self, *, dangling_edges: str = "keep") -> list[str]:
        """What is wrong with it, as sentences; an edge to no memory is under ``refuse``."""

    def settle(self) -> None:
        """Bring what was written ahead to its place, so that `byte_count` is of what is kept."""

    def compact(self) -> None:
        """Give back what is free: nothing that was forgotten is left in any file."""

    def byte_count(self) -> int:
        """Bytes of all its files."""

    def close(self) -> None:
        """Let go of files and locks."""
