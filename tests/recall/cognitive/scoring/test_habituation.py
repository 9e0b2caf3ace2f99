import numpy as np
import pytest

from hebb_lab.recall.cognitive.scoring.habituation import (
    RETURN_WINDOW_US,
    SATIATED,
    Habituation,
    habituation,
    held_back,
    inhibition_of_return,
)


def test_habituation_is_the_published_series():
    assert habituation(np.array([1, 2, 3])).round(3).tolist() == [1.0, 0.833, 0.714]


def test_inhibition_of_return_rises_in_a_line():
    parts = np.array([0, 1 / 6, 0.5, 1, 3]) * RETURN_WINDOW_US
    assert inhibition_of_return(parts.astype(np.int64)) == pytest.approx([0.1, 0.25, 0.55, 1, 1])
    half = np.array([RETURN_WINDOW_US // 2])
    assert inhibition_of_return(half, floor=0.3) == pytest.approx([0.65])


def test_what_was_never_recalled_is_not_held_back():
    assert Habituation.of(3).penalty(0).tolist() == [1.0, 1.0, 1.0]
    assert Habituation.of(1).penalty(10**16).tolist() == [1.0]


def test_the_stronger_of_both_counts_and_satiation_halves_it():
    state = Habituation.of(2)
    state.recall(np.array([0]), 0)
    assert state.penalty(0).tolist() == pytest.approx([0.05, 1.0])  # inhibition, satiated
    late = 10 * RETURN_WINDOW_US
    assert state.penalty(late).tolist() == pytest.approx([0.5 / 1.2, 1.0])  # habituation, satiated


def test_satiation_ends_when_enough_others_were_recalled():
    state = Habituation.of(SATIATED + 1)
    state.recall(np.array([0]), 0)
    late = 10 * RETURN_WINDOW_US
    state.recall(np.arange(1, SATIATED), late)
    assert state.penalty(2 * late)[0] == pytest.approx(0.5 / 1.2)
    state.recall(np.array([SATIATED]), late)
    assert state.penalty(2 * late)[0] == pytest.approx(1 / 1.2)
    assert len(state.recent) == SATIATED


def test_a_negative_score_is_not_raised():
    scores = np.array([2.0, -2.0, 0.0, -np.inf], np.float32)
    assert held_back(scores, np.full(4, 0.5)).tolist() == [1.0, -2.0, 0.0, -np.inf]
