import math

import numpy as np
import pytest

from hebb_lab.recall.cognitive.extract import TAGGERS, Keyphrases, TfIdf
from hebb_lab.recall.cognitive.extract.keyphrases import _terms

TEXT = "Database connection pooling with HikariCP keeps database connections open."


@pytest.mark.parametrize("name", ["keyphrases", "tfidf"])
def test_tags_are_few_lower_case_and_distinct(name):
    (tags,) = TAGGERS[name]([TEXT], [[]])
    assert 0 < len(tags) <= 5
    assert tags == list(dict.fromkeys(tags)) == [tag.lower().strip() for tag in tags]
    assert any("database" in tag for tag in tags)


@pytest.mark.parametrize("tagger", [Keyphrases(), TfIdf()])
def test_texts_without_words_have_no_tags(tagger):
    for texts in ([], [""], ["", "...", "the of", "😀", "\0", "Hey!"]):
        assert tagger(texts, [[] for _ in texts]) == [[] for _ in texts]


@pytest.mark.parametrize("tagger", [Keyphrases(), TfIdf()])
def test_tags_of_a_text_do_not_depend_on_later_texts(tagger):
    rng = np.random.default_rng(1)
    words = ["pool", "timeout", "retry", "postgres", "cache", "queue"]
    texts = [" ".join(rng.choice(words, 5)) for _ in range(30)]
    whole = tagger(texts, [[] for _ in texts])
    for n in (0, 1, 7, 29):
        assert tagger(texts[:n], [[] for _ in range(n)]) == whole[:n]


def test_a_limit_is_kept():
    assert len(Keyphrases(limit=2)([TEXT], [[]])[0]) == 2
    assert len(TfIdf(limit=2)([TEXT], [[]])[0]) == 2


def test_a_text_is_looked_at_once():
    tagger = Keyphrases()
    first = tagger([TEXT, TEXT], [[], []])
    tagger._extractor = None
    tagger._extract = None  # would fail if it were asked
    assert tagger([TEXT], [[]]) == first[:1]


def test_tf_idf_is_that_of_the_formula_over_what_was_written_so_far():
    rng = np.random.default_rng(2)
    words = ["alpha", "beta", "gamma", "delta", "omega"]
    texts = [" ".join(rng.choice(words, rng.integers(0, 7))) for _ in range(40)]
    got = TfIdf(3)(texts, [[] for _ in texts])
    rows = [_terms(text) for text in texts]
    for i, row in enumerate(rows):

        def score(term, i=i, row=row):
            df = sum(term in earlier for earlier in rows[: i + 1])
            return row.count(term) * (math.log((2 + i) / (1 + df)) + 1)

        best = sorted(set(row), key=lambda term: (-round(score(term), 9), term))[:3]
        assert got[i] == best
