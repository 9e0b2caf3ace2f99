"""Entities that were found in turns and questions beforehand, by their very words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hebb_lab.corpora.attributes import Entities, Mend, Mention

_KINDS = {"PER": "PERSON", "LOC": "LOCATION", "ORG": "ORGANIZATION"}


class GivenEntities:
    """Entities by text: ``{text: [{text, type}, …]}``; white space in texts does not count.

    The types PER, LOC and ORG are those known as PERSON, LOCATION and ORGANIZATION.

    Args:
        given: what the file holds.
        entities: knows types.
    """

    def __init__(self, given: Mapping[str, Any], entities: Entities) -> None:
        self._entities = entities
        self._given = {" ".join(text.split()): found for text, found in given.items()}

    def mentions(self, text: str, mend: Mend) -> tuple[Mention, ...]:
        """The entities of a text, in order; a text without an entry is counted."""
        found = self._given.get(" ".join(text.split()))
        if found is None:
            mend("text without an entry among the given entities: none are known")
            return ()
        return self._entities.mentions(
            [_entity(each) for each in found] if isinstance(found, list) else found, mend
        )

    def names(self, text: str, mend: Mend) -> tuple[str, ...]:
        """The names of the entities of a text, each once."""
        return tuple(dict.fromkeys(name for name, _ in self.mentions(text, mend)))


def _entity(found: Any) -> Any:
    if not isinstance(found, Mapping):
        return found
    kind = found.get("type")
    return {"name": found.get("text"), "type": _KINDS.get(str(kind), kind)}
