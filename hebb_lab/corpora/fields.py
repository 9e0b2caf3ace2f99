"""The fields of a document or a question: id, text, time, session, wherever they stand."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from hebb_lab.telemetry.readers.table.times import Clock, Time

ID_KEYS = ("_id", "id")
SESSION_KEYS = ("sessionId", "session", "session_id")
CONVERSATION_KEYS = ("conversationId", "conversation", "conversation_id")
GROUP_KEYS = ("group", *CONVERSATION_KEYS, *SESSION_KEYS)
_TIME_KEYS = ("timestampMs", "timestamp", "time")
_LATEST_MS = 253_402_300_799_999  # the end of the year 9999


def name_in(obj: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    """The first of the keys that holds a name: text that is not empty, or a whole number.

    >>> name_in({"_id": " d1 "}, ID_KEYS), name_in({"_id": "", "id": 7}, ID_KEYS)
    ('d1', '7')
    >>> name_in({"id": None}, ID_KEYS)
    """
    for key in keys:
        value = obj.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, str) and (name := clean(value)):
            return name
    return None


def named(obj: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    """``name_in`` the object itself, then in its ``metadata``."""
    return name_in(obj, keys) or name_in(_metadata(obj), keys)


def value_of(obj: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    """The first value that is not null, of the object itself, then of its ``metadata``.

    >>> value_of({"tags": None, "metadata": {"tags": ["a"]}}, ("tags",))
    ['a']
    """
    for place in (obj, _metadata(obj)):
        for key in keys:
            if (value := place.get(key)) is not None:
                return value
    return None


def text_of(obj: Mapping[str, Any]) -> str:
    """Title and text, a space between; empty where there is neither.

    >>> text_of({"title": "Runs", "text": "a run"}), text_of({"title": None, "text": 5})
    ('Runs a run', '')
    """
    parts = (obj.get("title"), obj.get("text"))
    return " ".join(filter(None, (clean(part) for part in parts if isinstance(part, str))))


def time_of(obj: Mapping[str, Any], clock: Clock) -> Time | None:
    """When it was written (``Time(None, "none")`` where it does not say), or None: unreadable.

    ``timestampMs`` is in ms whatever its size; other numbers are told apart by their size, as in
    tables.

    >>> time_of({"metadata": {"timestampMs": 1750000000000}}, Clock()).us
    1750000000000000
    >>> time_of({"time": "noon"}, Clock()), time_of({}, Clock())
    (None, Time(us=None, quality='none'))
    """
    for place in (obj, _metadata(obj)):
        for key in _TIME_KEYS:
            value = place.get(key)
            if value is None or value == "":
                continue
            if isinstance(value, bool) or not isinstance(value, str | int | float):
                return None
            try:
                return _milliseconds(value) if key == "timestampMs" else clock.read(str(value))
            except ArithmeticError:  # no number, or one beyond what decimals hold
                return None
    return Time(None, "none")


def clean(text: str) -> str:
    """Without NUL, lone surrogates (JSON holds them, UTF-8 cannot) and white space around."""
    return text.replace("\x00", "").encode(errors="replace").decode().strip()


def _milliseconds(value: str | float) -> Time | None:
    ms = Decimal(str(value))
    return Time(int(ms * 1000), "exact") if abs(ms) <= _LATEST_MS else None


def _metadata(obj: Mapping[str, Any]) -> Mapping[str, Any]:
    found = obj.get("metadata")
    return found if isinstance(found, Mapping) else {}
