"""A store after days in which nothing happened but its own forgetting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hebb_lab.lifecycles.replay.living import Living
    from hebb_lab.memory.changes import Journal
    from hebb_lab.memory.state import State


def silent(living: Living, at_us: int) -> tuple[State, Journal]:
    """(state, journal) of the store when it is asked at that time, without a touch since.

    A life that does not forget by itself is read as it is: recall decays by the time that it is
    asked at. One that does is copied where it would lose something by then, and the copy sweeps
    and forgets; the store itself stays.
    """
    from hebb_lab.memory.decay import scores
    from hebb_lab.memory.store import MemoryStore

    store, rules = living.store, living.life.rules
    if not living.life.forgets:
        return store.state, store.journal
    left = scores(store.state, rules, at_us, [rules.half_life_days])[:, 0]
    if not ((left < rules.forget_below) & store.state.alive).any():
        return store.state, store.journal
    rng = np.random.default_rng(0)  # of salts alone; the store keeps its own
    copy = MemoryStore.in_memory(store.state.dimensions, rules=rules, rng=rng)
    for change in store.journal.load():
        copy.commit(change)
    copy.decay(at_us)
    copy.auto_forget(at_us)
    return copy.state, copy.journal
