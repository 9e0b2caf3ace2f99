"""name → class, for everything that a config can name."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from hebb_lab.errors import ConfigError

T = TypeVar("T")


class Registry(Generic[T]):
    """Names of one kind of thing, in the order in which they were registered.

    >>> shapes: Registry[type] = Registry("shape")
    >>> @shapes.register("square")
    ... class Square: ...
    >>> shapes["square"] is Square
    True
    >>> shapes["sqare"]
    Traceback (most recent call last):
    ...
    hebb_lab.errors.ConfigError: unknown shape 'sqare'. Did you mean 'square'? Known: square.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._entries: dict[str, T] = {}

    def register(self, name: str) -> Callable[[T], T]:
        """Give the decorated class or function a name.

        Raises:
            ConfigError: when the name is taken.
        """

        def keep(entry: T) -> T:
            if name in self._entries:
                raise ConfigError(
                    f"{self.kind} '{name}' is registered twice", "Choose another name"
                )
            self._entries[name] = entry
            return entry

        return keep

    def __getitem__(self, name: str) -> T:
        """The entry of that name; an unknown name raises ConfigError that lists the near ones."""
        if name not in self._entries:
            near = difflib.get_close_matches(name, self._entries, n=3)
            hint = f"Did you mean {' or '.join(map(repr, near))}? " if near else ""
            raise ConfigError(
                f"unknown {self.kind} '{name}'", f"{hint}Known: {', '.join(self._entries)}"
            )
        return self._entries[name]

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
