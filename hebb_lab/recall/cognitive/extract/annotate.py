"""Entities and tags for memories, from their texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.recall.cognitive.extract.extractor import (
    ENTITY_EXTRACTORS,
    GIVEN,
    TAGGERS,
    Entity,
    chosen,
    folded,
)
from hebb_lab.records import Lists

if TYPE_CHECKING:
    from hebb_lab.records import Memories


def annotated(memories: Memories, entities: str = GIVEN, tags: str = GIVEN) -> Memories:
    """Memories with the entities and tags that extractors find in them.

    Each scope is read by itself, in the order of writing: what a memory has depends on nothing that
    was written later or elsewhere. Names that differ in case and spaces alone are one, with the
    type of the first; types are open. Where the data states relations between entities, their names
    keep their ids.

    Args:
        memories: as the data gave them.
        entities: names of ENTITY_EXTRACTORS, joined by a plus; ``given`` leaves them.
        tags: names of TAGGERS, likewise.

    Raises:
        ConfigError: an unknown name.
    """
    finders, taggers = chosen(ENTITY_EXTRACTORS, entities), chosen(TAGGERS, tags)
    if entities != GIVEN:
        given = mentioned(memories)
        found: list[list[Entity]] = [[] for _ in given]
        for rows, texts in _scopes(memories):
            for _, extractor in finders:
                for i, row in zip(rows, extractor(texts, [given[i] for i in rows]), strict=True):
                    found[i] += row
        memories = _with_entities(memories, found)
    if tags != GIVEN:
        had = tagged(memories)
        chosen_tags: list[list[str]] = [[] for _ in had]
        for rows, texts in _scopes(memories):
            for _, tagger in taggers:
                for i, labels in zip(rows, tagger(texts, [had[i] for i in rows]), strict=True):
                    chosen_tags[i] += labels
        memories = _with_tags(memories, chosen_tags)
    return memories


def mentioned(memories: Memories) -> list[list[Entity]]:
    """The entities of each memory, by name and type."""
    known = [
        Entity(*each) for each in zip(memories.entity_names, memories.entity_types, strict=True)
    ]
    return [[known[e] for e in row] for row in _rows(memories.mentions)]


def tagged(memories: Memories) -> list[list[str]]:
    """The tags of each memory, by name."""
    return [[memories.tag_names[t] for t in row] for row in _rows(memories.tags)]


def _rows(lists: Lists) -> list[list[int]]:
    ids = lists.ids.tolist()
    return [ids[start:end] for start, end in zip(lists.ptr[:-1], lists.ptr[1:], strict=True)]


def _scopes(memories: Memories) -> list[tuple[list[int], list[str]]]:
    """The memories of each scope and their texts."""
    scopes = [np.flatnonzero(memories.scope == s).tolist() for s in range(len(memories.scopes))]
    return [(rows, [memories.texts[i] for i in rows]) for rows in scopes if rows]


def _with_entities(memories: Memories, found: Sequence[Sequence[Entity]]) -> Memories:
    stated = len(memories.relations.source) > 0
    names = list(memories.entity_names) if stated else []
    types = list(memories.entity_types) if stated else []
    ids = {folded(name): i for i, name in enumerate(names)}
    rows = []
    for mentions in found:
        row = []
        for name, kind in mentions:
            key = folded(name)
            if not key:
                continue
            if key not in ids:
                ids[key] = len(names)
                names.append(" ".join(name.split()))
                types.append(kind.strip().upper() or "OTHER")
            row.append(ids[key])
        rows.append(row)
    return replace(
        memories, mentions=Lists.of(rows), entity_names=tuple(names), entity_types=tuple(types)
    )


def _with_tags(memories: Memories, found: Sequence[Sequence[str]]) -> Memories:
    ids: dict[str, int] = {}
    rows = []
    for labels in found:
        keys = dict.fromkeys(filter(None, map(folded, labels)))
        rows.append([ids.setdefault(key, len(ids)) for key in keys])
    return replace(memories, tags=Lists.of(rows), tag_names=tuple(ids))
