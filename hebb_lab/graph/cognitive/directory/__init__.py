"""Layer 3: who and what is named, where, and together with whom."""

from hebb_lab.graph.cognitive.directory.directory import EntityDirectory
from hebb_lab.graph.cognitive.directory.names import Names
from hebb_lab.graph.cognitive.directory.registry import (
    ROLES,
    TypeRegistry,
)

__all__ = ["ROLES", "EntityDirectory", "Names", "TypeRegistry"]
