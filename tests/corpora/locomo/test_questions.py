"""Questions with official and corrected gold."""

import pytest

from hebb_lab.corpora import CorpusReport
from hebb_lab.corpora.locomo.options import LocomoOptions
from hebb_lab.corpora.locomo.questions import QuestionList
from hebb_lab.records import QuestionCues
from tests.corpora.locomo.made import question

UNITS = {"D1:1": "c/D1:1", "D1:2": "c/D1:2"}


def asked(questions, corrections=None, **options):
    """(questions, report)."""
    report = CorpusReport()
    made = QuestionList(LocomoOptions(**options), report, None, corrections)
    made.add(3, "c", questions, UNITS, "f#c")
    return made.finish(), report


def test_a_question_knows_its_conversation_its_kind_and_its_gold():
    made, report = asked([question("Who?", 4, "D1:1"), question(" Why? ", 1, "D1:2", "D1:1")])
    assert made.ids == ("c/qa0", "c/qa1")
    assert made.texts == ("Who?", "Why?")
    assert made.time_us == (None, None)
    assert made.group == ("c", "c")
    assert made.category == ("single-hop", "multi-hop")
    assert made.gold == ((("c/D1:1",), (1,)), (("c/D1:2", "c/D1:1"), (1, 1)))
    assert made.cues == (QuestionCues(scope="c"),) * 2
    assert made.corrected is None
    assert (report.questions, report.judgements) == (2, 3)


def test_a_pooled_question_is_asked_to_all_conversations_and_keeps_its_group():
    made, _ = asked([question("Who?", 4, "D1:1")], index="pooled")
    assert (made.cues[0].scope, made.group) == ("", ("c",))


def test_only_the_chosen_categories_are_asked_and_the_others_are_counted():
    questions = [question("Who?", category, "D1:1") for category in (1, 5, 5)]
    made, report = asked(questions)
    assert made.category == ("multi-hop",)
    assert dict(report.ignored) == {"questions of category adversarial": 2}
    assert asked(questions, categories=(5,))[0].ids == ("c/qa1", "c/qa2")


@pytest.mark.parametrize("wrong", [7, "4", None, True, 1.5])
def test_an_unknown_category_is_counted_with_its_place(wrong):
    made, report = asked([question("Who?", wrong, "D1:1"), question("", 4, "D1:1"), 9])
    assert len(made) == 0
    assert dict(report.skipped) == {
        "question of an unknown category": 1, "question without words": 2,
    }  # fmt: skip
    assert report.examples["question without words"] == ["f#c/qa:1", "f#c/qa:2"]


def test_a_question_without_usable_evidence_stays_without_gold():
    made, report = asked([question("Who?", 3), question("Why?", 3, "D9:9")])
    assert made.gold == (((), ()), ((), ()))
    assert report.mended["question without evidence that can be used: no gold"] == 2


def test_corrected_gold_stands_beside_the_official():
    questions = [question(f"{word}?", 4, "D1:1") for word in ("Who", "Why", "When", "Where")]
    corrections = {(3, 0): ("Who?", ["D1:2"]), (3, 1): ("Why?", []), (3, 2): ("What?", ["D1:2"])}
    made, report = asked(questions, corrections)
    assert [names for names, _ in made.corrected] == [("c/D1:2",), (), ("c/D1:1",), ("c/D1:1",)]
    assert {names for names, _ in made.gold} == {("c/D1:1",)}
    assert dict(report.mended) == {
        "correction that finds no evidence: no corrected gold": 1,
        "correction of a question of other words: not used": 1,
    }
