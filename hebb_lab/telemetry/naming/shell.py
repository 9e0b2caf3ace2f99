"""The files that a shell command names.

A command is not parsed: its words are looked up, and a word that is no tracked file is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from hebb_lab.telemetry.naming.paths import Node

_SPLIT = re.compile(r"""[\s;|&<>()'"`=,{}\[\]]+""")
_LINE = re.compile(r":\d+(?:[:-]\d+)*:?$")
_HERE_DOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1.*?(?:^\s*\2\s*$|\Z)", re.DOTALL | re.MULTILINE)
_MAX_WORD = 1024


def shell_touches(command: str, known: Callable[[str], Node | None]) -> list[Node]:
    """The files named in a command, each once, in the order of the words.

    The text of here-documents is cut out; ``a.py:12`` names a.py, and ``HEAD~1:a.py`` too.

    Args:
        command: as the shell got it.
        known: the node of a word when it is a tracked file, else None.

    >>> files = {"a.py": Node("a.py", "file"), "b.py": Node("b.py", "file")}
    >>> [node.name for node in shell_touches("git show HEAD:a.py | cat - b.py:3 c.py", files.get)]
    ['a.py', 'b.py']
    """
    found: dict[str, Node] = {}
    for word in _SPLIT.split(_HERE_DOC.sub(" ", command)):
        if not word or len(word) > _MAX_WORD or word.startswith("-"):
            continue
        node = known(_LINE.sub("", word))
        if node is None and ":" in word:
            node = known(word.rsplit(":", 1)[1])
        if node is not None:
            found.setdefault(node.name, node)
    return list(found.values())
