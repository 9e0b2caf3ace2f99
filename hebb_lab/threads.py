"""Objects that threads share: one thread at a time is in them, the others wait."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any
from weakref import WeakSet


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
        _SHARED.add(self)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name, part in list(vars(cls).items()):
            if name.startswith("_"):
                continue
            if isinstance(part, FunctionType):
                setattr(cls, name, _waiting(part))
            elif isinstance(part, property) and part.fget is not None:
                setattr(cls, name, property(_waiting(part.fget), part.fset, part.fdel))


_SHARED: WeakSet[Shared] = WeakSet()


def _forked() -> None:
    """In a copy that fork made no other thread is there to let go of a lock."""
    for one in list(_SHARED):
        one.lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def _waiting(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def waited(self: Shared, *args: Any, **options: Any) -> Any:
        with self.lock:
            return method(self, *args, **options)

    return waited
