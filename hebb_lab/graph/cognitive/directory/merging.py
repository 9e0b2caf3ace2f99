"""Which entities are one: names at most a few edits apart, merged at each cycle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.directory.names import Names


class Merging:
    """The canonical entity of each known one.

    At a cycle each entity that is not merged yet, in order of length and then of id, goes to the
    first near name before it (`near_names`) and so to whatever that one goes to: a chain ends at
    one entity, whatever the order in which it is looked at. What stays is no near name of another.

    Args:
        names: shared with others, may hold names that are not known here yet.
        distance: greatest Levenshtein distance; 0: nothing is merged.
        least_length: of both names.
    """

    def __init__(self, names: Names, distance: int, least_length: int) -> None:
        self.names, self.distance, self.least_length = names, distance, least_length
        self.canonical = np.zeros(0, np.int32)
        self.count = 0  # entities that were merged into another
        self._seen = 0  # known at the last cycle

    def grow(self, known: int) -> None:
        """Know the first names."""
        fresh = np.arange(len(self.canonical), known, dtype=np.int32)
        self.canonical = np.concatenate([self.canonical, fresh])

    def cycle(self) -> int:
        """Merge what is new with what is known. Returns how many entities were merged."""
        known, seen = len(self.canonical), self._seen
        self._seen = known
        if not self.distance or known == seen:
            return 0
        group = self.names.groups(self.distance, self.least_length)
        is_touched = np.zeros(len(self.names) + 1, np.bool_)
        is_touched[group[seen:known]] = True
        is_touched[-1] = False  # −1: near to no name at all
        own = np.arange(known)
        live = own[is_touched[group[:known]] & (self.canonical == own)]
        if len(live) < 2:
            return 0
        return self._merge(live)

    def _merge(self, live: NDArray[np.int64]) -> int:
        from hebb_lab.graph.cognitive.directory.near import near_names

        lengths = np.array([len(self.names.folded[i]) for i in live.tolist()])
        live = live[np.lexsort((live, lengths))]
        best, _ = near_names(self.names, live, self.distance)
        self.canonical[live] = live[best]
        merged = int(np.count_nonzero(best != np.arange(len(live))))
        while merged:
            above = self.canonical[self.canonical]
            if (above == self.canonical).all():
                break
            self.canonical = above
        self.count += merged
        return merged
