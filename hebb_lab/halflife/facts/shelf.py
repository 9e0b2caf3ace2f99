"""A shelf for what several models ask for: replays, tables, samples. The oldest go first."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

T = TypeVar("T")
BUDGET = 600_000_000


@dataclass
class Shelf:
    """Values by key, within a budget of bytes; what was asked for longest ago is let go.

    Args:
        budget: bytes. One value may be larger: it then stands alone.

    >>> shelf = Shelf(budget=10)
    >>> shelf.get("a", lambda: "first", 6), shelf.get("b", lambda: "second", 6)
    ('first', 'second')
    >>> shelf.get("a", lambda: "made anew", 6)
    'made anew'
    """

    budget: int = BUDGET
    _values: OrderedDict[Hashable, tuple[Any, int]] = field(default_factory=OrderedDict)

    def get(self, key: Hashable, make: Callable[[], T], size: int = 0) -> T:
        """The value of that key, made where it is not there.

        Args:
            key: what it depends on.
            make: how to make it.
            size: bytes that it takes, about.
        """
        if key in self._values:
            self._values.move_to_end(key)
            found: T = self._values[key][0]
            return found
        while (
            self._values and size + sum(taken for _, taken in self._values.values()) > self.budget
        ):
            heavy = next((k for k, (_, taken) in self._values.items() if taken), None)
            if heavy is None:
                break
            del self._values[heavy]
        made = make()
        self._values[key] = (made, size)
        return made
