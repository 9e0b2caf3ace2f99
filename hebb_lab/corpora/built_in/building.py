"""Notes and questions made in memory become a Dataset, as a corpus that was read does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hebb_lab.corpora.assemble import memories_of
from hebb_lab.corpora.attributes import Attributes, Written
from hebb_lab.corpora.report import CorpusReport
from hebb_lab.corpora.stated import Edge, Stated
from hebb_lab.records import Dataset, QuestionCues, Questions
from hebb_lab.telemetry.naming import Projects
from hebb_lab.telemetry.sink import EventSink

if TYPE_CHECKING:
    from hebb_lab.corpora.attributes import Mention

_NOWHERE = "built in"


@dataclass(eq=False)
class Note:
    """A memory that is being made; name, session and time are set when it has its place."""

    text: str
    tags: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    name: str = ""
    session: str = ""
    time_us: int = 0
    about: Attributes = field(default_factory=Attributes)  # but for tags and mentions

    def written(self) -> Written:
        """As a document that was read."""
        return Written(self.text, self.about._replace(tags=self.tags, mentions=self.mentions))


class Asking(NamedTuple):
    """A question that is being made."""

    text: str
    kind: str
    group: str
    gold: tuple[Note, ...]
    time_us: int | None = None  # None: after everything
    entities: tuple[str, ...] = ()


class Together(NamedTuple):
    """Two notes that were active together so often."""

    first: Note
    second: Note
    times: int


def dataset_of(
    name: str, notes: Sequence[Note], asked: Sequence[Asking], together: Sequence[Together]
) -> Dataset:
    """The dataset of notes that have their places, in any order.

    Args:
        name: of the dataset.
        notes: each with a name of its own, its session and its time.
        asked: gold of grade 1.
        together: stated associations.
    """
    report = CorpusReport(
        reader="memories", questions=len(asked), judgements=sum(len(each.gold) for each in asked)
    )
    sink = EventSink(report, Projects(None, None))
    for line, note in enumerate(sorted(notes, key=lambda note: note.time_us), 1):
        sink.touch(
            session=note.session,
            node=note.name,
            op="write",
            tool="corpus",
            source="table",
            file=_NOWHERE,
            line=line,
            byte=0,
            time_us=note.time_us,
            time_quality="exact",
            node_kind="memory",
        )
    log = sink.finish(Path(_NOWHERE))
    written = {note.name: note.written() for note in notes}
    edges = tuple(Edge(one.first.name, one.second.name, one.times) for one in together)
    return Dataset(
        name,
        log,
        {note.name: note.text for note in notes},
        questions=_questions(asked),
        memories=memories_of(log, written, Stated(edges)),
    )


def _questions(asked: Sequence[Asking]) -> Questions:
    return Questions(
        ids=tuple(f"q{number:04d}" for number in range(len(asked))),
        texts=tuple(each.text for each in asked),
        time_us=tuple(each.time_us for each in asked),
        group=tuple(each.group for each in asked),
        gold=tuple(
            (tuple(note.name for note in each.gold), (1,) * len(each.gold)) for each in asked
        ),
        category=tuple(each.kind for each in asked),
        cues=tuple(QuestionCues(entities=each.entities) for each in asked),
    )
