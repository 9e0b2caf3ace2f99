import builtins
import importlib.util
import logging
from dataclasses import dataclass, replace

import numpy as np
import pytest

from hebb_lab.errors import MissingExtraError
from hebb_lab.evaluation.judge import rank_by_score
from hebb_lab.kernels import nearest
from hebb_lab.kernels.nearest import NumpyIndex
from hebb_lab.recall import dense
from hebb_lab.recall.dense import Dense, HashingEmbedder
from tests.recall.asking import (
    assert_answers_are_allowed,
    assert_blind_to_the_future,
    queries_at,
    some_queries,
    some_touches,
)

TEXTS = {"docs/graph_8.py": "the graph of half lives"}
HAS_FAISS = importlib.util.find_spec("faiss") is not None
needs_faiss = pytest.mark.skipif(not HAS_FAISS, reason="FAISS is not installed")
INDICES = [pytest.param("faiss", marks=needs_faiss), "numpy"]


@dataclass(frozen=True)
class Table:
    """Gives each text the vector that it names, as in "1 0 2"."""

    name: str = "table"

    def encode(self, texts):
        return np.array([[float(word) for word in text.split()] for text in texts], np.float32)


@pytest.fixture
def log():
    rng = np.random.default_rng(0)
    touches = some_touches(rng)
    return touches, some_queries(touches, rng)


def rank(touches, queries, k=7, index="auto", dimensions=32):
    embedder = HashingEmbedder(dimensions)
    seeder = Dense(embedder, touches.nodes, TEXTS, touches.born_us(), index=index)
    return seeder.rank(queries, k)


@pytest.mark.parametrize("index", INDICES)
def test_it_sees_nothing_of_the_future(log, index):
    assert_blind_to_the_future(lambda t, q: rank(t, q, index=index), *log)


@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("prompted", [False, True])
def test_ids_and_scores_are_those_of_all_cosines(log, index, prompted):
    touches, queries = log
    if prompted:
        prompts = [f"{word} of decay" for word in ("walk", "graph", "index") * 20]
        queries = replace(queries, texts=tuple(prompts))
    seeder = Dense(HashingEmbedder(32), touches.nodes, TEXTS, touches.born_us(), index=index)
    ranking = seeder.rank(queries, 7)
    assert_answers_are_allowed(ranking, queries, touches.born_us())
    node, asked = seeder._vectors.astype(float), seeder._query_vectors(queries).astype(float)
    for q, now in enumerate(queries.time_us):
        barred = queries.exclude_ids[queries.exclude_ptr[q] : queries.exclude_ptr[q + 1]]
        known = np.setdiff1d(np.flatnonzero(touches.born_us() < now), barred)
        scores = [float(np.float32((node[i] * asked[q]).sum())) for i in known]
        expected = rank_by_score(known, scores)[:7]
        assert ranking.ids[q][ranking.ids[q] >= 0].tolist() == expected.tolist()
        assert ranking.scores[q, : len(expected)].tolist() == sorted(scores)[::-1][:7]


@needs_faiss
def test_faiss_and_numpy_give_the_same_bytes(log):
    assert rank(*log, index="faiss").sha256() == rank(*log, index="numpy").sha256()


@pytest.mark.parametrize("index", INDICES)
def test_ties_wider_than_the_search_are_broken_by_id(index):
    count = 300
    nodes = tuple(f"node{i:03d}" for i in range(count))
    texts = dict.fromkeys(nodes, "same words")
    rng = np.random.default_rng(0)

    class Same(Table):
        def encode(self, texts):
            return np.ones((len(texts), 5), np.float32)

    seeder = Dense(Same(), nodes, texts, rng.permutation(count), index=index)
    ranking = seeder.rank(queries_at([count] * 2, [[7]] * 2, [[], [299, 297]]), 3)
    assert ranking.ids.tolist() == [[299, 298, 297], [298, 296, 295]]


