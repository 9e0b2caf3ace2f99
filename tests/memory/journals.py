"""Both journals, and changes that try every part of them."""

import numpy as np

from hebb_lab.memory.changes import Change, Rewritten, Updated
from hebb_lab.memory.durable import DurableJournal
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.volatile import VolatileJournal
from tests.memory.made import DIMENSIONS, made_added, made_edges, made_tombstones

FIRST = made_added(40)
SECOND = made_added(15, seed=1, last=FIRST.ids.array[-1])
KEYS = FIRST.ids.to_bytes()
NEW_TEXTS = made_added(4, seed=2).texts
GONE = Ids(FIRST.ids.array[[0, 7, 39]])

CHANGES = [
    Change(10, added=FIRST, facts={"cursor": [1, "two", None], "gone": {"a": 0.5}}),
    Change(
        11,
        edges=made_edges([(KEYS[5], KEYS[6]), (KEYS[0], KEYS[9]), (KEYS[9], KEYS[7])]),
        updated=(
            Updated(FIRST.ids[2:5], {"access_count": np.array([1, 2**40, 3])}),
            Updated(
                FIRST.ids[3:9],
                {
                    "decay_score": np.linspace(0, 1, 6, dtype=np.float32),
                    "flagged": np.array([True, False] * 3),
                },
            ),
        ),
    ),
    Change(12, edges=made_edges([(KEYS[9], KEYS[11]), (KEYS[5], KEYS[6])], confidence=0.1)),
    Change(13, rewritten=Rewritten(Ids(FIRST.ids.array[[7, 8, 12, 20]]), NEW_TEXTS)),
    # New memories with edges and numbers of theirs in the same change.
    Change(
        14,
        added=SECOND,
        updated=(Updated(SECOND.ids[:1], {"stale": np.array([True])}),),
        edges=made_edges([(SECOND.ids.to_bytes()[0], KEYS[1]), (KEYS[1], b"\xff" * 16)], kind=5),
        facts={"gone": None},
    ),
    Change(15, forgotten=GONE, tombstones=made_tombstones(GONE)),
    Change(16, forgotten=GONE, collected=GONE[:1]),
    # A clock that goes back is kept as it is: the rules decide before.
    Change(9, facts={"cursor": "ü ☂"}),
]


def journal(kind, folder):
    """A new journal of a kind."""
    if kind == "volatile":
        return VolatileJournal(DIMENSIONS)
    return DurableJournal.open(folder, DIMENSIONS)


def filled(kind, folder):
    """One that all changes were made to."""
    made = journal(kind, folder)
    for change in CHANGES:
        made.commit(change)
    return made
