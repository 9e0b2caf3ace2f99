"""Texts with their lengths, one after another, as the files hold them."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from hebb_lab.graph.files.encoding.source import CUT_OFF

if TYPE_CHECKING:
    from hebb_lab.graph.files.encoding.source import Source


class Texts:
    """What follows a byte of a file, read number by number and text by text.

    All of it is held at once: names are few, and no more is held than the file has.
    """

    def __init__(self, source: Source, at: int) -> None:
        self._source = source
        self._data = source.take(at, source.size - at, "names") if at <= source.size else b""
        self._start = at
        self.at = at

    def numbers(self, form: str, what: str) -> tuple[int, ...]:
        """Some numbers by a format of ``struct``."""
        return struct.unpack(form, self._bytes(struct.calcsize(form), what))

    def count(self, form: str, what: str, least_bytes: int) -> int:
        """How many things follow that take so many bytes each at least."""
        at = self.at
        (value,) = self.numbers(form, f"the number of {what}")
        return self._source.count(value, at, what, (self._source.size - self.at) // least_bytes)

    def text(self, form: str, what: str) -> str:
        """A length and so much UTF-8."""
        at = self.at
        (length,) = self.numbers(form, f"the length of {what}")
        self._source.count(length, at, f"bytes of {what}", self._source.size - self.at)
        at = self.at
        try:
            return self._bytes(length, what).decode()
        except UnicodeDecodeError as error:
            self._source.refuse(f"{what} is not UTF-8", at + error.start)

    def _bytes(self, size: int, what: str) -> bytes:
        begin = self.at - self._start
        piece = self._data[begin : begin + size]
        if len(piece) < size:
            self._source.refuse(
                f"{what} would take {size} bytes and the file ends at {self._source.size}",
                self.at, CUT_OFF,
            )  # fmt: skip
        self.at += size
        return piece


def framed(form: str, text: str) -> bytes:
    r"""A text as it is stored: its length in bytes, then UTF-8.

    Raises:
        ValueError: a text too long for its length field, or with half a surrogate pair.

    >>> framed(">i", "é")
    b'\x00\x00\x00\x02\xc3\xa9'
    """
    data = text.encode()
    try:
        return struct.pack(form, len(data)) + data
    except struct.error:
        raise ValueError(f"a name of {len(data)} bytes is too long to be stored") from None
