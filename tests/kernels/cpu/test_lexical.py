"""BM25's compiled loop; what it gives is held to bm25s in tests/recall/test_bm25.py."""

import math

import numpy as np
import pytest

from hebb_lab.kernels.cpu.lexical import Postings, best_by_words
from tests.kernels.logs import queries_at

SIZES = (1, 2, 3, 10, 57, 999)


@pytest.mark.parametrize("size", SIZES)
def test_weights_are_to_the_bit_those_of_double_precision_rounded_once(size):
    # one word for each document frequency: word w stands once in each of the first w + 1 documents
    most = min(size, 40)
    pointer = np.concatenate([[0], np.cumsum(np.arange(1, most + 1))])
    document = np.concatenate([np.arange(w + 1, dtype=np.int32) for w in range(most)])
    length = np.bincount(document, minlength=size).astype(np.int64)
    postings = Postings(
        np.arange(size), length, pointer, document, np.ones(len(document), np.float32)
    )
    ids, scores = np.full((most, size), -1, np.int32), np.full((most, size), -np.inf, np.float32)
    best_by_words(
        postings, np.arange(most + 1), np.arange(most, dtype=np.int32), np.full(most, size),
        queries_at([1] * most, []), 1.5, 0.75, ids, scores,
    )  # fmt: skip
    average = np.array(length.tolist()).mean()
    for w in range(most):
        rarity = np.float32(math.log(1 + (size - (w + 1) + 0.5) / (w + 1 + 0.5)))
        for node, score in zip(ids[w], scores[w], strict=True):
            if node >= 0:
                norm = 1.5 * ((1 - 0.75) + 0.75 * int(length[node]) / average)
                assert score == np.float32(rarity * (1.0 / (norm + 1.0)))
        assert (ids[w] >= 0).sum() == w + 1


def test_words_of_no_document_and_barred_nodes_are_passed_over():
    postings = Postings(
        np.array([1, 0]), np.array([1, 1]), np.array([0, 2]), np.array([0, 1], np.int32),
        np.ones(2, np.float32),
    )  # fmt: skip
    ids, scores = np.full((2, 2), -1, np.int32), np.full((2, 2), -np.inf, np.float32)
    best_by_words(
        postings, np.array([0, 2, 3]), np.array([0, 7, 7], np.int32), np.array([2, 2]),
        queries_at([1, 2], [], exclude=[1]), 1.5, 0.75, ids, scores,
    )  # fmt: skip
    assert ids.tolist() == [[0, -1], [-1, -1]]
