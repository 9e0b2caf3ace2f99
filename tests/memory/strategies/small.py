"""Small stores, made memory by memory, for the tests of recall."""

from dataclasses import dataclass, field

import numpy as np

from hebb_lab.memory.changes import Added, Change, Edges, Texts
from hebb_lab.memory.ids import Ids, made_ids
from hebb_lab.memory.published import DOCUMENTED
from hebb_lab.memory.state import State
from hebb_lab.memory.strategies import recall
from hebb_lab.memory.strategies.view import View
from hebb_lab.memory.values import Cues, EdgeKind, Kind
from hebb_lab.memory.volatile import VolatileJournal

DAY_US = 86_400_000_000
NOW_US = 100 * DAY_US
BARE = DOCUMENTED.change(decay_in_rank="none")


@dataclass
class Small:
    """A memory of a small store; its number is its row."""

    vector: list[float] = field(default_factory=lambda: [0.0, 0.0])
    entity: str | None = None
    created_us: int = NOW_US
    accessed_us: int | None = None
    importance: float = 0.5
    count: int = 0
    kind: Kind = Kind.EPISODE
    superseded: bool = False
    stale: bool = False
    context: str = "{}"


@dataclass
class Link:
    """An edge of a small store between two rows."""

    source: int
    target: int
    kind: EdgeKind = EdgeKind.CAUSED_BY
    confidence: float = 1.0
    time_us: int = 0


def store(memories, links=(), *, ids=None):
    """(state, journal) of a small store; ``ids`` where they are not to ascend."""
    dimensions = len(memories[0].vector)
    state, journal = State(dimensions), VolatileJournal(dimensions)
    change = Change(NOW_US, added=added(memories, ids))
    edges = Change(NOW_US, edges=edges_of(change.added.ids, links))
    for each in (change, edges):
        journal.commit(each)
        state.apply(each)
    return state, journal


def added(memories, ids=None):
    count = len(memories)
    if ids is None:
        ids = made_ids(np.full(count, DAY_US), None, np.random.default_rng(0))
    texts = Texts(
        [f"memory {place}" for place in range(count)],
        [memory.context for memory in memories],
        [memory.entity for memory in memories],
        np.array([memory.vector for memory in memories], np.float32),
    )
    created = np.array([memory.created_us for memory in memories], np.int64)
    accessed = [m.created_us if m.accessed_us is None else m.accessed_us for m in memories]
    importance = np.array([memory.importance for memory in memories], np.float32)
    return Added(ids, texts, {
        "kind": np.array([memory.kind for memory in memories], np.int8),
        "importance": importance, "decay_score": importance, "created_us": created,
        "updated_us": created, "accessed_us": np.array(accessed, np.int64),
        "access_count": np.array([memory.count for memory in memories], np.int64),
        "clock": np.zeros(count, np.int32),
        "superseded": np.array([memory.superseded for memory in memories]),
        "stale": np.array([memory.stale for memory in memories]),
        "flagged": np.zeros(count, bool), "reflected": np.zeros(count, bool),
    })  # fmt: skip


def edges_of(ids, links):
    if not links:
        return Edges.none()
    return Edges(
        Ids(ids.array[[link.source for link in links]]),
        Ids(ids.array[[link.target for link in links]]),
        np.array([link.kind for link in links], np.int8),
        np.array([link.confidence for link in links], np.float32),
        np.array([link.time_us for link in links], np.int64),
    )


def unit(*numbers):
    """A vector of length 1."""
    return (np.array(numbers) / np.linalg.norm(numbers)).tolist()


def cue(*numbers, **more):
    """One question with a vector."""
    return Cues(texts=["what"], vectors=np.array([unit(*numbers)], np.float32), **more)


def view_of(state, journal, rules=BARE, cues=None, at_us=NOW_US):
    """What one question with the first axis as its vector sees."""
    asked = cue(*np.eye(state.dimensions)[0]) if cues is None else cues
    return View(state, journal, rules, at_us, asked)


def asked(made, strategy, cues, *, rules=BARE, k=10, at_us=NOW_US):
    """What recall gives for one strategy or several."""
    return recall(*made, rules, cues, at_us, k, strategy)


def found(recalled, place=0):
    """Rows that one question found, best first."""
    rows = recalled.rows[place]
    return rows[rows >= 0].tolist()


def relevances(recalled, place=0):
    """row → relevance of one question."""
    return {
        row: float(recalled.relevance[place, rank])
        for rank, row in enumerate(recalled.rows[place].tolist())
        if row >= 0
    }
