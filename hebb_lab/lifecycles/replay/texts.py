"""What a memory says, within what a store takes."""

from __future__ import annotations

MOST_BYTES = 65_536


def content_of(text: str, name: str) -> str:
    """The text, or the name where there is none, cut to what one memory may hold.

    Lone surrogates, which are no UTF-8, become question marks.

    >>> content_of("", "src/a.py"), len(content_of("é" * 40_000, "").encode())
    ('src/a.py', 65536)
    """
    kept = (text or name or "?").encode("utf-8", "replace")[:MOST_BYTES]
    return kept.decode("utf-8", "ignore")
