import bm25s
import numpy as np
import pytest
import Stemmer

from hebb_lab.recall.cognitive.lexical import LexicalIndex

WORDS = [
    "run",
    "running",
    "dates",
    "date",
    "the",
    "cars",
    "is",
    "house",
    "walk",
    "walked",
    "jump",
    "sky",
    "blue",
    "skies",
    "x",
]


@pytest.fixture
def texts():
    rng = np.random.default_rng(0)
    return [" ".join(rng.choice(WORDS, rng.integers(0, 12))) for _ in range(80)]


@pytest.fixture
def queries():
    rng = np.random.default_rng(1)
    asked = [" ".join(rng.choice(WORDS, rng.integers(1, 6))) for _ in range(30)]
    return [*asked, "", "the", "unheard", "blue blue sky"]


def by_bm25s(texts, queries):
    settings = {"stopwords": "english", "stemmer": Stemmer.Stemmer("english")}
    quiet = {"show_progress": False}
    index = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    index.index(bm25s.tokenize(texts, **settings, **quiet), **quiet)
    terms = bm25s.tokenize(queries, **settings, **quiet, return_ids=False)
    none = np.zeros(len(texts))
    return np.stack([index.get_scores(row) if row else none for row in terms])


@pytest.mark.parametrize("known", [10, 41, 80])
def test_scores_are_those_of_bm25s_over_what_is_known(texts, queries, known):
    scores, _ = LexicalIndex.of(texts).scores(queries, known)
    expected = by_bm25s(texts[:known], queries)
    assert np.array_equal(scores, expected.astype(np.float32))


def test_no_text_reaches_the_most_and_one_full_of_the_words_comes_near(queries):
    full = "blue sky " * 50
    index = LexicalIndex.of([full, "blue", "red", "green"])
    scores, most = index.scores(["blue sky"], 4)
    assert 0.9 * most[0] < scores[0, 0] < most[0]
    assert (LexicalIndex.of(["blue sky"]).scores(queries, 1)[1] >= 0).all()


def test_nothing_known_or_nothing_written_scores_nothing(texts):
    scores, most = LexicalIndex.of(texts).scores(["run"], 0)
    assert scores.shape == (1, 0)
    assert most.tolist() == [0.0]
    assert LexicalIndex.of(["", "the"]).scores(["run"], 2)[0].tolist() == [[0.0, 0.0]]
