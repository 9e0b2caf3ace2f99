"""Flags that one memory's change sets on others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.memory.changes import Updated
from hebb_lab.memory.reflection import stale_insights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.state import State


def stale_marks(
    state: State, rows: NDArray[np.int64], spared: NDArray[np.int64] | None = None
) -> tuple[Updated, ...]:
    """The insights of some memories, marked stale where they are not yet; () where there are none.

    Args:
        state: of the store.
        rows: memories that are revised or forgotten.
        spared: rows that are not marked: what is rewritten or forgotten itself.
    """
    found = stale_insights(state, rows)
    found = found[~state.column("stale")[found]]
    if spared is not None:
        found = np.setdiff1d(found, spared)
    if not len(found):
        return ()
    return (Updated(state.ids_of(found), {"stale": np.ones(len(found), np.bool_)}),)
