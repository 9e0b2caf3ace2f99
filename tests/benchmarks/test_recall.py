"""Batched recall: similarity and energies settled into one list."""

import numpy as np
import pytest
import torch

from hebb_lab.kernels.arrays import Found, QueryArrays
from hebb_lab.kernels.choose import backend_named
from tests.benchmarks.contest import Contest
from tests.benchmarks.values import note

pytestmark = pytest.mark.bench

NODES, WIDTH, QUERIES, DEPTH, K, ROUNDS = 10**5, 384, 256, 50, 10, 5
BOOST = np.array([0.3])


def made():
    """Unit vectors of nodes and queries, and energies as a walk would give them."""
    random = np.random.default_rng(0)
    vectors, asked = (random.standard_normal((n, WIDTH), np.float32) for n in (NODES, QUERIES))
    vectors, asked = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (vectors, asked))
    ids = np.array([random.choice(NODES, DEPTH, False) for _ in range(QUERIES)], np.int32)
    scores = -np.sort(-random.random((QUERIES, DEPTH), np.float32), axis=1)
    energies = Found(ids[None], scores[None], np.zeros((1, QUERIES), np.int64))
    nothing = np.zeros(QUERIES + 1, np.int64)
    none = np.zeros(0, np.int32)
    queries = QueryArrays(np.zeros(QUERIES, np.int64), nothing, none, np.zeros(0, np.float32),
                          nothing, none)  # fmt: skip
    return vectors, asked, energies, queries


def exact(vectors, asked, energies):
    """All similarities in torch, energies added where there are some, topk."""
    scores = asked @ vectors.T
    ids, level = (torch.from_numpy(part[0]) for part in (energies.ids, energies.scores))
    scores.scatter_add_(1, ids.long(), 0.3 * level)
    return torch.topk(scores, K, dim=1)


@pytest.mark.parametrize("name", ["cpu", "torch"])
def test_recall_against_torch_exact(benchmark, name):
    vectors, asked, energies, queries = made()
    backend = backend_named(name)
    tensors = torch.from_numpy(vectors), torch.from_numpy(asked)
    contest = Contest(
        benchmark,
        lambda: backend.recall(vectors, asked, energies, BOOST, queries, K),
        {"torch": lambda: exact(*tensors, energies)},
        ROUNDS,
    ).run()
    got, (scores, _) = contest.answers["ours"], contest.answers["torch"]
    np.testing.assert_allclose(got.scores[0], scores.numpy(), rtol=1e-5)
    note(
        benchmark,
        f"recall, back end {name}: {QUERIES} queries × {NODES:,} vectors of {WIDTH}, energies of "
        f"{DEPTH} nodes a query, top {K}",
        "Backend.recall (inner products settled in float64 by the tie rule, check of the input "
        "included) against torch: matrix × matrix in float32, energies added, topk; all threads; "
        "scores equal to 1e-5",
        contest.against("torch", "torch exact, ties by topk's order"),
        contest.wall(),
        contest.wall("torch"),
    )
