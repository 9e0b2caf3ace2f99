"""A file that is read by the byte and believed in nothing; and one that is written whole."""

from __future__ import annotations

import stat
import struct
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from hebb_lab.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path
    from types import TracebackType

    from numpy.typing import DTypeLike, NDArray

DAMAGED = "The file is damaged: copy it again or rebuild it"
CUT_OFF = "The file is cut off or damaged: copy it again"
_PIECE = 1 << 20


class Fault(NamedTuple):
    """What is wrong with a value: in which of its arrays, and at which place there."""

    problem: str
    part: str
    row: int


class Place(NamedTuple):
    """Where an array stands in a file: its first byte, and from one element to the next."""

    at: int
    stride: int


class Source:
    """A file of known size, every read of which is checked against that size first.

    Raises:
        InputError: no such file, or one that cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            # a pipe or a device would block or never end
            if not stat.S_ISREG(path.stat().st_mode):
                raise InputError("this is no file", "Name a file of a stored graph", path)
            self._file = path.open("rb")
            self.size = self._file.seek(0, 2)
        except (OSError, ValueError) as error:
            raise InputError(f"cannot be read: {_reason(error)}", "Check the path", path) from error

    def __enter__(self) -> Source:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:  # fmt: skip
        self._file.close()

    def refuse(self, problem: str, at: int, cure: str = DAMAGED) -> NoReturn:
        """Raise the InputError that names the file and the byte."""
        raise InputError(f"at byte {at}: {problem}", cure, self.path)

    def take(self, at: int, size: int, what: str) -> bytes:
        """So many bytes from one on; refused before they are read where the file has fewer."""
        if size < 0 or at + size > self.size:
            self.refuse(
                f"{what} would take {size} bytes and the file ends at {self.size}", at, CUT_OFF
            )
        try:
            self._file.seek(at)
            data = self._file.read(size)
        except OSError as error:
            self.refuse(f"{what} cannot be read: {_reason(error)}", at, "Check the disk")
        if len(data) != size:
            self.refuse(f"{what} became shorter while it was read", at, "Read it again at rest")
        return data

    def array(self, at: int, dtype: DTypeLike, count: int, what: str) -> NDArray[Any]:
        """So many numbers or records from a byte on, read-only."""
        kind = np.dtype(dtype)
        return np.frombuffer(self.take(at, count * kind.itemsize, what), kind)

    def numbers(self, at: int, form: str, what: str) -> tuple[int, ...]:
        """Some numbers by a format of ``struct``."""
        return struct.unpack(form, self.take(at, struct.calcsize(form), what))

    def count(self, value: int, at: int, what: str, most: int | None = None) -> int:
        """A count that was read: refused where it is negative or above what there can be."""
        limit = self.size if most is None else most
        if not 0 <= value <= limit:
            self.refuse(f"{value} {what} where 0 to {limit} are possible", at)
        return value

    def only_padding_from(self, at: int) -> None:
        """Refuse a file in which something follows the content: a count is wrong then.

        Zeros may: files that are mapped into memory grow by whole blocks.
        """
        for start in range(at, self.size, _PIECE):
            piece = self.take(start, min(_PIECE, self.size - start), "what follows the content")
            if piece.count(0) != len(piece):
                first = start + len(piece) - len(piece.lstrip(b"\0"))
                self.refuse("something follows what the counts promise", first)

    def check(self, fault: Fault | None, places: Mapping[str, Place]) -> None:
        """Refuse a value with a fault, at the byte where the faulty part stands."""
        if fault is not None:
            place = places[fault.part]
            self.refuse(fault.problem, place.at + place.stride * fault.row)


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def first_fault(parts: Iterable[tuple[str, NDArray[np.bool_], str]]) -> Fault | None:
    """The first fault among (array, where it is wrong, how that is said)."""
    for part, wrong, problem in parts:
        if wrong.any():
            row = int(wrong.argmax())
            return Fault(f"{problem} (number {row})", part, row)
    return None


def lengths_differ(**arrays: NDArray[Any]) -> None:
    """Refuse parallel arrays of different lengths.

    Raises:
        ValueError: such arrays.
    """
    if len({array.shape for array in arrays.values()}) > 1:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(f"arrays that belong together have different shapes: {shapes}")


def refuse_to_write(path: Path, fault: Fault | None) -> None:
    """Refuse to write what could not be read.

    Raises:
        ValueError: a value with a fault.
    """
    if fault is not None:
        raise ValueError(f"cannot be stored as {path.name}: {fault.part}: {fault.problem}")


def save(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file whole or not at all.

    Raises:
        InputError: the disk refuses.
    """
    from hebb_lab.runs.layout import write_atomic

    try:
        write_atomic(path, b"".join(parts))
    except OSError as error:
        raise InputError(
            f"cannot be written: {_reason(error)}", "Name a folder that exists", path
        ) from error
