import pytest

from hebb_lab.telemetry.readers.claude_code_session import Session, prompt_of


@pytest.mark.parametrize(
    ("line", "content", "prompt"),
    [
        ({}, "hello", "hello"),
        ({}, [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}],
         "a\nb"),
        ({}, [{"type": "image"}], ""),
        ({}, [], None),
        ({}, None, None),
        ({"isMeta": True}, "hello", None),
        ({"isCompactSummary": True}, "hello", None),
        ({"isVisibleInTranscriptOnly": True}, "hello", None),
        ({}, "<command-name>/clear</command-name>", None),
        ({}, " <local-command-stdout>x", None),
        ({}, "<bash-input>ls", None),
        ({}, "<task-notification>", None),
        ({}, [{"type": "text", "text": "[Request interrupted by user]"}], None),
        ({}, "say <command-name>", "say <command-name>"),
    ],
)  # fmt: skip
def test_only_the_words_of_the_user_are_a_prompt(line, content, prompt):
    assert prompt_of(line, content) == prompt


def test_a_copy_of_a_session_goes_through_the_turns_it_knows():
    session = Session("s")
    for _ in range(2):
        assert [session.prompt(uuid, uuid, 1) and session.turn for uuid in "abc"] in (
            [1, 2, 3],
            [False] * 3,
        )
        assert session.turn == 3
    session.prompt("b", "b", 1)
    assert session.turn == 2
    session.prompt("d", "d", 1)
    assert (session.turn, session.words(4), session.words(0)) == (4, "d", None)


def test_a_subagent_is_in_the_turn_that_had_started():
    session = Session("s")
    for uuid, time in (("a", 10), ("b", 30), ("c", 20), ("d", None)):
        session.prompt(uuid, uuid, time)
    assert [session.turn_at(time) for time in (5, 10, 29, 30, None)] == [0, 1, 1, 4, 4]
