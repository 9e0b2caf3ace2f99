"""Sessions and turns; what would give answers away is no part of a text."""

from collections import Counter

import pytest

from hebb_lab.corpora.locomo.turns import Turn, sessions_of, time_of_session
from tests.corpora.locomo.made import CONVERSATIONS, turn


def read(conversation):
    """(sessions, lost, mended), losses as (reason, session, turn)."""
    lost, mended = Counter(), Counter()

    def into(counter):
        return lambda session, at: lambda reason: counter.update([(reason, session, at)])

    return sessions_of(conversation, into(lost), into(mended)), dict(lost), dict(mended)


def test_sessions_have_their_time_their_date_and_their_turns():
    sessions, lost, mended = read(CONVERSATIONS[0]["conversation"])
    assert [(s.name, s.when, len(s.turns)) for s in sessions] == [
        ("session_1", "1:56 pm on 8 May, 2023", 2), ("session_2", "9:05 am on 7 May, 2023", 1),
    ]  # fmt: skip
    assert sessions[0].time_us == 1_683_554_160_000_000
    assert lost == mended == {}


def test_a_turn_is_searched_by_speaker_words_and_caption_alone():
    sessions, _, _ = read(CONVERSATIONS[0]["conversation"])
    assert [t.text for t in sessions[0].turns] == [
        "Ann: I planted a quince.", "Bob: Look! [a photo of a plum]",
    ]  # fmt: skip
    assert Turn("D1:1", "Ann", "Hi", "").said == "Ann: Hi"


def test_sessions_stand_by_number_and_not_by_name():
    given = {f"session_{n}": [turn(f"D{n}:1", "Ann", "x")] for n in (10, 2, 1)}
    sessions, _, mended = read(given)
    assert [s.name for s in sessions] == ["session_1", "session_2", "session_10"]
    assert {s.when for s in sessions} == {""}
    assert {reason for reason, *_ in mended} == {
        "session whose time cannot be read: kept without one"
    }


@pytest.mark.parametrize(
    ("text", "time_us"),
    [
        ("12:00 am on 1 January, 1970", 0), (" 12:01 pm on 1 January, 1970 ", 43_260_000_000),
        ("13:00 pm on 1 May, 2023", None), ("1:56 pm on 31 February, 2023", None), ("", None),
    ],
)  # fmt: skip
def test_a_time_is_read_as_the_file_writes_it(text, time_us):
    assert time_of_session(text) == time_us


def test_turns_that_cannot_be_used_are_counted_with_their_place():
    sessions, lost, _ = read(
        {
            "session_1": [
                turn("D1:1", "Ann", "x"), turn("", "Ann", "x"), turn("D1:3", "Ann", " "), 7,
                turn("D1:1", "Ann", "y"), turn("D1:5", "Ann", "", blip_caption="a plum"),
            ],
            "session_2": "nothing",
            "session_x": [turn("D9:1", "Ann", "x")],
        }
    )  # fmt: skip
    assert [t.name for t in sessions[0].turns] == ["D1:1", "D1:5"]
    assert lost == {
        ("turn without a name", "session_1", 2): 1,
        ("turn without words", "session_1", 3): 1,
        ("turn without a name", "session_1", 4): 1,
        ("turn whose name was seen before: the first is kept", "session_1", 5): 1,
        ("session that is no list of turns", "session_2", 0): 1,
    }
