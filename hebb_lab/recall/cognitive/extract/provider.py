"""Entities and tags from a function that users bring: a model of their own, a service, a table.

A provider takes texts and gives for each what it found:

>>> def cities(texts):
...     return [[(city, "LOCATION") for city in ("Oslo", "Lima") if city in text] for text in texts]
>>> extractor = register_entity_provider("cities", cities)
>>> extractor(["Oslo in May", "nothing"], [[], []])
[[Entity(name='Oslo', type='LOCATION')], []]

From then on ``annotated(memories, entities="cities")`` and ``cues_of(…, entities="cities")`` use
it. A provider whose answers depend on what it saw later than a text would let the future leak; ask
it about each text alone.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from hebb_lab.recall.cognitive.extract.extractor import ENTITY_EXTRACTORS, TAGGERS, Entity, folded

_LOG = logging.getLogger(__name__)
T = TypeVar("T")


class EntityProvider(Protocol):
    """texts → for each the entities that it mentions, (name, type), in their order."""

    def __call__(self, texts: Sequence[str], /) -> Sequence[Sequence[tuple[str, str]]]:
        """One list for each text."""


class TagProvider(Protocol):
    """texts → for each its tags."""

    def __call__(self, texts: Sequence[str], /) -> Sequence[Sequence[str]]:
        """One list for each text."""


class Failure(NamedTuple):
    """What a provider could not do."""

    text: str  # its beginning
    problem: str


@dataclass
class Provided(Generic[T]):
    """An extractor or tagger around a provider: batches, remembers, and bears its errors.

    A batch that fails is asked for text by text; a text that fails has nothing, and so has an
    answer that is none; ``failures`` lists both, and a warning counts them. What was good is kept.

    Args:
        call: the provider.
        checked: one found thing → what it is here; None where it is nothing.
        batch: texts a call.
    """

    call: Callable[[Sequence[str]], Any]
    checked: Callable[[Any], T | None]
    batch: int = 16
    failures: list[Failure] = field(default_factory=list)
    _known: dict[bytes, list[T]] = field(default_factory=dict)

    def __call__(self, texts: Sequence[str], given: Sequence[Any]) -> list[list[T]]:
        """What the provider finds in each text; each text is asked for once in all."""
        failed = len(self.failures)
        keys = [hashlib.blake2b(t.encode("utf-8", "surrogatepass")).digest() for t in texts]
        waiting = {
            key: text for key, text in zip(keys, texts, strict=True) if key not in self._known
        }
        left = list(waiting.items())
        for start in range(0, len(left), self.batch):
            self._ask(left[start : start + self.batch])
        if len(self.failures) > failed:
            _LOG.warning(
                "a provider failed %d times; first: %s",
                len(self.failures) - failed, self.failures[failed].problem,
            )  # fmt: skip
        return [list(self._known.get(key, ())) for key in keys]

    def _ask(self, asked: list[tuple[bytes, str]]) -> None:
        try:
            answers = list(self.call([text for _, text in asked]))
            if len(answers) != len(asked):
                raise ValueError(f"{len(answers)} answers for {len(asked)} texts")
        except Exception as error:  # whatever users bring may raise whatever it likes
            if len(asked) > 1:
                for one in asked:
                    self._ask([one])
            else:
                self._fail(asked[0][1], f"{type(error).__name__}: {error}")
            return
        for (key, text), answer in zip(asked, answers, strict=True):
            if isinstance(answer, str) or not isinstance(answer, Sequence):
                self._fail(text, f"an answer that is no list: {answer!r:.60}")
                continue
            things = [(item, self.checked(item)) for item in answer]
            for item, thing in things:
                if thing is None:
                    self._fail(text, f"no such thing can be found in a text: {item!r:.60}")
            self._known[key] = [thing for _, thing in things if thing is not None]

    def _fail(self, text: str, problem: str) -> None:
        self.failures.append(Failure(text[:60], problem))


def _entity(item: Any) -> Entity | None:
    if isinstance(item, str) or not isinstance(item, Sequence) or len(item) != 2:
        return None
    name, kind = item
    if not isinstance(name, str) or not isinstance(kind, str) or not name.strip():
        return None
    return Entity(" ".join(name.split()), kind.strip().upper() or "OTHER")


def _tag(item: Any) -> str | None:
    return folded(item) or None if isinstance(item, str) else None


def register_entity_provider(
    name: str, provider: EntityProvider, batch: int = 16
) -> Provided[Entity]:
    """Make a provider known under a name.

    Raises:
        ConfigError: the name is taken.
    """
    return ENTITY_EXTRACTORS.register(name)(Provided(provider, _entity, batch))  # type: ignore[return-value]


def register_tag_provider(name: str, provider: TagProvider, batch: int = 16) -> Provided[str]:
    """Make a provider of tags known under a name.

    Raises:
        ConfigError: the name is taken.
    """
    return TAGGERS.register(name)(Provided(provider, _tag, batch))  # type: ignore[return-value]
