import logging
import math
from collections import Counter
from dataclasses import replace

import bm25s
import numpy as np
import pytest

from hebb_lab.recall.bm25 import Bm25, index_sizes
from hebb_lab.recall.words import words_of
from tests.recall.asking import (
    assert_answers_are_allowed,
    assert_blind_to_the_future,
    first_queries,
    named,
    queries_at,
    some_queries,
    some_touches,
)

TEXTS = {"docs/graph_8.py": "the graph of half lives", "docs/index_33.py": "decay of the graph"}


@pytest.fixture
def log():
    rng = np.random.default_rng(0)
    touches = some_touches(rng)
    return touches, some_queries(touches, rng)


def rank(touches, queries, k=7, **settings):
    return Bm25(touches.nodes, TEXTS, touches.born_us(), **settings).rank(queries, k)


def by_hand(nodes, texts, indexed, words, k1=1.5, b=0.75):
    """node → BM25 score, from the formula, in float64."""
    documents = {
        n: Counter(words_of(nodes[n]) + words_of(texts.get(nodes[n], ""))) for n in indexed
    }
    average = sum(d.total() for d in documents.values()) / len(documents)
    scores = {}
    for node, document in documents.items():
        norm = k1 * (1 - b + b * document.total() / average)
        for word in words:
            df = sum(word in other for other in documents.values())
            idf = math.log(1 + (len(documents) - df + 0.5) / (df + 0.5))
            tf = document[word]
            scores[node] = scores.get(node, 0.0) + idf * tf / (tf + norm)
    return scores


def bm25s_index(touches, size):
    """(the index of bm25s over the eldest nodes, its vocabulary, those nodes)."""
    eldest = np.argsort(touches.born_us(), kind="stable")[:size]
    vocabulary = {}
    documents = [
        [vocabulary.setdefault(word, len(vocabulary)) for word in words_of(name) + words_of(text)]
        for name in (touches.nodes[node] for node in eldest)
        for text in [TEXTS.get(name, "")]
    ]
    index = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
    index.index((documents, vocabulary), create_empty_token=False, show_progress=False)
    return index, vocabulary, eldest


def test_its_memory_is_that_of_the_index_of_all_nodes(log):
    touches, _ = log
    seeder = Bm25(touches.nodes, TEXTS, touches.born_us())
    index, _, _ = bm25s_index(touches, 60)
    arrays = [index.scores[name] for name in ("data", "indices", "indptr")]
    assert seeder.byte_count() == sum(array.nbytes for array in arrays)


@pytest.mark.parametrize("seed", range(8))
def test_scores_are_to_the_bit_those_of_bm25s(seed):
    rng = np.random.default_rng(seed)
    touches = some_touches(rng)
    queries, born = some_queries(touches, rng), touches.born_us()
    ranking = rank(touches, queries, k=60)
    for q, now in enumerate(queries.time_us):
        sizes = index_sizes(60, 0.02)
        index, vocabulary, eldest = bm25s_index(touches, max(sizes[sizes <= (born < now).sum()]))
        seeds = queries.seed_ids[queries.seed_ptr[q] : queries.seed_ptr[q + 1]]
        words = [word for seed in seeds for word in words_of(touches.nodes[seed])]
        known = [vocabulary[word] for word in words if word in vocabulary]
        scores = index.get_scores_from_ids(known) if known else np.zeros(len(eldest), np.float32)
        excluded = set(queries.exclude_ids[slice(*queries.exclude_ptr[q : q + 2])].tolist())
        wanted = sorted(
            ((score, node) for score, node in zip(scores, eldest, strict=True)
             if score > 0 and node not in excluded), reverse=True,
        )  # fmt: skip
        assert ranking.ids[q, : len(wanted)].tolist() == [node for _, node in wanted]
        assert ranking.scores[q, : len(wanted)].tolist() == [score for score, _ in wanted]
        assert (ranking.ids[q, len(wanted) :] == -1).all()


def test_scores_are_those_of_the_formula_over_the_nodes_known_then(log):
    touches, queries = log
    born = touches.born_us()
    eldest = np.argsort(born, kind="stable")
    ranking = rank(touches, queries, k=60)
    for q, now in enumerate(queries.time_us):
        sizes = index_sizes(60, 0.02)
        size = max(sizes[sizes <= (born < now).sum()])
        seeds = queries.seed_ids[queries.seed_ptr[q] : queries.seed_ptr[q + 1]]
        words = [word for seed in seeds for word in words_of(touches.nodes[seed])]
        scores = by_hand(touches.nodes, TEXTS, eldest[:size].tolist(), words)
        allowed = {n: s for n, s in scores.items() if s > 0 and n not in seeds}
        found = dict(zip(ranking.ids[q].tolist(), ranking.scores[q].tolist(), strict=True))
        found.pop(-1, None)
        assert found == pytest.approx(allowed, rel=1e-5)


