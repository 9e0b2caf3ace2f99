"""Names of entities: dense ids, compared without case and outer spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.graph.cognitive.directory.registry import TypeRegistry
from hebb_lab.records.known_types import ENTITY_TYPES

if TYPE_CHECKING:
    from numpy.typing import NDArray


def folded(name: str) -> str:
    """A name as names are compared.

    >>> folded("  Ada Lovelace ")
    'ada lovelace'
    """
    return name.strip().lower()


class Names:
    """name ↔ id, from 0 without gaps in the order of arrival, and the type of each.

    The type is that of the first mention. The same name with another type is the same entity, as
    the directory's index knows names alone.
    """

    def __init__(self) -> None:
        self.written: list[str] = []  # as first met
        self.folded: list[str] = []
        self.kinds: list[int] = []
        self.types = TypeRegistry(ENTITY_TYPES)
        self._id: dict[str, int] = {}
        self._alike: dict[tuple[int, int, int], NDArray[np.int64]] = {}

    def intern(self, name: str, kind: str = "OTHER") -> int:
        """The id of a name; a new one gets the next.

        Raises:
            InputError: a blank name.
        """
        key = folded(name)
        if not key:
            raise InputError("an entity has a blank name", "Name it, or leave it out")
        if key not in self._id:
            self._id[key] = len(self.folded)
            self.written.append(name.strip())
            self.folded.append(key)
            self.kinds.append(self.types.intern(kind))
        return self._id[key]

    def alias(self, name: str, number: int) -> int:
        """The id of a name that is to mean an entity which has one: another id if it is taken."""
        return self._id.setdefault(folded(name), number)

    def find(self, name: str) -> int | None:
        """The id of a name, None where there is none."""
        return self._id.get(folded(name))

    def __len__(self) -> int:
        return len(self.folded)

    def groups(self, distance: int, least_length: int) -> NDArray[np.int64]:
        """[len] names that a chain of near names joins have the same number, all others −1.

        No merge crosses two groups, so that a cycle looks at the groups of its new names alone.
        Kept until there are more names.
        """
        key = (len(self), distance, least_length)
        if key not in self._alike:
            from hebb_lab.graph.cognitive.directory.near import near_names

            chosen = self.long_enough(least_length)
            label = np.full(len(self), -1, np.int64)
            _, group = near_names(self, chosen, distance)
            sizes = np.bincount(group, minlength=len(chosen))
            label[chosen] = np.where(sizes[group] > 1, group, -1)
            self._alike = {old: kept for old, kept in self._alike.items() if old[0] == len(self)}
            self._alike[key] = label
        return self._alike[key]

    def long_enough(self, least_length: int) -> NDArray[np.int64]:
        """The ids of the names that may be merged, by length and then by id."""
        lengths = np.fromiter(map(len, self.folded), np.int64, len(self))
        order = np.lexsort((np.arange(len(self)), lengths))
        return order[lengths[order] >= least_length]
