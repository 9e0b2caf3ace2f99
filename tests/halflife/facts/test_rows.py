"""Checkpoint rows: outcomes and membership by their definitions."""

from itertools import pairwise

import numpy as np
import pytest

from hebb_lab.halflife.facts.rows import checkpoints, draw_rows
from tests.halflife.made import DAY_US, history, pairs, random_windows, window

LOG = random_windows(31, 250, nodes=9, spaces=(0, 1))


def by_hand(found, first, until, horizon_days, stride_days, whole=False):
    """[(checkpoint, edge, again)] in plain loops."""
    rows, horizon = [], round(horizon_days * DAY_US)
    begin, last = int(found.recall_us[first]), int(found.recall_us[-1])
    end = int(found.recall_us[min(until, found.recalls - 1)])
    time = int(found.recall_us[0])
    while (time := time + round(stride_days * DAY_US)) <= end:
        if time <= begin or time + horizon > (end if whole else last):
            continue
        for edge in range(found.edges):
            events = found.event_recall[found.pointer[edge] : found.pointer[edge + 1]]
            times = found.recall_us[events]
            if times[0] < time:
                rows.append((time, edge, bool(((times >= time) & (times < time + horizon)).any())))
    return sorted(rows)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(("first", "until"), [(0, 250), (60, 140), (140, 250)])
def test_rows_are_the_known_edges_at_each_checkpoint_and_whether_they_come_back(
    first, until, whole
):
    found = history(LOG)
    rows = draw_rows(found, first, until, 7.0, stride_days=3.0, whole=whole)
    expected = by_hand(found, first, until, 7.0, 3.0, whole)
    got = zip(
        rows.moments.time_us.tolist(), rows.moments.edge.tolist(), rows.again.tolist(), strict=True
    )
    assert sorted(got) == expected
    assert rows.left_out == 0
    if until < 250:
        assert 0 < rows.again.mean() < 1


def test_consecutive_blocks_share_no_checkpoint_and_miss_none():
    found = history(LOG)
    cuts = [0, 50, 130, 250]
    parts = [draw_rows(found, a, b, 2.0) for a, b in pairwise(cuts)]
    together = np.concatenate([part.checkpoint for part in parts])
    whole = draw_rows(found, 0, 250, 2.0)
    assert together.tolist() == whole.checkpoint.tolist()
    assert len(set(parts[0].checkpoint) & set(parts[1].checkpoint)) == 0


def test_a_horizon_beyond_the_log_is_not_an_outcome():
    found = history(pairs((0, 0), (1, 1), (10, 0)))
    rows = draw_rows(found, 0, 3, 7.0)
    days = (rows.moments.time_us - found.recall_us[0]) / DAY_US
    assert sorted(set(days.tolist())) == [1, 2, 3]
    assert not rows.again.any()
    assert draw_rows(found, 0, 3, 11.0).moments.edge.tolist() == []


def test_an_event_at_the_checkpoint_is_an_outcome_and_one_at_the_end_of_the_horizon_is_not():
    found = history(pairs((0, 0), (2, 0), (5, 0), (30, 1)))
    rows = draw_rows(found, 0, 4, 3.0)
    days = ((rows.moments.time_us - found.recall_us[0]) // DAY_US).tolist()
    again = dict(zip(days, rows.again.tolist(), strict=True))
    assert again[2]  # itself at day 2
    assert again[1]
    assert again[3]  # day 5
    assert again[5]
    assert not again[6]


def test_what_weakens_is_not_coming_back():
    found = history([window(0, [0, 1]), window(3, [0, 1], strength=-0.1), window(30, [2, 3])])
    rows = draw_rows(found, 0, 3, 7.0)
    assert not rows.again[rows.moments.edge == 0].any()


def test_rows_that_a_model_may_be_fitted_to_know_nothing_of_what_it_may_not_see():
    found, until = history(LOG), 120
    rows = draw_rows(found, 0, until, 7.0, whole=True)
    assert (rows.moments.time_us + 7 * DAY_US <= found.recall_us[until]).all()
    short = history(LOG[: until + 1])
    same = draw_rows(short, 0, until, 7.0, whole=True)
    assert same.again.tolist() == rows.again.tolist()
    assert same.moments.time_us.tolist() == rows.moments.time_us.tolist()


def test_too_many_rows_are_thinned_evenly_and_counted():
    found = history(LOG)
    whole, some = (draw_rows(found, 0, 250, 7.0, most=most) for most in (10**9, 700))
    assert len(some.again) + some.left_out == len(whole.again)
    assert len(some.again) == pytest.approx(700, rel=0.15)
    assert some.again.mean() == pytest.approx(whole.again.mean(), abs=0.06)
    other = draw_rows(found, 0, 250, 7.0, most=700, seed=1)
    assert other.moments.edge.tolist() != some.moments.edge.tolist()


def test_checkpoints_are_a_stride_apart_from_one_stride_after_the_beginning():
    found = history(pairs((0, 0), (10, 0)))
    days = (checkpoints(found, 4.0) - found.recall_us[0]) / DAY_US
    assert days.tolist() == [4, 8]


def test_a_log_of_hours_has_no_rows():
    found = history(pairs((0, 0), (0.1, 0)))
    rows = draw_rows(found, 0, 2, 7.0)
    assert len(rows.again) == len(rows.checkpoint) == 0
