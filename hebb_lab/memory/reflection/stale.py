"""Insights whose sources have changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.memory.values import EdgeKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.state import State


def stale_insights(state: State, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The insights that were drawn from some memories: what a revision of those makes stale.

    Only InsightFrom edges count, one step: an insight from an insight has its own source.

    Args:
        state: of the store.
        rows: [n] of the memories that are revised or forgotten, still with their edges.

    Returns:
        [m] rows, ascending, each once.
    """
    edges = state.edges
    places = np.flatnonzero(edges.kind == EdgeKind.INSIGHT_FROM)
    if not len(places) or not len(rows):
        return np.zeros(0, np.int64)
    found = np.unique(edges.source[places[np.isin(edges.target[places], rows)]])
    return found[(found >= 0) & state.alive[found]]
