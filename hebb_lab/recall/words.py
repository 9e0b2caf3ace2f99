"""Words of paths, identifiers and prose."""

from __future__ import annotations

import re

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W_]+")


def words_of(text: str) -> list[str]:
    """Lower-case words in their order: runs of letters and digits, cut where camelCase humps are.

    Everything else separates, so / . _ - do. Digits stay with their letters. Humps are seen in
    ASCII only. No stop words and no stemming: a name has neither.

    >>> words_of("src/hebb_lab/HTTPServer-v2.test.ts")
    ['src', 'hebb', 'lab', 'http', 'server', 'v2', 'test', 'ts']
    >>> words_of("sha256Sum, größe!")
    ['sha256', 'sum', 'größe']
    """
    return [word.lower() for word in _WORD.findall(_CAMEL.sub(" ", text))]
