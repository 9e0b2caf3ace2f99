"""Words of different lists are different words, stemmed too."""

from itertools import combinations

import Stemmer

from hebb_lab.corpora.built_in.words import ADJECTIVES, NOUNS, PEOPLE, SYLLABLES, TOPICS, VERBS
from hebb_lab.recall.words import words_of

LISTS = {
    "adjectives": ADJECTIVES,
    "nouns": NOUNS,
    "topics": (*TOPICS, *(word for words in TOPICS.values() for word in words)),
    "people": PEOPLE,
    "verbs": VERBS,
    "questions": words_of(
        "where did I write about the what else belongs to came right after before happened and"
        " together is like"
    ),
}


def test_no_two_lists_share_a_word():
    stem = Stemmer.Stemmer("english").stemWord
    stems = {name: {stem(word.lower()) for word in words} for name, words in LISTS.items()}
    assert [
        (one, two, stems[one] & stems[two])
        for one, two in combinations(stems, 2)
        if stems[one] & stems[two]
    ] == []


def test_no_list_holds_a_word_twice():
    for words in (ADJECTIVES, NOUNS, PEOPLE, VERBS, SYLLABLES):
        assert len(set(words)) == len(words)
