import numpy as np

from hebb_lab.kernels.cpu.cognitive.lists import best_lists


def test_best_lists_settle_ties_by_name():
    scores = np.array([[1.0, 1.0, 2.0, -np.inf]], np.float32)
    lists = best_lists(scores, np.array([5, 9, 0, 11], np.int32), 4)
    assert lists.memory.tolist() == [[2, 1, 0, -1]]
    assert lists.score.tolist() == [[2.0, 1.0, 1.0, -np.inf]]


def test_best_lists_are_those_of_a_sort():
    rng = np.random.default_rng(0)
    scores = np.round(rng.normal(0, 2, (90, 50))).astype(np.float32)
    scores[rng.random(scores.shape) < 0.3] = -np.inf
    rank = rng.permutation(50).astype(np.int32)
    for depth in (1, 7, 50, 60):
        lists = best_lists(scores, rank, depth)
        for q in range(90):
            order = np.lexsort((-rank, -scores[q]))
            expected = order[np.isfinite(scores[q][order])][:depth]
            assert [m for m in lists.memory[q].tolist() if m >= 0] == expected.tolist()
            assert np.array_equal(lists.score[q, : len(expected)], scores[q][expected])
