"""What can be saved from a broken line of JSON."""

from __future__ import annotations

import json
import re
from typing import Any

JSON_ERRORS = (ValueError, RecursionError)  # ValueError: also a number of thousands of digits
MAX_SCANS = 25  # decoding may go over a line as often as this: each failed try starts anew

_START = re.compile(r'\{\s*"')
_BOUNDARY = re.compile(r'[\s\x00]*(?:\{\s*"|$)')

_decode_json = json.JSONDecoder(strict=False).raw_decode


def salvage(text: str, keys: frozenset[str] = frozenset()) -> tuple[list[dict[str, Any]], bool]:
    """The whole records in a broken line, in order, and whether anything was lost.

    A record is tried for at each ``{"``. It counts only when the next record, or the end of the
    line, follows it: the objects inside a broken record are followed by a comma or a bracket.

    Args:
        text: the line.
        keys: a record must have one of them; empty allows all.

    >>> salvage('{"a":1}{"a":2}')
    ([{'a': 1}, {'a': 2}], False)
    >>> salvage('{"a":{"b":1},"c":"tru{"a":{"b":2}}')
    ([{'a': {'b': 2}}], True)
    """
    found: list[dict[str, Any]] = []
    lost = False
    position, scanned = 0, 0
    while scanned <= MAX_SCANS * len(text):
        start = _START.search(text, position)
        if start is None:
            return found, lost or bool(text[position:].strip(" \t\r\n\x00"))
        lost = lost or bool(text[position : start.start()].strip(" \t\r\n\x00"))
        obj, end, broke_at = _try(text, start.start())
        scanned += broke_at - start.start()
        if obj is None:  # the decoder's error counts the lines before it
            scanned += broke_at // 8
        if obj is not None and _BOUNDARY.match(text, end) and _allowed(obj, keys):
            found.append(obj)
            position = end
            continue
        lost = True
        position = end if obj is not None else _next_start(text, start.start(), broke_at)
    return found, True


def _try(text: str, start: int) -> tuple[dict[str, Any] | None, int, int]:
    """(object, its end, where decoding broke)."""
    try:
        obj, end = _decode_json(text, start)
    except json.JSONDecodeError as error:
        return None, start, error.pos
    except JSON_ERRORS:
        return None, start, len(text)
    return (obj if isinstance(obj, dict) else None), end, end


def _next_start(text: str, start: int, broke_at: int) -> int:
    """Where to look next: at the record that broke this one, when it is whole, else just behind.

    A record written into the middle of another breaks it at its own first bytes.
    """
    spliced = text.rfind('{"', start + 1, broke_at + 2)
    if spliced > start:
        obj, end, _ = _try(text, spliced)
        if obj is not None and _BOUNDARY.match(text, end):
            return spliced
    return start + 1


def _allowed(obj: dict[str, Any], keys: frozenset[str]) -> bool:
    return not keys or not keys.isdisjoint(obj)
