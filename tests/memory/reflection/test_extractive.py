import numpy as np

from hebb_lab.memory.reflection.extractive import extractive, sentences_of
from tests.memory.reflection.made import made_sources

CONTENTS = ["Hi! We sailed to the far island. Lovely.", "It rained all day long.", "Ok"]
VECTORS = np.eye(3, dtype=np.float32)


def test_the_sentence_nearest_to_the_centroid_is_taken():
    def embed(texts):
        return np.array(
            [[0, 1, 0] if "rained" in text else [1, 0, 0] for text in texts], np.float32
        )

    sources = made_sources(CONTENTS, [[0.5, 0.8, 0], [0, 1, 0], [0, 0.8, 0.5]], embed=embed)
    assert extractive(sources)[0].text == "It rained all day long."


def test_without_an_embedder_a_sentence_counts_by_its_episode():
    sources = made_sources(CONTENTS, [[0, 0, 1], [0, 1, 0], [0, 1, 0.1]])
    assert extractive(sources)[0].text == "It rained all day long."


def test_of_equal_sentences_the_first_of_four_words_is_taken():
    sources = made_sources(CONTENTS[:1], VECTORS[:1])
    assert extractive(sources)[0].text == "We sailed to the far island."


def test_short_sentences_are_taken_where_there_are_no_others():
    assert extractive(made_sources(["Ok.", "Fine."], VECTORS[:2]))[0].text == "Ok."


def test_sentences_stand_in_the_order_of_their_episodes():
    sources = made_sources(CONTENTS, [[1, 0, 0], [1, 0.1, 0], [1, 0, 0.1]])
    text = extractive(sources, sentences=2)[0].text
    assert text == "We sailed to the far island. It rained all day long."


def test_confidence_is_the_mean_cosine_and_every_episode_a_source():
    sources = made_sources(CONTENTS, [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    insight = extractive(sources)[0]
    assert abs(insight.confidence - 3**-0.5) < 1e-6
    assert insight.sources == (0, 1, 2)


def test_a_cluster_that_says_nothing_gives_no_insight():
    assert extractive(made_sources([" ", "\n"], VECTORS[:2])) == []


def test_a_sentence_over_the_limit_is_cut_at_a_character():
    insight = extractive(made_sources(["é" * 40_000], VECTORS[:1]))[0]
    assert len(insight.text.encode()) == 65_536


def test_sentences_end_at_marks_before_a_space_and_at_lines():
    found = sentences_of('He said "go!" And v1.2 went…\nnext\n\n')
    assert found == ['He said "go!"', "And v1.2 went…", "next"]
