"""Questions, their times and their groups; what cannot be one is counted."""

from math import inf

import pytest

from hebb_lab.corpora.attributes import Entities
from hebb_lab.corpora.queries import read_questions
from hebb_lab.errors import InputError
from hebb_lab.records import QuestionCues
from tests.corpora.made import lines, places, sink


def read(tmp_path, objects, scopes=()):
    """(questions, report)."""
    path = tmp_path / "queries.jsonl"
    path.write_bytes(lines(objects))
    into, report = sink()
    return read_questions(path, into, report, Entities(report), scopes), report


def test_a_question_has_words_a_time_and_a_group(tmp_path):
    questions, report = read(
        tmp_path,
        [
            {"_id": "q1", "text": "who?", "sessionId": "s", "timestampMs": 1_750_000_000_000},
            {"id": "q2", "text": "when?", "metadata": {"conversation": "c"}},
            {"id": 3, "text": "where?"},
        ],
    )
    assert {name: tuple(question)[:3] for name, question in questions.items()} == {
        "q1": ("who?", 1_750_000_000_000_000, "s"),
        "q2": ("when?", None, "c"),
        "3": ("where?", None, "3"),
    }
    assert questions["q2"].cues == QuestionCues()
    assert questions["3"][3:] == ("", QuestionCues())
    assert report.questions == 3


def test_what_is_no_question_is_counted_with_its_line(tmp_path):
    questions, report = read(
        tmp_path,
        [
            {"_id": "q1", "text": "who?"}, {"_id": "q1", "text": "again?"}, {"text": "nobody?"},
            {"_id": "q2", "text": ""}, "{", {"_id": "q3", "text": "when?", "time": "soon"},
        ],
    )  # fmt: skip
    assert list(questions) == ["q1", "q3"]
    assert questions["q1"].text == "who?"
    assert dict(report.skipped) == {
        "question whose id was seen before: the first is kept": 1,
        "question without an id": 1,
        "question without text": 1,
        "broken record": 1,
    }
    assert places(report, "question without text") == [4]
    assert dict(report.mended) == {"time that cannot be read: asked after all documents": 1}


def test_no_question_is_an_error_with_the_file_and_the_line(tmp_path):
    with pytest.raises(InputError, match=r"queries\.jsonl: .*from line 1: question without text"):
        read(tmp_path, [{"_id": "q1"}])


def test_a_question_says_its_kind_its_profile_its_tags_its_entities_and_its_valence(tmp_path):
    questions, report = read(
        tmp_path,
        [
            {
                "id": "q1", "text": "who?", "cognitiveProfile": "debugging", "category": 4,
                "synapticFilterTags": ["Red ", "red", "p99"], "minValence": None,
                "maxValence": -10, "temporalHint": "recent", "entities": ["Ann", "ann", "Ann"],
            },
            {"id": "q2", "text": "why?", "metadata": {"expectedSubsystem": "TAG_GATING"},
             "minValence": -300, "maxValence": 5},
            {"id": "q3", "text": "when?", "minValence": 6, "maxValence": 5},
        ],
    )  # fmt: skip
    assert questions["q1"].category == "4"
    assert questions["q1"].cues == QuestionCues(
        "", "DEBUGGING", ("red", "p99"), ("Ann", "ann"), (-inf, -10), "RECENT"
    )
    assert questions["q2"].category == "TAG_GATING"
    assert questions["q2"].cues.valence == (-128, 5)
    assert questions["q3"].cues.valence == (-inf, inf)
    assert dict(report.mended) == {
        "minValence outside -128 to 127: set to the nearest": 1,
        "minValence above maxValence: both left out": 1,
    }
    assert places(report, "minValence above maxValence: both left out") == [3]


def test_a_question_is_asked_to_its_conversation_where_documents_are_of_it(tmp_path):
    objects = [{"id": name, "text": "x?", "conversation": name} for name in ("c", "d")]
    questions, report = read(tmp_path, objects, {"c"})
    assert [question.cues.scope for question in questions.values()] == ["c", ""]
    assert [question.group for question in questions.values()] == ["c", "d"]
    assert places(report, "question of a conversation that no document is of: asked to all") == [2]
    assert not read(tmp_path, objects)[1].mended
