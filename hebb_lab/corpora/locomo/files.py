"""The three files of LoCoMo: the conversations, and beside them corrections and entities."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from hebb_lab.errors import InputError

CONVERSATIONS = "locomo10.json"
CORRECTIONS = "audit_errors.json"
ENTITIES = "entities_gliner_filtered.json"
_CURE = f"Give dataset.path=PATH to {CONVERSATIONS} of LoCoMo, or to the folder that holds it"


class LocomoFiles(NamedTuple):
    """Where they lie; None where a file is absent."""

    conversations: Path
    corrections: Path | None
    entities: Path | None

    @property
    def present(self) -> tuple[Path, ...]:
        """Those that are there."""
        return tuple(path for path in self if path is not None)


def files_at(path: Path) -> LocomoFiles:
    """The conversations' file, or the folder that holds it; the others lie beside it.

    Raises:
        InputError: there is none.
    """
    if not path.exists():
        raise InputError("no such file or folder", _CURE, path)
    conversations = path / CONVERSATIONS if path.is_dir() else path
    if not conversations.is_file():
        raise InputError(f"the folder has no {CONVERSATIONS}", _CURE, path)
    beside = [conversations.with_name(name) for name in (CORRECTIONS, ENTITIES)]
    return LocomoFiles(conversations, *(file if file.is_file() else None for file in beside))


def json_of(path: Path, kind: type, on_bytes: Callable[[Path, int], None] | None) -> Any:
    """What a JSON file holds.

    Raises:
        InputError: it cannot be opened, is no JSON, or holds another kind of value.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"cannot be opened: {error.strerror or error}", "Check dataset.path", path
        ) from None
    if on_bytes is not None:
        on_bytes(path, len(data))
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise InputError(f"no JSON: {error}", _CURE, path, error.lineno) from None
    if not isinstance(value, kind):
        raise InputError(f"holds {type(value).__name__} and no {kind.__name__}", _CURE, path)
    return value
