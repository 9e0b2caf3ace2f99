"""What is known of a document besides its text: tags, entities, importance, feeling, use."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from hebb_lab.corpora.fields import CONVERSATION_KEYS, clean, named, value_of
from hebb_lab.records.known_types import ENTITY_TYPES, RELATION_TYPES

if TYPE_CHECKING:
    from hebb_lab.corpora.report import CorpusReport

Mend = Callable[[str], None]  # told why a line is kept in part
Mention = tuple[str, str]  # name and type of an entity

VALENCE = (-128, 127)
AROUSAL = (0, 255)
IMPORTANCE = (0.05, 10.0)
_RECALLS = (0, 2**31 - 1)
_TAGS = ("synapticTags", "tags")
MENTIONS = ("entityMentions", "entities")
_USED = frozenset(
    ("importance", "valence", "arousal", "recallCount", "pinned", "resolved", "memoryType",
     "metadata", *_TAGS, *MENTIONS)
)  # fmt: skip


class Attributes(NamedTuple):
    """What is known of a document besides its text; the defaults are those of ``Memories``."""

    scope: str = ""  # its conversation
    importance: float = math.nan
    valence: int = 0
    arousal: int = -1
    recalls: int = 0
    pinned: bool = False
    resolved: bool = False
    tags: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()


class Written(NamedTuple):
    """A document as it was written, under its name."""

    text: str
    about: Attributes = Attributes()


class Entities:
    """Reads entities with the type that each place gives; ``memories_of`` keeps the first written.

    Args:
        report: counts the types that are not among the known ones: they are registered.
    """

    def __init__(self, report: CorpusReport) -> None:
        self.report = report
        self._type_of: dict[str, str] = {}

    def mention(self, value: Any, mend: Mend) -> Mention | None:
        """An entity: a name, or an object with name and type; None where it has no name."""
        given = value if isinstance(value, Mapping) else {"name": value}
        name = given.get("name")
        if not isinstance(name, str) or not (name := clean(name)):
            mend("entity without a name: left out")
            return None
        kind = kind_of(given.get("type"))
        if self._type_of.setdefault(name.lower(), kind) != kind:
            mend("entity of a second type: the first written is kept")
        if kind not in ENTITY_TYPES:
            self.report.registered[f"entity type {kind}"] += 1
        return name, kind

    def relation(self, value: Any) -> str:
        """The type of a relation."""
        kind = kind_of(value)
        if kind not in RELATION_TYPES:
            self.report.registered[f"relation type {kind}"] += 1
        return kind

    def mentions(self, value: Any, mend: Mend) -> tuple[Mention, ...]:
        """All entities of a list, in its order; one that stands there twice is twice mentioned."""
        if not isinstance(value, list):
            if value is not None:
                mend("entities that are no list: left out")
            return ()
        found = (self.mention(each, mend) for each in value)
        return tuple(mention for mention in found if mention is not None)


def attributes_of(obj: Mapping[str, Any], entities: Entities, mend: Mend) -> Attributes:
    """What a document says of itself, at the top or in its ``metadata``.

    A number out of its range is set to the nearest in it (importance 0.05 to 10, valence −128 to
    127, arousal 0 to 255, recallCount from 0); what is of another shape is left out. Both are
    counted with their line. Tags are trimmed, in lower case and distinct. A type that is not known
    is registered.
    """
    scope = named(obj, CONVERSATION_KEYS) or ""
    if _USED.isdisjoint(obj):
        return Attributes(scope)
    if value_of(obj, ("memoryType",)) is not None:
        entities.report.ignored["memoryType"] += 1
    importance = number(obj, "importance", IMPORTANCE, mend)
    valence, arousal, recalls = (
        number(obj, name, bounds, mend)
        for name, bounds in (("valence", VALENCE), ("arousal", AROUSAL), ("recallCount", _RECALLS))
    )
    return Attributes(
        scope,
        math.nan if importance is None else importance,
        0 if valence is None else round(valence),
        -1 if arousal is None else round(arousal),
        0 if recalls is None else round(recalls),
        _flag(obj, "pinned", mend),
        _flag(obj, "resolved", mend),
        tags_of(value_of(obj, _TAGS), mend),
        entities.mentions(value_of(obj, MENTIONS), mend),
    )


def number(
    obj: Mapping[str, Any], name: str, bounds: tuple[float, float], mend: Mend
) -> float | None:
    """A number within its bounds; None where there is none.

    >>> number({"valence": 400}, "valence", VALENCE, print)
    valence outside -128 to 127: set to the nearest
    127
    """
    value = value_of(obj, (name,))
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        mend(f"{name} that is no number: left out")
        return None
    least, most = bounds
    if least <= value <= most:
        return value
    mend(f"{name} outside {least:,g} to {most:,.10g}: set to the nearest")
    return least if value < least else most


def tags_of(value: Any, mend: Mend) -> tuple[str, ...]:
    """The tags of a list, trimmed, in lower case, each once.

    >>> tags_of([" Red", "red", "p99"], print)
    ('red', 'p99')
    """
    if not isinstance(value, list):
        if value is not None:
            mend("tags that are no list: left out")
        return ()
    tags: dict[str, None] = {}
    for each in value:
        tag = clean(each).lower() if isinstance(each, str) else ""
        if tag:
            tags[tag] = None
        else:
            mend("tag without a name: left out")
    return tuple(tags)


def kind_of(value: Any) -> str:
    """The name of a type: trimmed, in upper case; OTHER where there is none.

    >>> kind_of(" person "), kind_of(None)
    ('PERSON', 'OTHER')
    """
    return (clean(value).upper() if isinstance(value, str) else "") or "OTHER"


def _flag(obj: Mapping[str, Any], name: str, mend: Mend) -> bool:
    value = value_of(obj, (name,))
    if value is not None and not isinstance(value, bool):
        mend(f"{name} that is neither true nor false: left out")
    return value is True
