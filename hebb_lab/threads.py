"""Objects that threads share: one thread at a time is in them, the others wait."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any


class Shared:
    """Each public method and property of a subclass waits until no other thread is in one.

    A thread may go on to call others from within, as a callback does. It must not wait there for
    another thread that is after the same object: that one waits for it.

    >>> class Tally(Shared):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.count = 0
    ...     def add(self):
    ...         self.count += 1
    >>> tally = Tally()
    >>> threads = [threading.Thread(target=tally.add) for _ in range(8)]
    >>> _ = [thread.start() for thread in threads], [thread.join() for thread in threads]
    >>> tally.count
    8
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name, part in list(vars(cls).items()):
            if name.startswith("_"):
                continue
            if isinstance(part, FunctionType):
                setattr(cls, name, _waiting(part))
            elif isinstance(part, property) and part.fget is not None:
                setattr(cls, name, property(_waiting(part.fget), part.fset, part.fdel))


def _waiting(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def waited(self: Shared, *args: Any, **options: Any) -> Any:
        with self.lock:
            return method(self, *args, **options)

    return waited
