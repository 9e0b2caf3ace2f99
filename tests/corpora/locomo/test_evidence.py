"""Evidence as it stands in the file, mended where it is plain what is meant."""

from collections import Counter

import pytest

from hebb_lab.corpora.locomo.evidence import corrections_of, gold_of, turns_in

UNITS = {f"D{s}:{t}": f"c/D{s}:{t}" for s in range(1, 31) for t in range(1, 10)}


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("D1:3", ("D1:3",)), ("D8:6; D9:17", ("D8:6", "D9:17")), ("D:11:26", ("D11:26",)),
        ("D30:05", ("D30:5",)), ("D9:1 D4:4 D4:6", ("D9:1", "D4:4", "D4:6")), ("D", ()), ("", ()),
        ("D1", ()), ("1:3", ()),
    ],
)  # fmt: skip
def test_every_spelling_in_the_file_is_read(text, turns):
    assert turns_in(text) == turns


def test_what_is_mended_and_what_is_left_out_is_counted():
    reasons = Counter()
    evidence = ["D1:3", "D:2:4", "D8:6; D1:3", "D", 7, None, "D99:1"]
    gold = gold_of(evidence, UNITS, lambda why: reasons.update([why]))
    assert gold == ("c/D1:3", "c/D2:4", "c/D8:6")
    assert reasons == {
        "evidence that is written otherwise than turns are named: mended": 2,
        "evidence that names no turn: left out": 3,
        "evidence of a turn that does not exist: left out": 1,
    }


def test_turns_of_one_session_are_one_gold_where_sessions_are_memories():
    units = {"D1:1": "c/session_1", "D1:2": "c/session_1", "D2:1": "c/session_2"}
    assert gold_of(["D1:2", "D2:1", "D1:1"], units, print) == ("c/session_1", "c/session_2")
    assert gold_of(None, units, print) == ()


def test_corrections_are_known_by_conversation_and_question():
    reasons = Counter()
    entry = {"question_id": "locomo_3_qa12", "question": " who? ", "correct_evidence": ["D1:1"]}
    found = corrections_of(
        [entry, entry | {"correct_evidence": []}, {"question_id": "x"}, 5,
         {"question_id": "locomo_0_qa1", "question": "who?", "correct_evidence": None}],
        lambda why: reasons.update([why]),
    )  # fmt: skip
    assert found == {(3, 12): ("who?", ["D1:1"])}
    assert reasons == {
        "second correction of one question: the first is kept": 1,
        "correction without a question or evidence": 3,
    }
