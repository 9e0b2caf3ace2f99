"""What an edge has done so far, against the numbers of its own events alone."""

import numpy as np
import pytest

from hebb_lab.halflife.facts.past import past_of, within_edges
from tests.halflife.made import history, pairs, random_windows


@pytest.mark.parametrize("settings", [{}, {"clock": "active_days"}])
def test_the_past_is_that_of_the_edges_own_events_so_far(settings):
    found = history(random_windows(17, 150, nodes=6, spaces=(0, 1), ties=0.1), **settings)
    past = past_of(found)
    for edge in range(found.edges):
        own = slice(int(found.pointer[edge]), int(found.pointer[edge + 1]))
        reading = found.reading[found.event_recall[own]]
        for place in range(len(reading)):
            event, gaps = own.start + place, np.diff(reading[: place + 1])
            assert past.reinforcements[event] == place + 1
            assert past.gap[event] == (gaps[-1] if place else 0)
            mean = gaps.mean() if place else 0
            assert past.mean_gap[event] == pytest.approx(mean, abs=1e-12)
            spread = gaps.std() / mean if place > 1 and mean > 0 else 0
            assert past.variation[event] == pytest.approx(spread, abs=1e-6)


def test_regular_gaps_have_no_variation_and_one_gap_has_none_yet():
    past = past_of(history(pairs((0, 0), (3, 0), (6, 0), (9, 0))))
    assert past.gap.tolist() == [0, 3, 3, 3]
    assert past.mean_gap.tolist() == [0, 3, 3, 3]
    assert past.variation == pytest.approx([0, 0, 0, 0], abs=1e-7)


def test_events_at_one_moment_have_gaps_of_0_and_no_variation():
    past = past_of(history(pairs((1, 0), (1, 0), (1, 0), (5, 1))))
    assert past.gap.tolist() == [0, 0, 0, 0]
    assert past.variation.tolist() == [0, 0, 0, 0]


def test_the_past_of_an_event_does_not_know_the_next():
    windows = random_windows(18, 80, nodes=5)
    whole, short = history(windows), history(windows[:50])
    until = short.recalls
    for part, cut in zip(past_of(whole), past_of(short), strict=True):
        np.testing.assert_array_equal(part[whole.event_recall < until], cut)


def test_running_sums_begin_anew_at_each_edge_whatever_the_others_weigh():
    values = np.array([1e20, 1.0, 1.0, 1.0, 0.5])
    assert within_edges(values, np.array([0, 1, 4, 5])).tolist() == [1e20, 1, 2, 3, 0.5]
    columns = np.column_stack([values[1:4], -values[1:4]])
    assert within_edges(columns, np.array([0, 3]))[:, 1].tolist() == [-1, -2, -3]
