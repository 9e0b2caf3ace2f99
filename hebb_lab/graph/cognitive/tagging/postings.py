"""Which memories carry a tag: the inverted index, as of a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.records import Lists

if TYPE_CHECKING:
    from numpy.typing import NDArray


def once_each(lists: Lists) -> Lists:
    """The lists with every id once, where it stands first.

    >>> once_each(Lists.of([[3, 1, 3], [3]])).ids.tolist()
    [3, 1, 3]
    """
    row = np.repeat(np.arange(len(lists.ptr) - 1), np.diff(lists.ptr))
    key = row * (int(lists.ids.max(initial=0)) + 1) + lists.ids
    first = np.sort(np.unique(key, return_index=True)[1])
    if len(first) == len(lists.ids):
        return lists
    counts = np.bincount(row[first], minlength=len(lists.ptr) - 1)
    return Lists(np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), lists.ids[first])


class Postings:
    """The memories of each of T tags, in the order of writing, so that the known are a prefix.

    Args:
        tags: of each memory, every tag once.
        count: T.
    """

    def __init__(self, tags: Lists, count: int) -> None:
        self._tags = tags
        self._memory = np.repeat(np.arange(len(tags.ptr) - 1, dtype=np.int32), np.diff(tags.ptr))[
            np.argsort(tags.ids, kind="stable")
        ]
        counts = np.bincount(tags.ids, minlength=count)
        self._ptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        self.length = np.zeros(count, np.int32)
        """[T] how many known memories carry each tag: its degree."""
        self._known = 0

    def advance(self, known: int) -> None:
        """Learn up to memory ``known``, exclusively."""
        new = self._tags.ids[self._tags.ptr[self._known] : self._tags.ptr[known]]
        self.length += np.bincount(new, minlength=len(self.length)).astype(np.int32)
        self._known = known

    def newest(
        self, tags: NDArray[np.integer], most: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """At most so many known memories of each of n tags, the newest first.

        Returns:
            [P] which of the n, ascending, and [P] memories.
        """
        taken = np.minimum(self.length[tags], most).astype(np.int64)
        which = np.repeat(np.arange(len(tags)), taken)
        before = np.arange(len(which)) - (np.cumsum(taken) - taken)[which]
        last = self._ptr[:-1][tags] + self.length[tags] - 1
        return which, self._memory[last[which] - before]

    def byte_count(self) -> int:
        """A memory for each known entry, an offset and a length for each tag."""
        return 4 * int(self.length.sum()) + self._ptr.nbytes + self.length.nbytes
