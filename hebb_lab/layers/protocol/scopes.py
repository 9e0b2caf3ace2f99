"""Memories and questions as the pipeline takes them: one scope after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.recall.cognitive.plan import Asked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from hebb_lab.evaluation.query_set import Task
    from hebb_lab.experiment.prepare import Prepared
    from hebb_lab.layers.settings import CognitiveSettings
    from hebb_lab.records import Dataset, Memories, Questions

AUTO = "auto"
ALL = "all"
"""The scope of a question that is asked to all memories."""


@dataclass(frozen=True)
class Scope:
    """What is asked to one index (a conversation), and the memories that it holds.

    Args:
        name: of the scope.
        memories: n, with their tags and entities.
        node: [n] int32, node id of each memory in the whole dataset.
        asked: its q questions, in time order.
        rows: [q] int64, their places among the questions of the run.
    """

    name: str
    memories: Memories
    node: NDArray[np.int32]
    asked: Asked
    rows: NDArray[np.int64]


@dataclass(frozen=True)
class Exam:
    """The Q questions of all tasks, each once, in time order.

    Args:
        ids: [Q] names.
        place: [Q] int64, places in ``Dataset.questions``.
        time_us: [Q] int64, when each is asked.
    """

    ids: tuple[str, ...]
    place: NDArray[np.int64]
    time_us: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)

    def rows(self, query_ids: Sequence[str]) -> NDArray[np.int64]:
        """Places of some questions here."""
        row = {name: i for i, name in enumerate(self.ids)}
        return np.array([row[name] for name in query_ids], np.int64)


def exam_of(dataset: Dataset, tasks: Mapping[str, Task]) -> Exam:
    """The questions that some task asks.

    Raises:
        InputError: a dataset without memories or questions.
        ConfigError: a task that asks something else than the dataset's questions.
    """
    questions = dataset.questions
    if dataset.memories is None or questions is None:
        raise InputError(
            "the log has no memories that questions are asked of",
            "Give a corpus: dataset=memories, dataset=corpus or dataset=locomo",
            dataset.name,
        )
    asked: dict[str, int] = {}
    for name, task in tasks.items():
        own = task.queries
        if not set(own.query_ids) <= set(questions.ids):
            raise ConfigError(
                f"task {name} asks no questions of the corpus",
                "Give dataset.tasks=[question_to_evidence]",
            )
        asked |= dict(zip(own.query_ids, own.time_us.tolist(), strict=True))
    chosen = sorted((asked[name], i) for i, name in enumerate(questions.ids) if name in asked)
    place = np.array([i for _, i in chosen], np.int64)
    return Exam(
        tuple(questions.ids[i] for i in place.tolist()), place,
        np.array([time_us for time_us, _ in chosen], np.int64),
    )  # fmt: skip


def scopes_of(prepared: Prepared, exam: Exam, settings: CognitiveSettings) -> list[Scope]:
    """The scopes that are asked something, in the order of their names in the data.

    Tags and entities that the data does not give are extracted, as the settings say.

    Raises:
        InputError: a question to an unknown scope.
    """
    from hebb_lab.recall.cognitive.extract import annotated

    dataset = prepared.dataset
    memories, questions = dataset.memories, dataset.questions
    if memories is None or questions is None:
        raise ValueError("the questions come from exam_of, which checks the dataset")
    named = extractors_of(memories, settings)
    known = annotated(memories, entities=named.entities, tags=named.tags)
    asked_of: dict[str, list[int]] = {}
    for row, place in enumerate(exam.place.tolist()):
        asked_of.setdefault(questions.cues[place].scope, []).append(row)
    unknown = [name for name in asked_of if name and name not in memories.scopes]
    if unknown:
        raise InputError(
            f"a question is asked to the scope '{unknown[0]}', which holds no memory",
            f"Known: {', '.join(memories.scopes[:10])}",
            dataset.name,
        )
    node_of = {name: node for node, name in enumerate(prepared.touches.nodes)}
    order = [name for name in ("", *memories.scopes) if name in asked_of]
    return [
        _scope(known, name, np.array(asked_of[name]), node_of, exam, questions, named)
        for name in order
    ]


class Extractors(NamedTuple):
    """Who names entities and tags: of the memories, and in the questions."""

    entities: str
    tags: str
    asked_entities: str
    asked_tags: str


def extractors_of(memories: Memories, settings: CognitiveSettings) -> Extractors:
    """What the settings mean for these memories.

    ``auto`` is given where the data annotates memories, and then a question names what it is given
    and what of that its words hold.
    """
    given = len(memories.mentions.ids) > 0, len(memories.tags.ids) > 0
    both = "given+words"
    entities, asked_entities = settings.entities, settings.entities
    tags, asked_tags = settings.tags, settings.tags
    if entities == AUTO:
        entities, asked_entities = ("given", both) if given[0] else ("rules", "rules")
    if tags == AUTO:
        tags, asked_tags = ("given", both) if given[1] else ("tfidf", "tfidf")
    return Extractors(entities, tags, asked_entities, asked_tags)


def _scope(
    memories: Memories, name: str, rows: NDArray[np.int64], node_of: Mapping[str, int], exam: Exam,
    questions: Questions, named: Extractors,
) -> Scope:  # fmt: skip
    held = memories if not name else memories.within(memories.scopes.index(name))[0]
    node = np.array([node_of[each] for each in held.names], np.int32)
    return Scope(
        name or ALL, held, node, _asked(held, rows, exam, questions, named), rows
    )  # fmt: skip


def _asked(
    memories: Memories, rows: NDArray[np.int64], exam: Exam, questions: Questions,
    named: Extractors,
) -> Asked:  # fmt: skip
    """The questions of one scope with what the data says of each, and what it names."""
    from hebb_lab.recall.cognitive.extract import cues_of

    places, time_us = exam.place[rows].tolist(), exam.time_us[rows]
    own = [questions.cues[place] for place in places]
    texts = tuple(questions.texts[place] for place in places)
    known = np.searchsorted(memories.time_us, time_us, side="left").astype(np.int64)
    cues = cues_of(
        texts, memories, entities=named.asked_entities, tags=named.asked_tags,
        given_entities=[cues.entities for cues in own],
        given_tags=[cues.filter_tags for cues in own], known=known,
    )  # fmt: skip
    wanted = cues_of(
        texts, memories, entities="given", tags="given",
        given_tags=[cues.filter_tags for cues in own], known=known,
    )  # fmt: skip
    return Asked(
        texts=texts,
        known=known,
        time_us=time_us,
        cues=cues,
        profile=tuple(cues.profile for cues in own),
        filter_tags=wanted.tags,
        valence=np.array([cues.valence for cues in own], np.float32).reshape(-1, 2),
    )
