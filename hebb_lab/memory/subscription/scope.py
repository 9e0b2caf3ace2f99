"""Which memories a subscription may push."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State
    from hebb_lab.memory.values import Kind


@dataclass(frozen=True)
class Scope:
    """Scope, kinds and time of what is pushed.

    Args:
        entity: its memories, and by unscoped_shared those of none; None: all memories.
        kinds: only these; all where it is empty.
        since_us: only what was written from then on.
        until_us: only what was written before.
    """

    entity: str | None = None
    kinds: tuple[Kind, ...] = ()
    since_us: int | None = None
    until_us: int | None = None

    def rows(self, state: State, rules: MemoryRules) -> NDArray[np.int64]:
        """All memories in scope, ascending."""
        if self.entity is None:
            rows = np.flatnonzero(state.alive)
        else:
            rows = state.rows_of_entity(state.entity_number(self.entity))
            if rules.unscoped_shared:
                rows = np.sort(np.concatenate([rows, state.rows_without_entity()]))
        return rows[self.holds(state, rules, rows)]

    def holds(self, state: State, rules: MemoryRules, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of some rows are in scope."""
        held = state.alive[rows].copy()
        if self.entity is not None:
            number, own = state.entity_number(self.entity), state.entity[rows]
            of_entity = (own == number) & (number >= 0)
            held &= of_entity | (own < 0) if rules.unscoped_shared else of_entity
        if self.kinds:
            held &= np.isin(state.column("kind")[rows], [int(kind) for kind in self.kinds])
        created = state.column("created_us")[rows]
        if self.since_us is not None:
            held &= created >= self.since_us
        if self.until_us is not None:
            held &= created < self.until_us
        return held


def pushable(state: State, rules: MemoryRules, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which rows the store's rules let any subscription push, whatever its scope.

    They have a vector; superseded states and stale insights only where recall finds them too.
    """
    held = state.alive[rows] & state.has_vector[rows]
    if not rules.superseded_recalled:
        held &= ~state.column("superseded")[rows]
    if not rules.stale_recalled:
        held &= ~state.column("stale")[rows]
    return held
