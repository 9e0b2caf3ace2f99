import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.recall.words import words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("src/hebb_lab/half-life.py", "src hebb lab half life py"),
        ("HTTPServerError.java", "http server error java"),
        ("getUserID2", "get user id2"),
        ("v2.0/utf8_to_16.c", "v2 0 utf8 to 16 c"),
        ("ext:3fa9", "ext 3fa9"),
        ("Where is the README?", "where is the readme"),
        ("größe/Straße.md", "größe straße md"),
        ("._-/", ""),
        ("", ""),
    ],
)
def test_words_are_cut_at_signs_and_humps_and_keep_their_digits(text, words):
    assert words_of(text) == words.split()


@given(st.text())
def test_words_are_lower_case_hold_no_signs_and_stay_as_they_are(text):
    words = words_of(text)
    assert all(word and word == word.lower() and "_" not in word for word in words)
    if text.isascii():
        assert words_of(" ".join(words)) == words
