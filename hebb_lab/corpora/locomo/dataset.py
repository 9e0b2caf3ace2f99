"""LoCoMo as a Dataset: turns or sessions are memories, questions have evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hebb_lab.corpora.assemble import memories_of
from hebb_lab.corpora.attributes import Attributes, Entities, Mend, Mention, Written
from hebb_lab.corpora.fields import name_in
from hebb_lab.corpora.locomo.entities import GivenEntities
from hebb_lab.corpora.locomo.evidence import Corrections, corrections_of
from hebb_lab.corpora.locomo.files import LocomoFiles, files_at, json_of
from hebb_lab.corpora.locomo.options import LocomoOptions
from hebb_lab.corpora.locomo.questions import QuestionList
from hebb_lab.corpora.locomo.turns import Session, sessions_of
from hebb_lab.corpora.report import CorpusReport
from hebb_lab.errors import InputError
from hebb_lab.places import place
from hebb_lab.records import Dataset
from hebb_lab.telemetry.naming import Projects
from hebb_lab.telemetry.reader import advance_of
from hebb_lab.telemetry.sink import EventSink

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TURN_US = 1_000_000  # from one turn to the next: the file times sessions alone


def read_locomo(
    path: str | Path,
    options: LocomoOptions | None = None,
    name: str = "locomo",
    progress: Callable[[str, int, int], None] | None = None,
) -> Dataset:
    """Read LoCoMo: ``locomo10.json``, and where they lie beside it corrections and entities.

    A memory is a turn (``conv-26/D1:3``) or a session (``conv-26/session_1``): the session's date,
    the speaker, the words, and captions of pictures in brackets. What would give the answers away
    is never read: the annotators' search words (``query``), observations, summaries, answers. The
    file times sessions alone, so turns follow each other by a second, and their times count as
    inferred. Questions are asked after everything was said, each to its conversation or to all
    (``options.index``). Official evidence is gold; corrected evidence (``audit_errors.json``)
    stands beside it; entities (``entities_gliner_filtered.json``) are mentions of turns and cues of
    questions. All that is mended or left out is in ``log.report``; a place in the file reads
    ``FILE#CONVERSATION/qa:NUMBER`` or ``FILE#CONVERSATION/SESSION:TURN``.

    Args:
        path: the file or the folder that holds it.
        options: how it is read.
        name: of the dataset.
        progress: told (file, bytes read so far, bytes in all).

    Raises:
        InputError: no such file, or one without a conversation, a turn or a question.
    """
    options = options or LocomoOptions()
    files = files_at(place(path))
    total = sum(file.stat().st_size for file in files.present)
    on_bytes = advance_of(progress, total)
    report = CorpusReport(reader="locomo", files_read=len(files.present), bytes_read=total)
    given, corrections = _beside(files, report, on_bytes)
    conversations = json_of(files.conversations, list, on_bytes)

    sink = EventSink(report, Projects(None, None))
    written: dict[str, Written] = {}
    asked = QuestionList(options, report, given, corrections)
    for number, conversation, own in _conversations(conversations, files.conversations, report):
        file = f"{files.conversations}#{conversation}"
        sessions = _sessions(own, file, report)
        unit_of = _touch(conversation, sessions, options, sink, file)
        written |= _written(conversation, sessions, options, given, file, report)
        asked.add(number, conversation, own.get("qa"), unit_of, file)
    if corrections:
        report.ignored["corrections of questions that are not asked"] = len(corrections)
    if not written or not asked.ids:
        raise InputError(
            f"no {'question' if written else 'turn'} in it",
            "Give LoCoMo's own file, or more of dataset.categories",
            files.conversations,
        )
    log = sink.finish(files.conversations)
    texts = {memory: row.text for memory, row in written.items()}
    return Dataset(name, log, texts, questions=asked.finish(), memories=memories_of(log, written))


def _beside(
    files: LocomoFiles, report: CorpusReport, on_bytes: Callable[[Path, int], None] | None
) -> tuple[GivenEntities | None, Corrections | None]:
    """Entities and corrections, each None where its file is absent."""
    given = corrections = None
    if files.entities is not None:
        given = GivenEntities(json_of(files.entities, dict, on_bytes), Entities(report))
    if files.corrections is not None:
        skip = partial(report.skip, file=str(files.corrections), line=1)
        corrections = corrections_of(json_of(files.corrections, list, on_bytes), skip)
    return given, corrections


def _conversations(
    values: list[Any], path: Path, report: CorpusReport
) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
    """(place in the file, name, object) of each conversation; of one name the first is kept."""
    seen: set[str] = set()
    for number, value in enumerate(values):
        given = value if isinstance(value, Mapping) else {}
        name = name_in(given, ("sample_id",))
        if name is None or name in seen:
            why = "without a name" if name is None else "of a name that was there: left out"
            report.skip(f"conversation {why}", str(path), number + 1)
            continue
        seen.add(name)
        yield number, name, given


def _sessions(own: Mapping[str, Any], file: str, report: CorpusReport) -> list[Session]:
    conversation = own.get("conversation")
    return sessions_of(
        conversation if isinstance(conversation, Mapping) else {},
        lambda session, turn: partial(report.skip, file=f"{file}/{session}", line=turn),
        lambda session, turn: partial(report.mend, file=f"{file}/{session}", line=turn),
    )


def _units(
    conversation: str, sessions: Iterable[Session], options: LocomoOptions
) -> Iterator[tuple[str, Session, int, int]]:
    """(name of the memory, its session, its first turn, the turn after its last)."""
    for session in sessions:
        if options.unit == "session":
            if session.turns:
                yield f"{conversation}/{session.name}", session, 0, len(session.turns)
            continue
        for at, turn in enumerate(session.turns):
            yield f"{conversation}/{turn.name}", session, at, at + 1


def _touch(
    conversation: str, sessions: list[Session], options: LocomoOptions, sink: EventSink, file: str
) -> dict[str, str]:
    """Give the memories to the sink, one touch each; return turn → memory."""
    unit_of: dict[str, str] = {}
    for memory, session, first, stop in _units(conversation, sessions, options):
        unit_of |= {turn.name: memory for turn in session.turns[first:stop]}
        known = session.time_us is not None
        sink.touch(
            session=f"{conversation}/{session.name}",
            node=memory,
            op="write",
            tool="corpus",
            source="table",
            file=f"{file}/{session.name}",
            line=first + 1,
            byte=0,
            time_us=None if session.time_us is None else session.time_us + first * TURN_US,
            time_quality="inferred" if known else "none",
            node_kind="memory",
        )
    return unit_of


def _written(
    conversation: str, sessions: list[Session], options: LocomoOptions,
    given: GivenEntities | None, file: str, report: CorpusReport,
) -> dict[str, Written]:  # fmt: skip
    """Text and attributes of each memory."""
    scope = conversation if options.index == "conversation" else ""
    written = {}
    for memory, session, first, stop in _units(conversation, sessions, options):
        turns = session.turns[first:stop]
        date = f"{session.when} " if options.dates and session.when else ""
        mentions: list[Mention] = []
        for at, turn in enumerate(turns, first + 1):
            mend: Mend = partial(report.mend, file=f"{file}/{session.name}", line=at)
            mentions += [] if given is None else given.mentions(turn.said, mend)
        text = date + "\n".join(turn.text for turn in turns)
        written[memory] = Written(text, Attributes(scope, mentions=tuple(mentions)))
    return written
