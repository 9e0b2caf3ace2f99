"""RMSE(bins) against the published recipe, row by row, and scikit-learn."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import root_mean_squared_error

from hebb_lab.errors import InputError
from hebb_lab.evaluation.calibration import cells, count_bin, interval_bin, rmse_bins
from tests.evaluation.calibration.made import rows


def published(p, y, days, count, group):
    """The recipe of fitting.md §1.2 in plain Python, and scikit-learn's weighted error."""
    found = defaultdict(list)
    for row in zip(p, y, days, count, group, strict=True):
        recency = round(2.48 * 3.62 ** np.floor(np.log(max(row[2], 1e-6)) / np.log(3.62)), 2)
        seen = round(1.99 * 1.89 ** np.floor(np.log(row[3]) / np.log(1.89)), 0) if row[3] else 0
        found[recency, seen, row[4]].append(row[:2])
    means = np.array([np.mean(cell, axis=0) for cell in found.values()], dtype=float)
    return root_mean_squared_error(
        means[:, 1], means[:, 0], sample_weight=list(map(len, found.values()))
    )


def test_the_error_is_that_of_the_published_recipe():
    p, y = rows(3000)
    rng = np.random.default_rng(1)
    days, count = rng.lognormal(0, 3, 3000), rng.geometric(0.05, 3000)
    days[:20], count[:50] = 0, 0
    group = rng.choice(["tool", "file", "note"], 3000)
    ours = rmse_bins(p, y, cells(days, count, group))
    assert ours == pytest.approx(published(p, y, days, count, group), abs=1e-12)


def test_log_bins_grow_by_their_base():
    days = np.array([1.0, 3.61, 3.63, 13.1, 13.2, 100.0])
    assert interval_bin(days).tolist() == [2.48, 2.48, 8.98, 8.98, 32.5, 117.65]
    assert count_bin([0, 1, 2, 3, 4, 6, 7, 100]).tolist() == [0, 2, 4, 4, 7, 7, 13, 171]


def test_all_that_is_shorter_than_eight_minutes_is_one_bin():
    minutes = np.array([0, 1e-6, 0.1, 1, 5, 8])
    assert len(set(interval_bin(minutes / 1440))) == 1
    assert interval_bin([9 / 1440]) > 0


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1))
def test_rows_share_a_cell_when_all_three_bins_agree(triples):
    days, count, group = (np.array(column) for column in zip(*triples, strict=True))
    cell = cells(days * 10.0, count * 10, group)
    bins = list(zip(interval_bin(days * 10.0), count_bin(count * 10), group, strict=True))
    for a in range(len(bins)):
        assert [cell[a] == c for c in cell] == [bins[a] == b for b in bins]
    assert set(cell) == set(range(len(set(bins))))


def test_one_cell_sees_the_difference_of_the_means_only():
    assert rmse_bins([0.1, 0.9], [True, False], [5, 5]) == pytest.approx(0)
    assert rmse_bins([0.1, 0.9], [True, False], [5, 6]) == pytest.approx(0.9)


def test_without_rows_there_is_no_error():
    assert np.isnan(rmse_bins([], [], []))
    assert cells([], [], []).tolist() == []


@pytest.mark.parametrize(("days", "count"), [([-1.0], [1]), ([np.nan], [1]), ([1.0], [-1])])
def test_a_recency_or_count_below_0_is_refused(days, count):
    with pytest.raises(InputError, match="below 0 or NaN"):
        cells(days, count, [0])


def test_columns_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match=r"have 2, 1, 1 rows"):
        cells([1.0, 2.0], [1], ["tool"])
    with pytest.raises(InputError, match="2 cells do not fit 1 rows"):
        rmse_bins([0.5], [True], [0, 1])
