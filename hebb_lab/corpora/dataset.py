"""A corpus as a Dataset: documents are touches, questions have gold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hebb_lab.corpora.assemble import memories_of
from hebb_lab.corpora.attributes import Entities
from hebb_lab.corpora.documents import read_documents
from hebb_lab.corpora.layout import layout_of
from hebb_lab.corpora.qrels import Grades, read_qrels
from hebb_lab.corpora.queries import Question, read_questions
from hebb_lab.corpora.report import CorpusReport
from hebb_lab.corpora.stated import read_stated
from hebb_lab.errors import InputError
from hebb_lab.places import place
from hebb_lab.records import Dataset, Questions
from hebb_lab.telemetry.naming import Projects
from hebb_lab.telemetry.reader import advance_of
from hebb_lab.telemetry.sink import EventSink


def read_corpus(
    folder: str | Path,
    split: str | None = None,
    name: str = "corpus",
    progress: Callable[[str, int, int], None] | None = None,
) -> Dataset:
    """Read a corpus with its questions and qrels, laid out as BEIR does.

    ``corpus.jsonl`` (keys _id or id, title, text) and ``queries.jsonl`` (_id or id, text), each
    optionally with a time (timestampMs, timestamp, time) and a session (sessionId, session,
    session_id), at the top or in ``metadata``; ``qrels/SPLIT.tsv``, ``qrels.tsv``, ``qrels.txt``
    or ``qrels.trec``. Each file may be gzip.

    Of a document and a question more may be known, as Spector's benchmark says it
    (``attributes_of``, ``cues_of``); a conversation is the scope of its documents. Beside the
    three files ``read_stated`` reads what the corpus states of its graph.

    Args:
        folder: where they lie.
        split: which qrels; None takes the only ones, or ``test``.
        name: of the dataset.
        progress: told (file, bytes read so far, bytes in all), as the files are on disk.

    Returns:
        A log in which each document is one touch of the node of its id; a document without a
        session has one of its own. Texts are title and text. The documents are its memories too,
        in the order of writing. What was lost is in ``log.report``, a CorpusReport.

    Raises:
        InputError: a part is missing, cannot be opened, or holds nothing.
        ConfigError: no such split, or none was chosen among several.
    """
    root = place(folder)
    try:
        layout = layout_of(root, split)
        total = sum(file.stat().st_size for file in layout.files)
    except OSError as error:
        raise _unreadable(error, root) from None
    report = CorpusReport(reader="corpus", split=layout.split, files_skipped=layout.unused)
    sink = EventSink(report, Projects(None, None), on_bytes=advance_of(progress, total))
    entities = Entities(report)
    try:
        written = read_documents(layout.documents, sink, report, entities)
        scopes = {row.about.scope for row in written.values()} - {""}
        asked = read_questions(layout.questions, sink, report, entities, scopes)
        grades = read_qrels(layout.qrels, sink, report)
        stated = read_stated(layout, sink, report, written, entities)
    except OSError as error:
        raise _unreadable(error, root) from None
    log = sink.finish(layout.documents)
    timeless = log.events["time_us"].null_count() == log.events.height
    if timeless and any(question.time_us is not None for question in asked.values()):
        report.warnings.append(
            f"{layout.questions}: times of questions are not used, for no document has one"
        )
    return Dataset(
        name,
        log,
        {document: row.text for document, row in written.items()},
        questions=_questions(asked, grades, timeless),
        memories=memories_of(log, written, stated),
    )


def _unreadable(error: OSError, root: Path) -> InputError:
    why = f"cannot be opened: {error.strerror or error}"
    cure = "Give read permission" if isinstance(error, PermissionError) else "Check dataset.path"
    return InputError(why, cure, error.filename or root)


def _questions(asked: dict[str, Question], grades: Grades, timeless: bool) -> Questions:
    """The questions with what the qrels say of each."""
    judged = [grades.get(name, {}) for name in asked]
    return Questions(
        ids=tuple(asked),
        texts=tuple(question.text for question in asked.values()),
        time_us=tuple(None if timeless else question.time_us for question in asked.values()),
        group=tuple(question.group for question in asked.values()),
        gold=tuple((tuple(found), tuple(found.values())) for found in judged),
        strays=sum(len(found) for name, found in grades.items() if name not in asked),
        category=tuple(question.category for question in asked.values()),
        cues=tuple(question.cues for question in asked.values()),
    )
