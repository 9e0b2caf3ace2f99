"""A story: what happens to memories, in the order of time, whatever the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.values import EdgeKind

DAY_US = 86_400_000_000


class Tie(NamedTuple):
    """An edge that the data states: from one item to another."""

    kind: EdgeKind
    source: int
    target: int
    confidence: float = 1.0


@dataclass(frozen=True)
class Items:
    """What can be remembered, in the order of its first writing.

    Args:
        nodes: [n] int32, node ids of the dataset.
        contents: [n].
        vectors: [n, d] float32 unit vectors; zeros where a text says nothing.
        importance: [n] float32 in [0, 1].
        entities: [n] scope of each, or None.
        time_us: [n] int64, ascending.
        ties: item → edges to items before it, which come with its writing.
    """

    nodes: NDArray[np.int32]
    contents: Sequence[str]
    vectors: NDArray[np.float32]
    importance: NDArray[np.float32]
    entities: Sequence[str | None]
    time_us: NDArray[np.int64]
    ties: Mapping[int, Sequence[Tie]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.nodes)


@dataclass(frozen=True)
class Asked:
    """Q questions to the store.

    Args:
        ids: [Q] names of the test questions' rows; unique.
        texts: [Q] words, or names of what is in view.
        vectors: [Q, d] float32 unit vectors; zeros where a question says nothing.
        entities: [Q] scope of each, or None for all.
        seeds: [Q] int64, item that causal recall starts from; −1: the nearest to the cue.
        time_us: [Q] int64: only what happened strictly before may be seen.
        excluded: [Q] nodes that are no answers.
        needed: [Q] items that answer it.
        groups: [Q] cluster of each.
    """

    ids: Sequence[str]
    texts: Sequence[str]
    vectors: NDArray[np.float32]
    entities: Sequence[str | None]
    seeds: NDArray[np.int64]
    time_us: NDArray[np.int64]
    excluded: Sequence[NDArray[np.int32]]
    needed: Sequence[NDArray[np.int64]]
    groups: Sequence[str]

    def __len__(self) -> int:
        return len(self.ids)

    def moments(self) -> list[tuple[int, NDArray[np.int64]]]:
        """(time, rows asked then), in the order of time."""
        order = np.argsort(self.time_us, kind="stable")
        cuts = np.flatnonzero(np.diff(self.time_us[order])) + 1
        return [(int(self.time_us[rows[0]]), rows) for rows in np.split(order, cuts) if len(rows)]


class Written(NamedTuple):
    """Items [first, stop) are remembered, each at its own time."""

    first: int
    stop: int


class Touched(NamedTuple):
    """An agent touches an item that it has touched before.

    question: the step's own recall, a row of ``Story.steps``.
    before: item that the session touched before it, −1 for none.
    edited: whether the touch changed it.
    """

    item: int
    question: int
    before: int
    edited: bool


class Practised(NamedTuple):
    """A practice question is asked: a row of ``Story.practice``."""

    question: int


class Event(NamedTuple):
    """One thing that happens."""

    time_us: int
    what: Written | Touched | Practised


@dataclass(frozen=True)
class Story:
    """What happens, and what is asked.

    Args:
        items: what can be remembered.
        events: in the order of time.
        exam: the test questions; asked read-only.
        practice: the practice questions; they choose rules, and may reinforce.
        steps: an agent's own recalls, one for each touch of what it knows; None without an agent.
        left_out: questions that are not asked, by reason.
        stated: edges that the data gives, counted by kind.
        edited: later touches that change what a node says; each can be a revision.
        ordered: whether questions stand in time, so that only earlier ones may choose for them;
            else their clusters are independent.
    """

    items: Items
    events: Sequence[Event]
    exam: Asked
    practice: Asked
    steps: Asked | None = None
    left_out: Mapping[str, int] = field(default_factory=dict)
    stated: Mapping[str, int] = field(default_factory=dict)
    edited: int = 0
    ordered: bool = True