@pytest.mark.parametrize("index", INDICES)
def test_the_query_of_seeds_is_their_mean_weighted_by_energy(index):
    nodes = ("1 0", "0 1", "3 4")
    seeder = Dense(Table(), nodes, {}, np.array([1, 2, 3]), index=index)
    assert seeder._query_vectors(queries_at([9], [[0, 1]]))[0] == pytest.approx(
        np.array([1, 0.6]) / np.hypot(1, 0.6)
    )
    ranking = seeder.rank(queries_at([9], [[0, 1]], [[0]]), 3)
    assert ranking.ids.tolist() == [[2, 1, -1]]
    assert ranking.scores[0, 0] == pytest.approx((0.6 * 1 + 0.8 * 0.6) / np.hypot(1, 0.6))


def test_nodes_of_a_cosine_below_zero_rank_too(log):
    nodes = ("1 0", "0 1", "5 0")

    class Against(Table):
        def encode(self, texts):
            return super().encode(texts) * [[-1.0 if text == "5 0" else 1.0] for text in texts]

    ranking = Dense(Against(), nodes, {}, np.array([1, 2, 3])).rank(queries_at([9], [[0]]), 3)
    assert ranking.ids.tolist() == [[0, 1, 2]]
    assert ranking.scores.tolist() == [[1, 0, -1]]


def test_a_query_with_neither_words_nor_seeds_has_no_answer(caplog):
    seeder = Dense(Table(), ("1 0", "0 1"), {}, np.array([1, 2]))
    with caplog.at_level(logging.INFO):
        ranking = seeder.rank(queries_at([1, 9, 9], [[0], [], [0]]), 1)
    assert ranking.ids.tolist() == [[-1], [-1], [0]]  # at time 1 nothing is known yet
    assert "2 queries cannot be asked" in caplog.text


def test_vectors_come_from_the_cache_folder(tmp_path):
    born = np.array([1, 2])
    first = Dense(Table(), ("1 0", "0 1"), {}, born, tmp_path).rank(queries_at([9], [[0]]), 2)

    class Broken(Table):
        def encode(self, texts):
            raise AssertionError("not from the cache")

    again = Dense(Broken(), ("1 0", "0 1"), {}, born, tmp_path).rank(queries_at([9], [[0]]), 2)
    assert first.sha256() == again.sha256()


def test_without_faiss_the_ranking_is_the_same_and_the_log_says_so(log, monkeypatch, caplog):
    expected, real = rank(*log).sha256(), builtins.__import__

    def without_faiss(name, *rest, **named):
        if name == "faiss":
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without_faiss)
    with caplog.at_level(logging.INFO):
        assert rank(*log).sha256() == expected
    assert "FAISS is not installed" in caplog.text
    with pytest.raises(MissingExtraError, match=r"hebb_lab\[cpu\]"):
        rank(*log, index="faiss")


def test_a_search_that_returns_near_misses_is_widened_until_it_is_exact(log, monkeypatch):
    touches, queries = log
    expected = rank(touches, queries, k=3, index="numpy")
    widened = []

    class Blurred(NumpyIndex):
        """Rounds as a float32 sum in a bad order may: by a little less than the bound."""

        def search(self, asked, count):
            widened.append(count)
            products = asked @ self.vectors[: self.held].T
            products += np.resize([1.9e-6, -1.9e-6], products.shape).astype(np.float32)
            best = np.argpartition(products, -count, axis=1)[:, -count:]
            return np.take_along_axis(products, best, axis=1), best

    monkeypatch.setattr(nearest, "NumpyIndex", Blurred)
    monkeypatch.setattr(dense, "SPARE", 0)
    assert rank(touches, queries, k=3, index="numpy").sha256() == expected.sha256()
    assert max(widened) > 6


def test_queries_that_go_back_in_time_are_refused(log):
    with pytest.raises(ValueError, match="earlier"):
        rank(log[0], queries_at([9, 8]))
