"""From any iterator of text to pushes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from hebb_lab.errors import InputError
from hebb_lab.memory.subscription.subscription import Subscription
from hebb_lab.memory.subscription.values import Push


class Subscribable(Protocol):
    """A store, as far as streams need it."""

    def subscribe(self, **wanted: Any) -> Subscription:
        """Open a subscription."""


def stream(store: Subscribable, pieces: Iterable[tuple[int, str]], **wanted: Any) -> Iterator[Push]:
    """What a stream calls up, as it arrives; the subscription ends with it.

    A generator: a piece is taken when the pushes of those before it have been taken. What is left
    at the end of the stream is looked up too, however little it is.

    Args:
        store: that is listened to.
        pieces: (at_us, text), or (at_us, vector), ascending.
        **wanted: as ``store.subscribe`` takes them.

    Raises:
        InputError: a piece that is no pair; and as ``Subscription.feed``.
    """
    if isinstance(pieces, str | bytes) or not isinstance(pieces, Iterable):
        raise InputError("pieces are no series", "Give pairs (at_us, text)")
    with store.subscribe(**wanted) as subscription:
        at_us: int | None = None
        for place, piece in enumerate(pieces):
            if not isinstance(piece, tuple | list) or len(piece) != 2:
                raise InputError(f"piece {place} is no pair", "Give (at_us, text or vector)")
            at_us, said = piece
            if isinstance(said, str):
                subscription.feed(said, at_us)
            else:
                subscription.feed_vector(said, at_us)
            yield from subscription
        if at_us is not None:
            subscription.flush(at_us)
            yield from subscription
