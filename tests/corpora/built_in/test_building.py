"""Notes made in memory become a dataset like any that was read."""

import numpy as np

from hebb_lab.corpora.attributes import Attributes
from hebb_lab.corpora.built_in.building import Asking, Note, Together, dataset_of
from hebb_lab.records import QuestionCues


def test_notes_questions_and_associations_come_together():
    ann = ("Ann", "PERSON")
    late = Note("later", ("red",), (ann,), "b", "s", 9, Attributes(importance=2.0, pinned=True))
    soon = Note("sooner", name="a", session="t", time_us=3)
    made = dataset_of(
        "mine", [late, soon],
        [
            Asking("who?", "kind", "g", (late,), 12, ("Ann",)),
            Asking("why?", "k", "h", (soon, late)),
        ],
        [Together(late, soon, 4)],
    )  # fmt: skip
    memories, asked = made.memories, made.questions
    assert made.name == "mine"
    assert memories.names == ("a", "b")
    assert memories.texts == ("sooner", "later")
    assert memories.time_us.tolist() == [3, 9]
    assert np.isnan(memories.importance[0])
    assert (memories.importance[1], memories.pinned.tolist()) == (2.0, [False, True])
    assert (memories.tag_names, memories.entity_names) == (("red",), ("Ann",))
    assert [part.tolist() for part in memories.hints] == [[1], [0], [4.0]]
    assert memories.chains is None
    assert asked.gold == ((("b",), (1,)), (("a", "b"), (1, 1)))
    assert asked.time_us == (12, None)
    assert (asked.group, asked.category) == (("g", "h"), ("kind", "k"))
    assert asked.cues == (QuestionCues(entities=("Ann",)), QuestionCues())
    assert made.log.report.sentences()[1] == "2 questions, 3 judgements"
