"""Memories and questions of each scope, with what the data says of them."""

from types import SimpleNamespace

import numpy as np
import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.experiment.load import load
from hebb_lab.experiment.prepare import prepare
from hebb_lab.experiment.settings import Settings
from hebb_lab.layers.protocol.scopes import exam_of, extractors_of, scopes_of
from hebb_lab.layers.settings import CognitiveSettings
from hebb_lab.records import Dataset
from tests.corpora.made import corpus
from tests.experiment.tiny import composed

DOCUMENTS = [
    {"_id": f"{c}{i}", "text": f"{c} {i} Paris", "conversationId": c, "sessionId": c,
     "timestampMs": 1_750_000_000_000 + 1000 * i, "synapticTags": ["City", f"tag{i}"],
     "entityMentions": [{"name": "Paris", "type": "PLACE"}]}
    for i in range(3) for c in ("x", "y")
]  # fmt: skip
QUESTIONS = [
    {"_id": "q1", "text": "where is Paris, tag1, tag2?", "conversationId": "y",
     "synapticFilterTags": ["City"], "cognitiveProfile": "DEBUGGING", "minValence": -5,
     "timestampMs": 1_750_000_002_000},
    {"_id": "q2", "text": "all of them"},
    {"_id": "q3", "text": "x again", "conversationId": "x"},
]  # fmt: skip
QRELS = "query-id\tcorpus-id\tscore\nq1\ty1\t1\nq2\tx1\t1\nq3\tx2\t1\n"


@pytest.fixture
def made(tmp_path):
    settings = Settings.from_mapping(
        composed("+exp=layers", "dataset=corpus",
                 f"dataset.path={corpus(tmp_path, DOCUMENTS, QUESTIONS, QRELS)}")
    )  # fmt: skip
    prepared = prepare(load(settings.dataset, None), settings.dataset, learners="layers")
    tasks = prepared.tasks(settings.dataset.tasks, settings.evaluation.protocol)
    return SimpleNamespace(prepared=prepared, tasks=tasks, settings=settings.cognitive)


def scopes(made):
    exam = exam_of(made.prepared.dataset, made.tasks)
    return exam, {s.name: s for s in scopes_of(made.prepared, exam, made.settings)}


def test_each_question_stands_once_in_time_order(made):
    exam, _ = scopes(made)
    assert exam.ids == ("q1", "q2", "q3")
    assert (np.diff(exam.time_us) >= 0).all()
    assert exam.rows(["q3", "q1"]).tolist() == [2, 0]


def test_a_question_is_asked_to_its_own_scope_and_else_to_all_memories(made):
    _, found = scopes(made)
    assert {name: len(s.memories) for name, s in found.items()} == {"all": 6, "x": 3, "y": 3}
    assert {name: s.rows.tolist() for name, s in found.items()} == {
        "all": [1], "x": [2], "y": [0],
    }  # fmt: skip
    assert list(found) == ["all", "x", "y"]


def test_the_nodes_of_a_scope_are_those_of_its_memories(made):
    nodes = made.prepared.touches.nodes
    for scope in scopes(made)[1].values():
        assert tuple(nodes[i] for i in scope.node) == scope.memories.names


def test_what_was_written_at_the_time_of_a_question_is_not_known_to_it(made):
    _, found = scopes(made)
    assert found["y"].asked.known.tolist() == [2]  # the third was written in that second
    assert found["x"].asked.known.tolist() == [3]


def test_what_the_data_says_of_a_question_goes_with_it(made):
    asked = scopes(made)[1]["y"].asked
    held = scopes(made)[1]["y"].memories
    assert asked.profile == ("DEBUGGING",)
    assert [held.tag_names[i] for i in asked.filter_tags.row(0)] == ["city"]
    assert asked.valence.tolist() == [[-5.0, np.inf]]


def test_a_question_names_known_entities_by_its_words(made):
    scope = scopes(made)[1]["y"]
    assert [scope.memories.entity_names[i] for i in scope.asked.cues.entities.row(0)] == ["Paris"]


def test_a_question_names_only_what_was_written_before_it(made):
    scope = scopes(made)[1]["y"]  # the third memory, with tag2, is not known to its question
    names = {scope.memories.tag_names[i] for i in scope.asked.cues.tags.row(0)}
    assert (names, "tag2" in scope.memories.tag_names) == ({"city", "tag1"}, True)


def test_auto_is_what_is_given_and_else_what_is_extracted(made):
    given = made.prepared.dataset.memories
    auto = CognitiveSettings()
    assert extractors_of(given, auto) == ("given", "given", "given+words", "given+words")
    bare = SimpleNamespace(mentions=SimpleNamespace(ids=[]), tags=SimpleNamespace(ids=[]))
    assert extractors_of(bare, auto) == ("rules", "tfidf", "rules", "tfidf")
    named = CognitiveSettings(entities="given", tags="keyphrases")
    assert extractors_of(bare, named) == ("given", "keyphrases", "given", "keyphrases")


def test_a_scope_without_memories_is_named(made):
    questions = made.prepared.dataset.questions
    odd = tuple(cues._replace(scope="z") for cues in questions.cues)
    object.__setattr__(questions, "cues", odd)
    with pytest.raises(InputError, match="asked to the scope 'z', which holds no memory"):
        scopes(made)


def test_a_log_without_memories_says_what_to_give(made):
    bare = Dataset("simulated", made.prepared.dataset.log)
    with pytest.raises(InputError, match="Give a corpus: dataset=memories"):
        exam_of(bare, made.tasks)


def test_a_task_that_asks_something_else_is_refused(made):
    (task,) = made.tasks.values()
    odd = SimpleNamespace(queries=SimpleNamespace(query_ids=("first_touch-000001",)))
    with pytest.raises(ConfigError, match="task first_touch asks no questions of the corpus"):
        exam_of(made.prepared.dataset, {"question_to_evidence": task, "first_touch": odd})
