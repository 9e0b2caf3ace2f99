"""revisions_kept: old states of a memory beyond so many are forgotten when it is revised."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.memory.operations.forgetting.going import doomed, superseded_states, tombstones_of
from hebb_lab.memory.operations.reading import by_id

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.changes import Change, Journal
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State


def pruned(
    state: State, journal: Journal, rules: MemoryRules, change: Change, rows: NDArray[np.int64],
    rng: np.random.Generator,
) -> Change:  # fmt: skip
    """A change that revises memories, and forgets their old states beyond revisions_kept.

    The newest states stay. What is pruned leaves tombstones and treats insights as forgetting
    does, but never takes along what is revised. Its pages are not given back before the next
    forgetting (its bytes are overwritten).

    Args:
        state: before the change.
        journal: where texts are.
        rules: of the store.
        change: that makes the revisions.
        rows: of the memories that are revised.
        rng: chance of the salts.
    """
    if rules.revisions_kept is None:
        return change
    found = [_beyond(state, rules, int(row)) for row in rows]
    old = np.unique(np.concatenate(found))
    if not len(old):
        return change
    goes = doomed(state, rules, old, np.setdiff1d(rows, old))
    reason = f"revisions_kept={rules.revisions_kept}"
    return replace(
        change,
        updated=(*change.updated, *goes.marks),
        forgotten=state.ids_of(goes.rows),
        tombstones=tombstones_of(state, journal, goes, change.at_us, reason, rng),
    )


def _beyond(state: State, rules: MemoryRules, row: int) -> NDArray[np.int64]:
    """The old states of a memory that are too many once it has one more."""
    kept = int(rules.revisions_kept or 0)
    older = superseded_states(state, np.array([row]))
    if rules.revise == "new":  # the memory itself is the newest of them
        return np.append(by_id(state, older), row)[::-1][kept:]
    return by_id(state, older)[::-1][max(kept - 1, 0) :]
