"""The sessions of a conversation and their turns, as they may be searched."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from hebb_lab.corpora.fields import clean

if TYPE_CHECKING:
    from hebb_lab.corpora.attributes import Mend

At = Callable[[str, int], "Mend"]  # (session or "", turn from 1) → how to count what is lost there

_SESSION = re.compile(r"session_(\d{1,9})", re.ASCII)
_TIME_FORMAT = "%I:%M %p on %d %B, %Y"


class Turn(NamedTuple):
    """What one of the two says; ``name`` is its ``dia_id``, as D1:3."""

    name: str
    speaker: str
    words: str
    caption: str  # of a picture that is shown, as a captioning model wrote it; else empty

    @property
    def said(self) -> str:
        """Speaker and words, as files of entities name a turn."""
        return f"{self.speaker}: {self.words}"

    @property
    def text(self) -> str:
        """What may be searched. The annotators' search words (``query``) are no part of it."""
        return f"{self.said} [{self.caption}]" if self.caption else self.said


class Session(NamedTuple):
    """Turns of one sitting, in order."""

    name: str  # session_1
    when: str  # "1:56 pm on 8 May, 2023", as the file writes it; empty where it cannot be read
    time_us: int | None  # the same, taken for UTC; the file names no zone
    turns: tuple[Turn, ...]


def sessions_of(conversation: Mapping[str, Any], skip: At, mend: At) -> list[Session]:
    """The sessions by number; what cannot be used is counted with its place.

    A turn without a name or words, or with a name that was there before, is left out.
    """
    numbers = sorted(int(m[1]) for key in conversation if (m := _SESSION.fullmatch(key)))
    seen: set[str] = set()
    sessions = []
    for number in numbers:
        name = f"session_{number}"
        turns = conversation.get(name)
        if not isinstance(turns, list):
            skip(name, 0)("session that is no list of turns")
            continue
        kept = _turns(turns, name, seen, skip)
        given = conversation.get(f"{name}_date_time")
        when = clean(given) if isinstance(given, str) else ""
        time_us = time_of_session(when)
        if time_us is None:
            mend(name, 0)("session whose time cannot be read: kept without one")
        sessions.append(Session(name, "" if time_us is None else when, time_us, kept))
    return sessions


def time_of_session(text: str) -> int | None:
    """The µs since 1970 of a time as the file writes it, or None.

    >>> time_of_session("1:56 pm on 8 May, 2023")
    1683554160000000
    >>> time_of_session("noon")
    """
    try:
        found = datetime.strptime(text.strip(), _TIME_FORMAT).replace(tzinfo=UTC)
    except ValueError:
        return None
    return int(found.timestamp()) * 1_000_000


def _turns(turns: list[Any], session: str, seen: set[str], skip: At) -> tuple[Turn, ...]:
    kept = []
    for line, turn in enumerate(turns, 1):
        given = turn if isinstance(turn, Mapping) else {}
        name, speaker, words, caption = (
            clean(value) if isinstance(value := given.get(key), str) else ""
            for key in ("dia_id", "speaker", "text", "blip_caption")
        )
        if not name or not (words or caption):
            skip(session, line)(f"turn without {'words' if name else 'a name'}")
        elif name in seen:
            skip(session, line)("turn whose name was seen before: the first is kept")
        else:
            seen.add(name)
            kept.append(Turn(name, speaker, words, caption))
    return tuple(kept)
