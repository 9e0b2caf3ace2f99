"""A store after days in which nothing happened but its own forgetting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.lifecycles.replay.sweeping import due, needed, swept

if TYPE_CHECKING:
    from hebb_lab.lifecycles.replay.living import Living
    from hebb_lab.memory.changes import Journal
    from hebb_lab.memory.state import State


def silent(living: Living, at_us: int) -> tuple[State, Journal]:
    """(state, journal) of the store when it is asked at that time, without a touch since.

    A life that does not forget by itself is read as it is: recall decays by the time that it is
    asked at. One that does is copied where it would lose something by then, and the copy sweeps
    and forgets as the life does; the store itself stays.
    """
    from hebb_lab.memory.store import MemoryStore

    store, rules = living.store, living.life.rules
    if not living.life.forgets:
        return store.state, store.journal
    times = needed(store.state, rules, due(living.sweep_at, living.sweep_us, at_us))
    if not times:
        return store.state, store.journal
    rng = np.random.default_rng(0)  # of salts alone; the store keeps its own
    copy = MemoryStore.in_memory(store.state.dimensions, rules=rules, rng=rng)
    for change in store.journal.load():
        copy.commit(change)
    for time_us in times:
        swept(copy, time_us)
    return copy.state, copy.journal
