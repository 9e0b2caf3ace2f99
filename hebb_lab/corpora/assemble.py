"""Documents of any corpus become Memories: names become ids, in the order of writing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.corpora.stated import Stated
from hebb_lab.records import Hints, Lists, Memories, Relations
from hebb_lab.telemetry.touches import touches_of

if TYPE_CHECKING:
    from hebb_lab.corpora.attributes import Mention, Written
    from hebb_lab.records import EventLog

ALL = "all"  # the scope of documents that name no conversation


@dataclass
class _Names:
    """Ids from 0 in the order of first use; of two spellings of one key the first is kept."""

    ids: dict[str, int] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)

    def id_of(self, name: str, key: str | None = None) -> int:
        key = name if key is None else key
        if key not in self.ids:
            self.ids[key] = len(self.names)
            self.names.append(name)
        return self.ids[key]


@dataclass
class _Entities:
    """Ids of entities, and the type and spelling of each in the first memory that names it."""

    known: _Names = field(default_factory=_Names)
    types: list[str] = field(default_factory=list)
    first: list[int] = field(default_factory=list)  # that memory

    def id_of(self, mention: Mention, memory: int) -> int:
        name, kind = mention
        found = self.known.id_of(name, name.lower())
        if found == len(self.types):
            self.types.append(kind)
            self.first.append(memory)
        elif memory < self.first[found]:  # of a relation: they come after all mentions
            self.known.names[found], self.types[found], self.first[found] = name, kind, memory
        return found


def memories_of(
    log: EventLog, written: Mapping[str, Written], stated: Stated | None = None
) -> Memories:
    """Memories in the order in which the log's touches happened, one touch a document.

    That is the order of times; of equal times that of the sessions in the file, then of its lines.
    Times are those of ``telemetry.touches``: a document without a time takes that of the one
    before in its session, and equal times are one µs apart, so that "strictly before" means the
    same for times and for places. An entity has the type that the first memory of this order gives
    it, over all scopes and wherever that stands in the files; questions give none.

    Args:
        log: of the documents, each touched once.
        written: texts and attributes by name.
        stated: associations, chains and relations; documents by name.
    """
    touches = touches_of(log, ("memory",))
    names = tuple(touches.nodes[node] for node in touches.node.tolist())
    rows = [written[name] for name in names]
    about = [row.about for row in rows]
    made = Memories.plain(
        names, tuple(row.text for row in rows), touches.time_us, touches.session, touches.sessions
    )
    scopes, tags, entities = _Names(), _Names(), _Entities()
    made = replace(
        made,
        scope=np.array([scopes.id_of(each.scope or ALL) for each in about], np.int32),
        scopes=tuple(scopes.names),
        tags=Lists.of([[tags.id_of(tag) for tag in each.tags] for each in about]),
        tag_names=tuple(tags.names),
        mentions=Lists.of(
            [[entities.id_of(m, at) for m in each.mentions] for at, each in enumerate(about)]
        ),
        importance=np.array([each.importance for each in about], np.float32),
        valence=np.array([each.valence for each in about], np.int16),
        arousal=np.array([each.arousal for each in about], np.int16),
        recalls=np.array([each.recalls for each in about], np.int32),
        pinned=np.array([each.pinned for each in about], np.bool_),
        resolved=np.array([each.resolved for each in about], np.bool_),
    )
    made = made if stated is None else _with_stated(made, stated, entities)
    return replace(
        made, entity_names=tuple(entities.known.names), entity_types=tuple(entities.types)
    )


def _with_stated(made: Memories, stated: Stated, entities: _Entities) -> Memories:
    """With hints, chains and relations; relations in the order of writing."""
    place = {name: at for at, name in enumerate(made.names)}
    kinds = _Names()
    said = sorted(stated.relations, key=lambda relation: place[relation.document])
    rows = [
        (entities.id_of(one.source, at), entities.id_of(one.target, at), kinds.id_of(one.kind), at)
        for one in said
        for at in (place[one.document],)
    ]
    columns = np.array(rows, np.int32).reshape(-1, 4).T
    return replace(
        made,
        hints=Hints(
            np.array([place[edge.first] for edge in stated.edges], np.int32),
            np.array([place[edge.second] for edge in stated.edges], np.int32),
            np.array([edge.times for edge in stated.edges], np.float32),
        ),
        chains=None
        if stated.chains is None
        else Lists.of([[place[name] for name in chain] for chain in stated.chains]),
        relations=Relations(*(np.ascontiguousarray(column) for column in columns)),
        relation_kinds=tuple(kinds.names),
    )
