import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.kernels.cpu.lookup.sieve import OVERFLOWN, last_prune, sift


def sifted(products, k, *, window, relative=0.0, room=500, tile=50, usable=None):
    """Places that pass for each query, and what is left of the heaps."""
    queries, count = products.shape
    usable = np.ones(count, np.bool_) if usable is None else usable
    bars = (np.full(queries, window, np.float32), np.float32(relative),
            np.full((queries, k), -np.inf, np.float32))  # fmt: skip
    found = (np.empty((queries, room), np.float32), np.empty((queries, room), np.int64),
             np.zeros(queries, np.int64))  # fmt: skip
    for first in range(0, count, tile):
        part = np.ascontiguousarray(products[:, first : first + tile])
        for begin in range(queries):
            sift(part, first, usable[first : first + tile], *bars, *found, begin, begin + 1)
    last_prune(*bars, *found)
    _, places, held = found
    return [None if n == OVERFLOWN else sorted(places[q, :n].tolist()) for q, n in enumerate(held)]


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.sampled_from([0.0, 0.05, 0.3]),
       st.sampled_from([0.0, 0.01]))  # fmt: skip
def test_all_and_only_what_is_within_the_window_of_the_kth_best_passes(seed, k, window, relative):
    rng = np.random.default_rng(seed)
    products = rng.standard_normal((4, int(rng.integers(1, 300)))).astype(np.float32)
    usable = rng.random(products.shape[1]) < 0.8
    found = sifted(products, k, window=window, relative=relative, usable=usable)
    for row, passed in zip(products, found, strict=True):
        there = np.sort(row[usable])
        if len(there) < k:
            expected = np.flatnonzero(usable)
        else:
            best, width = there[-k], np.float32(window)
            bar = best - width - np.float32(relative) * (abs(best) + width)
            assert np.isin(np.flatnonzero(usable & (row >= bar + 1e-6)), passed).all()
            expected = np.flatnonzero(usable & (row >= bar - 1e-6))
        assert np.isin(passed, expected).all()


def test_more_than_there_is_room_for_is_said_and_does_not_touch_other_queries():
    products = np.zeros((2, 400), np.float32)
    products[1] = np.arange(400)
    assert sifted(products, 5, window=0.0, room=100) == [None, list(range(395, 400))]


def test_room_is_found_again_by_dropping_what_the_bar_has_passed():
    products = np.arange(1000, dtype=np.float32)[None, :]
    assert sifted(products, 3, window=1.0, room=20) == [list(range(996, 1000))]
