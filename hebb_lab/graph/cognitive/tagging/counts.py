"""Which tags are together, and how often: undirected counts of co-activation."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.graph.cognitive.tagging.postings import once_each
from hebb_lab.records import Lists

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


class PairTable(NamedTuple):
    """Each pair of tags that were together, first < second, in that order."""

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    times: NDArray[np.int32]


class Associated(NamedTuple):
    """The tags that go with each of n tags: most often together first, then by name."""

    ptr: NDArray[np.int64]  # [n+1]
    tag: NDArray[np.int32]
    times: NDArray[np.int32]


class TagCounts:
    """How often two tags were together in a list: a memory's tags, or those of a recall.

    Every pair of a list's distinct tags is +1. Strength of a pair = lists with both ÷ lists with
    the rarer one (the overlap coefficient of Szymkiewicz and Simpson): in [0, 1], the same both
    ways. The page shows such numbers (0.68 to 0.91) and does not say how they come about. The
    overlap is chosen because a tag's frequency already weakens what it leads to by 1/√degree;
    Jaccard's or the cosine's would weigh it twice. A tag that was seen once has strength 1 with all
    it was seen with; it comes last all the same, for tags are ranked by count.

    No pair is ever dropped: that a full table loses its weakest tenth is not modelled.

    Args:
        names: [T] of the tags; of equal counts the name that comes first is first.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._place = np.empty(len(names), np.int32)  # from the last name to the first
        self._place[sorted(range(len(names)), key=names.__getitem__, reverse=True)] = np.arange(
            len(names), dtype=np.int32
        )
        self._ptr = np.zeros(len(names) + 1, np.int64)  # both directions of each pair, by tag
        self._other = np.zeros(0, np.int32)
        self._count = np.zeros(0, np.int32)
        self.lists = np.zeros(len(names), np.int32)
        """[T] how many lists held each tag."""

    def learn(self, tags: Lists) -> None:
        """+1 for each pair of the distinct tags of each list."""
        from hebb_lab.kernels.choose import backend_named

        tags = once_each(tags)
        self.lists += np.bincount(tags.ids, minlength=len(self.lists)).astype(np.int32)
        ptr = tags.ptr - tags.ptr[0]
        a, b, count = backend_named("cpu").pair_counts(tags.ids, ptr)
        self._add(np.concatenate([a, b]), np.concatenate([b, a]), np.concatenate([count, count]))

    def associated(self, tags: NDArray[np.integer], most: int) -> Associated:
        """The tags most often together with each of n tags, at most so many of each."""
        from hebb_lab.kernels.choose import backend_named

        room = Lists(self._ptr, np.arange(len(self._other), dtype=np.int32)).some(tags)
        other, count = self._other[room.ids], self._count[room.ids]
        best = backend_named("cpu").segment_top_k(
            count[None, :].astype(np.float64), self._place[other], room.ptr, most
        )[0]
        taken = best >= 0
        ptr = np.concatenate([[0], np.cumsum(taken.sum(axis=1))]).astype(np.int64)
        return Associated(ptr, other[best[taken]], count[best[taken]])

    def strength(
        self, first: NDArray[np.integer], second: NDArray[np.integer], times: NDArray[np.integer]
    ) -> NDArray[np.float64]:
        """[P] of pairs that were together so often: times ÷ lists of the rarer tag."""
        rarer = np.minimum(self.lists[first], self.lists[second])
        return np.asarray(times / np.maximum(rarer, 1), np.float64)

    def times(self, first: int, second: int) -> int:
        """How often two tags were together."""
        others = self._other[self._ptr[first] : self._ptr[first + 1]]
        at = int(np.searchsorted(others, second))
        found = at < len(others) and others[at] == second
        return int(self._count[self._ptr[first] + at]) if found else 0

    @property
    def degree(self) -> NDArray[np.int64]:
        """[T] with how many tags each was together."""
        return np.diff(self._ptr)

    def __len__(self) -> int:
        return len(self._other) // 2

    def byte_count(self) -> int:
        """Two directions of a pair are 16 bytes; 16 more a tag."""
        arrays = (self._ptr, self._other, self._count, self._place, self.lists)
        return sum(array.nbytes for array in arrays)

    def pairs(self) -> PairTable:
        """The pairs, as files hold them."""
        first = np.repeat(np.arange(len(self.lists), dtype=np.int32), self.degree)
        once = first < self._other
        return PairTable(first[once], self._other[once], self._count[once])

    def _add(
        self, tag: NDArray[np.int32], other: NDArray[np.int32], count: NDArray[np.int64]
    ) -> None:
        """Merge sorted into sorted: what is there grows, what is new is put in its place."""
        key = tag.astype(np.int64) << 32 | other
        order = np.argsort(key)
        key, count = key[order], count[order].astype(np.int32)
        tags = np.arange(len(self.lists), dtype=np.int64)
        held = np.repeat(tags, self.degree) << 32 | self._other
        at = np.searchsorted(held, key)
        is_held = np.zeros(len(key), np.bool_)
        inside = at < len(held)
        is_held[inside] = held[at[inside]] == key[inside]
        self._count[at[is_held]] += count[is_held]
        new = ~is_held
        self._count = np.insert(self._count, at[new], count[new])
        self._other = np.insert(self._other, at[new], key[new].astype(np.int32))
        grown = np.bincount(key[new] >> 32, minlength=len(self.lists))
        self._ptr = self._ptr + np.concatenate([[0], np.cumsum(grown)])
