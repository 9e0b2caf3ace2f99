"""Text → terms, as English full-text search does it: stop words go, stems stay."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

STOP_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "but",
        "by",
        "for",
        "if",
        "in",
        "into",
        "is",
        "it",
        "no",
        "not",
        "of",
        "on",
        "or",
        "such",
        "that",
        "the",
        "their",
        "then",
        "there",
        "these",
        "they",
        "this",
        "to",
        "was",
        "will",
        "with",
    ]
)
"""Lucene's English stop words, which bm25s takes by default as well."""

_TOKEN = re.compile(r"(?u)\b\w\w+\b")


def terms_of(texts: Sequence[str]) -> list[list[str]]:
    r"""Terms of each text in their order: lower case, ``\w\w+``, no stop words, Snowball stems.

    The stems are those of Snowball's English (Porter 2) stemmer, so that "dates" finds "dated".

    >>> terms_of(["When did the dates run?", ""])
    [['when', 'did', 'date', 'run'], []]
    """
    import Stemmer

    stem = Stemmer.Stemmer("english").stemWord
    stems: dict[str, str] = {}
    rows = []
    for text in texts:
        words = [word for word in _TOKEN.findall(text.lower()) if word not in STOP_WORDS]
        for word in words:
            if word not in stems:
                stems[word] = stem(word)
        rows.append([stems[word] for word in words])
    return rows
