"""ULIDs as arrays: 48 bits of milliseconds, 80 bits of chance; the text form is the library's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, overload

import numpy as np

from hebb_lab.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

MS_MOST = (1 << 48) - 1


class Ids(Sequence[str]):
    """n ids. A sequence of 26-character ULIDs, made only when they are looked at.

    Args:
        array: [n, 2] uint64, the high and the low half.

    >>> Ids.parse(["01ARZ3NDEKTSV4RRFFQ69G5FAV"])[0]
    '01ARZ3NDEKTSV4RRFFQ69G5FAV'
    """

    def __init__(self, array: NDArray[np.uint64]) -> None:
        self.array = array

    @classmethod
    def parse(cls, texts: Iterable[str]) -> Ids:
        """From their text form; ids that are Ids already are handed on.

        Raises:
            InputError: a text that is no ULID, something that is no list.
        """
        if isinstance(texts, Ids):
            return texts
        from ulid import ULID

        if not isinstance(texts, Iterable):
            raise InputError(f"ids are no list but {type(texts).__name__}", "Give a list of ULIDs")
        parts = []
        for text in [texts] if isinstance(texts, str) else texts:
            try:
                parts.append(ULID.from_str(text).bytes)
            except (ValueError, TypeError, AttributeError):
                raise InputError(
                    f"{text!r} is no id of a memory", "Give a ULID of 26 characters"
                ) from None
        return cls.from_bytes(parts)

    @classmethod
    def from_bytes(cls, parts: Sequence[bytes]) -> Ids:
        """From 16 bytes each, high byte first."""
        flat = np.frombuffer(b"".join(parts), ">u8").astype(np.uint64)
        return cls(flat.reshape(-1, 2))

    @classmethod
    def none(cls) -> Ids:
        """No ids."""
        return cls(np.zeros((0, 2), np.uint64))

    def to_bytes(self) -> list[bytes]:
        """16 bytes each, high byte first."""
        flat = self.array.astype(">u8").tobytes()
        return [flat[place : place + 16] for place in range(0, len(flat), 16)]

    def __len__(self) -> int:
        return len(self.array)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Ids: ...
    def __getitem__(self, place: int | slice) -> str | Ids:
        if isinstance(place, slice):
            return Ids(self.array[place])
        from ulid import ULID

        return str(ULID.from_bytes(self.array[place].astype(">u8").tobytes()))

    def __iter__(self) -> Iterator[str]:
        from ulid import ULID

        return (str(ULID.from_bytes(part)) for part in self.to_bytes())

    def __repr__(self) -> str:
        shown = ", ".join(self[:3]) + (", …" if len(self) > 3 else "")
        return f"Ids({len(self)}: {shown})"


def _made_one(ms: int, before: int | None, rng: np.random.Generator) -> NDArray[np.uint64]:
    if before is not None and ms <= before >> 80:
        one = before + 1
    else:
        low = int(rng.integers(0, 1 << 63, dtype=np.uint64))
        one = ms << 80 | int(rng.integers(0, 1 << 15, dtype=np.uint64)) << 64 | low
    return np.array([[one >> 64, one & ((1 << 64) - 1)]], np.uint64)


def made_ids(
    time_us: NDArray[np.int64], last: NDArray[np.uint64] | None, rng: np.random.Generator
) -> Ids:
    """New ids in ascending order: each above the one before it and above ``last``.

    A memory of a new millisecond gets 80 random bits, of which the highest is 0; one of the same
    millisecond as the id before it, or of an earlier one, gets that id + 1.

    Args:
        time_us: [n] int64, of the writing, µs since 1970.
        last: [2] the highest id that there is, or None.
        rng: where chance comes from.

    Raises:
        InputError: a time before 1970, or after the year 10889, which no ULID can hold.
    """
    ms = time_us // 1000
    if len(ms) and (int(ms.min()) < 0 or int(ms.max()) > MS_MOST):
        raise InputError("a time lies outside 1970 to 10889", "Give µs since 1970")
    if not len(ms):
        return Ids.none()
    before = 0 if last is None else (int(last[0]) << 64) | int(last[1])
    if len(ms) == 1:  # a replay makes them one by one
        return Ids(_made_one(int(ms[0]), before if last is not None else None, rng))
    floor = np.maximum.accumulate(np.maximum(ms, before >> 80))
    fresh = np.diff(floor, prepend=before >> 80 if last is not None else -1) > 0
    starts = np.flatnonzero(fresh)
    high = (floor.astype(np.uint64) << np.uint64(16)).astype(np.uint64)
    array = np.zeros((len(ms), 2), np.uint64)
    head = len(ms) if not len(starts) else int(starts[0])
    for place in range(head):  # ids that go on from ``last``
        following = before + place + 1
        array[place] = following >> 64, following & ((1 << 64) - 1)
    if not len(starts):
        return Ids(array)
    run = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(ms))))
    step = np.arange(head, len(ms)) - starts[run]
    # The top bit of the low half stays free, so that no run of one millisecond overflows it.
    low = rng.integers(0, 1 << 63, len(starts), np.uint64)
    chance = rng.integers(0, 1 << 15, len(starts), np.uint64)
    array[head:, 0] = high[head:] | chance[run]
    array[head:, 1] = low[run] + step.astype(np.uint64)
    return Ids(array)
