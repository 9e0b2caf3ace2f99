"""What a corpus states of its graph by itself: associations, chains, relations of entities."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hebb_lab.corpora.attributes import Entities, Mend, Mention
from hebb_lab.corpora.fields import name_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hebb_lab.corpora.layout import Layout
    from hebb_lab.corpora.report import CorpusReport
    from hebb_lab.telemetry.sink import EventSink

_MOST_TIMES = 1e6


class Edge(NamedTuple):
    """Two documents that were active together so often."""

    first: str
    second: str
    times: float


class Relation(NamedTuple):
    """One entity's relation to another, as one document says."""

    source: Mention
    target: Mention
    kind: str
    document: str


class Stated(NamedTuple):
    """All that is stated, by names of documents; ``chains`` is None where sessions are chains."""

    edges: tuple[Edge, ...] = ()
    chains: tuple[tuple[str, ...], ...] | None = None
    relations: tuple[Relation, ...] = ()


def read_stated(
    layout: Layout, sink: EventSink, report: CorpusReport, known: Collection[str],
    entities: Entities,
) -> Stated:  # fmt: skip
    """Read hebbian_edges.jsonl, temporal_chains.jsonl and entities.jsonl, where they are there.

    ``{memoryIdA, memoryIdB, coActivationCount}``, ``{sessionId, orderedMemoryIds}``,
    ``{fromEntity, toEntity, relationType, sourceMemoryIds}``. What cannot be used is counted with
    its file and line: documents that are not there, an edge of a document with itself, a pair or
    a relation that was there before, a document that a chain holds already (so no chain runs in a
    circle), entities without a name.

    Args:
        layout: where they lie.
        sink: reads lines.
        report: counts what is lost.
        known: names of the documents.
        entities: knows their types.
    """
    edges: dict[tuple[str, str], Edge] = {}
    chains: list[tuple[str, ...]] = []
    relations: dict[tuple[str, ...], Relation] = {}
    taken: set[str] = set()
    for obj, skip, _ in _lines(layout.edges, sink, report):
        _add_edge(obj, known, edges, skip)
    for obj, skip, mend in _lines(layout.chains, sink, report):
        chain = _chain(obj, known, taken, mend)
        if len(chain) > 1:
            chains.append(chain)
            taken.update(chain)
        else:
            skip("chain of fewer than two documents")
    for obj, skip, mend in _lines(layout.relations, sink, report):
        _add_relations(obj, known, entities, relations, skip, mend)
    if layout.chains is not None and not chains:
        report.warnings.append(f"{layout.chains}: no chain in it, so sessions are the chains")
    return Stated(
        tuple(edges.values()), tuple(chains) if chains else None, tuple(relations.values())
    )


def _lines(
    path: Path | None, sink: EventSink, report: CorpusReport
) -> Iterator[tuple[dict[str, Any], Mend, Mend]]:
    """(object, how to count the line as lost, how to count a part of it) of each line."""
    if path is None:
        return
    for obj, line, _ in sink.records(path):
        yield (
            obj,
            partial(report.skip, file=str(path), line=line),
            partial(report.mend, file=str(path), line=line),
        )


def _add_edge(
    obj: Mapping[str, Any], known: Collection[str], edges: dict[tuple[str, str], Edge], skip: Mend
) -> None:
    first, second = (name_in(obj, (key,)) for key in ("memoryIdA", "memoryIdB"))
    times = obj.get("coActivationCount", 1)
    if first is None or second is None:
        return skip("edge without two documents")
    if first not in known or second not in known:
        return skip("edge of a document that is not there")
    if first == second:
        return skip("edge of a document with itself")
    if isinstance(times, bool) or not isinstance(times, int | float) or not 0 < times < _MOST_TIMES:
        return skip(f"edge whose count is no number above 0 and below {_MOST_TIMES:,.0f}")
    pair = (min(first, second), max(first, second))
    if pair in edges:
        return skip("edge of a pair that was there before: the first is kept")
    edges[pair] = Edge(first, second, float(times))
    return None


def _chain(
    obj: Mapping[str, Any], known: Collection[str], taken: Collection[str], mend: Mend
) -> tuple[str, ...]:
    """The documents of a chain that are there and in no chain yet, in its order."""
    return _each(
        obj.get("orderedMemoryIds"), known, "chain", mend,
        again=lambda name: name in taken, why="document that a chain holds already: left out",
    )  # fmt: skip


def _each(
    values: Any, known: Collection[str], of: str, mend: Mend, again: Callable[[str], bool], why: str
) -> tuple[str, ...]:
    """The documents of a list, each once."""
    kept: dict[str, None] = {}
    for value in values if isinstance(values, list) else []:
        name = name_in({"id": value}, ("id",))
        if name is None or name not in known:
            mend(f"{of} with a document that is not there: left out")
        elif name in kept or again(name):
            mend(why)
        else:
            kept[name] = None
    return tuple(kept)


def _add_relations(
    obj: Mapping[str, Any], known: Collection[str], entities: Entities,
    relations: dict[tuple[str, ...], Relation], skip: Mend, mend: Mend,
) -> None:  # fmt: skip
    source, target = (entities.mention(obj.get(key), mend) for key in ("fromEntity", "toEntity"))
    if source is None or target is None:
        return skip("relation without two entities")
    if source[0].lower() == target[0].lower():
        return skip("relation of an entity with itself")
    documents = _each(
        obj.get("sourceMemoryIds"), known, "relation", mend,
        again=lambda _: False, why="document that says a relation twice: once",
    )  # fmt: skip
    if not documents:
        return skip("relation that no document says")
    kind = entities.relation(obj.get("relationType"))
    for document in documents:
        key = (source[0].lower(), target[0].lower(), kind, document)
        if key in relations:
            mend("relation that was there before")
        else:
            relations[key] = Relation(source, target, kind, document)
    return None
