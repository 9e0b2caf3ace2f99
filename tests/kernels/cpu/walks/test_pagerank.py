"""Personalised PageRank by forward push, held to solving the linear system."""

import dataclasses

import numpy as np
import pytest

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.graph.snapshot import snapshot
from hebb_lab.graph.synapse import SynapseLayer
from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.kernels.arrays import query_arrays
from hebb_lab.kernels.cpu.walks.pagerank import MOST_LANES
from hebb_lab.kernels.cpu.walks.walker import PreparedWalker
from tests.kernels.logs import DAY_US, co_activations, queries_at

WINDOWS = [
    (20_000 * DAY_US, [0, 1, 2], 1.0, 0),
    (20_001 * DAY_US, [2, 3], 1.0, 0),
    (20_002 * DAY_US, [3, 4], 2.0, 1),
    (20_003 * DAY_US, [5, 6], 1.0, 0),
]
NOW = 20_009 * DAY_US


def solved(layer, seeds, restart):
    """P = restart (I − (1 − restart) Wᵀ)⁻¹ s; a node without edges sends its walker home."""
    import torch

    weights = snapshot(layer, NOW, dtype=torch.float64).to_dense().numpy()
    home = np.zeros(len(weights))
    for node, energy in seeds:
        home[node] += energy
    home /= home.sum()
    sums = weights.sum(axis=1, keepdims=True)
    walk = np.where(sums > 0, weights / np.where(sums > 0, sums, 1), home)
    return restart * np.linalg.solve(np.eye(len(home)) - (1 - restart) * walk.T, home)


@pytest.mark.parametrize("restart", [0.15, 0.5, 1.0])
@pytest.mark.parametrize("seeds", [[(0, 1.0)], [(0, 1.0), (3, 0.6)], [(6, 0.2), (6, 0.1)]])
def test_forward_push_solves_the_linear_system_up_to_the_residuals(restart, seeds):
    layer = SynapseLayer.learn(co_activation_graph(co_activations(WINDOWS)), [DOCUMENTED])
    walker = PreparedWalker(layer._arrays, layer._state, layer._traces, layer._reads, 10**8)
    asked = query_arrays(queries_at([NOW], seeds))
    ids, scores, edges = walker.personalised_pagerank(asked, 7, restart, 1e-9)
    want = solved(layer, seeds, restart)
    got = np.zeros(7)
    found = ids[0, 0] >= 0
    got[ids[0, 0][found]] = scores[0, 0][found]
    np.testing.assert_allclose(got, want, atol=1e-7)
    assert edges[0, 0] > 0


def test_a_seed_without_edges_keeps_its_walker():
    layer = SynapseLayer.learn(co_activation_graph(co_activations(WINDOWS)), [DOCUMENTED])
    ranking, _ = layer.personalised_pagerank(0, queries_at([WINDOWS[0][0]], [(0, 1.0)]), 3)
    assert ranking.ids[0].tolist() == [0, -1, -1]
    assert ranking.scores[0, 0] == pytest.approx(1.0, abs=2e-4)


def test_queries_of_one_moment_are_answered_as_each_alone():
    layer = SynapseLayer.learn(co_activation_graph(co_activations(WINDOWS)), [DOCUMENTED])
    seeds = [[(node, 1.0), ((node + 3) % 7, 0.5)] for node in range(7)] * (MOST_LANES // 7 + 2)
    alone = [
        layer.personalised_pagerank(0, queries_at([NOW], each, exclude=[each[0][0]]), 7)
        for each in seeds
    ]
    parts = [queries_at([NOW], each, exclude=[each[0][0]]) for each in seeds]
    joined = dataclasses.replace(
        parts[0], query_ids=tuple(f"q{i}" for i in range(len(parts))),
        time_us=np.full(len(parts), NOW), cluster=np.zeros(len(parts), np.int32),
        block=np.zeros(len(parts), np.int16), event_row=np.full(len(parts), -1),
        seed_ptr=np.arange(len(parts) + 1) * 2,
        seed_ids=np.concatenate([part.seed_ids for part in parts]),
        seed_energy=np.concatenate([part.seed_energy for part in parts]),
        exclude_ptr=np.arange(len(parts) + 1),
        exclude_ids=np.concatenate([part.exclude_ids for part in parts]),
        texts=("",) * len(parts),
    )  # fmt: skip
    together, _ = layer.personalised_pagerank(0, joined, 7)
    for q, (own, _) in enumerate(alone):
        np.testing.assert_allclose(together.scores[q], own.scores[0], atol=2e-5)
