"""The one tie rule, compiled: held to sorting."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.kernels.cpu.select import best_nodes

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
