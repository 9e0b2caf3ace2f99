"""Spells run from each activation to the next, or to the end of the log."""

import numpy as np
import pytest

from hebb_lab.halflife.protocol.shown import shown_of
from hebb_lab.halflife.protocol.splits import Split
from hebb_lab.halflife.protocol.survival import SHORTEST, observed, spells, times_of
from tests.halflife.made import history, pairs, window

# edge 0 at days 0, 1, 3; edge 1 at days 2 and 10
LOG = sorted(pairs((0, 0), (1, 0), (2, 1), (3, 0), (10, 1)))


def test_spells_begin_in_the_scored_blocks_and_are_watched_to_the_end_of_the_log():
    days, came = spells(history(LOG), [Split(1, 1, 4)])
    order = np.argsort(days)
    assert days[order].tolist() == pytest.approx([2.0, 7.0, 8.0])
    assert came[order].tolist() == [True, False, True]
    curve = observed(history(LOG), [Split(1, 1, 4)])
    assert curve["spells"] == 3
    assert curve["days"] == pytest.approx([2.0, 8.0])
    assert curve["survival"] == pytest.approx([2 / 3, 0.0])
    assert curve["watched_days"] == pytest.approx(8.0)


def test_a_weakening_is_no_activation():
    weak = [*LOG, window(12, (0, 1), strength=-0.5)]
    days, came = spells(history(weak), [Split(1, 0, 6)])
    assert len(days) == 5
    assert came.sum() == 3


def test_survival_is_predicted_from_an_hour_to_what_most_are_watched_for():
    times = times_of(history(LOG), [Split(1, 0, 5)])
    assert times[0] == pytest.approx(SHORTEST)
    assert times == sorted(times)
    assert len(times) == 12


def test_what_is_shown_of_a_fit_needs_no_details():
    class Fit:
        def half_life(self, asked):
            return np.where(asked.edge == 0, np.nan, 4.0)

    shown = shown_of(Fit(), history(LOG))
    assert shown["lives"] == {"count": [2], "half_life": [4.0]}
    assert shown["half_lives"]["personal"] == {
        "median": 4.0, "low": 4.0, "high": 4.0, "pairs": 1, "constant": True, "no_decay": False,
    }  # fmt: skip
