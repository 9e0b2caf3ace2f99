"""BM25 over what was known at each query's time: one index that grows with the queries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.kernels.cpu.compile import ZERO, kernel, part
from hebb_lab.kernels.cpu.select import best_nodes, set_all

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.records import Queries


class Postings(NamedTuple):
    """Documents and their words, eldest document first.

    node: [N] int64, whose document each is. length: [N] int64, words in each. pointer: [V+1] int64,
    the documents of word w are ``document[pointer[w]:pointer[w+1]]`` int32, ascending, and hold it
    as often as ``times`` float32 says.
    """

    node: NDArray[np.int64]
    length: NDArray[np.int64]
    pointer: NDArray[np.int64]
    document: NDArray[np.int32]
    times: NDArray[np.float32]


class Scratch(NamedTuple):
    """What a walk through the queries works in.

    stop: [V] where the documents of each word end that the index holds. norm: [N] of each document.
    weight: [P] of each posting. score: [N] by node. barred: [N] no answers of this query.
    """

    stop: Any
    norm: Any
    weight: Any
    score: Any
    barred: Any


def best_by_words(
    postings: Postings, word_ptr: NDArray[np.int64], words: NDArray[np.int32],
    size: NDArray[np.int64], queries: Queries, k1: float, b: float,
    ids: NDArray[np.int32], scores: NDArray[np.float32],
) -> None:  # fmt: skip
    """Fill ``ids`` and ``scores`` [Q, k] with the best nodes of each query.

    score(q, d) = Σ over words of q: ln(1 + (n − df + ½)/(df + ½)) · tf/(tf + k1·norm), summed in
    float32 in the order of the words; norm = 1 − b + b·|d|/avg. n, df and avg are of the eldest
    ``size`` documents, which is all that is seen of them.

    Args:
        postings: of all documents.
        word_ptr: [Q+1].
        words: of each query; from V on they are in no document.
        size: [Q] ascending.
        queries: names what each query excludes.
        k1: how late repetitions of a word saturate.
        b: how much length counts.
        ids: −1 when it comes in.
        scores: −inf when it comes in.
    """
    _best_by_words(
        postings, _scratch(postings), word_ptr, words, size, queries.exclude_ptr,
        queries.exclude_ids, k1, b, ids, scores,
    )  # fmt: skip


def scores_by_words(
    postings: Postings, word_ptr: NDArray[np.int64], words: NDArray[np.int32],
    size: NDArray[np.int64], k1: float, b: float,
) -> NDArray[np.float32]:  # fmt: skip
    """The scores of all nodes, [Q, N] by node id; 0 without a word. Arguments: best_by_words."""
    found = np.zeros((len(size), len(postings.node)), np.float32)
    _scores_by_words(postings, _scratch(postings), word_ptr, words, size, k1, b, found)
    return found


def _scratch(postings: Postings) -> Scratch:
    nodes = len(postings.node)
    return Scratch(
        postings.pointer[:-1].copy(), np.zeros(nodes), np.zeros(len(postings.document), np.float32),
        np.zeros(nodes), np.zeros(nodes, np.bool_),
    )  # fmt: skip


@kernel
def _best_by_words(
    postings: Any, scratch: Any, word_ptr: Any, words: Any, size: Any,
    exclude_ptr: Any, exclude_ids: Any, k1: float, b: float, ids: Any, scores: Any,
) -> None:  # fmt: skip
    held, score, stop = ZERO, scratch.score, scratch.stop
    for q in range(len(size)):
        if size[q] > held:
            held = size[q]
            _grow(held, postings, scratch, k1, b)
        for i in range(word_ptr[q], word_ptr[q + 1]):
            if words[i] < len(stop):
                for p in range(postings.pointer[words[i]], stop[words[i]]):
                    node = postings.node[postings.document[p]]
                    score[node] = np.float32(score[node]) + scratch.weight[p]
        barred = exclude_ids[exclude_ptr[q] : exclude_ptr[q + 1]]
        set_all(scratch.barred, barred, True)
        best_nodes(postings.node, score, held, scratch.barred, ids[q], scores[q])
        set_all(scratch.barred, barred, False)
        score[:] = 0.0


@kernel
def _scores_by_words(
    postings: Any, scratch: Any, word_ptr: Any, words: Any, size: Any, k1: float, b: float,
    found: Any,
) -> None:  # fmt: skip
    held, stop = ZERO, scratch.stop
    for q in range(len(size)):
        if size[q] > held:
            held = size[q]
            _grow(held, postings, scratch, k1, b)
        for i in range(word_ptr[q], word_ptr[q + 1]):
            if words[i] < len(stop):
                for p in range(postings.pointer[words[i]], stop[words[i]]):
                    found[q, postings.node[postings.document[p]]] += scratch.weight[p]


@part
def _grow(size: int, postings: Any, scratch: Any, k1: float, b: float) -> None:
    """Weigh the postings of the eldest ``size`` documents."""
    total, norm, stop = 0.0, scratch.norm, scratch.stop
    for d in range(size):
        total += postings.length[d]
    for d in range(size):
        norm[d] = k1 * ((1.0 - b) + b * postings.length[d] / (total / size))
    for w in range(len(stop)):
        start = postings.pointer[w]
        while stop[w] < postings.pointer[w + 1] and postings.document[stop[w]] < size:
            stop[w] += 1
        df = stop[w] - start
        rarity = np.float32(np.log(1.0 + (size - df + 0.5) / (df + 0.5)))
        for p in range(start, stop[w]):
            times = postings.times[p]
            scratch.weight[p] = rarity * (times / (norm[postings.document[p]] + times))
