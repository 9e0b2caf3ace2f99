"""A diary that is made up: projects, sessions, and questions that each need one way to the answer.

A note is of one thing ("the amber ledger"), which no other note is of; a question names a thing, or
entities. Five kinds (`KINDS`), the category of the question:

words: the note that is asked for is of the thing itself.
co_ingested: it was active together with that note 4 to 9 times, in another session.
sequence: it stands just after, or just before, that note in its session.
event: it is of three entities at once, without a name in its text.
tags: it has a tag that goes with a tag of that note, in three others.

But for words, the text that is asked for has no word in common with the question.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.corpora.attributes import AROUSAL, IMPORTANCE, VALENCE, Attributes
from hebb_lab.corpora.built_in.building import Asking, Note, dataset_of
from hebb_lab.corpora.built_in.plants import BRIDGES, KINDS, Bed, Draft
from hebb_lab.corpora.built_in.words import ADJECTIVES, NOUNS
from hebb_lab.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hebb_lab.records import Dataset

_START_US = 1_735_725_600_000_000  # 2025-01-01
_MINUTE_US = 60_000_000
_SESSION = (6, 17)  # notes, from and below
_PLANTED = 1 + 2 + 4 + 2 + BRIDGES  # notes for a question of each kind but sequence
_LEAST_PROJECTS = 2 + BRIDGES


@dataclass(frozen=True)
class DiaryParameters:
    """How large a diary is.

    Args:
        memories: notes.
        questions: a fifth of each kind; the first kinds have one more where it is no multiple.
        projects: each session is of one; the group of a question.
        checkpoints: moments at which questions are asked, the last after everything.
    """

    memories: int = 2000
    questions: int = 400
    projects: int = 20
    checkpoints: int = 8

    def __post_init__(self) -> None:
        each = math.ceil(self.questions / len(KINDS))
        needed, most = each * (_PLANTED + 2), len(ADJECTIVES) * len(NOUNS) - 100
        if not needed <= self.memories <= most or self.questions < 1:
            raise ConfigError(
                f"a diary of {self.memories:,} memories and {self.questions:,} questions",
                f"Give {needed:,} to {most:,} memories for so many questions",
            )
        if self.projects < _LEAST_PROJECTS or self.checkpoints < 1:
            raise ConfigError(
                f"a diary of {self.projects} projects and {self.checkpoints} checkpoints",
                f"Give at least {_LEAST_PROJECTS} projects and one checkpoint",
            )


def diary(parameters: DiaryParameters, rng: np.random.Generator, name: str = "memories") -> Dataset:
    """A diary with its questions; the same numbers and the same seed give the same diary.

    Args:
        parameters: how large it is.
        rng: the source of all randomness.
        name: of the dataset.
    """
    bed = Bed(rng, [[] for _ in range(parameters.projects)])
    counts = {
        kind: len(range(at, parameters.questions, len(KINDS))) for at, kind in enumerate(KINDS)
    }
    for kind in ("words", "co_ingested", "event", "tags"):
        for _ in range(counts[kind]):
            getattr(bed, f"plant_{kind}")()
    while bed.count() < parameters.memories:
        bed.ordinary()
    sessions = _sessions(bed)
    _place(sessions, rng)
    drafts = [*bed.drafts, *_sequences(sessions, bed.taken, counts["sequence"], rng)]
    notes = [note for _, session in sessions for note in session]
    asked = [_asked(draft, notes, parameters.checkpoints) for draft in drafts]
    order = sorted(range(len(asked)), key=lambda i: (asked[i].time_us or math.inf, i))
    return dataset_of(name, notes, [asked[i] for i in order], bed.together)


def _sessions(bed: Bed) -> list[tuple[int, list[Note]]]:
    """(project, notes) of each session, in the order in which they happen."""
    sessions = []
    for project, notes in enumerate(bed.notes):
        shuffled = [notes[i] for i in bed.rng.permutation(len(notes)).tolist()]
        first = 0
        while first < len(shuffled):
            stop = first + int(bed.rng.integers(*_SESSION))
            sessions.append((project, shuffled[first:stop]))
            first = stop
    return [sessions[i] for i in bed.rng.permutation(len(sessions)).tolist()]


def _place(sessions: Sequence[tuple[int, list[Note]]], rng: np.random.Generator) -> None:
    """Give each note its name, session, time and feelings."""
    time_us, number = _START_US, 0
    for at, (project, notes) in enumerate(sessions):
        time_us += int(rng.integers(4 * 60, 40 * 60)) * _MINUTE_US
        for note in notes:
            time_us += int(rng.integers(1, 20)) * _MINUTE_US
            note.name, number = f"m{number:05d}", number + 1
            note.session, note.time_us = f"project-{project:02d}/{at:04d}", time_us
            note.about = _feelings(rng)


def _feelings(rng: np.random.Generator) -> Attributes:
    importance = float(np.clip(rng.lognormal(1.0, 0.6), *IMPORTANCE))
    valence = int(np.clip(rng.normal(10, 40), *VALENCE))
    arousal = int(np.clip(abs(valence) * 1.5 + rng.normal(20, 20), *AROUSAL))
    return Attributes(
        importance=importance,
        valence=valence,
        arousal=arousal,
        recalls=int(rng.geometric(0.5)) - 1,
        pinned=bool(rng.random() < 0.02),
        resolved=bool(rng.random() < 0.7),
    )


def _sequences(
    sessions: Sequence[tuple[int, list[Note]]], taken: set[int], count: int,
    rng: np.random.Generator,
) -> list[Draft]:  # fmt: skip
    """Questions for the note after, or before, another, to neither of which another way leads.

    Raises:
        ConfigError: there are too few such pairs.
    """
    pairs = [
        (project, one, two)
        for project, notes in sessions
        for one, two in pairwise(notes)
        if id(one) not in taken and id(two) not in taken
    ]
    used: set[int] = set()
    drafts: list[Draft] = []
    for at in rng.permutation(len(pairs)).tolist():
        project, one, two = pairs[at]
        if len(drafts) == count:
            break
        thing = [_thing(note) for note in (one, two)]
        if {id(one), id(two)} & used or set(thing[0].split()) & set(thing[1].split()):
            continue
        used |= {id(one), id(two)}
        is_after = bool(rng.integers(2))
        word, asked = ("after", thing[0]) if is_after else ("before", thing[1])
        text = f"What came right {word} the {asked}?"
        drafts.append(Draft(text, "sequence", project, (two if is_after else one,), (one, two)))
    if len(drafts) < count:
        raise ConfigError(
            f"a diary has room for {len(drafts)} of {count} questions of the kind sequence",
            "Give more memories for so many questions",
        )
    return drafts


def _thing(note: Note) -> str:
    """What a note is of, as its text says it."""
    return note.text.partition(" the ")[2].partition(":")[0]


def _asked(draft: Draft, notes: Sequence[Note], checkpoints: int) -> Asking:
    """The question at the first checkpoint after all that it needs; None after everything."""
    needed_us = max(note.time_us for note in draft.needs)
    ends = [notes[len(notes) * k // checkpoints - 1].time_us for k in range(1, checkpoints + 1)]
    end = next(at for at, end_us in enumerate(ends) if end_us >= needed_us)
    time_us = None if end == checkpoints - 1 else ends[end] + 1_000_000
    return Asking(
        draft.text, draft.kind, f"project-{draft.project:02d}", draft.gold, time_us, draft.entities
    )
