"""Selection under the tie rule, and rows by key, against sorting."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.kernels.torch.frontier import EventRows, expand, merged, pieces, summed
from hebb_lab.kernels.torch.segments import NOTHING, best, packed, ranked, unpacked

SCORES = [-np.inf, -2.5, -1e-40, 0.0, 1e-40, 0.3, 7.0]


def test_packed_pairs_are_ordered_by_score_and_then_by_id():
    pairs = [(score, node) for score in SCORES for node in (0, 5, 2**31 - 1)]
    score, node = (np.array(part) for part in zip(*pairs, strict=True))
    key = packed(torch.tensor(score), torch.tensor(node))
    want = sorted(range(len(pairs)), key=lambda i: (np.float32(score[i]), node[i]))
    assert key.argsort().tolist() == want
    assert packed(torch.tensor(-0.0), torch.tensor(3)) == packed(torch.tensor(0.0), torch.tensor(3))
    back, ids = unpacked(key)
    np.testing.assert_array_equal(back.numpy(), score.astype(np.float32))
    np.testing.assert_array_equal(ids.numpy(), node)


def test_nothing_unpacks_to_the_end_of_a_list():
    score, node = unpacked(torch.tensor([NOTHING]))
    assert score.item() == -np.inf
    assert node.item() == -1


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.integers(0, 700), min_size=1, max_size=5), st.integers(1, 60), st.integers(0, 99)
)
def test_the_best_of_segments_longer_and_shorter_than_a_row(lengths, k, seed):
    total = sum(lengths)
    key = torch.from_numpy(np.random.default_rng(seed).integers(-40, 40, (2, total)))
    got = best(key, torch.tensor(lengths), k).numpy()
    ends = np.cumsum([0, *lengths])
    for c in range(2):
        for s in range(len(lengths)):
            own = np.sort(key[c, ends[s] : ends[s + 1]].numpy())[::-1][:k]
            np.testing.assert_array_equal(got[c, s, : len(own)], own)
            assert (got[c, s, len(own) :] == NOTHING).all()


def test_ranks_within_segments_follow_value_and_then_id():
    value = torch.tensor([[1.0, 2.0, 2.0, 5.0, 5.0]], dtype=torch.float64)
    order, rank = ranked(value, torch.tensor([4, 1, 3, 8, 9]), torch.tensor([0, 0, 0, 1, 1]))
    assert order.tolist() == [[2, 1, 0, 4, 3]]
    assert rank.tolist() == [[0, 1, 2, 0, 1]]


@pytest.mark.parametrize("most", [1, 4, 100])
def test_pieces_cover_all_rows_in_order(most):
    length = torch.tensor([0, 3, 9, 0, 2, 2])
    runs = pieces(length, most)
    assert [run[0] for run in runs] == [0, *[run[1] for run in runs[:-1]]]
    assert runs[-1][1] == 6
    for first, stop in runs:
        assert int(length[first:stop].sum()) <= most or int((length[first:stop] > 0).sum()) == 1


def test_no_rows_expand_to_nothing():
    empty = torch.zeros(0, dtype=torch.int64)
    assert [part.tolist() for part in expand(empty, empty)] == [[], []]
    assert pieces(empty, 5) == []
    assert merged(empty, empty) is None
    assert [len(part) for part in summed(empty, torch.zeros((0, 3)))] == [0, 0]


@pytest.mark.parametrize("carries", [False, True])
def test_rows_that_come_in_parts_stand_in_their_places(carries):
    like = torch.zeros(0, dtype=torch.float64)
    rows = EventRows(4, 2, like, carries)
    rows.put(torch.tensor([3, 0]), torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.float64))
    rows.put(torch.tensor([2]), torch.tensor([[5.0, 6.0]], dtype=torch.float64))
    assert rows.whole().tolist() == [[3.0, 4.0], [0.0, 0.0], [5.0, 6.0], [1.0, 2.0]]
