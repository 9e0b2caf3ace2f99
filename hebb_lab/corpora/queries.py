"""queries.jsonl: what is asked, when, and which questions belong together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hebb_lab.corpora.fields import GROUP_KEYS, ID_KEYS, name_in, named, text_of, time_of
from hebb_lab.errors import InputError
from hebb_lab.telemetry.readers.table.times import Clock

if TYPE_CHECKING:
    from hebb_lab.corpora.report import CorpusReport
    from hebb_lab.telemetry.sink import EventSink


class Question(NamedTuple):
    """A question as it was written; its id is its key."""

    text: str
    time_us: int | None
    group: str


def read_questions(path: Path, sink: EventSink, report: CorpusReport) -> dict[str, Question]:
    """The questions by id, in the order of the file; of two with one id the first is kept.

    Raises:
        InputError: not one question.
    """
    questions: dict[str, Question] = {}
    clock = Clock()
    for obj, line, _ in sink.records(path, keys=frozenset(ID_KEYS)):
        name, text = name_in(obj, ID_KEYS), text_of(obj)
        if name is None or not text or name in questions:
            why = f"question without {'an id' if name is None else 'text'}"
            if name is not None and text:
                why = "question whose id was seen before: the first is kept"
            report.skip(why, str(path), line)
            continue
        time = time_of(obj, clock)
        if time is None:
            report.mend("time that cannot be read: asked after all documents", str(path), line)
        group = named(obj, GROUP_KEYS) or name
        questions[name] = Question(text, None if time is None else time.us, group)
    if not questions:
        raise InputError(
            f"no question with an id and a text{report.losses(path)}",
            'Write one JSON object a line: {"_id": "q1", "text": "…"}',
            path,
        )
    report.warnings += [f"{path}: {said}" for said in clock.notes()]
    report.questions = len(questions)
    return questions
