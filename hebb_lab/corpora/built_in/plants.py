"""What is planted in a diary: notes that only one way leads to, and the questions that need it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from hebb_lab.corpora.built_in.building import Note, Together
from hebb_lab.corpora.built_in.words import (
    ADJECTIVES,
    NOUNS,
    PEOPLE,
    SYLLABLES,
    TOPICS,
    VERBS,
)

if TYPE_CHECKING:
    import numpy as np

    from hebb_lab.corpora.attributes import Mention

KINDS = ("words", "co_ingested", "sequence", "event", "tags")
"""What a question needs: direct search, layer 1, layer 2, layer 3, layer 4."""
BRIDGES = 3  # notes that carry both tags, for each question of the kind tags
_TIMES = (4, 10)  # how often the two notes of a question of the kind co_ingested were together


class Draft(NamedTuple):
    """A question without its place in time."""

    text: str
    kind: str
    project: int
    gold: tuple[Note, ...]
    needs: tuple[Note, ...]  # what must be written before it is asked
    entities: tuple[str, ...] = ()


@dataclass
class Bed:
    """Notes by project, and what was planted among them.

    Args:
        rng: the source of all randomness.
        notes: of each project, in no order yet.
    """

    rng: np.random.Generator
    notes: list[list[Note]]
    drafts: list[Draft] = field(default_factory=list)
    together: list[Together] = field(default_factory=list)
    taken: set[int] = field(default_factory=set)  # identities of notes that one way leads to
    _things: list[tuple[str, str]] = field(default_factory=list)
    _names: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._things = [(adjective, noun) for adjective in ADJECTIVES for noun in NOUNS]
        self.rng.shuffle(self._things)

    def count(self) -> int:
        """Notes so far."""
        return sum(map(len, self.notes))

    def projects(self, count: int) -> list[int]:
        """Different projects, so that their notes never share a session."""
        return [int(p) for p in self.rng.choice(len(self.notes), count, replace=False)]

    def thing(self, unlike: tuple[str, str] | None = None) -> tuple[str, str]:
        """A thing that no other note is of, without a word of another thing."""
        for at in range(len(self._things) - 1, -1, -1):
            if unlike is None or not set(self._things[at]) & set(unlike):
                return self._things.pop(at)
        raise ValueError("a diary can hold no more notes: every thing has its note")

    def note(
        self, project: int, thing: tuple[str, str], tags: tuple[str, ...] = (),
        mentions: tuple[Mention, ...] = (), named: bool = True,
    ) -> Note:  # fmt: skip
        """A new note of a project; ``named``: whether its text names the entities."""
        topic = self._one(tuple(TOPICS))
        words = self.rng.choice(TOPICS[topic], 2, replace=False)
        text = f"{self._one(VERBS)} the {' '.join(thing)}: {words[0]} and {words[1]}"
        if mentions and named:
            text += f", with {' and '.join(name for name, _ in mentions)}"
        made = Note(f"{text}.", (topic, *tags), mentions)
        self.notes[project].append(made)
        return made

    def ordinary(self) -> Note:
        """A note that nothing leads to; some name one or two people, few a group of three."""
        count = int(self.rng.choice(4, p=[0.5, 0.25, 0.2, 0.05]))
        people = self.rng.choice(PEOPLE, count, replace=False).tolist()
        mentions = tuple((name, "PERSON") for name in people)
        return self.note(self.projects(1)[0], self.thing(), mentions=mentions)

    def name(self, parts: int = 3) -> str:
        """A name that nobody else has."""
        while True:
            made = "".join(self.rng.choice(SYLLABLES, parts))
            if made not in self._names:
                self._names.add(made)
                return made

    def plant_words(self) -> None:
        """The question says what the note says."""
        project, thing = self.projects(1)[0], self.thing()
        note = self.note(project, thing)
        self._ask(f"Where did I write about the {' '.join(thing)}?", "words", project, note)

    def plant_co_ingested(self) -> None:
        """The note that is asked for was often active together with the one that is found."""
        (project, other), thing = self.projects(2), self.thing()
        seed, gold = self.note(project, thing), self.note(other, self.thing(thing))
        times = int(self.rng.integers(*_TIMES))
        self.together.append(Together(seed, gold, times))
        text = f"What else belongs to the {' '.join(thing)}?"
        self._ask(text, "co_ingested", project, gold, seed)
        self.taken |= {id(seed), id(gold)}

    def plant_event(self) -> None:
        """The note is of three entities at once and names none; others name each by itself.

        Every other time they are rare, named by one other note, else people of the whole diary.
        """
        project, *others = self.projects(4)
        if self.rng.random() < 0.5:
            kinds = ("PERSON", "PROJECT", "TECHNOLOGY")
            trio = tuple((self.name().capitalize(), kind) for kind in kinds)
        else:
            people = self.rng.choice(PEOPLE, 3, replace=False).tolist()
            trio = tuple((name, "PERSON") for name in people)
        gold = self.note(project, self.thing(), mentions=trio, named=False)
        beside = [
            self.note(other, self.thing(), mentions=(one,))
            for other, one in zip(others, trio, strict=True)
        ]
        names = tuple(name for name, _ in trio)
        text = f"What happened to {names[0]}, {names[1]} and {names[2]} together?"
        self._ask(text, "event", project, gold, *beside, entities=names)
        self.taken.add(id(gold))

    def plant_tags(self) -> None:
        """The note has a tag that goes with the tag of the one that is found, in other notes."""
        (project, other, *between), thing = self.projects(2 + BRIDGES), self.thing()
        own, related = self.name(), self.name()
        seed = self.note(project, thing, (own,))
        bridges = [self.note(p, self.thing(thing), (own, related)) for p in between]
        gold = self.note(other, self.thing(thing), (related,))
        text = f"What is like the {' '.join(thing)}?"
        self._ask(text, "tags", project, gold, seed, *bridges)
        self.taken |= {id(seed), id(gold)}

    def _ask(
        self, text: str, kind: str, project: int, gold: Note, *needs: Note,
        entities: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        self.drafts.append(Draft(text, kind, project, (gold,), (gold, *needs), entities))

    def _one(self, values: tuple[str, ...]) -> str:
        return values[int(self.rng.integers(len(values)))]
