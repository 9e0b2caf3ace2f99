"""From a web address in a log to a node."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from hebb_lab.telemetry.naming.paths import Node


def web_node(url: Any) -> Node | None:
    """The node of a web address, without user, query and fragment, where keys and tokens stand.

    >>> web_node("https://me:secret@example.org/a?token=1#b")
    Node(name='https://example.org/a', kind='url')
    >>> web_node("no address")
    """
    if not isinstance(url, str):
        return None
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return None
    return Node(f"{parts.scheme}://{host}{parts.path}", "url") if host else None
