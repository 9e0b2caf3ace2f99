"""Moving blocks of days against drawing them one by one, and where they must stay silent."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.evaluation.bootstrap import clustered_bootstrap
from hebb_lab.evaluation.calibration import moving_block_interval


def daily_rows(seed=0, models=3, days=60):
    """Differences [A, R] whose level wanders from day to day, and days [R], shuffled."""
    rng = np.random.default_rng(seed)
    day = rng.permutation(np.repeat(np.arange(days) + 20_000, rng.integers(0, 6, days)))
    level = rng.normal(size=(models, days)).cumsum(axis=1) / 5
    return level[:, day - 20_000] + rng.normal(size=(models, len(day))), day


def one_by_one(difference, day, rng, block_days, resamples):
    """Means [B, A] of the same draws, every resample's days and rows listed."""
    day = day - day.min()
    days = day.max() + 1
    starts = rng.integers(0, days, size=(-(-days // block_days), resamples))
    means = []
    for column in starts.T:
        drawn = [(start + i) % days for start in column for i in range(block_days)][:days]
        rows = np.concatenate([np.flatnonzero(day == d) for d in drawn])
        means.append(difference[:, rows].mean(axis=1))
    return np.array(means)


@given(st.integers(0, 50), st.integers(1, 15))
def test_the_resamples_are_those_of_drawing_blocks_one_by_one(seed, block_days):
    difference, day = daily_rows(seed)
    means = one_by_one(difference, day, np.random.default_rng(7), block_days, 40)
    found = {
        method: moving_block_interval(
            difference, day, np.random.default_rng(7), block_days, 40, 0.9, method
        )
        for method in ("percentile", "t")
    }
    slow = np.quantile(means, [0.05, 0.95], axis=0).T
    assert found["percentile"].interval == pytest.approx(slow, abs=1e-12)
    n, centre = found["t"].blocks, difference.mean(axis=1)
    error = means.std(axis=0) * np.sqrt(n / (n - 1))
    slow = np.transpose(stats.t.interval(0.9, n - 1, centre, error))
    assert found["t"].interval == pytest.approx(slow, abs=1e-9)
    assert found["t"].mean == pytest.approx(centre, abs=1e-12)


def test_four_weeks_have_an_interval_that_covers_and_percentiles_that_do_not():
    covered = {"t": 0, "percentile": 0}
    for seed in range(200):
        rng = np.random.default_rng(seed)
        noise = rng.normal(size=60) * np.sqrt(0.75)
        level = np.array([noise[: i + 1] @ 0.5 ** np.arange(i, -1, -1) for i in range(60)])[-28:]
        day = np.repeat(np.arange(28), rng.integers(1, 20, 28))
        difference = level[day] + rng.normal(size=len(day))
        for method in covered:
            low, high = moving_block_interval(
                difference, day, rng, resamples=1000, method=method
            ).interval[0]
            covered[method] += low <= 0 <= high
    assert covered["t"] >= 0.98 * 200
    assert covered["percentile"] <= 0.93 * 200


def test_models_share_the_draws():
    difference, day = daily_rows()
    together = moving_block_interval(difference, day, np.random.default_rng(7))
    alone = moving_block_interval(difference[1], day, np.random.default_rng(7))
    assert together.interval.shape == (3, 2)
    assert together.interval[1] == pytest.approx(alone.interval[0], abs=1e-12)


def test_blocks_of_one_day_are_the_clustered_bootstrap_of_days():
    difference, day = daily_rows(days=200)
    kept = np.unique(day, return_inverse=True)[1]  # no empty days: those are no clusters
    ours = moving_block_interval(
        difference, kept, np.random.default_rng(1), 1, 20_000, 0.95, "percentile"
    )
    days = clustered_bootstrap(difference, kept, np.random.default_rng(2), 20_000, 0.95)
    assert ours.interval == pytest.approx(days, abs=0.02)


def test_where_days_resemble_their_neighbours_blocks_are_wider_than_days():
    difference, day = daily_rows(days=300)
    week = moving_block_interval(difference, day, np.random.default_rng(1), 14).interval
    single = moving_block_interval(difference, day, np.random.default_rng(1), 1).interval
    assert (np.diff(week) > 1.5 * np.diff(single)).all()


def test_the_order_of_the_rows_and_the_date_of_the_first_change_nothing():
    difference, day = daily_rows()
    order = np.random.default_rng(5).permutation(len(day))
    base = moving_block_interval(difference, day, np.random.default_rng(1)).interval
    moved = moving_block_interval(
        difference[:, order], day[order] - 30_000, np.random.default_rng(1)
    )
    assert moved.interval == pytest.approx(base, abs=1e-12)


@pytest.mark.parametrize(
    ("day", "blocks"),
    [(np.arange(20), "2 stretches"), (np.arange(8), "1 stretch"), (np.arange(5), "0 stretches")],
)
def test_fewer_than_three_blocks_give_no_interval_and_the_reason(day, blocks):
    found = moving_block_interval(np.ones((2, len(day))), day, np.random.default_rng(0))
    assert np.isnan(found.interval).all()
    assert found.mean.tolist() == [1, 1]
    assert found.reason == f"the log has {blocks} of 7 days, and 3 are the least"


def test_a_long_log_with_rows_in_two_weeks_has_two_blocks():
    found = moving_block_interval([0.1, 0.2], [0, 300], np.random.default_rng(0))
    assert (found.days, found.blocks) == (301, 2)
    assert np.isnan(found.interval).all()


def test_rows_too_thin_for_blocks_give_no_interval_and_the_reason():
    day = np.array([0, 100, 200, 300])
    found = moving_block_interval(np.ones(4), day, np.random.default_rng(0))
    assert np.isnan(found.interval).all()
    assert found.reason.endswith("% of the resamples hold no row")


def test_without_rows_there_is_no_mean_either():
    found = moving_block_interval(np.zeros((2, 0)), [], np.random.default_rng(0))
    assert np.isnan(found.mean).all()
    assert found.interval.shape == (2, 2)
    assert found.reason == "there are no rows"


@pytest.mark.parametrize(
    ("difference", "day", "says"),
    [
        ([1.0, np.nan], [0, 1], "row 1 is NaN"),
        ([1.0, 2.0], [0], "do not fit"),
        ([1.0, 2.0], [0.5, 1.0], "days are float64"),
    ],
)
def test_rows_that_cannot_be_are_refused(difference, day, says):
    with pytest.raises(InputError, match=says):
        moving_block_interval(difference, day, np.random.default_rng(0))


@pytest.mark.parametrize("sizes", [(0, 10, 0.9), (7, 0, 0.9), (7, 10, 99)])
def test_sizes_that_make_no_sense_are_refused(sizes):
    with pytest.raises(ConfigError, match="at least 1 resample and 1 day"):
        moving_block_interval([1.0], [0], np.random.default_rng(0), *sizes)
