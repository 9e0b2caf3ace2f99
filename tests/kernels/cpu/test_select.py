"""The one tie rule, compiled: held to sorting."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hebb_lab.kernels.cpu.compile import kernel
from hebb_lab.kernels.cpu.select import best_nodes, rank, room_to_rank

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


@kernel
def _ranked(reached, nodes, score, best, ids, scores):
    for q in range(ids.shape[0]):
        rank(q, 0, score.shape[1], reached, nodes, score, best, ids, scores)


@settings(max_examples=80, deadline=None)
@given(st.data(), st.integers(0, 14), st.integers(0, 20), st.sampled_from([1, 2, 5]))
def test_all_configurations_are_ranked_by_the_one_rule(data, k, reached, configs):
    few = st.sampled_from([-1.0, 0.0, 1e-46, 2e-45, 0.5, 0.5 + 1e-9, 0.7, 3.0, 1e38])
    score = data.draw(hnp.arrays(np.float64, (reached, configs), elements=few))
    nodes = np.array(data.draw(st.permutations(range(100, 100 + reached))), np.int32)
    nodes[: reached // 2] *= 10_000_000  # ids of all sizes
    ids = np.full((2, configs, k), -1, np.int32)
    scores = np.full((2, configs, k), -np.inf, np.float32)
    _ranked(reached, nodes, score, room_to_rank(max(reached, 1), configs), ids, scores)
    for c in range(configs):
        ranks = [(np.float32(s), n) for s, n in zip(score[:, c], nodes, strict=True)]
        ranks = sorted(((s, n) for s, n in ranks if s > 0), reverse=True)[:k]
        ranks += [(-np.inf, -1)] * (k - len(ranks))
        for q in range(2):
            assert ids[q, c].tolist() == [n for _, n in ranks]
            assert scores[q, c].tolist() == [s for s, _ in ranks]
