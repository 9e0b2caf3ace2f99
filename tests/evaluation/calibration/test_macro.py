"""Comparisons over units against scipy and statsmodels, and against all signs written out."""

from itertools import product

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from hebb_lab.errors import InputError
from hebb_lab.evaluation.calibration import WEIGHTINGS, macro_comparison
from hebb_lab.evaluation.calibration.macro import signed_rank


def unit_losses(units=40, models=4, seed=0):
    """Losses [A, U] with the models slightly apart, and events [U]."""
    rng = np.random.default_rng(seed)
    level = rng.gamma(4, 0.1, units)
    lift = np.linspace(0, -0.02, models)[:, None]
    return level + lift + 0.03 * rng.exponential(size=(models, units)), rng.integers(1, 5000, units)


def compared(units=40, base=0, resamples=9999):
    loss, events = unit_losses(units)
    found = macro_comparison(loss, events, base, np.random.default_rng(1), resamples)
    return loss, events, found


def test_means_and_differences_are_weighted_by_one_by_events_and_by_their_logarithm():
    loss, events, found = compared(resamples=10)
    for column, weight in enumerate([np.ones(40), events, np.log(1 + events)]):
        mean = np.average(loss, axis=1, weights=weight)
        assert found.mean[:, column] == pytest.approx(mean, abs=1e-12)
        assert found.delta[1:, column] == pytest.approx((mean - mean[0])[1:], abs=1e-12)
    assert len(WEIGHTINGS) == found.mean.shape[1]


def test_the_intervals_are_scipys_bca_over_units():
    loss, events, found = compared()
    for column, weight in enumerate([np.ones(40), events, np.log(1 + events)]):
        oracle = stats.bootstrap(
            (loss[2] - loss[0], weight.astype(float)),
            lambda d, w, axis=-1: (d * w).sum(axis=axis) / w.sum(axis=axis),
            paired=True, confidence_level=0.99, n_resamples=9999, method="BCa",
            rng=np.random.default_rng(2),
        ).confidence_interval  # fmt: skip
        width = oracle.high - oracle.low
        assert found.interval[2, column] == pytest.approx(tuple(oracle), abs=0.08 * width)


@pytest.mark.parametrize("seed", range(5))
def test_the_test_counts_all_signs_of_the_ranks(seed):
    difference = np.random.default_rng(seed).normal(0.3, 1, 9)
    rank = np.argsort(np.argsort(np.abs(difference))) + 1
    seen = abs(rank @ np.sign(difference))
    sums = np.abs(np.array(list(product([-1, 1], repeat=9))) @ rank)
    p, effect = signed_rank(difference)
    assert p == pytest.approx(np.mean(sums >= seen))
    assert effect == pytest.approx(seen / np.sqrt((rank**2).sum()) / np.sqrt(9))


def test_holm_is_over_all_models_but_the_base():
    _, _, found = compared(base=1, resamples=10)
    others = [0, 2, 3]
    assert np.isnan(found.p_holm[1])
    oracle = multipletests(found.p[others], method="holm")[1]
    assert found.p_holm[others] == pytest.approx(oracle)


def test_the_base_has_a_mean_and_no_comparison():
    _, _, found = compared(base=2, resamples=10)
    assert np.isfinite(found.mean[2]).all()
    for part in (found.delta, found.interval, found.p, found.effect, found.better):
        assert np.isnan(part[2]).all()


def test_the_share_of_better_units_counts_no_ties():
    loss = np.array([[1.0] * 8, [0.9] * 4 + [1.0] * 2 + [1.1] * 2])
    found = macro_comparison(loss, np.ones(8), 0, np.random.default_rng(0), 100)
    assert found.better[1] == 0.5


def test_a_model_that_equals_the_base_differs_by_nothing():
    loss = np.tile(unit_losses(10, 1)[0], (2, 1))
    found = macro_comparison(loss, np.ones(10), 0, np.random.default_rng(0), 100)
    assert found.delta[1].tolist() == [0, 0, 0]
    assert found.interval[1].tolist() == [[0, 0]] * 3
    assert (found.p[1], found.effect[1], found.better[1]) == (1, 0, 0)


@pytest.mark.parametrize(
    ("units", "tested", "caution"),
    [
        (1, False, "only 1 unit: no interval, and fewer than 6 cannot show a difference by ranks"),
        (5, False, "only 5 units: fewer than 6 cannot show a difference by ranks"),
        (6, True, "only 6 units: with fewer than 20, intervals over units are rough"),
        (19, True, "only 19 units: with fewer than 20, intervals over units are rough"),
        (20, True, ""),
    ],
)
def test_few_units_are_said_and_fewer_than_six_are_not_tested(units, tested, caution):
    _, _, found = compared(units, resamples=200)
    assert found.caution == caution
    assert found.units == units
    assert np.isfinite(found.p[1:]).all() == tested
    assert np.isfinite(found.effect[1:]).all() == tested
    assert np.isfinite(found.interval[1:]).all() == (units > 1)


def test_six_units_that_all_agree_can_reach_the_level():
    p, _ = signed_rank([-1, -2, -3, -4, -5, -6])
    assert p == pytest.approx(2 / 2**6)


def test_differences_of_zero_weaken_the_test_and_never_help_it():
    some = np.array([-0.1, -0.2, -0.3, -0.4, -0.5, -0.6, -0.7, -0.8])
    assert signed_rank(np.concatenate([some, np.zeros(8)]))[1] < signed_rank(some)[1]


@pytest.mark.parametrize(
    ("loss", "events", "base", "says"),
    [
        ([[1.0, np.nan], [1.0, 1.0]], [1, 1], 0, "model 0 in unit 1 is nan.*favours it"),
        ([[1.0, 1.0]], [1, 0], 0, "fewer than one event"),
        ([[1.0, 1.0]], [1], 0, "do not fit"),
        ([[1.0, 1.0]], [1, 1], 1, "model 1 is the base of 1"),
        (np.zeros((2, 0)), [], 0, "do not fit"),
    ],
)
def test_losses_that_cannot_be_compared_are_refused(loss, events, base, says):
    with pytest.raises(InputError, match=says):
        macro_comparison(loss, events, base, np.random.default_rng(0))
