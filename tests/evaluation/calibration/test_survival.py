"""Kaplan–Meier curves against statsmodels (delayed entry) and scipy (intervals)."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.duration.survfunc import SurvfuncRight

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.evaluation.calibration import kaplan_meier
from hebb_lab.simulator.survival import event_share

# (entry, time watched after it, whether it ended): small whole numbers, so that many times tie
SPELLS = st.lists(st.tuples(st.integers(0, 6), st.integers(1, 6), st.booleans()), min_size=1)


def columns(spells):
    entry, watched, ended = (np.array(column) for column in zip(*spells, strict=True))
    return entry + watched, ended, entry


def random_spells(number=500, seed=0):
    rng = np.random.default_rng(seed)
    length = rng.weibull(0.7, number) * 20
    entry, last = rng.uniform(0, 15, number), rng.uniform(15, 60, number)
    seen = length > entry
    return np.minimum(length, last)[seen], (length <= last)[seen], entry[seen]


@given(SPELLS)
def test_the_curve_with_delayed_entry_is_that_of_statsmodels(spells):
    duration, ended, entry = columns(spells)
    curve = kaplan_meier(duration, ended, entry)
    if not ended.any():
        assert len(curve.time) == 0
        return
    oracle = SurvfuncRight(duration, ended, entry=entry)
    assert curve.time.tolist() == oracle.surv_times.tolist()
    assert curve.at_risk.tolist() == oracle.n_risk.tolist()
    assert curve.survival == pytest.approx(oracle.surv_prob, abs=1e-12)


def test_the_interval_is_the_log_log_transform_of_greenwoods_error_in_statsmodels():
    duration, ended, entry = random_spells()
    curve = kaplan_meier(duration, ended, entry)
    oracle = SurvfuncRight(duration, ended, entry=entry)
    share, error = oracle.surv_prob, oracle.surv_prob_se
    middle = np.log(-np.log(share))
    half = stats.norm.ppf(0.975) * error / (share * np.abs(np.log(share)))
    assert curve.low == pytest.approx(np.exp(-np.exp(middle + half)), abs=1e-12)
    assert curve.high == pytest.approx(np.exp(-np.exp(middle - half)), abs=1e-12)


@given(SPELLS)
def test_without_delayed_entry_curve_and_interval_are_those_of_scipy(spells):
    duration, ended, _ = columns(spells)
    curve = kaplan_meier(duration, ended, confidence=0.9)
    assert curve.low.shape == curve.time.shape
    if not ended.any():
        return
    data = stats.CensoredData(uncensored=duration[ended], right=duration[~ended])
    oracle = stats.ecdf(data).sf
    assert curve.at(oracle.quantiles) == pytest.approx(oracle.probabilities, abs=1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scipy warns where the share is 0
        interval = oracle.confidence_interval(0.9, method="log-log")
    steps = np.isin(oracle.quantiles, curve.time)
    inside = curve.survival > 0
    assert curve.low[inside] == pytest.approx(interval.low.probabilities[steps][inside])
    assert curve.high[inside] == pytest.approx(interval.high.probabilities[steps][inside])


@given(SPELLS, st.integers(0, 12))
def test_the_simulators_share_of_ended_spells_is_one_minus_the_curve(spells, within):
    duration, ended, _ = columns(spells)
    share = 1 - kaplan_meier(duration, ended).at([within])[0]
    assert event_share(duration.astype(float), ended, within) == pytest.approx(share, nan_ok=True)


def test_where_all_have_ended_there_is_a_share_of_0_and_no_interval():
    curve = kaplan_meier([1, 2], [True, True])
    assert curve.survival.tolist() == [0.5, 0.0]
    assert np.isnan([curve.low[-1], curve.high[-1]]).all()
    assert curve.low[0] < 0.5 < curve.high[0]


def test_delayed_entry_corrects_what_ignoring_it_gets_wrong():
    rng = np.random.default_rng(1)
    length, entry = rng.exponential(10, 40_000), rng.uniform(0, 30, 40_000)
    seen = length > entry
    ended = np.ones(seen.sum(), bool)
    right = kaplan_meier(length[seen], ended, entry[seen]).at([10.0, 20.0])
    naive = kaplan_meier(length[seen], ended).at([10.0, 20.0])
    truth = np.exp([-1, -2])
    assert right == pytest.approx(truth, abs=0.02)
    assert (naive > truth + 0.05).all()


def test_the_interval_covers_the_truth_as_often_as_it_says():
    covered = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        length, last = rng.exponential(10, 100), rng.uniform(0, 30, 100)
        curve = kaplan_meier(np.minimum(length, last), length <= last)
        place = np.searchsorted(curve.time, 10.0, side="right") - 1
        covered.append(curve.low[place] <= np.exp(-1) <= curve.high[place])
    assert 0.92 <= np.mean(covered) <= 0.98


def test_a_spell_that_was_watched_for_no_time_counts_nowhere():
    with_it = kaplan_meier([1, 2, 2], [True, True, True], entry=[0, 0, 2])
    without = kaplan_meier([1, 2], [True, True], entry=[0, 0])
    assert with_it.survival.tolist() == without.survival.tolist()
    assert with_it.at_risk.tolist() == without.at_risk.tolist()


def test_a_spell_of_no_length_ends_at_once_when_all_were_seen_from_the_start():
    assert kaplan_meier([0, 1], [True, False]).at([0.0]) == 0.5


def test_nothing_is_said_after_the_last_spell_was_watched():
    curve = kaplan_meier([1, 5], [True, False])
    assert curve.at([0, 1, 5]).tolist() == [1, 0.5, 0.5]
    assert np.isnan(curve.at(5.1))


def test_the_median_is_where_half_have_ended_or_nowhere():
    assert kaplan_meier([1, 2, 3, 4], [True] * 4).median() == 2
    assert np.isnan(kaplan_meier([1, 2, 3, 4], [True, False, False, False]).median())


def test_without_spells_there_is_a_curve_that_says_nothing():
    curve = kaplan_meier([], [])
    assert len(curve.time) == 0
    assert np.isnan(curve.at([1.0])).all()
    assert np.isnan(curve.median())


@pytest.mark.parametrize(
    ("duration", "ended", "entry", "says"),
    [
        ([1.0, -1.0], [True, True], None, r"spell 1 lasts -1\.0"),
        ([np.nan], [True], None, "spell 0 lasts nan"),
        ([np.inf], [False], None, "spell 0 lasts inf"),
        ([2.0], [True], [3.0], r"enters at 3\.0"),
        ([2.0], [True], [np.nan], "enters at nan"),
        ([2.0, 1.0], [True], None, "do not fit"),
        ([2.0], [True], [0.0, 1.0], "do not fit"),
    ],
)
def test_spells_that_cannot_be_are_named(duration, ended, entry, says):
    with pytest.raises(InputError, match=says):
        kaplan_meier(duration, ended, entry)


def test_a_confidence_in_per_cent_is_refused():
    with pytest.raises(ConfigError, match="confidence of 95"):
        kaplan_meier([1.0], [True], confidence=95)
