"""What queries name: tags and entities that the memories know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

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
) -> Cues:
    """The tags and entities of each query that the memories know, as their ids; others are dropped.

    ``given`` takes what the data says of a query. ``words`` looks for the known names in its text
    (the longest entity at each place, every tag). Every other extractor or tagger does so too, and
    extractors and providers are asked about the text as well.

    Names are those of all memories, whenever they were written: an id alone tells nothing, for a
    layer links only memories that the query may know, and a name that none of these has leads
    nowhere.

    Args:
        texts: [Q] queries.
        memories: annotated in the same way.
        entities: names of ENTITY_EXTRACTORS or ``words``, joined by a plus.
        tags: names of TAGGERS or ``words``, likewise.
        given_entities: [Q] names of entities that the data gives; None where it gives none.
        given_tags: [Q] the same for tags.

    Raises:
        ConfigError: an unknown name.
        ValueError: given lists that are not one for each query.
    """
    known_tags = _ids(
        texts, memories.tag_names, given_tags, _asked_tags(texts, tags), tags, every=True
    )
    asked = _asked_entities(texts, entities)
    return Cues(
        known_tags, _ids(texts, memories.entity_names, given_entities, asked, entities, every=False)
    )


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
    texts: Sequence[str], names: Sequence[str], given: Sequence[Sequence[str]] | None,
    asked: list[list[str]], setting: str, every: bool,
) -> Lists:  # fmt: skip
    """The known ids of each query, in their order, distinct."""
    parts = {part.strip() for part in setting.split("+")}
    if given is not None and len(given) != len(texts):
        raise ValueError(f"{len(given)} given lists for {len(texts)} queries")
    ids = {folded(name): i for i, name in enumerate(names)}
    finder = NameFinder(names) if parts != {GIVEN} else None
    rows = []
    for i, text in enumerate(texts):
        said = list(given[i]) if given is not None and GIVEN in parts else []
        keys = [folded(name) for name in (*said, *asked[i])]
        row = [ids[key] for key in keys if key in ids]
        row += finder.find(text, every) if finder is not None else []
        rows.append(list(dict.fromkeys(row)))
    return Lists.of(rows)
