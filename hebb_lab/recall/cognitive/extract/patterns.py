"""Names that their spelling gives away: addresses, paths, identifiers, dates, quantities.

Every pattern begins where a run of its own characters begins, so that none of them looks at a
character more than a few times, however long the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_NAMED = "|".join(f"{m[:3].title()}(?:{m[3:]}|\\.)?" for m in MONTHS if m not in ("may", "june"))
_MONTH = f"(?P<month>{_NAMED}|May|June?|Sept\\.?)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_EXTENSIONS = (
    "py|pyi|ipynb|js|jsx|ts|tsx|java|kt|go|rs|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|sh|sql|md|rst|"
    "txt|csv|tsv|json|jsonl|ya?ml|toml|ini|cfg|xml|html?|css|pdf|docx?|xlsx?|png|jpe?g|svg|zip|log"
)
_UNITS = (
    "%|percent|ms|s|sec|seconds?|min|minutes?|hours?|h|days?|weeks?|months?|years?|mm|cm|m|km|miles?"
    "|kg|g|mg|lbs?|pounds?|KB|MB|GB|TB|Hz|kHz|MHz|GHz|°C|°F|dollars?|euros?|bucks|USD|EUR"
)

_ALONE = r"(?<![\w./\\:~@-])"  # where a path may begin


class Found(NamedTuple):
    """A name, its type, and where it stands."""

    start: int
    end: int
    name: str
    type: str


# in this order: what an earlier one takes, a later one does not see
PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("DOCUMENT", re.compile(r"(?<![\w.])(?:https?|ftp|file)://[^\s<>\"'`)\]}]+|\bwww\.[^\s<>\"')]+")),
    ("OTHER", re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")),
    ("ARTIFACT", re.compile(r"`([^`\n]{1,80})`")),
    ("ARTIFACT", re.compile(r"[\"“](?=[^\W_a-z])((?:[^\s\"“”]{1,30} ){0,5}[^\s\"“”]{1,30})[\"”]")),
    ("ARTIFACT", re.compile(
        _ALONE + r"(?:[A-Za-z]:\\|~/|\.{1,2}/|/)[\w.@-]+(?:[/\\][\w.@-]+)*"
        r"|" + _ALONE + r"[\w.@-]+(?:/[\w.@-]+)*/[\w@-]+(?:\.[\w@-]+)*\.(?:" + _EXTENSIONS + r")\b"
        r"|" + _ALONE + r"[\w-]+(?:\.[\w-]+)*\.(?:" + _EXTENSIONS + r")\b"
    )),
    ("DATE_TIME", re.compile(r"(?<![\d-])(?P<year>\d{4})-(?P<mon>\d{2})-(?P<day>\d{2})(?!\d)")),
    ("DATE_TIME", re.compile(
        r"(?<![\w.])" + _DAY + r"\s+(?:of\s+)?" + _MONTH + r"(?!\w)(?:,?\s+(?P<year>\d{4})\b)?"
    )),
    ("DATE_TIME", re.compile(
        r"(?<!\w)" + _MONTH + r"\s+" + _DAY + r"(?![\w:])(?:,?\s+(?P<year>\d{4})\b)?"
    )),
    ("DATE_TIME", re.compile(r"(?<!\w)" + _MONTH + r",?\s+(?:of\s+)?(?P<year>(?:19|20)\d{2})\b")),
    ("DATE_TIME", re.compile(
        r"(?<!\w)(?:January|February|April|June|July|August|September|October|November|December)\b"
        r"|(?<=\b[iI]n )(?:May|March)\b|(?<=\b[oO]f )(?:May|March)\b|(?<=ast )(?:May|March)\b"
        r"|(?<=ext )(?:May|March)\b|(?<=his )(?:May|March)\b|(?<=ince )(?:May|March)\b"
    )),
    ("DATE_TIME", re.compile(
        r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day(?=s?\b)|(?<![\w.,$€£/-])(?:19|20)\d{2}(?![\w%/-])"
    )),
    ("ARTIFACT", re.compile(r"(?<![\w.])[^\W_]\w*_\w*[^\W_](?:\(\))?|(?<![\w.])[a-z]\w*(?=\(\))")),
    ("TECHNOLOGY", re.compile(r"(?<![\w'’-])(?!(?:Mc|Mac|De|Le|La|Di|Du|Van|Fitz)[A-Z][a-z]+\b)"
                              r"(?=[A-Za-z0-9]*[a-z0-9][A-Z])[A-Za-z][A-Za-z0-9]{2,40}(?![\w@])")),
)  # fmt: skip
QUANTITIES = re.compile(
    r"(?<![\w.,])(?:[$€£]\s?\d[\d,]*(?:\.\d+)?(?:\s?(?:k|K|m|M|bn|million|billion)\b)?"
    r"|\d[\d,]*(?:\.\d+)?\s?(?:" + _UNITS + r")(?!\w))"
)


def find_patterns(text: str, quantities: bool) -> tuple[list[Found], str]:
    """The names that patterns give away, and the text with a mark in their places."""
    found = []
    rules = (*PATTERNS, ("METRIC", QUANTITIES)) if quantities else PATTERNS
    for kind, pattern in rules:
        hits = list(_hits(text, kind, pattern))
        found += hits
        if hits:
            pieces, last = [], 0
            for hit in hits:
                pieces += [text[last : hit.start], _MARK * (hit.end - hit.start)]
                last = hit.end
            text = "".join([*pieces, text[last:]])
    return found, text


_MARK = "\0"
"""Stands where something was found: no word, no space, and no end of a sentence."""


def _hits(text: str, kind: str, pattern: re.Pattern[str]) -> Iterator[Found]:
    for match in pattern.finditer(text):
        name = match.group(1) if pattern.groups == 1 else match.group()
        start, end = match.span()
        if kind == "DATE_TIME":
            name = _date(match)
        elif kind == "ARTIFACT":
            name = name.rstrip(".,;:!?")
        elif kind == "DOCUMENT":
            name = name.rstrip(".,;:!?")
            end = start + len(name)
        if _MARK not in name and len(name.strip()) > 1:
            yield Found(start, end, name.strip(), kind)


def _date(match: re.Match[str]) -> str:
    """A date as ISO 8601 writes it, as far as it is given; a month or weekday alone by name."""
    parts = match.groupdict()
    month = parts.get("mon") or _number(parts.get("month"))
    if not month:
        return match.group()
    pieces = (parts.get("year"), month, f"{int(parts['day']):02d}" if parts.get("day") else None)
    return ("" if pieces[0] else "--") + "-".join(piece for piece in pieces if piece)


def _number(month: str | None) -> str:
    if month is None:
        return ""
    return next(f"{i:02d}" for i, m in enumerate(MONTHS, 1) if m.startswith(month.lower()[:3]))