def test_it_sees_nothing_of_the_future(log):
    assert_blind_to_the_future(rank, *log)


def test_prompts_see_nothing_of_the_future_either(log):
    touches, queries = log
    prompts = [f"how does the {word} of decay2 work" for word in ("walk", "graph", "index") * 20]
    assert_blind_to_the_future(rank, touches, replace(queries, texts=tuple(prompts)))


def test_it_answers_with_known_nodes_that_are_not_excluded(log):
    touches, queries = log
    assert_answers_are_allowed(rank(touches, queries), queries, touches.born_us())


def test_an_answer_does_not_depend_on_which_other_queries_are_asked(log):
    touches, queries = log
    whole = rank(touches, queries, growth=0.2)
    for q in range(0, len(queries), 7):
        seeds = queries.seed_ids[queries.seed_ptr[q] : queries.seed_ptr[q + 1]].tolist()
        alone = queries_at([queries.time_us[q]], [seeds], [seeds])
        answer = rank(touches, alone, growth=0.2)
        assert named(answer, touches.nodes)[0] == named(whole, touches.nodes)[q]


def test_the_words_of_the_user_take_the_place_of_the_seeds_names():
    nodes, born = ("docs/walk.md", "src/graph.py", "src/graph_test.py"), np.array([1, 2, 3])
    bm25 = Bm25(nodes, {"docs/walk.md": "spreading activation"}, born)
    asked = ["", "spreading?", "walk GRAPH"]
    ranking = bm25.rank(queries_at([9, 9, 9], seeds=[[1]] * 3, texts=asked), 3)
    # A seed may be an answer unless it is excluded.
    assert ranking.ids.tolist() == [[1, 2, -1], [0, -1, -1], [0, 1, 2]]


def test_a_query_without_words_has_no_answer_and_is_counted(caplog):
    bm25 = Bm25(("a.py", "b.py", "--"), {}, np.array([1, 2, 3]))
    queries = queries_at([9, 9, 9], seeds=[[], [2], []], texts=["", "", "unheard of"])
    with caplog.at_level(logging.INFO):
        ranking = bm25.rank(queries, 2)
    assert (ranking.ids == -1).all()
    assert bm25.wordless(queries) == 2
    assert [record.getMessage() for record in caplog.records] == [
        "BM25: 2 of 3 queries have no words"
    ]


def test_before_the_first_birth_nothing_is_found():
    assert (
        Bm25(("a.py",), {}, np.array([5])).rank(queries_at([5], texts=["a"]), 1).ids == -1
    ).all()


def test_younger_nodes_wait_until_the_index_has_grown_enough():
    nodes, born = tuple(f"n{i:03d}_graph" for i in range(100)), np.arange(100)
    queries = queries_at([50, 51, 52, 61, 62, 63], texts=["graph"] * 6)
    found = (Bm25(nodes, {}, born).rank(queries, 100).ids >= 0).sum(axis=1)
    # 50 nodes grow by 1 to 51, 51 by 1.02 and so by 2 to 53, and so on in steps of 2.
    assert found.tolist() == [50, 51, 51, 61, 61, 63]


def test_a_prompt_without_a_word_does_not_fall_back_to_the_names_in_view():
    bm25 = Bm25(("a.py", "b.py"), {}, np.array([1, 2]))
    asked = queries_at([9, 9], seeds=[[0], [0]], texts=["?!", "b"])
    assert bm25.rank(asked, 2).ids.tolist() == [[-1, -1], [1, -1]]
    assert bm25.wordless(asked) == 1


def test_the_log_of_a_run_does_not_fill_with_lines_about_index_builds(log, caplog):
    with caplog.at_level(logging.DEBUG):
        rank(*log)
    assert not caplog.records


def test_two_calls_give_the_same_bytes_and_earlier_calls_leave_no_trace(log):
    touches, queries = log
    bm25 = Bm25(touches.nodes, TEXTS, touches.born_us())
    first = bm25.rank(queries, 7).sha256()
    bm25.rank(first_queries(queries, 5), 3)
    assert bm25.rank(queries, 7).sha256() == first == rank(touches, queries).sha256()


def test_asking_for_no_nodes_gives_an_empty_ranking(log):
    assert rank(*log, k=0).ids.shape == (60, 0)


def test_queries_that_go_back_in_time_are_refused(log):
    with pytest.raises(ValueError, match="earlier"):
        rank(log[0], queries_at([9, 8]))
