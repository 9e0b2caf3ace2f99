"""The subscriptions of a store."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from hebb_lab.errors import ConfigError
from hebb_lab.memory.errors import StoreError
from hebb_lab.memory.subscription.subscription import Subscription
from hebb_lab.memory.subscription.values import Listened, Wanted

_LOG = logging.getLogger(__name__)
MOST = 100


class Subscriptions:
    """The open subscriptions of one store, in the order of opening.

    Args:
        most: that may be open at once.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._open: list[Subscription] = []

    def __iter__(self) -> Iterator[Subscription]:
        self._open = [one for one in self._open if not one.closed]
        return iter(list(self._open))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def open(self, store: Listened, **wanted: Any) -> Subscription:
        """A new subscription.

        Args:
            store: that it listens to.
            **wanted: as `Wanted` has them.

        Raises:
            StoreError: 100 are open.
            ConfigError, InputError: as `Wanted` raises them.
        """
        if len(self) >= self._most:
            raise StoreError(f"{self._most} subscriptions are open", "Close one")
        known = sorted(part.name for part in fields(Wanted))
        if strange := sorted(set(wanted) - set(known)):
            raise ConfigError(f"a subscription has no {strange[0]}", f"Known: {', '.join(known)}")
        made = Subscription(store, Wanted(**wanted))
        self._open.append(made)
        return made

    def meet(self, at_us: int) -> None:
        """Tell all of a change that the store has applied.

        What goes wrong in one of them does not reach the writer, whose change is kept already.
        """
        if not self._open:
            return
        for one in self:
            try:
                one.meet(at_us)
            except Exception as error:
                _LOG.warning("a subscription failed on a change: %s", type(error).__name__)

    def close(self) -> None:
        """Close all."""
        for one in self:
            one.close()
