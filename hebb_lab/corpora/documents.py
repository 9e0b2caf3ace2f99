"""corpus.jsonl: each document is one touch, written in its session at its time."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hebb_lab.corpora.attributes import Entities, Written, attributes_of
from hebb_lab.corpora.fields import (
    ID_KEYS,
    SESSION_KEYS,
    name_in,
    named,
    text_of,
    time_of,
)
from hebb_lab.errors import InputError
from hebb_lab.telemetry.readers.table.times import Clock

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hebb_lab.corpora.report import CorpusReport
    from hebb_lab.telemetry.sink import EventSink

OWN_SESSION = "document:"  # and the id: the session of a document that names none


class Document(NamedTuple):
    """Where and when a document was written; its text is kept apart."""

    name: str
    session: str
    time_us: int | None
    quality: str
    line: int
    byte: int


def read_documents(
    path: Path, sink: EventSink, report: CorpusReport, entities: Entities
) -> dict[str, Written]:
    """Give the documents to the sink, one touch each; return their texts and attributes by name.

    Of two documents with one id the first is kept. A document without a time takes the time of the
    line before it in its session. Attributes that are out of range are mended (``attributes_of``).

    Raises:
        InputError: not one document.
    """
    written: dict[str, Written] = {}
    documents: list[Document] = []
    clock = Clock()
    for obj, line, byte in sink.records(path, keys=frozenset(ID_KEYS)):
        name, text = name_in(obj, ID_KEYS), text_of(obj)
        if name is None or not text or name in written:
            why = f"document without {'an id' if name is None else 'text'}"
            if name is not None and text:
                why = "document whose id was seen before: the first is kept"
            report.skip(why, str(path), line)
            continue
        time = time_of(obj, clock)
        if time is None:
            report.mend("time that cannot be read: kept without one", str(path), line)
        session = named(obj, SESSION_KEYS) or OWN_SESSION + name
        us, quality = (None, "none") if time is None else time
        about = attributes_of(obj, entities, partial(report.mend, file=str(path), line=line))
        written[name] = Written(text, about)
        documents.append(Document(name, session, us, quality, line, byte))
    if not documents:
        raise InputError(
            f"no document with an id and a text{report.losses(path)}",
            'Write one JSON object a line: {"_id": "d1", "title": "…", "text": "…"}',
            path,
        )
    _touch(path, in_order_of_writing(documents), sink)
    report.warnings += [f"{path}: {said}" for said in [*clock.notes(), *_times(documents)]]
    return written


def in_order_of_writing(documents: Iterable[Document]) -> list[Document]:
    """Each session's documents by time: the order of lines in a corpus is not that of writing.

    A document without a time stays behind the one before it in its session, the first ones before
    the first that has one. A session without any time keeps the order of the file.
    """
    sessions: dict[str, list[Document]] = {}
    for document in documents:
        sessions.setdefault(document.session, []).append(document)
    ordered: list[Document] = []
    for group in sessions.values():
        known = next((d.time_us for d in group if d.time_us is not None), 0)
        keyed: list[tuple[int, Document]] = []
        for document in group:
            known = known if document.time_us is None else document.time_us
            keyed.append((known, document))
        ordered += [document for _, document in sorted(keyed, key=lambda pair: pair[0])]
    return ordered


def _touch(path: Path, documents: Iterable[Document], sink: EventSink) -> None:
    for document in documents:
        sink.touch(
            session=document.session,
            node=document.name,
            op="write",
            tool="corpus",
            source="table",
            file=str(path),
            line=document.line,
            byte=document.byte,
            time_us=document.time_us,
            time_quality=document.quality,
            node_kind="memory",
        )


def _times(documents: list[Document]) -> list[str]:
    """A warning where some sessions have times and others have none."""
    timed = {document.session for document in documents if document.time_us is not None}
    without = sum(document.session not in timed for document in documents)
    if not timed or not without:
        return []
    return [
        f"{without:,} of {len(documents):,} documents have no time, nor has their session: they"
        f" count as written after all others"
    ]
