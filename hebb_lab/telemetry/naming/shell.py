"""The files that a shell command names.

A command is not parsed: its words are looked up, and a word that is no tracked file is dropped.
What is done to a file is guessed from the first word of the simple command that names it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from hebb_lab.telemetry.naming.paths import Node

_SPLIT = re.compile(r"""[\s;|&<>()'"`=,{}\[\]]+""")
_SIMPLE_COMMAND = re.compile(r"[;|&\n]+|\$\(|`")
_LINE = re.compile(r":\d+(?:[:-]\d+)*:?$")
_HERE_DOC = re.compile(  # (quote) (end word) (rest of the line), then the text up to the end word
    r"(?<!<)<<-?\s*(['\"]?)([A-Za-z_]\w*)\1([^\n]*)\n.*?(?:^\s*\2\s*$|\Z)", re.DOTALL | re.MULTILINE
)
_REDIRECTION = re.compile(r"(?<![0-9&<>])>>?\s*['\"]?([^\s;|&<>'\"]+)")
_MAX_WORD = 1024

_FIRST_WORDS = re.compile(r"^\s*(?:\w+=\S*\s+|sudo\s+|time\s+|xargs\s+)*(\S+)(.*)", re.DOTALL)
_OPS = {
    "read": (
        "cat", "head", "tail", "less", "more", "bat", "nl", "wc", "diff", "view", "open", "type",
        "Get-Content",
    ),
    "search": ("grep", "egrep", "fgrep", "rg", "ag", "ack"),
    "list": ("ls", "find", "tree", "fd", "dir"),
    "edit": ("mv", "cp", "tee", "patch", "touch", "gofmt", "rustfmt", "black", "prettier"),
    "delete": ("rm", "rmdir", "unlink", "del"),
}  # fmt: skip
_OP_OF_PROGRAM = {program: op for op, programs in _OPS.items() for program in programs}
_OP_OF_GIT = {"mv": "edit", "apply": "edit", "restore": "edit", "rm": "delete", "grep": "search"}
_CHANGES = frozenset({"edit", "write", "delete"})


def shell_touches(command: str, known: Callable[[str], Node | None]) -> list[tuple[str, Node]]:
    """What a command does to which files: each file once, in the order of the words.

    The text of here-documents is cut out; ``a.py:12`` names a.py, and ``HEAD~1:a.py`` too. Of two
    things done to one file, the change counts.

    Args:
        command: as the shell got it.
        known: the node of a word when it is a tracked file, else None.

    Returns:
        (op, node); op is ``exec`` where it cannot be guessed.

    >>> files = {"a.py": Node("a.py", "file"), "b.py": Node("b.py", "file")}
    >>> [(op, node.name) for op, node in
    ...     shell_touches("git show HEAD:a.py | grep -n x b.py:3 c.py > b.py", files.get)]
    [('exec', 'a.py'), ('write', 'b.py')]
    """
    found: dict[Node, str] = {}
    for simple in _SIMPLE_COMMAND.split(_HERE_DOC.sub(r"\3", command)):
        nodes = _nodes(simple, known)
        op = _op_of(simple) if nodes else ""
        for node in nodes:
            if op in _CHANGES or node not in found:
                found[node] = op
        for target in _REDIRECTION.findall(simple):
            written = known(target)
            if written is not None:
                found[written] = "write"
    return [(op, node) for node, op in found.items()]


def _nodes(text: str, known: Callable[[str], Node | None]) -> list[Node]:
    found: list[Node] = []
    for word in _SPLIT.split(text):
        if not word or len(word) > _MAX_WORD or word.startswith("-"):
            continue
        node = known(_LINE.sub("", word))
        if node is None and ":" in word:
            node = known(word.rsplit(":", 1)[1])
        if node is None and "\\" in word:
            node = known(_LINE.sub("", word.replace("\\", "")))  # src/\$id.tsx is src/$id.tsx
        if node is not None:
            found.append(node)
    return found


def _op_of(simple_command: str) -> str:
    match = _FIRST_WORDS.match(simple_command)
    if match is None:
        return "exec"
    program, arguments = match[1].rsplit("/", 1)[-1], match[2]
    if program in ("sed", "perl"):
        in_place = re.search(r"(?:^|\s)(?:-\w*i|--in-place)", arguments)
        return "edit" if in_place else "read"
    if program == "git":
        words = [word for word in arguments.split() if not word.startswith("-")]
        return _OP_OF_GIT.get(words[0], "exec") if words else "exec"
    return _OP_OF_PROGRAM.get(program, "exec")
