"""What queries name: tags and entities that the memories know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.graph.cognitive.layer import Cues
from hebb_lab.recall.cognitive.extract.extractor import (
    ENTITY_EXTRACTORS,
    GIVEN,
    TAGGERS,
    Entity,
    chosen,
    folded,
)
from hebb_lab.recall.cognitive.extract.names import NameFinder
from hebb_lab.recall.cognitive.extract.rules import RuleExtractor
from hebb_lab.records import Lists

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.records import Memories

WORDS = "words"
"""Known names are looked for in the text of a query, and nothing else is done."""


def cues_of(
    texts: Sequence[str],
    memories: Memories,
    entities: str = GIVEN,
    tags: str = GIVEN,
    given_entities: Sequence[Sequence[str]] | None = None,
    given_tags: Sequence[Sequence[str]] | None = None,
    known: NDArray[np.int64] | None = None,
) -> Cues:
    """The tags and entities of each query that its memories know, as their ids; others are dropped.

    ``given`` takes what the data says of a query. ``words`` looks for the known names in its text
    (the longest entity at each place, every tag). Every other extractor or tagger does so too, and
    extractors and providers are asked about the text as well.

    A query knows the names that its first ``known`` memories use: as a tag, in a mention, in a
    relation. One that comes later, or in other scopes alone, would tell of the future: it would
    hide a shorter one in the text, and count among the query's entities.

    Args:
        texts: [Q] queries.
        memories: of the scope that is asked, annotated in the same way.
        entities: names of ENTITY_EXTRACTORS or ``words``, joined by a plus.
        tags: names of TAGGERS or ``words``, likewise.
        given_entities: [Q] names of entities that the data gives; None where it gives none.
        given_tags: [Q] the same for tags.
        known: [Q] how many of the memories were written before each query; None: all were.

    Raises:
        ConfigError: an unknown name.
        ValueError: given lists, or numbers of known memories, that are not one for each query.
    """
    known = np.full(len(texts), len(memories), np.int64) if known is None else known
    if len(known) != len(texts):
        raise ValueError(f"{len(known)} numbers of known memories for {len(texts)} queries")
    tag_names = _Names(memories.tag_names, _first_with_tags(memories), known)
    entity_names = _Names(memories.entity_names, _first_with_entities(memories), known)
    return Cues(
        _ids(texts, tag_names, given_tags, _asked_tags(texts, tags), tags, every=True),
        _ids(
            texts, entity_names, given_entities, _asked_entities(texts, entities), entities,
            every=False,
        ),
    )  # fmt: skip


class _Names(NamedTuple):
    """Names, the first memory that uses each (their number where none does), and what is known."""

    names: Sequence[str]
    first: NDArray[np.int64]
    known: NDArray[np.int64]  # [Q] memories


def _first_with_tags(memories: Memories) -> NDArray[np.int64]:
    """The first memory with each tag."""
    first = np.full(len(memories.tag_names), len(memories), np.int64)
    np.minimum.at(first, memories.tags.ids, _owners(memories.tags))
    return first


def _first_with_entities(memories: Memories) -> NDArray[np.int64]:
    """The first memory that mentions each entity or says a relation of it."""
    first = np.full(len(memories.entity_names), len(memories), np.int64)
    np.minimum.at(first, memories.mentions.ids, _owners(memories.mentions))
    for side in (memories.relations.source, memories.relations.target):
        np.minimum.at(first, side, memories.relations.memory)
    return first


def _owners(lists: Lists) -> NDArray[np.int64]:
    """Whose list each id stands in."""
    return np.repeat(np.arange(len(lists.ptr) - 1), np.diff(lists.ptr))


def _asked_entities(texts: Sequence[str], names: str) -> list[list[str]]:
    """The names that extractors find in queries; each query is read by itself."""
    found: list[list[str]] = [[] for _ in texts]
    for _, extractor in chosen(ENTITY_EXTRACTORS, _without(names)):
        answers: list[list[Entity]]
        if isinstance(extractor, RuleExtractor):  # it would learn spellings from one to the next
            answers = [extractor([text], [[]])[0] for text in texts]
        else:
            answers = extractor(texts, [[] for _ in texts])
        for row, mentions in zip(found, answers, strict=True):
            row += [mention.name for mention in mentions]
    return found


def _asked_tags(texts: Sequence[str], names: str) -> list[list[str]]:
    """The tags that providers find; keyphrases of a query are among its words anyway."""
    found: list[list[str]] = [[] for _ in texts]
    for name, tagger in chosen(TAGGERS, _without(names)):
        if name not in ("keyphrases", "tfidf"):
            for row, labels in zip(found, tagger(texts, [[] for _ in texts]), strict=True):
                row += labels
    return found


def _without(names: str) -> str:
    """The names of a setting that registries know."""
    parts = [part.strip() for part in names.split("+")]
    return "+".join(part for part in parts if part != WORDS) or GIVEN


def _ids(
    texts: Sequence[str], names: _Names, given: Sequence[Sequence[str]] | None,
    asked: list[list[str]], setting: str, every: bool,
) -> Lists:  # fmt: skip
    """The known ids of each query, in their order, distinct."""
    parts = {part.strip() for part in setting.split("+")}
    if given is not None and len(given) != len(texts):
        raise ValueError(f"{len(given)} given lists for {len(texts)} queries")
    ids = {folded(name): i for i, name in enumerate(names.names)}
    finder = NameFinder(names.names) if parts != {GIVEN} else None
    rows = []
    for i, text in enumerate(texts):
        said = list(given[i]) if given is not None and GIVEN in parts else []
        keys = [folded(name) for name in (*said, *asked[i])]
        there = names.first < names.known[i]
        row = [ids[key] for key in keys if key in ids and there[ids[key]]]
        row += finder.find(text, every, there) if finder is not None else []
        rows.append(list(dict.fromkeys(row)))
    return Lists.of(rows)
