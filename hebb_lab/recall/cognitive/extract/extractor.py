"""What finds entities and tags in texts, by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

from hebb_lab.errors import ConfigError
from hebb_lab.registry import Registry

ENTITY_TYPES = (
    "PERSON", "ORGANIZATION", "TEAM", "ROLE", "PROJECT", "PRODUCT", "TASK", "CONCEPT", "TOPIC",
    "SKILL", "DECISION", "TECHNOLOGY", "TOOL", "API", "ARTIFACT", "EVENT", "LOCATION", "DATE_TIME",
    "PROCESS", "METRIC", "DOCUMENT", "OTHER",
)  # fmt: skip
"""Types that the page seeds its registry with; any other type is as good."""

GIVEN = "given"
T = TypeVar("T")


class Entity(NamedTuple):
    """A mention of an entity in a text."""

    name: str
    type: str  # upper case


class EntityExtractor(Protocol):
    """Finds the entities of texts."""

    def __call__(
        self, texts: Sequence[str], given: Sequence[Sequence[Entity]]
    ) -> list[list[Entity]]:
        """The mentions of each text, in their order; one that is mentioned twice stands twice.

        Texts come in the order of writing. What is said of one may depend on those before it,
        never on those after it.

        Args:
            texts: [n].
            given: [n] what the data says by itself.
        """


class Tagger(Protocol):
    """Finds the tags of texts."""

    def __call__(self, texts: Sequence[str], given: Sequence[Sequence[str]]) -> list[list[str]]:
        """The tags of each text, the best first, distinct; with the same care for time."""


ENTITY_EXTRACTORS: Registry[EntityExtractor] = Registry("extractor of entities")
TAGGERS: Registry[Tagger] = Registry("tagger")


@ENTITY_EXTRACTORS.register(GIVEN)
def given_entities(texts: Sequence[str], given: Sequence[Sequence[Entity]]) -> list[list[Entity]]:
    """The annotations of the data."""
    return [list(mentions) for mentions in given]


@TAGGERS.register(GIVEN)
def given_tags(texts: Sequence[str], given: Sequence[Sequence[str]]) -> list[list[str]]:
    """The tags of the data."""
    return [list(tags) for tags in given]


def chosen(registry: Registry[T], names: str) -> list[tuple[str, T]]:
    """The entries that a setting names, several joined by a plus: ``given+rules``.

    Raises:
        ConfigError: an unknown name, or none.

    >>> [name for name, _ in chosen(TAGGERS, "given")]
    ['given']
    """
    parts = [part.strip() for part in names.split("+")]
    if len(set(parts)) < len(parts):
        raise ConfigError(f"'{names}' names one {registry.kind} twice", "Name each once")
    return [(part, registry[part]) for part in parts]


def folded(name: str) -> str:
    """What two names have in common that are one: outer and repeated spaces and case do not count.

    >>> folded("  New   York ")
    'new york'
    """
    return " ".join(name.split()).lower()
