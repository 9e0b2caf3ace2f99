import numpy as np
import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.recall.cognitive.direct import SEEDERS, Collection, places, standardised
from hebb_lab.recall.embedders import HashingEmbedder
from hebb_lab.recall.fusion import reciprocal_rank_fusion
from hebb_lab.records import Ranking

WORDS = ["run", "date", "cars", "house", "walk", "jump", "sky", "blue", "pool", "timeout", "retry"]


@pytest.fixture
def collection():
    rng = np.random.default_rng(3)
    texts = [" ".join(rng.choice(WORDS, rng.integers(1, 9))) for _ in range(60)]
    return Collection(texts, [f"m{i * 7 % 60:02}" for i in range(60)], HashingEmbedder())


QUERIES = ["blue sky", "retry timeout pool", "house", "unheard of"]


def test_every_seeder_sees_the_known_memories_alone(collection):
    past = Collection(collection.texts[:30], collection.names[:30], HashingEmbedder())
    for name in SEEDERS:
        now, then = (SEEDERS[name](each, QUERIES, 30) for each in (collection, past))
        for a, b in zip(now, then, strict=True):
            assert np.array_equal(a, b), name
            assert a.dtype == np.float32
        assert now.scores.shape == now.similarity.shape == (4, 30)


def test_similarities_and_matches_lie_between_0_and_1(collection):
    for name in SEEDERS:
        found = SEEDERS[name](collection, QUERIES, 60)
        for values in (found.similarity, found.match):
            assert (values >= 0).all(), name
            assert (values <= 1).all(), name


def test_bm25_finds_what_shares_a_term_alone(collection):
    found = SEEDERS["bm25"](collection, QUERIES, 60)
    shares = np.array([["house" in text.split() for text in collection.texts]])
    assert np.array_equal(np.isfinite(found.scores[2:3]), shares)
    assert np.isneginf(found.scores[3]).all()
    assert found.match[3] == 0.0
    assert found.similarity[0].max() == 1.0


def test_dense_is_the_cosine_and_its_similarity_one_over_one_plus_distance(collection):
    found = SEEDERS["dense"](collection, QUERIES, 60)
    query, memory = collection.embedded([QUERIES[0], collection.texts[5]]).astype(np.float64)
    assert found.scores[0, 5] == np.float32(query @ memory)
    distance = np.sqrt(((query - memory) ** 2).sum())
    assert found.similarity[0, 5] == pytest.approx(1 / (1 + distance), abs=1e-6)
    assert found.match[0] == found.similarity[0].max()


def test_dense_does_not_depend_on_what_else_is_asked(collection):
    whole = SEEDERS["dense"](collection, QUERIES, 60).scores
    alone = [SEEDERS["dense"](collection, [query], 60).scores[0] for query in QUERIES]
    assert np.array_equal(whole, np.stack(alone))


def test_hybrid_is_the_mean_of_both_z_scores(collection):
    words, _ = collection.lexical.scores(QUERIES, 60)
    cosines = SEEDERS["dense"](collection, QUERIES, 60).scores
    found = SEEDERS["hybrid"](collection, QUERIES, 60)
    expected = (standardised(words) + standardised(cosines)) / 2
    assert np.allclose(found.scores, expected, atol=1e-6)
    best = found.scores[0].argmax()
    assert found.similarity[0, best] == 1.0
    assert (found.similarity[0][found.scores[0] <= 0] == 0.0).all()
    assert np.isfinite(found.scores[3]).all()  # no word in common: the vectors decide


def test_hybrid_rrf_is_the_fusion_of_both_lists(collection):
    found = SEEDERS["hybrid_rrf"](collection, QUERIES, 60)
    rank = collection.name_rank
    lists = []
    for name in ("bm25", "dense"):
        scores = SEEDERS[name](collection, QUERIES, 60).scores
        ids = np.full((4, 60), -1, np.int32)
        for q in range(4):
            order = np.lexsort((-rank, -scores[q]))
            order = order[np.isfinite(scores[q][order])]
            ids[q, : len(order)] = rank[order]
        lists.append(Ranking(ids, np.where(ids >= 0, 1.0, -np.inf).astype(np.float32)))
    fused = reciprocal_rank_fusion(lists, 60)
    for q in range(4):
        assert np.array_equal(fused.scores[q], np.sort(found.scores[q])[::-1])


def test_ties_are_settled_by_name():
    names = ["b", "a", "c"]
    assert Collection(["x"] * 3, names).name_rank.tolist() == [1, 0, 2]
    scores = np.array([[1.0, 1.0, 2.0]], np.float32)
    assert places(scores, np.array([1, 0, 2])).tolist() == [[2.0, 3.0, 1.0]]


def test_dense_without_an_embedder_says_what_to_do():
    with pytest.raises(ConfigError, match=r"recall\.embedder"):
        SEEDERS["dense"](Collection(["a"], ["a"]), ["a"], 1)


def test_nothing_known_finds_nothing(collection):
    for name in SEEDERS:
        assert SEEDERS[name](collection, QUERIES, 0).scores.shape == (4, 0)


def test_flat_seeders_have_no_length_in_them():
    short, long = "pool timeout", "pool timeout " + "walk " * 30
    flat = Collection([short, long, "sky"], ["a", "b", "c"], HashingEmbedder())
    scores = SEEDERS["bm25_flat"](flat, ["pool"], 3).scores[0]
    assert scores[0] == scores[1] > 0
    usual = SEEDERS["bm25"](flat, ["pool"], 3).scores[0]
    assert usual[0] > usual[1] > 0


def test_hybrid_flat_is_the_mean_of_its_own_z_scores(collection):
    words = SEEDERS["bm25_flat"](collection, QUERIES, 60).scores
    words = np.where(np.isfinite(words), words, 0)
    cosines = SEEDERS["dense"](collection, QUERIES, 60).scores
    expected = (standardised(words) + standardised(cosines)) / 2
    assert np.allclose(SEEDERS["hybrid_flat"](collection, QUERIES, 60).scores, expected, atol=1e-6)
