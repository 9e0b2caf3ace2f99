from bm25s.stopwords import STOPWORDS_EN

from hebb_lab.recall.cognitive.analysis import STOP_WORDS, terms_of


def test_stop_words_are_those_of_bm25s():
    assert frozenset(STOPWORDS_EN) == STOP_WORDS


def test_terms_are_stems_of_words_of_two_letters_or_more():
    assert terms_of(["The Dates, dated 8 May 2023!"]) == [["date", "date", "may", "2023"]]


def test_a_text_without_words_has_no_terms():
    assert terms_of(["", "the a I ?"]) == [[], []]
