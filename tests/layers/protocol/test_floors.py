"""Floors rank what is known, whatever is asked."""

import numpy as np

from hebb_lab.layers.protocol.floors import FLOORS
from tests.layers.made import asked


def test_every_floor_ranks_distinct_known_memories_in_falling_order():
    for name in FLOORS:
        memory, score = FLOORS[name](asked(["a", "b"], 5), 3, np.random.default_rng(0))
        for row, values in zip(memory, score, strict=True):
            assert len(set(row.tolist())) == 3
            assert set(row.tolist()) <= set(range(5))
            assert (np.diff(values) < 0).all()


def test_what_is_not_known_yet_is_no_candidate():
    for name in FLOORS:
        memory, score = FLOORS[name](asked(["a"], 1), 3, np.random.default_rng(0))
        assert memory.tolist() == [[0, -1, -1]]
        assert np.isneginf(score[0, 1:]).all()


def test_recency_gives_what_was_written_last_first():
    memory, _ = FLOORS["recency"](asked(["a"], 4), 3, np.random.default_rng(0))
    assert memory.tolist() == [[3, 2, 1]]
