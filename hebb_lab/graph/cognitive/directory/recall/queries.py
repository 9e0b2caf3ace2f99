"""One query of many, and the way to one memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.graph.cognitive.layer import Cues
from hebb_lab.graph.cognitive.paths import one_query

if TYPE_CHECKING:
    from hebb_lab.graph.cognitive.directory.recall.collect import Held, Visits

__all__ = ["one_cue", "one_query", "way_back"]


def one_cue(cues: Cues, query: int) -> Cues:
    """The cues of a single query."""
    only = np.array([query])
    return Cues(*(part.some(only) if len(part.ptr) > query + 1 else part for part in cues))


def way_back(visits: Visits, held: Held, memory: int, least: float) -> list[int]:
    """The visits of a single query that lead to a memory by the best path; empty for none.

    Chosen as `collect` chooses.
    """
    best, found = -1, (0.0, 0)
    for v, row in enumerate(visits.row.tolist()):
        own = slice(int(held.ptr[row]), int(held.ptr[row + 1]))
        link = np.flatnonzero(held.memory[own] == memory)
        if len(link):
            weight = float(held.weight[own][link[0]])
            value = min(1.0, weight) * float(visits.factor[v]), -int(visits.hop[v])
            if value[0] >= least and (best < 0 or value > found):
                best, found = v, value
    way = []
    while best >= 0:
        way.append(best)
        best = int(visits.via[best])
    return way[::-1]
