"""The one tie rule, compiled: held to sorting."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.kernels.cpu.select import best_nodes, keep_best

SCORES = st.lists(st.sampled_from([-1.0, 0.0, 1e-46, 0.5, 0.5 + 1e-9, 0.7, 3.0]), max_size=12)


@settings(max_examples=80, deadline=None)
@given(SCORES, st.sets(st.integers(0, 11)), st.integers(1, 14), st.randoms())
def test_the_best_are_by_score_as_float32_then_by_id_both_descending(values, barred, k, random):
    count, score = len(values), np.array(values)
    nodes = list(range(count))
    random.shuffle(nodes)
    bars = np.array([node in barred for node in range(count)], dtype=np.bool_)
    ids, scores = np.full(k, -1, np.int32), np.full(k, -np.inf, np.float32)
    best_nodes(np.array(nodes, np.int64), score, count, bars, ids, scores)
    ranked = sorted(
        ((np.float32(score[n]), n) for n in nodes if n not in barred and np.float32(score[n]) > 0),
        reverse=True,
    )[:k]
    assert ids[: len(ranked)].tolist() == [node for _, node in ranked]
    assert scores[: len(ranked)].tolist() == [value for value, _ in ranked]
    assert (ids[len(ranked) :] == -1).all()
    assert np.isneginf(scores[len(ranked) :]).all()


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from([0.1, 0.2, 0.2, 0.3]), min_size=1, max_size=10), st.integers(0, 12))
def test_the_frontier_keeps_the_nodes_of_most_energy_and_silences_the_others(values, limit):
    energy, nodes = np.array(values), np.arange(len(values))
    kept = keep_best(nodes, energy, len(values), limit)
    best = sorted(range(len(values)), key=lambda node: (-values[node], -node))[:limit]
    assert kept == len(best)
    assert set(nodes[:kept].tolist()) == set(best)
    assert sorted(nodes.tolist()) == list(range(len(values)))
    for node, value in enumerate(values):
        assert energy[node] == (value if node in best else 0.0)
