"""JSON records from log files, one line at a time, with every loss counted.

Logs are written by several processes at once, killed in mid-line, packed and copied. So a line is
a hint, not a promise: it may hold two records, half of one, or a run of NUL bytes.
"""

from __future__ import annotations

import codecs
import json
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from hebb_lab.telemetry.report import ReadReport
from hebb_lab.telemetry.salvage import JSON_ERRORS, salvage

CHUNK = 1 << 20  # bytes read, or unpacked, at a time
MAX_LINE = 256 << 20  # a longer line is no log line; it is skipped without being held in memory
GZIP_MAGIC = b"\x1f\x8b"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_LEAST_INEXACT = 2.0**63  # beyond 64 bits orjson makes a float of a whole number
_PADDING = b" \t\r\n\x00"

_decode_json = json.JSONDecoder(strict=False).raw_decode


class Record(NamedTuple):
    """One JSON object of a log and its place.

    Args:
        obj: the object.
        line: its line, from 1.
        byte: offset of that line in the (unpacked) file.
    """

    obj: dict[str, Any]
    line: int
    byte: int


def iter_records(
    path: Path,
    report: ReadReport,
    *,
    wanted: Callable[[bytes], bool] | None = None,
    keys: frozenset[str] = frozenset(),
    on_bytes: Callable[[int], None] | None = None,
) -> Iterator[Record]:
    """The JSON objects of a file with one object a line, plain or gzip, in file order.

    Memory is that of one line. Of a broken line the whole records are saved (``salvage``). A whole
    number beyond 64 bits is exact as a value of the object itself; deeper it may come as a float.

    Args:
        path: the file; gzip is told by its first bytes, not by its name.
        report: counts lines, salvages and losses.
        wanted: told a line that is whole on the outside (``{…}``); False skips it unparsed: the
            line surely carries nothing that the reader would use or count.
        keys: a saved record must have one of them (``salvage``); empty allows all.
        on_bytes: told the size of each chunk as it is read from disk.

    Raises:
        OSError: when the file cannot be opened.
    """
    report.files_read += 1
    for number, offset, raw in iter_lines(path, report, on_bytes):
        line = (raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw).strip(_PADDING)
        if raw[:1] == b"\x00":
            _note_nul(bool(line), path, number, report)
        if not line or (wanted and line[:1] == b"{" and line[-1:] == b"}" and not wanted(line)):
            continue
        obj = _strictly(line)
        if obj is not None:
            yield Record(obj, number, offset)
            continue
        text = _as_text(line, path, number, report)
        obj = _leniently(text)
        if obj is not None:
            yield Record(obj, number, offset)
        else:
            for found in _from_broken(text, keys, raw[-1:] != b"\n", path, number, report):
                yield Record(found, number, offset)


def _strictly(line: bytes) -> dict[str, Any] | None:
    """The object that is the whole line, by the fast decoder; None where it refuses.

    Also None where a value is so large that it may be an id which that decoder made a float.
    """
    try:
        obj = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    if type(obj) is not dict:
        return None
    for value in obj.values():
        if type(value) is float and abs(value) >= _LEAST_INEXACT:
            return None
    return obj


def _leniently(text: str) -> dict[str, Any] | None:
    """The same with what JSON forbids and logs hold: NaN, raw tabs, halves of surrogate pairs."""
    try:
        obj, end = _decode_json(text)
    except JSON_ERRORS:
        return None
    return obj if end == len(text) and type(obj) is dict else None


def _note_nul(has_record: bool, path: Path, number: int, report: ReadReport) -> None:
    if has_record:
        report.save("NUL bytes before a record", str(path), number)
    else:
        report.skip("nothing but NUL bytes", str(path), number)


def _from_broken(
    text: str,
    keys: frozenset[str],
    unfinished: bool,
    path: Path,
    number: int,
    report: ReadReport,
) -> list[dict[str, Any]]:
    """Save the whole records of a broken line and count what is lost."""
    found, lost = salvage(text, keys)
    if found:
        report.save("several records on one line", str(path), number)
    if lost:
        reason = "no JSON object"
        if text[:1] == "{":
            reason = "truncated last line" if unfinished else "broken record"
        report.skip(reason, str(path), number)
    return found


def _as_text(line: bytes, path: Path, number: int, report: ReadReport) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        report.save("bytes that are not UTF-8, replaced", str(path), number)
        return line.decode(errors="replace")


def iter_lines(
    path: Path, report: ReadReport, on_bytes: Callable[[int], None] | None
) -> Iterator[tuple[int, int, bytes]]:
    """The lines of a file, plain or gzip: (number from 1, byte offset, line with its newline).

    A line that is longer than ``MAX_LINE`` is counted as lost and not given.
    """
    number, offset = 0, 0
    pending: list[bytes] = []  # the pieces of a line that spans chunks
    size = 0  # of the pending line
    for chunk in iter_chunks(path, report, on_bytes):
        start = 0
        while (stop := chunk.find(b"\n", start) + 1) > 0:
            piece = chunk[start:stop]
            size += len(piece)
            number += 1
            if size > MAX_LINE:
                report.skip(f"line longer than {MAX_LINE >> 20} MiB", str(path), number)
            else:
                yield number, offset, b"".join((*pending, piece)) if pending else piece
            offset += size
            pending, size, start = [], 0, stop
        rest = chunk[start:]
        size += len(rest)
        if size > MAX_LINE:
            pending = []  # given up: the line is only measured from here on
        elif rest:
            pending.append(rest)
    if size > MAX_LINE:
        number += 1
        report.skip(f"line longer than {MAX_LINE >> 20} MiB", str(path), number)
    elif pending:
        number += 1
        yield number, offset, b"".join(pending)
    report.lines_read += number


def iter_chunks(
    path: Path,
    report: ReadReport,
    on_bytes: Callable[[int], None] | None = None,
    chunk: int | None = None,
) -> Iterator[bytes]:
    """The bytes of a file in chunks (``CHUNK`` or ``chunk`` bytes), unpacked when it is gzip.

    What a damaged archive still gives is given; the damage is noted in ``report.files_skipped``.
    """
    first = True
    for piece in _unpacked(path, report, on_bytes, chunk or CHUNK):
        if not piece:
            continue
        report.bytes_read += len(piece)
        if first and piece[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            report.files_skipped[str(path)] = "UTF-16 text: save it as UTF-8"
            return
        first = False
        yield piece
    if first:
        report.files_skipped.setdefault(str(path), "empty file")


def _unpacked(
    path: Path, report: ReadReport, on_bytes: Callable[[int], None] | None, size: int
) -> Iterator[bytes]:
    with path.open("rb") as file:
        head = file.read(size)
        unpacker = None
        if head.startswith(GZIP_MAGIC):
            unpacker = zlib.decompressobj(wbits=31)
        elif head.startswith(ZSTD_MAGIC):
            report.files_skipped[str(path)] = "zstd archive: unpack it with zstd -d"
            return
        while head:
            if on_bytes is not None:
                on_bytes(len(head))
            if unpacker is None:
                yield head
            else:
                try:
                    while head:
                        if unpacker.eof:  # a gzip file may be several archives in a row
                            head = head.lstrip(b"\x00")
                            if not head:
                                break
                            unpacker = zlib.decompressobj(wbits=31)
                        yield unpacker.decompress(head, size)
                        head = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
                except zlib.error as error:
                    report.files_skipped[str(path)] = f"damaged gzip archive, read in part: {error}"
                    return
            head = file.read(size)
        if unpacker is not None and not unpacker.eof:
            report.files_skipped[str(path)] = "gzip archive that ends too early, read in part"
