from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.memory.published import DOCUMENTED
from hebb_lab.memory.subscription.buffer import TextBuffer

MS = 1000


def made(**switches):
    return TextBuffer(DOCUMENTED.change(**switches))


def test_the_fifteenth_word_completes_a_piece():
    buffer = made()
    assert buffer.add(" ".join("a" * 14), 0) == []
    assert buffer.add("b", 5) == [(5, " ".join("a" * 14 + "b"))]
    assert buffer.flush(9) == []


def test_so_many_words_as_the_rules_say_complete_a_piece():
    assert made(flush_tokens=1).add("now", 3) == [(3, "now")]


def test_a_long_text_is_one_piece_with_all_its_words():
    text = " ".join("w" * 100)
    assert made().add(text, 1) == [(1, text)]


def test_three_words_are_due_half_a_second_after_the_first_of_them():
    buffer = made()
    buffer.add("one two", 0)
    buffer.add("three", 400 * MS)
    assert buffer.due(499 * MS) == []
    assert buffer.due(500 * MS) == [(500 * MS, "one two three")]


def test_fewer_than_three_words_wait_for_more():
    buffer = made()
    buffer.add("one two", 0)
    assert buffer.due(9_000 * MS) == []
    assert buffer.add("three", 9_000 * MS) == []
    assert buffer.due(9_000 * MS) == [(500 * MS, "one two three")]


def test_flush_ms_is_what_the_rules_say():
    buffer = made(flush_ms=20.0)
    buffer.add("one two three", 0)
    assert buffer.due(20 * MS) == [(20 * MS, "one two three")]


def test_what_is_due_goes_before_what_comes():
    buffer = made()
    buffer.add("one two three", 0)
    assert buffer.add("four five six", 800 * MS) == [(500 * MS, "one two three")]
    assert buffer.flush(900 * MS) == [(900 * MS, "four five six")]


def test_how_late_one_asks_does_not_change_when_a_piece_was_due():
    for asked in (500, 700, 60_000):
        buffer = made()
        buffer.add("one two three", 0)
        assert buffer.due(asked * MS) == [(500 * MS, "one two three")]


def test_a_piece_never_is_longer_than_a_memory():
    buffer = made()
    buffer.add("x" * 60_000, 0)
    assert [len(text) for _, text in buffer.add("y" * 60_000, 1)] == [60_000]
    assert [len(text) for _, text in buffer.flush(2)] == [60_000]


def test_blanks_are_no_words():
    buffer = made()
    assert buffer.add(" \n\t", 0) == []
    assert buffer.flush(1) == []


@given(st.lists(st.tuples(st.text("ab ", max_size=40), st.integers(0, 900))))
def test_no_word_is_lost_or_said_twice(texts):
    buffer, at_ms, pieces = made(), 0, []
    for text, later in texts:
        at_ms += later
        pieces += buffer.add(text, at_ms * MS)
    pieces += buffer.flush(at_ms * MS)
    assert [w for _, piece in pieces for w in piece.split()] == [
        w for text, _ in texts for w in text.split()
    ]
