"""queries.jsonl: what is asked, when, of which kind, and which questions belong together."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hebb_lab.corpora.attributes import MENTIONS, VALENCE, Entities, Mend, number, tags_of
from hebb_lab.corpora.fields import (
    CONVERSATION_KEYS,
    GROUP_KEYS,
    ID_KEYS,
    name_in,
    named,
    text_of,
    time_of,
    value_of,
)
from hebb_lab.errors import InputError
from hebb_lab.records import QuestionCues
from hebb_lab.telemetry.readers.table.times import Clock

if TYPE_CHECKING:
    from hebb_lab.corpora.report import CorpusReport
    from hebb_lab.telemetry.sink import EventSink


_KIND_KEYS = ("category", "expectedSubsystem")
_FILTER_KEYS = ("synapticFilterTags", "filterTags")


class Question(NamedTuple):
    """A question as it was written; its id is its key."""

    text: str
    time_us: int | None
    group: str
    category: str = ""
    cues: QuestionCues = QuestionCues()


def read_questions(
    path: Path, sink: EventSink, report: CorpusReport, entities: Entities,
    scopes: Collection[str] = (),
) -> dict[str, Question]:  # fmt: skip
    """The questions by id, in the order of the file; of two with one id the first is kept.

    Args:
        path: queries.jsonl.
        sink: reads lines.
        report: counts what is lost.
        entities: knows types.
        scopes: conversations that documents are of; a question of none of them is asked to all.

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
        questions[name] = Question(
            text,
            None if time is None else time.us,
            named(obj, GROUP_KEYS) or name,
            named(obj, _KIND_KEYS) or "",
            cues_of(obj, entities, scopes, partial(report.mend, file=str(path), line=line)),
        )
    if not questions:
        raise InputError(
            f"no question with an id and a text{report.losses(path)}",
            'Write one JSON object a line: {"_id": "q1", "text": "…"}',
            path,
        )
    report.warnings += [f"{path}: {said}" for said in clock.notes()]
    report.questions = len(questions)
    return questions


def cues_of(
    obj: Mapping[str, Any], entities: Entities, scopes: Collection[str], mend: Mend
) -> QuestionCues:
    """What a question says besides its words: conversation, profile, tags, entities, valence."""
    least, most = (number(obj, name, VALENCE, mend) for name in ("minValence", "maxValence"))
    if least is not None and most is not None and least > most:
        mend("minValence above maxValence: both left out")
        least = most = None
    scope = named(obj, CONVERSATION_KEYS) or ""
    if scope and scope not in scopes:
        if scopes:  # else its conversation is what groups it with others, and no more
            mend("question of a conversation that no document is of: asked to all")
        scope = ""
    given = entities.mentions(value_of(obj, MENTIONS), mend)
    return QuestionCues(
        scope=scope,
        profile=(named(obj, ("cognitiveProfile",)) or "").upper(),
        filter_tags=tags_of(value_of(obj, _FILTER_KEYS), mend),
        entities=tuple(dict.fromkeys(name for name, _ in given)),
        valence=(-math.inf if least is None else least, math.inf if most is None else most),
        temporal_hint=(named(obj, ("temporalHint",)) or "").upper(),
    )
