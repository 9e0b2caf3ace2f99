"""The memory model: a durable store with a lifecycle, under an explicit clock, in batch.

The names below are loaded when they are first used: rules and values are wanted without a store.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hebb_lab.memory.operations import Criteria, Revision
    from hebb_lab.memory.published import DOCUMENTED, OBSERVED
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.store import MemoryStore
    from hebb_lab.memory.values import Batch, Cues, Draft, EdgeKind, Kind, Link

__all__ = [
    "DOCUMENTED", "OBSERVED", "Batch", "Criteria", "Cues", "Draft", "EdgeKind", "Kind", "Link",
    "MemoryRules", "MemoryStore", "Revision",
]  # fmt: skip

_PLACES = {
    "DOCUMENTED": "published", "OBSERVED": "published", "MemoryRules": "rules",
    "MemoryStore": "store", "Criteria": "operations", "Revision": "operations",
}  # fmt: skip
"""Name → module; all others are in ``values``."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES.get(name, 'values')}"), name)
