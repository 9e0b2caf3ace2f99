"""Qrels: which documents answer a question, and how well. BEIR's three columns or TREC's four."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hebb_lab.corpora.fields import clean
from hebb_lab.errors import InputError

if TYPE_CHECKING:
    from hebb_lab.corpora.report import CorpusReport
    from hebb_lab.telemetry.sink import EventSink

Grades = dict[str, dict[str, int]]  # question → document → grade (any sign)

MAX_GRADE = 1000  # the exponential gain 2**grade overflows from 1024 on
_GRADE = re.compile(r"[+-]?\d{1,9}(?:\.0*)?", re.ASCII)
_NAMES = {
    "question": {"queryid", "qid", "query", "questionid", "question", "topic", "topicid"},
    "document": {"corpusid", "docid", "document", "documentid", "docno", "did", "pid", "doc"},
    "grade": {"score", "grade", "relevancegrade", "relevance", "rel", "label"},
}


class Columns(NamedTuple):
    """Where question, document and grade stand."""

    question: int
    document: int
    grade: int


_BEIR, _TREC = Columns(0, 1, 2), Columns(0, 2, 3)
_BY_COUNT = {3: _BEIR, 4: _TREC}
_LEAST = 3


def read_qrels(path: Path, sink: EventSink, report: CorpusReport) -> Grades:
    """The grades by question and document, in the order of the file.

    The columns are those that the header names; without a header they are question, document and
    grade, or with four of them those of TREC: question, iteration, document, grade. Tabs separate,
    or white space in a line without a tab. Of two grades of one document the first is kept.
    A grade above ``MAX_GRADE`` is a loss.

    Raises:
        InputError: not one judgement.
    """
    grades: Grades = {}
    columns: Columns | None = None
    for number, first, cells in _rows(path, sink, report):
        if first and (columns := header_of(cells)) is not None:
            continue
        why = _keep(cells, columns or _BY_COUNT.get(len(cells)), grades)
        if why is None:
            report.judgements += 1
        else:
            report.skip(why, str(path), number)
    if not grades:
        raise InputError(
            f"no judgement{report.losses(path)}",
            "Write one judgement a line: question, document and a whole number, tabs between",
            path,
        )
    return grades


def header_of(cells: Sequence[str]) -> Columns | None:
    """The columns that a first line names, or None where it is a judgement.

    >>> header_of(["query-id", "corpus-id", "score"])
    Columns(question=0, document=1, grade=2)
    >>> header_of(["q1", "0", "d1", "2"]), header_of(["q1", "d1", "high"])
    (None, None)
    """
    plain = [re.sub(r"[\W_]", "", cell).lower() for cell in cells]
    found = [next((i for i, cell in enumerate(plain) if cell in _NAMES[part]), -1)
             for part in Columns._fields]  # fmt: skip
    if max(found) < 0 or any(_GRADE.fullmatch(cell) for cell in cells):
        return None
    usual = _BY_COUNT.get(len(cells), _BEIR)
    return Columns(*(own if own >= 0 else at for own, at in zip(found, usual, strict=True)))


def _keep(cells: Sequence[str], columns: Columns | None, grades: Grades) -> str | None:
    """Put a judgement to the others, or say why it is left out."""
    if columns is None or len(cells) <= max(columns):
        return f"qrels line with too {'few' if len(cells) <= _LEAST else 'many'} columns"
    question, document, grade = (cells[at] for at in columns)
    if not question or not document:
        return "qrels line with an empty id"
    if not _GRADE.fullmatch(grade):
        return "grade that is no whole number"
    value = int(grade.partition(".")[0])
    if value > MAX_GRADE:
        return f"grade above {MAX_GRADE:,}"
    known = grades.setdefault(question, {})
    if document not in known:
        known[document] = value
        return None
    if known[document] == value:
        return "judgement that was seen before"
    return "second grade of one document for one question: the first is kept"


def _rows(
    path: Path, sink: EventSink, report: CorpusReport
) -> Iterator[tuple[int, bool, list[str]]]:
    """(line number, whether it is the first with text, cells) of each line with text."""
    first = True
    for number, _, raw in sink.lines(path):
        line = raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw
        try:
            text = line.decode()
        except UnicodeDecodeError:
            report.mend("bytes that are not UTF-8, replaced", str(path), number)
            text = line.decode(errors="replace")
        if not clean(text):
            continue
        text = text.replace("\x00", "").rstrip("\r\n")
        cells = text.split("\t") if "\t" in text else text.split()
        yield number, first, [clean(cell) for cell in cells]
        first = False
